//! The beginning of a text, cut where no letter is parted.
//!
//! Counts bytes: whoever counts what a person sees, counts characters or columns.

/// The beginning of a text, at most so many bytes.
pub fn head(text: &str, bytes: usize) -> &str {
    let end = (0..=bytes.min(text.len())).rev().find(|end| text.is_char_boundary(*end));
    &text[..end.unwrap_or_default()]
}

#[cfg(test)]
mod tests {
    use super::head;

    #[test]
    fn no_letter_is_parted() {
        let cases =
            [("aéb", 0, ""), ("aéb", 1, "a"), ("aéb", 2, "a"), ("aéb", 3, "aé"), ("aéb", 9, "aéb"), ("", 3, "")];
        for (text, bytes, expected) in cases {
            assert_eq!(head(text, bytes), expected, "{text} {bytes}");
        }
    }
}
