//! Names and tags as a person reads them: without regard to case, width, what has no width, and letters of other scripts
//! that look alike (UTS 39).
//!
//! Only for comparing: what is shown stays as it was typed.

use std::borrow::Cow;

use unicode_normalization::UnicodeNormalization as _;
use unicode_security::{MixedScript as _, skeleton};

/// A text, folded for comparing. There are several forms, because letters that look alike in capitals may not in small.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Folded {
    /// In small letters, then those of other scripts as the Latin ones that look alike.
    lowered: String,
    /// First as the Latin ones, then in small letters.
    upright: String,
    /// With all that looks alike as one: `l` and `1`, `rn` and `m`.
    skeleton: String,
}

impl Folded {
    /// Folds a text.
    pub fn of(text: &str) -> Self {
        let plain = plain(text);
        let upright = lower(&latin(&plain));
        let skeleton = lower(&skeleton(&plain).collect::<String>());
        Self { lowered: latin(&lower(&plain)), upright, skeleton }
    }

    /// Whether both are read as the same.
    pub fn is_same(&self, other: &Self) -> bool {
        self.lowered == other.lowered || self.upright == other.upright
    }

    /// Whether both are read as the same, or one can be taken for the other at a glance.
    pub fn is_alike(&self, other: &Self) -> bool {
        self.is_same(other) || self.skeleton == other.skeleton
    }
}

/// Whether two texts are read as the same.
pub fn are_same(one: &str, other: &str) -> bool {
    one == other || Folded::of(one).is_same(&Folded::of(other))
}

/// A word that mixes letters of Latin and of other scripts, with Latin ones in place of those that look alike; any other
/// word as it is. No language writes such words: who does wants one to be read as another.
pub fn unmixed(word: &str) -> Cow<'_, str> {
    let has_latin = word.contains(|letter: char| letter.is_ascii_alphabetic());
    if word.is_ascii() || !has_latin || word.is_single_script() {
        return Cow::Borrowed(word);
    }
    // UTS 39 has one letter for `I` and `l`.
    let looks = |letter: char| match (latin(letter.encode_utf8(&mut [0; 4])), letter.is_uppercase()) {
        (looks, true) if looks == "l" => "I".to_owned(),
        (looks, _) => looks,
    };
    word.chars().map(|letter| if letter.is_ascii() { letter.to_string() } else { looks(letter) }).collect()
}

/// A tag as it is kept where nobody used it before: with one `#`, and without white space around it.
pub fn tag(text: &str) -> Box<str> {
    let is_edge = |letter: char| letter.is_whitespace() || is_invisible(letter);
    let word = text.trim_matches(is_edge).trim_start_matches(['#', '＃', '﹟']).trim_start_matches(is_edge);
    format!("#{word}").into()
}

/// Compatibility forms composed, without what has no width; white space at the edges is gone, and inside it is a blank.
fn plain(text: &str) -> String {
    let seen: String = text.nfkc().filter(|letter| !is_invisible(*letter)).collect();
    seen.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn is_invisible(letter: char) -> bool {
    !letter.is_ascii() && skeleton(letter.encode_utf8(&mut [0; 4])).next().is_none()
}

/// Letters of other scripts as the Latin ones that they look like; Latin ones as they are.
fn latin(text: &str) -> String {
    let mut read = String::with_capacity(text.len());
    for letter in text.nfd() {
        if letter.is_ascii() {
            read.push(letter);
        } else {
            read.extend(skeleton(letter.encode_utf8(&mut [0; 4])));
        }
    }
    read
}

/// Through capitals, so that letters with two small forms are one.
fn lower(text: &str) -> String {
    text.chars().flat_map(char::to_uppercase).flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn case_width_edges_and_what_has_no_width_make_no_difference() {
        for other in ["Meta", "META", "ＭＥＴＡ", " meta\t", "me\u{200b}ta", "\u{feff}meta", "me\u{ad}ta", "ｍeta"]
        {
            assert!(are_same("meta", other), "{other:?}");
        }
        assert!(are_same("two  words", "Two\u{a0}words"));
        assert!(are_same("straße", "STRASSE") && are_same("ὀδός", "ὈΔΌΣ"));
    }

    #[test]
    fn letters_of_other_scripts_that_look_alike_make_no_difference() {
        for (one, other) in
            [("critic", "сritic"), ("critic", "Сritic"), ("critic", "CRІTIC"), ("BOB", "ВОВ"), ("meta", "mеtа")]
        {
            assert!(are_same(one, other), "{one} {other}");
        }
    }

    #[test]
    fn words_that_differ_stay_apart_in_every_script() {
        for (one, other) in [
            ("critic", "critics"),
            ("modern", "modem"),
            ("part-1", "part-l"),
            ("вера", "вода"),
            ("世界", "世间"),
            ("é", "e"),
            ("a b", "ab"),
        ] {
            assert!(!are_same(one, other), "{one} {other}");
        }
    }

    #[test]
    fn a_word_of_two_scripts_is_read_as_latin_and_one_of_one_script_as_it_is() {
        for (word, read) in
            [("URGЕNT", "URGENT"), ("сritical", "critical"), ("Мust", "Must"), ("CRUCІAL", "CRUCIAL"), ("μs", "μs")]
        {
            assert_eq!(unmixed(word), read, "{word}");
        }
        for word in ["café", "straße", "СРОЧНО", "НОВ", "ΤΟ", "日本語", "ТО", "plain", "ありがとう漢字"]
        {
            assert_eq!(unmixed(word), word);
        }
    }

    #[test]
    fn one_name_may_be_taken_for_another_though_both_are_latin() {
        let is_alike = |one: &str, other: &str| Folded::of(one).is_alike(&Folded::of(other));
        assert!(is_alike("alice", "AIice") && is_alike("bern", "bem") && is_alike("agent-1", "agent-l"));
        assert!(!is_alike("anna", "hanna") && !is_alike("agent-1", "agent-2"));
    }

    #[test]
    fn a_tag_has_one_sign_and_no_edges() {
        for typed in ["pacing", "#pacing", "＃pacing", " #pacing ", "\u{200b}# pacing", "##pacing"] {
            assert_eq!(&*tag(typed), "#pacing", "{typed:?}");
        }
    }
}
