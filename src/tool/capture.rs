//! A copy of a stream in bounded memory: all of it, or its beginning and its end.
//!
//! Pure.

use std::collections::VecDeque;

/// What was kept of a stream.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Captured {
    limit: usize,
    head: Vec<u8>,
    tail: VecDeque<u8>,
    total: u64,
}

impl Captured {
    /// Keeps so many bytes, half of them of the end.
    pub fn new(limit: usize) -> Self {
        Self { limit, ..Self::default() }
    }

    /// Takes what came.
    pub fn push(&mut self, bytes: &[u8]) {
        self.total += bytes.len() as u64;
        let free = (self.limit - self.limit / 2).saturating_sub(self.head.len());
        let (first, rest) = bytes.split_at(free.min(bytes.len()));
        self.head.extend_from_slice(first);
        let room = self.limit / 2;
        let last = &rest[rest.len().saturating_sub(room)..];
        let over = (self.tail.len() + last.len()).saturating_sub(room);
        self.tail.drain(..over);
        self.tail.extend(last);
    }

    /// How many bytes came.
    pub fn total(&self) -> u64 {
        self.total
    }

    /// How many of them are not kept.
    pub fn cut(&self) -> u64 {
        self.total - (self.head.len() + self.tail.len()) as u64
    }

    /// As a text; bytes that are none get a mark, and so does what is cut.
    pub fn text(self) -> String {
        let cut = self.cut();
        let (mut bytes, tail) = (self.head, Vec::from(self.tail));
        if cut > 0 {
            bytes.extend_from_slice(format!("\n[{cut} bytes cut]\n").as_bytes());
        }
        bytes.extend(tail);
        match String::from_utf8(bytes) {
            Ok(text) => text,
            Err(error) => String::from_utf8_lossy(error.as_bytes()).into_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn captured(limit: usize, pieces: &[&str]) -> String {
        let mut captured = Captured::new(limit);
        for piece in pieces {
            captured.push(piece.as_bytes());
        }
        captured.text()
    }

    #[test]
    fn what_fits_is_kept_whole_however_it_came() {
        assert_eq!(captured(8, &["abc", "", "defgh"]), "abcdefgh");
        assert_eq!(captured(7, &["abcdefg"]), "abcdefg");
        assert_eq!(captured(0, &[]), "");
    }

    #[test]
    fn of_more_the_beginning_and_the_end_are_kept() {
        let expected = "abcd\n[3 bytes cut]\nhij";
        assert_eq!(captured(7, &["abcdefghij"]), expected);
        assert_eq!(captured(7, &["a", "bcde", "fg", "hij"]), expected);
        let letters: Vec<String> = "abcdefghij".chars().map(String::from).collect();
        assert_eq!(captured(7, &letters.iter().map(String::as_str).collect::<Vec<_>>()), expected);
        assert_eq!(captured(0, &["abc"]), "\n[3 bytes cut]\n");
    }

    #[test]
    fn bytes_that_are_no_text_are_marked() {
        let mut captured = Captured::new(10);
        captured.push(b"a\xFFb");
        assert_eq!((captured.total(), captured.text()), (3, "a\u{FFFD}b".to_owned()));
    }
}
