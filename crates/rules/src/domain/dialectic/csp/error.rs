//! Why a text is no message, and where: line and column, in characters, and what was expected there.

/// The longest text that is read, in characters.
pub const MOST_CHARS: usize = 65_536;

/// The longest list.
pub(crate) const MOST_ITEMS: usize = 64;

/// What is shown of what was found, in characters.
const SHOWN: usize = 24;

/// Why a text is no message.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, column {column}: expected {expected}, found {found}")]
pub struct CspError {
    /// From 1.
    pub line: usize,
    /// From 1, in characters.
    pub column: usize,
    /// What could have stood there.
    pub expected: String,
    /// What stands there.
    pub found: String,
}

impl CspError {
    /// At a byte of a text; a byte inside a character counts as its first.
    pub(super) fn at(text: &str, byte: usize, expected: impl Into<String>) -> Self {
        let mut byte = byte.min(text.len());
        while !text.is_char_boundary(byte) {
            byte -= 1;
        }
        let (before, after) = text.split_at(byte);
        let line_start = before.rfind('\n').map_or(0, |end| end + 1);
        let found: String = after.lines().next().unwrap_or_default().chars().take(SHOWN).collect();
        Self {
            line: before.matches('\n').count() + 1,
            column: before[line_start..].chars().count() + 1,
            expected: expected.into(),
            found: match (after.is_empty(), found.trim().is_empty()) {
                (true, _) => "the end".to_owned(),
                (false, true) => "a blank".to_owned(),
                (false, false) => format!("\"{}\"", found.trim_end().replace('\t', " ")),
            },
        }
    }
}
