//! Takes in a payload of any size: of texts that are too long the beginning stays, with a word on what is cut. It is cut
//! between words, because half of a secret looks like none.
//!
//! It goes through the bytes once and keeps a bounded number of them. Does not parse; what is no JSON stays none.

use std::io::{self, Read};

use crate::kernel::whole::LONGEST_SECRET;

/// How much is kept, in bytes.
#[derive(Debug, Clone, Copy)]
struct Limits {
    /// Of one text.
    text: usize,
    /// Of all texts together, but for short ones.
    texts: usize,
    /// A text of this length stays in any case: ids, names and paths are no longer.
    short: usize,
    /// A payload that is longer than this with its texts cut is not taken.
    hard: usize,
    /// Of a word that is longer than this a part may stay: no secret is.
    word: usize,
}

// With these a payload of 500 MB takes 76 MB of memory (bar 256 MB, docs/MEASURED.md).
const LIMITS: Limits = Limits { text: 8 << 20, texts: 16 << 20, short: 4 << 10, hard: 24 << 20, word: LONGEST_SECRET };

/// What came.
#[derive(Debug, PartialEq, Eq)]
pub enum Intake {
    /// The payload, with long texts cut.
    Whole(Vec<u8>),
    /// It is too long even so.
    TooLong,
}

/// Reads to the end, whatever is kept: an agent that still writes must not be cut off.
pub fn take_in(from: &mut dyn Read) -> io::Result<Intake> {
    take_in_within(LIMITS, from)
}

fn take_in_within(limits: Limits, from: &mut dyn Read) -> io::Result<Intake> {
    let (mut cutter, mut buffer) = (Cutter::new(limits), vec![0; 64 << 10]);
    loop {
        match from.read(&mut buffer) {
            Ok(0) => return Ok(cutter.finish()),
            Ok(count) => buffer[..count].iter().for_each(|byte| cutter.push(*byte)),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}

/// Where in the payload the next byte stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum State {
    #[default]
    Outside,
    Text,
    /// Behind a backslash.
    Escape,
    /// In the digits of a `\u`, with the number of those to come and the first two.
    Digits {
        left: u8,
        value: u16,
    },
}

#[derive(Debug)]
struct Cutter {
    limits: Limits,
    kept: Vec<u8>,
    state: State,
    /// How much of the text was kept, and how much was not.
    length: usize,
    cut: u64,
    /// How much was kept at the end of the last whole word.
    whole: usize,
    /// Behind the first half of a character that takes two escapes.
    is_half: bool,
    is_too_long: bool,
}

impl Cutter {
    fn new(limits: Limits) -> Self {
        let state = State::default();
        Self { limits, kept: Vec::new(), state, length: 0, cut: 0, whole: 0, is_half: false, is_too_long: false }
    }

    fn push(&mut self, byte: u8) {
        match self.state {
            State::Outside => {
                if byte == b'"' {
                    (self.state, self.length, self.cut, self.is_half) = (State::Text, 0, 0, false);
                }
                self.keep(byte);
                self.whole = self.kept.len();
            }
            State::Text => self.push_in_text(byte),
            State::Escape => {
                self.state = if byte == b'u' { State::Digits { left: 4, value: 0 } } else { State::Text };
                self.is_half = false;
                self.keep_in_text(byte);
                if matches!(byte, b'n' | b'r' | b't') {
                    self.end_word();
                }
            }
            State::Digits { left, value } => {
                let digit = char::from(byte).to_digit(16).and_then(|digit| u16::try_from(digit).ok());
                let value = (value << 4) | digit.unwrap_or_default();
                // What is no digit ends it, too: what came may be no JSON.
                let is_last = left == 1 || digit.is_none();
                self.state = if is_last { State::Text } else { State::Digits { left: left - 1, value } };
                self.is_half = is_last && (0xD800..0xDC00).contains(&value);
                self.keep_in_text(byte);
            }
        }
    }

    fn push_in_text(&mut self, byte: u8) {
        match byte {
            b'"' => {
                if self.cut > 0 {
                    let note = format!("… [{} bytes cut]", self.cut);
                    note.bytes().for_each(|byte| self.keep(byte));
                }
                self.state = State::Outside;
                self.keep(byte);
            }
            b'\\' => {
                self.begin(byte);
                self.state = State::Escape;
            }
            byte if byte & 0b1100_0000 == 0b1000_0000 => self.keep_in_text(byte),
            byte => {
                self.begin(byte);
                self.is_half = false;
                if byte == b' ' {
                    self.end_word();
                }
            }
        }
    }

    fn end_word(&mut self) {
        if self.cut == 0 {
            self.whole = self.kept.len();
        }
    }

    /// Only between two characters a text is cut, and between two words where they are of usual length.
    fn begin(&mut self, byte: u8) {
        let Limits { text, texts, short, .. } = self.limits;
        let fits = self.length < short || (self.length < text && self.kept.len() < texts);
        if !fits && !self.is_half && self.cut == 0 {
            let part = self.kept.len() - self.whole;
            let begun = if part <= self.limits.word { part } else { 0 };
            self.kept.truncate(self.kept.len() - begun);
            self.cut = 1 + begun as u64;
        } else {
            self.keep_in_text(byte);
        }
    }

    fn keep_in_text(&mut self, byte: u8) {
        if self.cut > 0 {
            self.cut += 1;
        } else {
            self.length += 1;
            self.keep(byte);
        }
    }

    fn keep(&mut self, byte: u8) {
        if self.kept.len() < self.limits.hard {
            self.kept.push(byte);
        } else {
            self.is_too_long = true;
        }
    }

    fn finish(self) -> Intake {
        if self.is_too_long { Intake::TooLong } else { Intake::Whole(self.kept) }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;

    const SMALL: Limits = Limits { text: 8000, texts: 16_000, short: 40, hard: 24_000, word: 0 };

    fn whole(bytes: &[u8]) -> Vec<u8> {
        match take_in_within(SMALL, &mut &*bytes).expect("memory can be read") {
            Intake::Whole(kept) => kept,
            Intake::TooLong => panic!("too long"),
        }
    }

    #[test]
    fn a_payload_of_an_ordinary_size_stays_as_it_is() {
        let texts = [r#"{"a":"\"\\\u00e9\ud83d\ude00ü","b":[1,null]}"#, "", "no json \" at all \\", r#"{"cut":"off"#];
        for text in texts {
            assert_eq!(whole(text.as_bytes()), text.as_bytes());
        }
    }

    #[test]
    fn of_a_long_text_the_beginning_stays_and_what_is_cut_is_counted() {
        let payload = format!(r#"{{"out":"{}","session_id":"s1"}}"#, "ab".repeat(8000));
        let read: Value = serde_json::from_slice(&whole(payload.as_bytes())).expect("still JSON");
        assert_eq!(read["session_id"], "s1");
        assert_eq!(read["out"], format!("{}… [8000 bytes cut]", "ab".repeat(4000)));
    }

    #[test]
    fn no_character_and_no_escape_is_cut_in_two() {
        for unit in ["é", "\\n", "\\u00e9", "\\ud83d\\ude00", "😀", "\\\\", "\\\""] {
            for shift in 0..12 {
                let text = format!("{}{}", "x".repeat(shift), unit.repeat(8000 / unit.len() + 5));
                let payload = format!(r#"{{"out":"{text}"}}"#);
                let read: Value = serde_json::from_slice(&whole(payload.as_bytes())).expect("still JSON");
                assert!(read["out"].as_str().is_some_and(|text| text.ends_with("bytes cut]")), "{unit} {shift}");
            }
        }
    }

    #[test]
    fn no_word_of_usual_length_is_cut_in_two() {
        let limits = Limits { word: 40, ..SMALL };
        for blank in [" ", "\\n", "\\t"] {
            for shift in 0..30 {
                let text = format!("{}{}", "x".repeat(shift), format!("{blank}ghp_secret").repeat(1000));
                let payload = format!(r#"{{"out":"{text}"}}"#);
                let Intake::Whole(kept) = take_in_within(limits, &mut payload.as_bytes()).expect("read") else {
                    panic!("too long")
                };
                let read: Value = serde_json::from_slice(&kept).expect("still JSON");
                let out = read["out"].as_str().and_then(|out| out.split_once("… [")).expect("cut").0.to_owned();
                assert!(out.ends_with("ghp_secret") || out.ends_with([' ', '\n', '\t']), "{blank} {shift}");
            }
        }
    }

    #[test]
    fn many_texts_together_stay_within_the_bound_and_short_ones_stay_whole() {
        let long = "x".repeat(6000);
        let payload = serde_json::json!({ "a": long, "b": long, "c": long, "d": long, "id": "short" }).to_string();
        let read: Value = serde_json::from_slice(&whole(payload.as_bytes())).expect("still JSON");
        assert_eq!((&read["a"], &read["id"]), (&Value::from(long), &Value::from("short")));
        assert!(read["d"].as_str().is_some_and(|text| text.len() < 100));
    }

    #[test]
    fn what_is_too_long_without_its_texts_is_not_taken() {
        let payload = format!("[{}]", "1,".repeat(20_000));
        assert_eq!(take_in_within(SMALL, &mut payload.as_bytes()).expect("read"), Intake::TooLong);
    }
}
