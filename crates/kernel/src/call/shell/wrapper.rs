//! What stands before the command that acts, and does not say what is done: `sudo -u x`, `env A=1`, `timeout 5`, `uv run`,
//! `docker exec box`, `ssh host`; and how many words it takes.

use std::borrow::Cow;
use std::sync::LazyLock;

/// What the words behind a wrapper are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Rest {
    /// A command in words.
    Words,
    /// A command line; its words are joined.
    Line,
    /// Operands only: a command line stands behind one of its options, or nowhere.
    Operands,
}

/// A program that runs another one: a line of `wrappers.txt`, which says what stands in its columns.
struct Wrapper {
    name: &'static str,
    /// The words of its name: the program, and its verbs.
    words: Vec<&'static str>,
    operands: usize,
    rest: Rest,
    valued: Vec<&'static str>,
}

/// The rows of `wrappers.txt` by the first byte of their names, in order: each command of the log is looked up, few are
/// wrappers, and a binary search over all names took a thirtieth of a fold.
static WRAPPERS: LazyLock<[Vec<Wrapper>; 256]> = LazyLock::new(|| {
    let mut found = [const { Vec::new() }; 256];
    for row in include_str!("wrappers.txt").lines().filter(|line| !line.starts_with('#')) {
        let row = Wrapper::of(row).expect("BUG: a row of wrappers.txt");
        found[usize::from(row.name.as_bytes()[0])].push(row);
    }
    found
});

/// A shell's own options.
static SHELL: LazyLock<Wrapper> = LazyLock::new(|| {
    let valued = vec!["O", "init-file", "o", "rcfile"];
    Wrapper { name: "", words: Vec::new(), operands: 0, rest: Rest::Operands, valued }
});

impl Wrapper {
    fn of(row: &'static str) -> Option<Self> {
        let [name, form, valued] = row.split('|').map(str::trim).collect::<Vec<_>>().try_into().ok()?;
        let (operands, rest) = form.split_once(' ')?;
        let rest = match rest {
            "words" => Rest::Words,
            "line" => Rest::Line,
            "none" => Rest::Operands,
            _ => return None,
        };
        let words = name.split(' ').collect();
        Some(Self { name, words, operands: operands.parse().ok()?, rest, valued: valued.split_whitespace().collect() })
    }

    /// Whether an option takes a value.
    fn takes(&self, option: &str) -> Option<Holds> {
        let named = |known: &&str| known.strip_suffix('!').unwrap_or(known) == option;
        let known = self.valued.iter().find(|known| named(known))?;
        Some(if known.ends_with('!') { Holds::Line } else { Holds::Word })
    }
}

/// Where the command that acts stands.
pub(super) enum Acting<'c> {
    /// Its program is this word; behind the last where there is none.
    Word(usize),
    /// It is a line of its own.
    Line(Cow<'c, str>),
}

/// Whether a word only says when what follows is run.
pub(super) fn is_keyword(word: &str) -> bool {
    matches!(word, "!" | "do" | "elif" | "else" | "if" | "then" | "time" | "until" | "while" | "{")
}

/// The command that acts, in the words of a simple one.
pub(super) fn acting<'c>(words: &[Cow<'c, str>]) -> Acting<'c> {
    let mut at = 0;
    loop {
        let rest = &words[at..];
        let Some(word) = rest.first() else { return Acting::Word(at) };
        if is_assignment(word) {
            at += 1;
            continue;
        }
        let Some(row) = wrapper(rest) else { return Acting::Word(at) };
        let Behind { taken, line, .. } = behind(row, &rest[row.words.len()..]);
        let taken = row.words.len() + taken;
        let line = line.or_else(|| line_of(row, &rest[taken..]));
        match line {
            Some(line) => return Acting::Line(line),
            None if taken < rest.len() && !only_describes(rest) => at += taken,
            None => return Acting::Word(at),
        }
    }
}

/// What a shell with these arguments runs: the operand behind `-c`; nothing where that is a file.
pub(super) enum Shell<'c> {
    Line(Cow<'c, str>),
    Input,
    File,
}

impl<'c> Shell<'c> {
    pub(super) fn of(words: &[Cow<'c, str>]) -> Self {
        let Behind { taken, letters, .. } = behind(&SHELL, words);
        match words.get(taken) {
            Some(line) if letters.contains('c') => Self::Line(line.clone()),
            Some(_) if !letters.contains('s') => Self::File,
            Some(_) | None => Self::Input,
        }
    }
}

/// The base name of a program's path.
pub(super) fn base_name(word: &str) -> &str {
    word.rsplit('/').next().unwrap_or(word)
}

fn wrapper(words: &[Cow<'_, str>]) -> Option<&'static Wrapper> {
    let name = base_name(words.first()?);
    let verbs = &words[1..];
    let rows = WRAPPERS[usize::from(*name.as_bytes().first()?)].iter();
    rows.filter(|row| row.words[0] == name).find(|row| row.words[1..].iter().eq(verbs.iter().take(row.words.len() - 1)))
}

/// The options and operands of a wrapper.
#[derive(Default)]
struct Behind<'c> {
    /// How many words they are.
    taken: usize,
    /// The command line that one of the options holds.
    line: Option<Cow<'c, str>>,
    /// The short options.
    letters: String,
}

fn behind<'c>(row: &Wrapper, words: &[Cow<'c, str>]) -> Behind<'c> {
    let mut found = Behind::default();
    let mut operands = row.operands;
    while let Some(word) = words.get(found.taken) {
        let word = &**word;
        let value = if word == "--" {
            found.taken += 1;
            if operands == 0 {
                break;
            }
            continue;
        } else if let Some(long) = word.strip_prefix("--") {
            let (name, value) = long.split_once('=').map_or((long, None), |(name, value)| (name, Some(value)));
            row.takes(name).map(|holds| (holds, value))
        } else if let Some(short) =
            word.strip_prefix(['-', '+']).filter(|_| row.name.is_empty() || word.starts_with('-'))
        {
            found.letters.push_str(short);
            short.char_indices().find_map(|(place, letter)| {
                let holds = row.takes(letter.encode_utf8(&mut [0; 4]))?;
                let glued = &short[place + letter.len_utf8()..];
                Some((holds, Some(glued).filter(|glued| !glued.is_empty())))
            })
        } else if operands > 0 {
            operands -= 1;
            None
        } else {
            break;
        };
        found.taken += 1;
        let Some((holds, glued)) = value else { continue };
        let value = match glued {
            Some(glued) => Some(Cow::Owned(glued.to_owned())),
            None => words.get(found.taken).cloned(),
        };
        found.taken += usize::from(glued.is_none());
        found.line = found.line.or(value.filter(|_| holds == Holds::Line));
    }
    found.taken = found.taken.min(words.len());
    found
}

/// What the value of an option is.
#[derive(PartialEq, Eq)]
enum Holds {
    Word,
    Line,
}

/// The words of a line joined; of `trap 'make' EXIT` the first. What a variable holds is no line that could be read.
fn line_of<'c>(row: &Wrapper, words: &[Cow<'c, str>]) -> Option<Cow<'c, str>> {
    if row.rest != Rest::Line {
        return None;
    }
    let line = match words {
        [line] if row.name != "trap" => line.clone(),
        [line, _, ..] if row.name == "trap" => line.clone(),
        [] | [_] => return None,
        _ => Cow::Owned(words.join(" ")),
    };
    Some(line).filter(|line| !line.starts_with('$'))
}

/// `command -v rm` says where a program lies.
fn only_describes(words: &[Cow<'_, str>]) -> bool {
    words[0] == "command" && words[1].starts_with('-') && words[1].contains(['v', 'V'])
}

/// `A=1`, `A+=1`
fn is_assignment(word: &str) -> bool {
    let Some((name, _)) = word.split_once('=') else { return false };
    let name = name.strip_suffix('+').unwrap_or(name);
    !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_wrappers_are_in_order() {
        assert!(WRAPPERS.iter().flatten().is_sorted_by(|left, right| left.name < right.name));
    }
}
