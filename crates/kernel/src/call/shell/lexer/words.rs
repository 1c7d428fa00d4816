//! Words of a command line: quotes, what is escaped, what is expanded, and words that say where input and output go.

use std::borrow::Cow;
use std::str::Chars;

use super::super::wrapper::is_keyword;
use super::{Awaited, Indent, Lexer, Next, RedirectMode, RedirectTarget, Stream};

impl<'c> Lexer<'c> {
    pub(super) fn push(&mut self, piece: &'c str) {
        match &mut self.open.word {
            Some(word) if !word.is_empty() => word.to_mut().push_str(piece),
            word => *word = Some(Cow::Borrowed(piece)),
        }
    }

    pub(super) fn end_word(&mut self) {
        let is_expanded = !std::mem::take(&mut self.open.is_quoted);
        let Some(word) = self.open.word.take() else { return };
        let now = &mut self.open.now;
        match std::mem::take(&mut self.open.next) {
            Next::Word => {
                if matches!(&*word, "case" | "esac") && now.words.iter().all(|before| is_keyword(before)) {
                    let cases = self.open.cases;
                    self.open.cases = if word == "case" { cases + 1 } else { cases.saturating_sub(1) };
                }
                now.words.push(word);
            }
            Next::Output(stream, mode) => now.outputs.push(RedirectTarget { file: word, stream, mode }),
            Next::Input => {}
            Next::Text => now.documents.push(word),
            Next::Document(indent) => {
                let place = now.documents.len();
                now.documents.push(Cow::Borrowed(""));
                self.open.awaited.push(Awaited { end: word, indent, is_expanded, place, command: None });
            }
        }
    }

    pub(super) fn quoted(&mut self, byte: u8) {
        let rest = &self.text[self.at..];
        match byte {
            b'\'' => {
                self.at += 1;
                self.quote();
                let inside = self.run(|byte| byte == b'\'');
                self.push(inside);
                self.at += 1;
            }
            b'"' => {
                self.at += 1;
                self.quote();
                self.expanded(Some(b'"'));
            }
            b'\\' => self.escaped(),
            b'$' if rest.starts_with("$'") => self.ansi_quoted(),
            b'$' if rest.starts_with("$\"") => self.at += 1,
            // What it holds are gaps between words.
            b'$' if rest.starts_with("${IFS}") || is_name(rest, "$IFS") => {
                self.at += if rest.starts_with("${") { 6 } else { 4 };
                self.end_word();
            }
            _ => self.dollar(byte),
        }
        self.at = self.at.min(self.text.len());
    }

    fn quote(&mut self) {
        self.open.is_quoted = true;
        self.push("");
    }

    fn escaped(&mut self) {
        self.at += 1;
        let Some(letter) = self.text[self.at..].chars().next() else { return };
        let start = self.at;
        self.at += letter.len_utf8();
        if letter != '\n' {
            self.quote();
            self.push(&self.text[start..self.at]);
        }
    }

    /// What stands in double quotes, or in a document.
    pub(super) fn expanded(&mut self, close: Option<u8>) {
        loop {
            let run = self.run(|byte| Some(byte) == close || b"\\$`".contains(&byte));
            self.push(run);
            match self.byte(0) {
                None => return,
                Some(b'\\') if self.byte(1).is_some_and(|next| b"\\$`\"\n".contains(&next)) => self.escaped(),
                Some(b'\\') => {
                    self.push("\\");
                    self.at += 1;
                }
                Some(byte @ (b'$' | b'`')) => self.dollar(byte),
                Some(_) => {
                    self.at += 1;
                    return;
                }
            }
        }
    }

    /// `$name` stays as it is written; `$(…)` and what stands in back quotes are commands.
    fn dollar(&mut self, byte: u8) {
        self.at += 1;
        if byte == b'`' {
            self.nested(b'`');
        } else if self.byte(0) == Some(b'(') {
            self.at += 1;
            self.nested(b')');
        } else {
            self.push("$");
        }
    }

    /// `$'\x72m'`
    fn ansi_quoted(&mut self) {
        self.at += 2;
        self.quote();
        let mut letters = self.text[self.at..].chars();
        let mut said = String::new();
        while let Some(letter) = letters.next().filter(|letter| *letter != '\'') {
            said.push(if letter == '\\' { control(&mut letters) } else { letter });
        }
        self.at = self.text.len() - letters.as_str().len();
        self.open.word.get_or_insert_default().to_mut().push_str(&said);
    }

    /// `>`, `>>`, `>|`, `2>`, `&>`; of `2>&1` nothing is a file.
    pub(super) fn output(&mut self) {
        let is_both = self.at > 0 && self.text.as_bytes()[self.at - 1] == b'&';
        let stream = if is_both || self.end_number().is_none_or(|number| number == "1") {
            Stream::Printed
        } else {
            Stream::Other
        };
        self.at += 1;
        let mode = if self.byte(0) == Some(b'>') { RedirectMode::Append } else { RedirectMode::Truncate };
        self.at += usize::from(matches!(self.byte(0), Some(b'>' | b'|')));
        match self.byte(0) {
            Some(b'(') => self.substituted(),
            Some(b'&') => self.duplicated(Next::Output(stream, mode)),
            Some(_) | None => self.open.next = Next::Output(stream, mode),
        }
    }

    /// `<`, `<<`, `<<-`, `<<<`, `<(…)`; `<>` writes, too.
    pub(super) fn input(&mut self) {
        self.end_number();
        let rest = &self.text[self.at..];
        let forms = [
            ("<<<", Next::Text),
            ("<<-", Next::Document(Indent::Tabs)),
            ("<<", Next::Document(Indent::Nothing)),
            ("<>", Next::Output(Stream::Other, RedirectMode::Append)),
        ];
        let form = forms.into_iter().find(|(form, _)| rest.starts_with(form));
        let (length, next) = form.map_or((1, Next::Input), |(form, next)| (form.len(), next));
        self.at += length;
        match self.byte(0) {
            Some(b'(') => self.substituted(),
            Some(b'&') => self.duplicated(next),
            Some(_) | None => self.open.next = next,
        }
    }

    /// `<(…)`
    fn substituted(&mut self) {
        self.at += 1;
        self.nested(b')');
    }

    /// `>&2`, `>&-`; `>&log` is a file.
    fn duplicated(&mut self, next: Next) {
        self.at += 1;
        if self.run(|byte| !byte.is_ascii_digit() && byte != b'-').is_empty() {
            self.open.next = next;
        }
    }

    /// The number before a redirection is no word.
    fn end_number(&mut self) -> Option<Cow<'c, str>> {
        let is_number = |word: &Cow<'_, str>| word.bytes().all(|byte| byte.is_ascii_digit()) && !word.is_empty();
        let number = self.open.word.take_if(|word| is_number(word));
        self.end_word();
        number
    }
}

fn is_name(rest: &str, name: &str) -> bool {
    let behind = rest.strip_prefix(name).map(|behind| behind.bytes().next());
    behind.is_some_and(|next| next.is_none_or(|byte| !byte.is_ascii_alphanumeric() && byte != b'_'))
}

/// What stands behind a backslash in `$'…'`.
fn control(letters: &mut Chars<'_>) -> char {
    if letters.as_str().starts_with(|letter: char| letter.is_digit(8)) {
        return number(letters, 8, 3);
    }
    match letters.next() {
        Some('n') => '\n',
        Some('t') => '\t',
        Some('x') => number(letters, 16, 2),
        Some('u') => number(letters, 16, 4),
        Some('U') => number(letters, 16, 8),
        Some(letter) => letter,
        None => '\\',
    }
}

/// The letter of a number with so many digits at most.
fn number(letters: &mut Chars<'_>, radix: u32, most: usize) -> char {
    let rest = letters.as_str();
    let length = rest.chars().take(most).take_while(|letter| letter.is_digit(radix)).count();
    letters.by_ref().take(length).for_each(drop);
    let found = u32::from_str_radix(&rest[..length], radix).ok().and_then(char::from_u32);
    found.unwrap_or(char::REPLACEMENT_CHARACTER)
}
