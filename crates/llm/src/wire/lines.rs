//! Lines out of bytes that come in any pieces. Ends with LF, CR or both, as event streams do.
//!
//! What the lines mean is for the caller. A line without end is refused.

use super::LINE_BYTES;
use super::trouble::Trouble;

/// The line that is not complete yet.
#[derive(Debug, Default)]
pub struct Lines {
    begun: Vec<u8>,
    ended: LastEnd,
}

/// How the last line ended: the LF of a CR LF may come in the next piece.
#[derive(Debug, Default, PartialEq, Eq)]
enum LastEnd {
    #[default]
    Other,
    Cr,
}

impl Lines {
    /// Hands on each line that is complete now.
    pub fn push(&mut self, bytes: &[u8], each: &mut dyn FnMut(&str) -> Result<(), Trouble>) -> Result<(), Trouble> {
        let mut rest = bytes;
        if self.ended == LastEnd::Cr && !rest.is_empty() {
            self.ended = LastEnd::Other;
            rest = rest.strip_prefix(b"\n").unwrap_or(rest);
        }
        while let Some(at) = rest.iter().position(|byte| matches!(byte, b'\n' | b'\r')) {
            self.begin(&rest[..at])?;
            let tail = &rest[at + 1..];
            rest = match (rest[at], tail) {
                (b'\r', []) => {
                    self.ended = LastEnd::Cr;
                    tail
                }
                (b'\r', _) => tail.strip_prefix(b"\n").unwrap_or(tail),
                _ => tail,
            };
            each(&String::from_utf8_lossy(&std::mem::take(&mut self.begun)))?;
        }
        self.begin(rest)
    }

    /// What came after the last end of a line.
    pub fn rest(self) -> Option<String> {
        (!self.begun.is_empty()).then(|| String::from_utf8_lossy(&self.begun).into_owned())
    }

    fn begin(&mut self, bytes: &[u8]) -> Result<(), Trouble> {
        self.begun.extend_from_slice(bytes);
        if self.begun.len() > LINE_BYTES { Err(Trouble::TooLarge { limit: LINE_BYTES }) } else { Ok(()) }
    }
}
