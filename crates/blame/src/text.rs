//! A text as lines. A line is compared without the `\r` before its end: who turns line endings writes no line.
//!
//! Knows nothing of files.

use std::rc::Rc;

/// A text as lines.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Text {
    /// Its lines, without their ends.
    pub lines: Vec<Rc<str>>,
    /// Whether the last of them ends.
    pub ending: Ending,
}

/// Whether the last line of a text ends.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Ending {
    /// It does, or there is no line.
    #[default]
    Newline,
    /// The text ends within it.
    Nothing,
}

impl Text {
    /// Takes a text apart.
    pub fn of(text: &str) -> Self {
        let lines = text.split('\n').map(bare).map(Rc::from);
        let mut lines: Vec<Rc<str>> = lines.collect();
        let ending = if lines.last().is_some_and(|last| last.is_empty()) {
            lines.pop();
            Ending::Newline
        } else {
            Ending::Nothing
        };
        Self { lines, ending }
    }

    /// The text again, with `\n` between its lines.
    pub fn joined(&self) -> String {
        joined(self.lines.iter().map(|line| &**line), self.ending)
    }
}

/// Lines as a text.
pub(crate) fn joined<'l>(lines: impl Iterator<Item = &'l str>, ending: Ending) -> String {
    let mut text = String::new();
    for line in lines {
        text.push_str(line);
        text.push('\n');
    }
    if ending == Ending::Nothing {
        text.pop();
    }
    text
}

fn bare(line: &str) -> &str {
    line.strip_suffix('\r').unwrap_or(line)
}

/// Whether a line says something: brackets and blanks alone stand everywhere, and line up by chance.
pub(crate) fn is_telling(line: &str) -> bool {
    line.chars().filter(|letter| letter.is_alphanumeric()).nth(1).is_some()
}

/// What the sanitizer puts in the place of a secret begins so.
const MARK: &str = "[REDACTED_";

/// Whether a recorded line has marks in the place of secrets.
pub(crate) fn is_marked(line: &str) -> bool {
    line.contains(MARK)
}

/// Whether a recorded line can be a real one: equal, but for what stands in the place of a mark.
pub(crate) fn fits(recorded: &str, real: &str) -> bool {
    if !is_marked(recorded) {
        return recorded == real;
    }
    let mut parts = around_marks(recorded).into_iter();
    let Some(mut rest) = parts.next().and_then(|head| real.strip_prefix(head)) else { return false };
    let parts: Vec<&str> = parts.collect();
    let Some((tail, middle)) = parts.split_last() else { return rest.is_empty() };
    for part in middle {
        // A mark stands for at least a letter.
        let Some(at) = from_second(rest, part) else { return false };
        rest = &rest[at + part.len()..];
    }
    rest.strip_suffix(tail).is_some_and(|hidden| !hidden.is_empty())
}

fn from_second(text: &str, part: &str) -> Option<usize> {
    let second = text.chars().next()?.len_utf8();
    text[second..].find(part).map(|at| at + second)
}

/// What stands around the marks of a text.
pub(crate) fn around_marks(line: &str) -> Vec<&str> {
    let (mut parts, mut rest) = (Vec::new(), line);
    while let Some(at) = rest.find(MARK) {
        let Some(end) = rest[at..].find(']') else { break };
        parts.push(&rest[..at]);
        rest = &rest[at + end + 1..];
    }
    parts.push(rest);
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_taken_apart_and_put_together() {
        for text in ["", "a", "a\n", "a\nb", "a\n\n", "\n"] {
            assert_eq!(Text::of(text).joined(), text, "{text:?}");
        }
        assert_eq!(Text::of("a\r\nb\r\n").joined(), "a\nb\n");
    }

    #[test]
    fn a_mark_stands_for_what_was_taken_out() {
        let cases = [
            ("key = \"[REDACTED_API_KEY]\"", "key = \"abc\"", true),
            ("key = \"[REDACTED_API_KEY]\"", "key = \"\"", false),
            ("key = \"[REDACTED_API_KEY]\"", "kex = \"abc\"", false),
            ("[REDACTED_A]:[REDACTED_B]", "u:p", true),
            ("[REDACTED_A]:[REDACTED_B]", "up", false),
            ("same", "same", true),
        ];
        for (recorded, real, expected) in cases {
            assert_eq!(fits(recorded, real), expected, "{recorded} {real}");
        }
    }
}
