//! What an entry of canon is called: a key, and a version where one is meant (improvement B).

use std::fmt;

use annals_sparse::sparse;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The longest key, in characters: it is a file name.
const KEY_CHARS: usize = 80;

/// A version of an entry. Two branches that both made a second one have 2 and 2b (decision 39).
#[sparse]
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
pub struct Number {
    /// Counted from 1.
    pub number: u32,
    /// How many versions of that number are older.
    #[sparse]
    pub twin: u32,
}

impl Number {
    /// Reads `2`, `2b`; the first twin is `b`, and there are no more than 25.
    pub fn read(text: &str) -> Option<Self> {
        let digits = text.trim_end_matches(|letter: char| letter.is_ascii_lowercase());
        let is_number = digits.bytes().all(|byte| byte.is_ascii_digit());
        let number = digits.parse().ok().filter(|number| *number > 0 && is_number)?;
        match &text.as_bytes()[digits.len()..] {
            [] => Some(Self { number, twin: 0 }),
            [letter] if *letter > b'a' => Some(Self { number, twin: u32::from(letter - b'a') }),
            [_, ..] => None,
        }
    }
}

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let letter = u8::try_from(self.twin).ok().filter(|twin| (1..26).contains(twin));
        let letter = letter.map(|twin| char::from(b'a' + twin).to_string());
        f.pad(&format!("{}{}", self.number, letter.unwrap_or_default()))
    }
}

/// An entry, and perhaps which version of it: `seryn`, `seryn@2`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Anchor<'a> {
    /// The key.
    pub key: &'a str,
    /// The version; none: whatever holds now.
    pub version: Option<Number>,
}

impl<'a> Anchor<'a> {
    /// Reads `key` or `key@version`.
    pub fn read(text: &'a str) -> Option<Self> {
        match text.split_once('@') {
            None => is_a_key(text).then_some(Self { key: text, version: None }),
            Some((key, version)) => {
                let version = Number::read(version)?;
                is_a_key(key).then_some(Self { key, version: Some(version) })
            }
        }
    }
}

/// Whether a text can be a key: a word that is a file name everywhere.
pub(crate) fn is_a_key(text: &str) -> bool {
    let plain = |letter: char| letter.is_alphanumeric() && !letter.is_uppercase() || "-_.".contains(letter);
    (1..=KEY_CHARS).contains(&text.chars().count()) && text.chars().all(plain) && !text.starts_with(['.', '-'])
}

/// The key that a title suggests; empty where it has no letters.
pub fn key_of(title: &str) -> String {
    let lower = title.to_lowercase();
    let words = lower.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty());
    let mut key = String::new();
    for word in words {
        let dash = if key.is_empty() { "" } else { "-" };
        if key.chars().count() + dash.len() + word.chars().count() > KEY_CHARS {
            break;
        }
        key.push_str(dash);
        key.push_str(word);
    }
    key
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Control-room, improvement B.
    #[test]
    fn an_anchor_names_an_entry_and_a_version() {
        let number = |number, twin| Some(Number { number, twin });
        for (text, key, version) in [
            ("seryn", "seryn", None),
            ("seryn@1", "seryn", number(1, 0)),
            ("the-fall@12c", "the-fall", number(12, 2)),
            ("größe@2b", "größe", number(2, 1)),
        ] {
            let read = Anchor::read(text).expect("an anchor");
            assert_eq!(read, Anchor { key, version });
            let again = version.map_or_else(|| key.to_owned(), |version| format!("{key}@{version}"));
            assert_eq!(again, text);
        }
        for bad in ["", "@1", "seryn@", "seryn@0", "seryn@1a", "seryn@1bb", "seryn@-1", "Seryn", "a/b", ".a", "../a@1"]
        {
            assert_eq!(Anchor::read(bad), None, "{bad}");
        }
    }

    #[test]
    fn a_title_suggests_a_key() {
        assert_eq!(key_of("Seryn's Eyes: amber!"), "seryn-s-eyes-amber");
        assert_eq!(key_of("Größe (des) Turms"), "größe-des-turms");
        assert_eq!(key_of("…"), "");
        assert!(is_a_key(&key_of(&"word ".repeat(100))));
        assert_eq!(key_of(&"x".repeat(100)), "");
    }
}
