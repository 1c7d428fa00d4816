//! Steps through compact JSON without building anything.
//!
//! Gives up (`None`) at white space between tokens and at anything unexpected: the caller then reads the slow way.

use std::borrow::Cow;

use memchr::memchr2;

/// A range of bytes in a line, and whether it holds a backslash; an end of 0 means "not there".
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Part {
    start: u32,
    /// The top bit says "escaped": no line is 2 GiB long.
    end: u32,
}

const ESCAPED: u32 = 1 << 31;

impl Part {
    pub(super) fn of(self, line: &[u8]) -> &[u8] {
        line.get(self.start as usize..(self.end & !ESCAPED) as usize).unwrap_or_default()
    }

    fn is_escaped(self) -> bool {
        self.end & ESCAPED != 0
    }

    /// The string that it is, with its escapes resolved.
    pub(super) fn text(self, line: &[u8]) -> Cow<'_, str> {
        let raw = self.of(line);
        if self.is_escaped() {
            let quoted = [b"\"", raw, b"\""].concat();
            return serde_json::from_slice(&quoted).map_or_else(|_| String::from_utf8_lossy(raw), Cow::Owned);
        }
        std::str::from_utf8(raw).map_or_else(|_| String::from_utf8_lossy(raw), Cow::Borrowed)
    }

    pub(super) fn is_there(self) -> bool {
        self.end > 0
    }
}

pub(super) struct Cursor<'a> {
    line: &'a [u8],
    pub(super) at: usize,
}

impl<'a> Cursor<'a> {
    pub(super) fn new(line: &'a [u8], at: usize) -> Self {
        Self { line, at }
    }

    fn part(&self, start: usize, end: usize) -> Option<Part> {
        debug_assert!(start <= end && end <= self.line.len(), "BUG: a part outside of its line");
        let end = u32::try_from(end).ok().filter(|end| *end < ESCAPED)?;
        Some(Part { start: u32::try_from(start).ok()?, end })
    }

    pub(super) fn literal(&mut self, text: &[u8]) -> Option<()> {
        if !self.line.get(self.at..)?.starts_with(text) {
            return None;
        }
        self.at += text.len();
        Some(())
    }

    pub(super) fn byte(&mut self) -> Option<u8> {
        let byte = *self.line.get(self.at)?;
        self.at += 1;
        Some(byte)
    }

    fn peek(&self) -> Option<u8> {
        self.line.get(self.at).copied()
    }

    /// The inside of a string whose opening quote is already behind; leaves its closing quote behind, too.
    pub(super) fn string_rest(&mut self) -> Option<Part> {
        let start = self.at;
        let mut escaped = 0;
        loop {
            let found = self.at + memchr2(b'"', b'\\', self.line.get(self.at..)?)?;
            if self.line[found] == b'"' {
                self.at = found + 1;
                let part = self.part(start, found)?;
                return Some(Part { end: part.end | escaped, ..part });
            }
            escaped = ESCAPED;
            self.at = found + 2;
        }
    }

    pub(super) fn string(&mut self) -> Option<Part> {
        self.literal(b"\"")?;
        self.string_rest()
    }

    pub(super) fn number(&mut self) -> Option<u64> {
        let digits = self.line.get(self.at..)?.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let part = self.part(self.at, self.at + digits)?;
        self.at += digits;
        decimal(part.of(self.line))
    }

    /// Any value; what it holds is not checked.
    pub(super) fn value(&mut self) -> Option<Part> {
        let start = self.at;
        match self.peek()? {
            b'"' => drop(self.string()?),
            b'{' | b'[' => self.nested()?,
            _ => self.at += self.line[start..].iter().take_while(|byte| !matches!(byte, b',' | b'}' | b']')).count(),
        }
        self.part(start, self.at).filter(|_| self.at > start)
    }

    fn nested(&mut self) -> Option<()> {
        let mut depth = 0u32;
        loop {
            match self.byte()? {
                b'"' => drop(self.string_rest()?),
                b'{' | b'[' => depth += 1,
                b'}' | b']' => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                return Some(());
            }
        }
    }

    /// The members of an object, one after the other, given the key.
    pub(super) fn object(&mut self, mut member: impl FnMut(&mut Self, &[u8]) -> Option<()>) -> Option<()> {
        self.literal(b"{")?;
        if self.peek()? == b'}' {
            self.at += 1;
            return Some(());
        }
        loop {
            let key = self.string()?;
            self.literal(b":")?;
            member(self, key.of(self.line))?;
            match self.byte()? {
                b',' => {}
                b'}' => return Some(()),
                _ => return None,
            }
        }
    }
}

/// Digits as a number; `None` for none, and for too many.
pub(super) fn decimal(digits: &[u8]) -> Option<u64> {
    if digits.is_empty() || digits.len() > 18 {
        return None;
    }
    digits.iter().try_fold(0u64, |sum, byte| byte.is_ascii_digit().then(|| sum * 10 + u64::from(byte - b'0')))
}
