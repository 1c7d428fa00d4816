//! A check for a text that nobody said is a guess: in a file that is there, whoever writes that text would be done.
//!
//! Compares words, and knows no meaning: a text with a word of the task in it may be a guess still.

use std::collections::BTreeSet;

use annals_kernel::script::{is_by_letter, is_spaced};

use crate::plan::CriterionCheck;
use crate::wanted::is_listed;

/// A shorter word says too little, unless it is a figure, is written large as the task writes it, or is called: `add()`.
const TELLING_CHARS: usize = 4;
/// Longer ones that say as little.
const FILLING: &[&str] = &[
    "also", "been", "dass", "dies", "does", "eine", "einen", "file", "from", "have", "into", "line", "make", "must",
    "nicht", "should", "that", "their", "them", "then", "there", "this", "were", "which", "will", "with", "zeile",
];

/// Whether a check looks into a file that is there, for a text in which no word is the person's.
pub fn is_guess(check: &CriterionCheck, words: &str, place: &str) -> bool {
    looked_for(check, place).is_some_and(|text| !is_said(&text, words))
}

/// What a check looks for in a file that is there, without what stands for letters in it.
pub(super) fn looked_for(check: &CriterionCheck, place: &str) -> Option<String> {
    check.file().filter(|file| is_listed(place, file))?;
    check.text().map(unescaped)
}

fn is_said(text: &str, words: &str) -> bool {
    let named: BTreeSet<&str> = words.split(|letter: char| !is_part(letter)).collect();
    let called: BTreeSet<&str> = words.rsplit('(').skip(1).filter_map(last_name).collect();
    let lower: BTreeSet<String> = named.iter().map(|word| word.to_lowercase()).collect();
    let is_said = |word: &str| {
        let plain = word.to_lowercase();
        if plain.chars().count() >= TELLING_CHARS && !FILLING.contains(&plain.as_str()) {
            return lower.contains(&plain);
        }
        is_marked(word) && named.contains(word) || called.contains(word)
    };
    // Where words are not parted, two letters of one are enough.
    text.split(|letter: char| !is_part(letter)).any(is_said)
        || text.split(|letter: char| !is_by_letter(letter)).any(|run| has_pair_of(words, run))
}

/// An expression, or a text of a program, without what stands for letters in it: `\s`, `\n`.
fn unescaped(text: &str) -> String {
    let mut letters = text.chars();
    let mut plain = String::new();
    while let Some(letter) = letters.next() {
        match letter {
            '\\' => plain.push(letters.next().filter(|next| !next.is_ascii_alphabetic()).unwrap_or(' ')),
            _ => plain.push(letter),
        }
    }
    plain
}

/// The name that a text ends with.
fn last_name(text: &str) -> Option<&str> {
    text.rsplit(|letter: char| !is_part(letter)).next().filter(|name| !name.is_empty())
}

/// Whether a letter is of a word with spaces around it.
fn is_part(letter: char) -> bool {
    letter == '_' || is_spaced(letter)
}

fn is_marked(word: &str) -> bool {
    word.contains(|letter: char| letter.is_numeric() || letter.is_uppercase() || letter == '_')
}

/// Whether two letters stand in a text that stand beside each other in a word; or one that is alone.
fn has_pair_of(text: &str, word: &str) -> bool {
    let letters: Vec<char> = word.chars().collect();
    letters.windows(letters.len().clamp(1, 2)).any(|pair| text.contains(&String::from_iter(pair)))
}
