//! Numbers that people use: given once and never changed. Two branches that both gave 42 show 42 and 42b (decision 39).

use std::fmt;

use annals_sparse::sparse;
use serde::{Deserialize, Serialize};

/// What an issue is called.
#[sparse]
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Label {
    /// Its number.
    pub number: u64,
    /// How many issues of that number are older.
    #[sparse]
    pub twin: u32,
}

impl fmt::Display for Label {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&format!("{}{}", self.number, letters(self.twin)))
    }
}

/// Nothing, `b`, `c`, … `z`, `aa`, `ab`, …
// The earlier id keeps the bare number, because numbers that people use never change (decision 39).
fn letters(twin: u32) -> String {
    if twin == 0 {
        return String::new();
    }
    let (mut rest, mut letters) = (twin + 1, Vec::new());
    while rest > 0 {
        let digit = u8::try_from((rest - 1) % 26).expect("BUG: a remainder of 26");
        letters.push(char::from(b'a' + digit));
        rest = (rest - 1) / 26;
    }
    letters.iter().rev().collect()
}

impl Label {
    /// Reads `42`, `#42`, `42b`.
    pub fn read(text: &str) -> Option<Self> {
        let text = text.strip_prefix('#').unwrap_or(text);
        let digits = text.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(text.len());
        let (number, letters) = text.split_at(digits);
        let number = number.parse().ok().filter(|number| *number > 0)?;
        let mut twin = 0_u32;
        for letter in letters.bytes() {
            let digit = u32::from(letter.to_ascii_lowercase().checked_sub(b'a').filter(|digit| *digit < 26)?) + 1;
            twin = twin.checked_mul(26)?.checked_add(digit)?;
        }
        Some(Self { number, twin: twin.saturating_sub(1) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_label_is_read_as_it_is_written() {
        for (label, number, twin) in
            [("1", 1, 0), ("42", 42, 0), ("42b", 42, 1), ("42z", 42, 25), ("42aa", 42, 26), ("7az", 7, 51)]
        {
            let expected = Label { number, twin };
            assert_eq!(Label::read(label), Some(expected));
            assert_eq!(Label::read(&format!("#{label}")), Some(expected));
            assert_eq!(expected.to_string(), label);
        }
        for bad in ["", "#", "b", "0", "4-2", "42b1", "42ä", "99999999999999999999"] {
            assert_eq!(Label::read(bad), None, "{bad}");
        }
        assert_eq!(Label::read("42a"), Label::read("42"));
    }
}
