//! Where a text may be cut: between words, because half of a secret looks like none.
//!
//! Does not say how long a text may be.

/// A secret without a blank is no longer, in bytes.
pub const LONGEST_SECRET: usize = 4 << 10;

/// The beginning of a text that has more than so many characters, in whole words; nothing of a longer word than a secret
/// may be. `None` for a text that is not longer.
pub fn beginning(text: &str, most: usize) -> Option<&str> {
    let (end, _) = text.char_indices().nth(most)?;
    let is_between = |letter: char| letter.is_whitespace() || letter.is_control() || !letter.is_ascii();
    let last = text[..end].char_indices().rev().take_while(|(at, _)| end - at <= LONGEST_SECRET);
    let (mut cut, mut first) = (None, end);
    for (at, letter) in last {
        first = at;
        if is_between(letter) {
            cut = Some(at + letter.len_utf8());
            break;
        }
    }
    Some(&text[..cut.unwrap_or(first)])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_cut_between_words() {
        assert_eq!(beginning("one two", 7), None);
        assert_eq!(beginning("one two three", 9), Some("one two "));
        assert_eq!(beginning("one two three", 8), Some("one two "));
        assert_eq!(beginning("äöüab", 4), Some("äöü"));
        assert_eq!(beginning("abcdef", 4), Some(""));
        let long = "x".repeat(10_000);
        assert_eq!(beginning(&long, 6000), Some(&long[..6000 - LONGEST_SECRET]));
    }
}
