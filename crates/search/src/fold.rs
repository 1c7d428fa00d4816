//! Texts without the difference of capitals, byte for byte as long as they were.
//!
//! A letter whose small form has another length in UTF-8, or is a letter of ASCII (the Kelvin sign), stays as it is, so that
//! places in the folded text are places in the text, and so that a small letter of ASCII in a query stands for two letters
//! alone. Does not fold accents.

use std::borrow::Cow;

/// A text in small letters.
pub fn fold(text: &str) -> Cow<'_, str> {
    if !text.bytes().any(|byte| byte.is_ascii_uppercase() || !byte.is_ascii()) {
        return Cow::Borrowed(text);
    }
    if text.is_ascii() {
        return Cow::Owned(text.to_ascii_lowercase());
    }
    Cow::Owned(text.chars().map(small).collect())
}

/// The small form of a letter.
fn small(letter: char) -> char {
    if letter.is_ascii() {
        return letter.to_ascii_lowercase();
    }
    let mut forms = letter.to_lowercase();
    match (forms.next(), forms.next()) {
        (Some(small), None) if small.len_utf8() == letter.len_utf8() => small,
        (Some(_) | None, _) => letter,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folded_text_has_the_places_of_the_text() {
        let cases = [
            ("plain text", "plain text"),
            ("ENOENT: No Such", "enoent: no such"),
            ("GRÖSSE Straße", "grösse straße"),
            ("ΣΊΣΥΦΟΣ", "σίσυφοσ"),
            // The Kelvin sign, an I with a dot, a letter whose small form is longer.
            ("\u{212A} \u{130} \u{23A}", "\u{212A} \u{130} \u{23A}"),
        ];
        for (text, folded) in cases {
            assert_eq!(fold(text), folded);
            assert_eq!(fold(text).len(), text.len(), "{text}");
        }
    }
}
