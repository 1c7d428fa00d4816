//! A text as a person reads it: what cannot be seen does not count, wide letters are the letters that they show, letters
//! of other scripts within a Latin word are those that they look like, and a script without spaces has words all the same
//! (decision 8).
//!
//! Counts; does not know what the words mean.

use std::collections::BTreeSet;

use unicode_normalization::UnicodeNormalization as _;
use unicode_segmentation::UnicodeSegmentation as _;
use unicode_width::UnicodeWidthStr as _;

use annals_kernel::fold::unmixed;

/// A text without what nobody sees: compatibility forms as their plain letters, white space as one blank.
pub(crate) fn legible(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    for letter in text.chars().map(as_shown).nfkc().filter(|letter| !is_invisible(*letter)) {
        if !letter.is_whitespace() && !letter.is_control() {
            plain.push(letter);
        } else if !plain.is_empty() && !plain.ends_with(' ') {
            plain.push(' ');
        }
    }
    plain.truncate(plain.trim_end().len());
    plain
}

/// A lunate sigma looks like a C, and its compatibility form like none.
fn as_shown(letter: char) -> char {
    match letter {
        '\u{3f9}' => '\u{421}',
        '\u{3f2}' => '\u{441}',
        other => other,
    }
}

/// How long a text is to the eye: a letter that is as wide as two counts as two, one that only marks another as none.
pub fn length(text: &str) -> usize {
    legible(text).width()
}

/// The words of a text, lower-cased.
pub fn words(text: &str) -> Vec<String> {
    words_as_written(text).iter().map(|word| word.to_lowercase()).collect()
}

/// The words of a text. `_URGENT_` is a word in emphasis; where a script has no spaces, a letter is a word.
pub(crate) fn words_as_written(text: &str) -> Vec<String> {
    let text = legible(text);
    let parts = text.unicode_words().flat_map(|word| word.split(is_inside));
    let words = parts.map(|word| word.trim_matches('_')).filter(|word| !word.is_empty());
    words.map(|word| unmixed(word).into_owned()).collect()
}

/// Different words of a text.
pub fn unique_words(text: &str) -> usize {
    words(text).into_iter().collect::<BTreeSet<_>>().len()
}

/// What the segmentation of Unicode lets stand inside a word, and `\w` does not.
fn is_inside(letter: char) -> bool {
    !letter.is_alphanumeric() && matches!(letter, '.' | ',' | ':' | ';' | '\'' | '’' | '·')
}

/// Letters that no reader sees: Unicode's default-ignorable ones, and the blank of braille.
fn is_invisible(letter: char) -> bool {
    matches!(
        letter,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{2800}'
            | '\u{3164}' | '\u{feff}' | '\u{ffa0}'
            | '\u{180b}'..='\u{180f}'
            | '\u{200b}'..='\u{200f}'
            | '\u{202a}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}'
            | '\u{fe00}'..='\u{fe0f}'
            | '\u{fff0}'..='\u{fff8}'
            | '\u{1bca0}'..='\u{1bca3}'
            | '\u{1d173}'..='\u{1d17a}'
            | '\u{e0000}'..='\u{e0fff}'
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_nobody_sees_is_no_length() {
        for (text, length_) in [
            ("yes", 3),
            ("yes   \n\n\t   ", 3),
            ("y e  s", 5),
            ("y\u{200b}e\u{2060}s\u{ad}\u{feff}", 3),
            ("\u{2800}\u{3164}yes", 3),
            ("ｙｅｓ", 3),
            ("ye\u{301}s", 3),
            ("e\u{301}\u{302}\u{303}\u{304}", 1),
            ("賛成です", 8),
        ] {
            assert_eq!(length(text), length_, "{text:?}");
        }
    }

    #[test]
    fn words_are_what_a_reader_takes_for_words() {
        let cases: [(&str, &[&str]); 8] = [
            ("URGЕNT, очень срочно", &["urgent", "очень", "срочно"]),
            ("Don't, e.g. file.rs", &["don", "t", "e", "g", "file", "rs"]),
            ("_URGENT_ and __ready__", &["urgent", "and", "ready"]),
            ("ＵＲＧＥＮＴ", &["urgent"]),
            ("UR\u{200b}GENT", &["urgent"]),
            ("緊急です", &["緊", "急", "で", "す"]),
            ("ด่วน", &["ด่", "ว", "น"]),
            ("snake_case 3.14", &["snake_case", "3", "14"]),
        ];
        for (text, expected) in cases {
            assert_eq!(words(text), expected, "{text}");
        }
    }
}
