//! Reads scripts, step by step; one that is not plain is none.

use regex::Regex;

use super::pattern::{of_basic, of_extended};
use super::{Address, Dialect, Does, Often, Step};

/// The steps of a script.
pub(super) fn steps(text: &str, dialect: Dialect) -> Option<Vec<Step>> {
    let mut reader = ScriptReader { rest: text, dialect };
    let mut steps = Vec::new();
    loop {
        reader.rest = reader.rest.trim_start_matches([' ', '\t', '\n', ';']);
        if reader.rest.is_empty() {
            return (!steps.is_empty()).then_some(steps);
        }
        steps.push(reader.step()?);
    }
}

struct ScriptReader<'s> {
    rest: &'s str,
    dialect: Dialect,
}

impl ScriptReader<'_> {
    fn step(&mut self) -> Option<Step> {
        let from = self.address()?;
        let to = if from.is_some() && self.eat(',') { Some(self.address()??) } else { None };
        self.rest = self.rest.trim_start_matches(' ');
        let verb = self.next()?;
        let does = match verb {
            's' => self.substitution()?,
            'd' => self.end_of_step(Does::Delete)?,
            'i' => Does::Insert(self.text()?),
            'a' => Does::Append(self.text()?),
            'c' => Does::Change(self.text()?),
            _ => return None,
        };
        Some(Step { from, to, does })
    }

    fn end_of_step(&mut self, does: Does) -> Option<Does> {
        let rest = self.rest.trim_start_matches(' ');
        (rest.is_empty() || rest.starts_with([';', '\n'])).then_some(does)
    }

    fn next(&mut self) -> Option<char> {
        let letter = self.rest.chars().next()?;
        self.rest = &self.rest[letter.len_utf8()..];
        Some(letter)
    }

    fn eat(&mut self, letter: char) -> bool {
        let rest = self.rest.strip_prefix(letter);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    /// An address, where one stands here; `None` where it is none that is known.
    #[expect(clippy::option_option, reason = "no address, and one that nobody knows, are two things")]
    fn address(&mut self) -> Option<Option<Address>> {
        let digits = self.rest.bytes().take_while(u8::is_ascii_digit).count();
        if digits > 0 {
            let number = self.rest[..digits].parse().ok()?;
            self.rest = &self.rest[digits..];
            return Some(Some(Address::Number(number)));
        }
        if self.eat('$') {
            return Some(Some(Address::Last));
        }
        if self.eat('/') {
            let pattern = self.pattern_until('/')?;
            return Some(Some(Address::Match(self.pattern(&pattern, "")?)));
        }
        (!self.rest.starts_with(['\\', '!', '{', ':', '0'])).then_some(None)
    }

    /// The text up to a letter, without it.
    fn until(&mut self, end: char) -> Option<String> {
        let mut text = String::new();
        loop {
            match self.next()? {
                letter if letter == end => return Some(text),
                '\\' => self.escape(end, &mut text)?,
                letter => text.push(letter),
            }
        }
    }

    fn escape(&mut self, end: char, text: &mut String) -> Option<()> {
        match self.next()? {
            letter if letter == end && end != '\\' => text.push(letter),
            letter => text.extend(['\\', letter]),
        }
        Some(())
    }

    /// The same of a pattern: within a class of letters the end is a letter, and so is a bracket right behind the first.
    fn pattern_until(&mut self, end: char) -> Option<String> {
        let (mut text, mut class) = (String::new(), None);
        loop {
            match self.next()? {
                letter if letter == end && class.is_none() => return Some(text),
                ']' if class.is_some_and(|at| !matches!(&text[at..], "[" | "[^")) => {
                    class = None;
                    text.push(']');
                }
                '[' if class.is_none() => {
                    class = Some(text.len());
                    text.push('[');
                }
                '\\' if class.is_none() => self.escape(end, &mut text)?,
                letter => text.push(letter),
            }
        }
    }

    fn substitution(&mut self) -> Option<Does> {
        let end =
            self.next().filter(|end| !end.is_alphanumeric() && !end.is_whitespace() && !"\\{([".contains(*end))?;
        let (pattern, with) = (self.pattern_until(end)?, self.until(end)?);
        let flags: String = std::iter::from_fn(|| {
            self.rest.starts_with(|letter: char| letter.is_alphanumeric()).then(|| self.next()).flatten()
        })
        .collect();
        if flags.chars().any(|flag| !"gIip".contains(flag)) {
            return None;
        }
        let often = if flags.contains('g') { Often::Always } else { Often::Once };
        let case = if flags.contains(['i', 'I']) { "(?i)" } else { "" };
        let does = Does::Substitute(self.pattern(&pattern, case)?, self.replacement(&with)?, often);
        self.end_of_step(does)
    }

    fn pattern(&self, pattern: &str, case: &str) -> Option<Regex> {
        if pattern.is_empty() {
            return None;
        }
        let pattern = match self.dialect {
            Dialect::Basic => of_basic(pattern)?,
            Dialect::Extended => of_extended(pattern)?,
            // What stands for a variable is not known.
            Dialect::Perl if pattern.contains(['@', '$']) && !pattern.ends_with('$') => return None,
            Dialect::Perl => pattern.to_owned(),
        };
        Regex::new(&format!("{case}{pattern}")).ok()
    }

    fn replacement(&self, with: &str) -> Option<String> {
        let (mut text, mut letters) = (String::new(), with.chars());
        while let Some(letter) = letters.next() {
            match letter {
                '&' if self.dialect != Dialect::Perl => text.push_str("${0}"),
                '$' if self.dialect == Dialect::Perl => {
                    let digit = letters.next().filter(char::is_ascii_digit)?;
                    text.extend(['$', '{', digit, '}']);
                }
                '@' if self.dialect == Dialect::Perl => return None,
                '$' => text.push_str("$$"),
                '\\' => match letters.next()? {
                    'n' | '\n' => text.push('\n'),
                    't' => text.push('\t'),
                    digit if digit.is_ascii_digit() => text.extend(['$', '{', digit, '}']),
                    letter if letter.is_alphanumeric() => return None,
                    '$' => text.push_str("$$"),
                    letter => text.push(letter),
                },
                letter => text.push(letter),
            }
        }
        Some(text)
    }

    /// The text of `a`, `i` and `c`: to the end of the line, and on where that ends with a backslash.
    fn text(&mut self) -> Option<String> {
        let one_line = self.rest.trim_start_matches([' ', '\t']);
        let rest = one_line.strip_prefix('\\').map_or(one_line, |rest| rest.strip_prefix('\n').unwrap_or(rest));
        let mut text = String::new();
        let mut letters = rest.char_indices();
        while let Some((at, letter)) = letters.next() {
            match letter {
                '\\' => match letters.next()?.1 {
                    'n' | '\n' => text.push('\n'),
                    't' => text.push('\t'),
                    letter => text.push(letter),
                },
                '\n' => {
                    self.rest = &rest[at..];
                    return Some(text);
                }
                letter => text.push(letter),
            }
        }
        self.rest = "";
        (!text.is_empty()).then_some(text)
    }
}
