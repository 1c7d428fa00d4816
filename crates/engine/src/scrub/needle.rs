//! The value to take out, in all the ways in which a file can hold it, and how a text looks without it.
//!
//! Looked for: the value as it is, in capitals or not; each of its letters as any program may have escaped it (JSON, also
//! JSON in a string of JSON; `%41`); as base64 and as hexadecimal digits; the beginning of it where a text was cut (`…`);
//! hashes that are made of it alone, or of a text that held it. Not looked for: compressed or encrypted copies in a text,
//! pictures, other alphabets. Does not know files.

use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use regex::{Regex, RegexBuilder};

use super::derived::{DIGITS, LONGEST, digests, fingerprint, made_of, variants};
use crate::EngineError;
use annals_kernel::json::hex;

/// What stands in place of a value that was taken out.
pub(super) const MARK: &str = "[SCRUBBED]";

/// A value shorter than this is found everywhere.
const LEAST_CHARS: usize = 4;

/// A beginning of the value shorter than this tells nothing of it.
const LEAST_BEGINNING: usize = 8;

/// Whether numbers of JSON may become texts: those of a decision have a type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Numbers {
    /// One that holds the value becomes a text.
    Looked,
    /// They stay.
    Kept,
}

/// The value to take out.
pub(super) struct Needle {
    value: String,
    pattern: Regex,
    bytes: regex::bytes::Regex,
    /// The first digits of hashes, and the hashes that take their place.
    digests: BTreeMap<String, String>,
    /// Whole texts that were made of one which held it.
    texts: BTreeMap<String, String>,
    /// Finds them in bytes.
    made: Option<regex::bytes::Regex>,
    /// Texts that held it, and how they look without it.
    held: RefCell<BTreeMap<String, String>>,
}

impl Needle {
    pub(super) fn new(value: String) -> Result<Self, EngineError> {
        const SIZE: usize = 256 << 20;
        // A part of the mark would be found again in what takes its place, and the scrub never come to an end.
        if value.chars().count() < LEAST_CHARS || MARK.to_lowercase().contains(&value.to_lowercase()) {
            return Err(EngineError::TooShort { least: LEAST_CHARS });
        }
        let pattern = pattern(&value);
        let build = |error: regex::Error| EngineError::NoPattern { problem: error.to_string() };
        let mut needle = Self {
            pattern: RegexBuilder::new(&pattern).size_limit(SIZE).build().map_err(build)?,
            bytes: regex::bytes::RegexBuilder::new(&pattern).size_limit(SIZE).build().map_err(build)?,
            digests: BTreeMap::new(),
            texts: BTreeMap::new(),
            made: None,
            held: RefCell::default(),
            value,
        };
        let value = needle.value.clone();
        needle.hold(&value, MARK);
        needle.hold(&format!("{value}\n"), &format!("{MARK}\n"));
        Ok(needle)
    }

    /// From now on what is made of texts that held the value is looked for, too.
    pub(super) fn learn(&mut self) {
        for (with, without) in self.held.take() {
            self.hold(&with, &without);
        }
        let texts: Vec<_> = self.texts.keys().map(|text| regex::escape(text)).collect();
        // One that cannot be built is too large: then all lines are read.
        let made = (!texts.is_empty()).then(|| texts.join("|"));
        self.made =
            made.and_then(|made| regex::bytes::Regex::new(&made).or_else(|_| regex::bytes::Regex::new("")).ok());
    }

    fn hold(&mut self, with: &str, without: &str) {
        for (from, to) in digests(with).into_iter().zip(digests(without)) {
            if let (Some(from), Some(to)) = (from, to) {
                self.replace_hash(&from, &to);
            }
        }
        if let Some(made) = made_of(&self.value, with) {
            self.texts.insert(made, fingerprint(without));
        }
    }

    /// A hash takes the place of another, as that of an opinion that was sealed.
    pub(super) fn replace_hash(&mut self, from: &str, to: &str) {
        if from.len() >= DIGITS && from != to {
            self.digests.insert(from[..DIGITS].to_owned(), to.to_owned());
        }
    }

    /// Whether bytes are worth being read: most hold nothing. Escapes can hide nothing from it.
    pub(super) fn is_in(&self, bytes: &[u8]) -> bool {
        self.bytes.is_match(bytes)
            || self.made.as_ref().is_some_and(|made| made.is_match(bytes))
            || memchr::memmem::find(bytes, "…".as_bytes()).is_some() && self.is_cut_in(bytes)
            || hex_runs(bytes).any(|(from, to)| self.digest(&bytes[from..to]).is_some())
    }

    fn is_cut_in(&self, bytes: &[u8]) -> bool {
        bytes.utf8_chunks().any(|chunk| self.without_beginnings(chunk.valid()).is_some())
    }

    /// Whether the name of a file holds the value, or what a name makes of it.
    pub(super) fn is_named_in(&self, name: &str) -> bool {
        let flat = |text: &str| {
            let words = text.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty());
            words.map(str::to_lowercase).collect::<Vec<_>>().join("-")
        };
        let own = flat(&self.value);
        self.pattern.is_match(name) || own.chars().count() >= LEAST_BEGINNING && flat(name).contains(&own)
    }

    /// A text without the value; `None` where it does not hold it.
    pub(super) fn clean_text(&self, text: &str) -> Option<String> {
        let mut clean = match self.pattern.replace_all(text, MARK) {
            Cow::Owned(clean) => Some(clean),
            Cow::Borrowed(_) => self.texts.get(text).cloned(),
        };
        for step in [Self::without_beginnings, Self::without_digests] {
            clean = step(self, clean.as_deref().unwrap_or(text)).or(clean);
        }
        if let Some(clean) = clean.as_ref().filter(|_| text.len() <= LONGEST) {
            self.held.borrow_mut().insert(text.to_owned(), clean.clone());
        }
        clean
    }

    /// JSON without the value: in its texts and keys, however deep, and in its numbers.
    pub(super) fn clean_json(&self, json: &str, numbers: Numbers) -> Option<String> {
        let (mut clean, mut plain, mut at) = (String::new(), 0, 0);
        let bytes = json.as_bytes();
        while at < bytes.len() {
            let from = at;
            let changed = match bytes[at] {
                b'"' => {
                    at = end_of_text(bytes, at);
                    self.clean_token(&json[from..at])
                }
                b'-' | b'0'..=b'9' => {
                    while at < bytes.len() && matches!(bytes[at], b'-' | b'+' | b'.' | b'e' | b'E' | b'0'..=b'9') {
                        at += 1;
                    }
                    let number = &json[from..at];
                    (numbers == Numbers::Looked && self.pattern.is_match(number)).then(|| quoted(MARK))
                }
                _ => {
                    at += 1;
                    None
                }
            };
            if let Some(changed) = changed {
                clean.push_str(&json[plain..from]);
                clean.push_str(&changed);
                plain = at;
            }
        }
        (plain > 0).then(|| clean + &json[plain..])
    }

    /// A text of JSON in its quotes. One that is no text (half of a pair of surrogates) cannot be kept in part.
    fn clean_token(&self, token: &str) -> Option<String> {
        match serde_json::from_str::<String>(token) {
            Ok(text) => self.clean_text(&text).map(|text| quoted(&text)),
            Err(_) => self.pattern.is_match(token).then(|| quoted(MARK)),
        }
    }

    /// A file without the value: JSON, lines of which some are JSON, text, or bytes among which there is text.
    pub(super) fn clean_bytes(&self, bytes: &[u8]) -> Option<Vec<u8>> {
        if !self.is_in(bytes) {
            return None;
        }
        let (mut clean, mut is_changed) = (Vec::with_capacity(bytes.len()), false);
        let whole = std::str::from_utf8(bytes).ok().filter(|text| is_json(text));
        let pieces: Vec<&[u8]> = match whole {
            // A value of several lines may stand in a text; lines of JSON escape it.
            None if bytes.split(|byte| *byte == b'\n').any(|line| std::str::from_utf8(line).is_ok_and(is_json)) => {
                bytes.split_inclusive(|byte| *byte == b'\n').collect()
            }
            Some(_) | None => vec![bytes],
        };
        for piece in pieces {
            let changed = self.clean_piece(piece);
            is_changed |= changed.is_some();
            clean.extend_from_slice(changed.as_deref().unwrap_or(piece));
        }
        is_changed.then_some(clean)
    }

    fn clean_piece(&self, bytes: &[u8]) -> Option<Vec<u8>> {
        if let Ok(text) = std::str::from_utf8(bytes) {
            let clean = if is_json(text) { self.clean_json(text, Numbers::Looked) } else { self.clean_text(text) };
            return clean.map(String::into_bytes);
        }
        let (mut clean, mut is_changed) = (Vec::with_capacity(bytes.len()), false);
        for chunk in bytes.utf8_chunks() {
            let changed = self.clean_text(chunk.valid());
            is_changed |= changed.is_some();
            clean.extend_from_slice(changed.as_deref().unwrap_or(chunk.valid()).as_bytes());
            clean.extend_from_slice(chunk.invalid());
        }
        is_changed.then_some(clean)
    }

    /// Beginnings of the value before `…`: what was cut there.
    fn without_beginnings(&self, text: &str) -> Option<String> {
        let (mut clean, mut plain) = (String::new(), 0);
        for (at, _) in text.match_indices('…') {
            let Some(length) = self.beginning_at_end(&text[plain..at]) else { continue };
            clean.push_str(&text[plain..at - length]);
            clean.push_str(MARK);
            plain = at;
        }
        (plain > 0).then(|| clean + &text[plain..])
    }

    /// How many bytes of the value's beginning a text ends with, if they are enough to tell something.
    fn beginning_at_end(&self, text: &str) -> Option<usize> {
        let ends: Vec<_> = self.value.char_indices().skip(LEAST_BEGINNING).map(|(end, _)| end).collect();
        let is_at_end = |end: &usize| {
            let start = text.len().checked_sub(*end);
            start
                .and_then(|start| text.get(start..))
                .is_some_and(|end_of| end_of.eq_ignore_ascii_case(&self.value[..*end]))
        };
        ends.into_iter().rev().find(is_at_end)
    }

    fn without_digests(&self, text: &str) -> Option<String> {
        let (mut clean, mut plain) = (String::new(), 0);
        for (from, to) in hex_runs(text.as_bytes()) {
            let Some(other) = self.digest(&text.as_bytes()[from..to]) else { continue };
            clean.push_str(&text[plain..from]);
            clean.push_str(&other[..other.len().min(to - from)]);
            plain = to;
        }
        (plain > 0).then(|| clean + &text[plain..])
    }

    fn digest(&self, run: &[u8]) -> Option<&str> {
        let first = std::str::from_utf8(run.get(..DIGITS)?).ok()?.to_ascii_lowercase();
        self.digests.get(&first).map(String::as_str)
    }
}

/// Runs of hexadecimal digits that are as long as a hash.
fn hex_runs(bytes: &[u8]) -> impl Iterator<Item = (usize, usize)> {
    let mut at = 0;
    std::iter::from_fn(move || {
        while at < bytes.len() {
            let from = at;
            while at < bytes.len() && bytes[at].is_ascii_hexdigit() {
                at += 1;
            }
            let to = at;
            at += 1;
            if to - from >= DIGITS {
                return Some((from, to));
            }
        }
        None
    })
}

fn is_json(text: &str) -> bool {
    text.trim_start().starts_with(['{', '[', '"']) && serde_json::from_str::<serde::de::IgnoredAny>(text).is_ok()
}

fn quoted(text: &str) -> String {
    serde_json::to_string(text).expect("BUG: a text does not serialize")
}

/// Behind the closing quote of a text that begins here.
fn end_of_text(bytes: &[u8], from: usize) -> usize {
    let mut at = from + 1;
    while at < bytes.len() {
        match bytes[at] {
            b'\\' => at += 2,
            b'"' => return at + 1,
            _ => at += 1,
        }
    }
    bytes.len()
}

/// Each letter of the value, as it is or escaped; and the value as base64 and in hexadecimal digits.
fn pattern(value: &str) -> String {
    let mut pattern = String::from("(?i)");
    value.chars().for_each(|letter| pattern.push_str(&letter_pattern(letter)));
    let variants = variants(value).into_iter().map(|text| regex::escape(&text));
    for other in variants.chain([hex(value.as_bytes())]).chain(base64(value.as_bytes())) {
        pattern.push('|');
        pattern.push_str(&other);
    }
    pattern
}

fn letter_pattern(letter: char) -> String {
    let mut ways = vec![regex::escape(&letter.to_string())];
    let twins: BTreeSet<char> = letter.to_lowercase().chain(letter.to_uppercase()).chain([letter]).collect();
    for twin in twins {
        let units = twin.encode_utf16(&mut [0; 2]).iter().fold(String::new(), |mut text, unit| {
            // Writing to a string does not fail.
            let _ = write!(text, r"\\+u{unit:04x}");
            text
        });
        // An address within an address is escaped again: %41, %2541, %252541.
        let percent = twin.encode_utf8(&mut [0; 4]).bytes().fold(String::new(), |mut text, byte| {
            let _ = write!(text, "%(?:25)*{byte:02x}");
            text
        });
        ways.extend([units, percent]);
    }
    ways.extend(short_escape(letter).map(str::to_owned));
    format!("(?:{})", ways.join("|"))
}

/// How else a letter is escaped in JSON and in forms.
fn short_escape(letter: char) -> Option<&'static str> {
    match letter {
        '"' => Some(r#"\\+""#),
        '\\' => Some(r"\\+"),
        '/' => Some(r"\\+/"),
        '\n' => Some(r"\\+n|(?:\\+r|\r)(?:\\+n|\n)"),
        '\r' => Some(r"\\+r"),
        '\t' => Some(r"\\+t"),
        '\u{8}' => Some(r"\\+b"),
        '\u{c}' => Some(r"\\+f"),
        ' ' => Some(r"\+"),
        _ => None,
    }
}

/// What base64 makes of the value, wherever it begins in what was encoded: without the digits that it shares with what
/// stands before and behind it.
fn base64(value: &[u8]) -> Vec<String> {
    const DIGITS_64: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    // Fewer digits stand in any text.
    const LEAST: usize = 8;
    let shifted = |before: usize| {
        let bits: Vec<bool> =
            value.iter().flat_map(|byte| (0..8).rev().map(move |bit| (byte >> bit) & 1 == 1)).collect();
        let skipped = (6 - before * 8 % 6) % 6;
        let whole = bits.get(skipped..).unwrap_or_default().chunks_exact(6);
        let digits = whole.map(|six| DIGITS_64[six.iter().fold(0, |sum, bit| sum * 2 + usize::from(*bit))]);
        digits.collect::<Vec<u8>>()
    };
    let all = (0..3).map(shifted).filter(|digits| digits.len() >= LEAST);
    let escaped = |digit: u8| match digit {
        b'+' => "(?:[-+]|%2b)".to_owned(),
        b'/' => r"(?:\\*/|_|%2f)".to_owned(),
        digit => char::from(digit).to_string(),
    };
    all.map(|digits| format!("(?-i:{})", digits.into_iter().map(escaped).collect::<String>())).collect()
}
