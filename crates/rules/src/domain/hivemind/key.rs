//! Keys: how people and agents name what was learnt, so that two spellings of one name are one entry.

/// The longest key, in characters.
pub(crate) const KEY_CHARS: usize = 100;

/// The key that a text stands for: lower case, white space as `-`, letters and digits of any script and `-_.:/@+`.
/// Nothing where it stands for none.
pub fn key_of(text: &str) -> Option<Box<str>> {
    let words = text.split_whitespace().collect::<Vec<_>>().join("-");
    let key = words.to_lowercase();
    let is_plain = |letter: char| letter.is_alphanumeric() || "-_.:/@+".contains(letter) || is_mark(letter);
    let says_something = key.chars().any(char::is_alphanumeric);
    let fits = key.chars().count() <= KEY_CHARS && says_something && key.chars().all(is_plain);
    fits.then(|| key.into())
}

/// Accents that are written as letters of their own: lower case of some letters, and whole scripts, need them.
fn is_mark(letter: char) -> bool {
    matches!(letter, '\u{300}'..='\u{36f}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_spellings_of_a_name_are_one_key() {
        for (text, key) in [
            ("Use  Postgres", "use-postgres"),
            (" use-postgres\n", "use-postgres"),
            ("api/errors:retry", "api/errors:retry"),
            ("ÜBER uns", "über-uns"),
            ("日本語 の 鍵", "日本語-の-鍵"),
        ] {
            assert_eq!(key_of(text).as_deref(), Some(key), "{text}");
        }
        let longest = "x".repeat(KEY_CHARS);
        assert_eq!(key_of(&longest).as_deref(), Some(&*longest));
    }

    #[test]
    fn nothing_else_is_a_key() {
        for text in ["", " ", "-", "a\"b", "a\u{0}b", "a|b", "<b>", "a\u{202e}b", &"x".repeat(KEY_CHARS + 1)] {
            assert_eq!(key_of(text), None, "{text:?}");
        }
    }
}
