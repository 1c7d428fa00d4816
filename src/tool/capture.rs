//! A copy of a stream in bounded memory: all of it, or its beginning and its end.
//!
//! What is kept is cut between lines, so that the sanitizer sees no half of a secret, which it could not know. Pure.

use std::collections::VecDeque;

use crate::kernel::whole::LONGEST_SECRET;

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

    /// As a text; bytes that are none get a mark, and so does what is cut. Written as JSON it is not much longer than what
    /// was to be kept: each NUL takes six bytes there, and a command may write nothing else.
    pub fn text(self) -> String {
        const NOTE: usize = 64;
        let limit = self.limit + self.limit / 4 + NOTE;
        within(self.whole_text(), limit)
    }

    fn whole_text(self) -> String {
        let (cut, total) = (self.cut(), self.total);
        let (mut bytes, tail) = (self.head, Vec::from(self.tail));
        if cut > 0 {
            return parted(&bytes, &tail, total);
        }
        bytes.extend(tail);
        match String::from_utf8(bytes) {
            Ok(text) => text,
            Err(error) => String::from_utf8_lossy(error.as_bytes()).into_owned(),
        }
    }
}

/// The beginning and the end of so many bytes, each cut between two lines, or at least two words.
fn parted(head: &[u8], tail: &[u8], total: u64) -> String {
    let (head, tail) = (whole_head(head), whole_tail(tail));
    let cut = total - (head.len() + tail.len()) as u64;
    let (head, tail) = (String::from_utf8_lossy(head), String::from_utf8_lossy(tail));
    let newline = if head.ends_with('\n') { "" } else { "\n" };
    format!("{head}{newline}[{cut} bytes cut]\n{tail}")
}

/// What ends no later than its last line, or its last word, within the length of a secret.
fn whole_head(head: &[u8]) -> &[u8] {
    let from = head.len().saturating_sub(LONGEST_SECRET);
    let end = |ends: fn(u8) -> bool| head[from..].iter().rposition(|byte| ends(*byte)).map(|at| from + at + 1);
    &head[..end(ends_line).or_else(|| end(is_between_words)).unwrap_or(from)]
}

/// What begins with the first whole line, or the first whole word, within the length of a secret.
fn whole_tail(tail: &[u8]) -> &[u8] {
    let most = tail.len().min(LONGEST_SECRET);
    let start = |ends: fn(u8) -> bool| tail[..most].iter().position(|byte| ends(*byte)).map(|at| at + 1);
    &tail[start(ends_line).or_else(|| start(is_between_words)).unwrap_or(most)..]
}

fn ends_line(byte: u8) -> bool {
    byte == b'\n'
}

/// No secret has a control character.
fn is_between_words(byte: u8) -> bool {
    byte == b' ' || byte.is_ascii_control()
}

/// How long a character is in a string of JSON.
fn written(letter: char) -> usize {
    match letter {
        '"' | '\\' | '\n' | '\r' | '\t' | '\u{8}' | '\u{c}' => 2,
        letter if letter < ' ' => 6,
        letter => letter.len_utf8(),
    }
}

/// A text of which, where it is too long as JSON, the middle is cut.
fn within(text: String, limit: usize) -> String {
    // A short text fits whatever it holds, so that it is not counted letter by letter.
    const WORST: usize = 6;
    if text.len() <= limit / WORST || text.chars().map(written).sum::<usize>() <= limit {
        return text;
    }
    let fits = |sum: &mut usize, letter: char| {
        *sum += written(letter);
        (*sum <= limit / 2).then_some(letter.len_utf8())
    };
    let head: usize = text.chars().scan(0, |sum, letter| fits(sum, letter)).sum();
    let tail: usize = text.chars().rev().scan(0, |sum, letter| fits(sum, letter)).sum();
    parted(&text.as_bytes()[..head], &text.as_bytes()[text.len() - tail..], text.len() as u64)
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
        let expected = "a\nb\n[4 bytes cut]\ni\n";
        assert_eq!(captured(9, &["a\nb\ncdefgi\n"]), "a\nb\n[7 bytes cut]\n");
        assert_eq!(captured(9, &["a\nb\ncde\ni\n"]), expected);
        assert_eq!(captured(9, &["a", "\nb\nc", "de", "\ni\n"]), expected);
        let letters: Vec<String> = "a\nb\ncde\ni\n".chars().map(String::from).collect();
        assert_eq!(captured(9, &letters.iter().map(String::as_str).collect::<Vec<_>>()), expected);
        assert_eq!(captured(0, &["abc"]), "\n[3 bytes cut]\n");
    }

    #[test]
    fn what_is_kept_begins_and_ends_with_a_whole_line_or_word() {
        assert_eq!(captured(20, &["one two thr", "ee four five six sev"]), "one two \n[16 bytes cut]\nsix sev");
        let word = "x".repeat(20_000);
        let text = captured(16_000, &[&word]);
        let kept = "x".repeat(8000 - LONGEST_SECRET);
        assert_eq!(text, format!("{kept}\n[{} bytes cut]\n{kept}", 20_000 - 2 * kept.len()));
        let lines = format!("a\n{word}b c{word}\nd");
        assert_eq!(captured(10, &[&lines]), format!("a\n[{} bytes cut]\nd", lines.len() - 3));
    }

    #[test]
    fn what_is_long_only_as_json_is_cut_in_its_middle() {
        let zeros = "\0".repeat(1000);
        let text = captured(1000, &[&zeros]);
        assert_eq!(text, format!("{}\n[783 bytes cut]\n{}", "\0".repeat(109), "\0".repeat(108)));
        let written = serde_json::to_string(&text).expect("a text");
        assert!(written.len() < 1400, "{}", written.len());
        assert_eq!(captured(1000, &["x\n"]), "x\n");
    }

    #[test]
    fn bytes_that_are_no_text_are_marked() {
        let mut captured = Captured::new(10);
        captured.push(b"a\xFFb");
        assert_eq!((captured.total(), captured.text()), (3, "a\u{FFFD}b".to_owned()));
    }
}
