//! What a text brings: words of content, and what can be compared of it with a thread (decision 58).
//!
//! A text becomes hashes: of words of content, of runs of three of them, and of the numbers, paths and names in it. No
//! text can be made of them again.

use std::collections::BTreeSet;

use super::reading::{legible, words};
use annals_kernel::mix::mix;
use annals_kernel::stem::stem;

/// So many words of content in a row are compared.
// Three content words, as decision 58 has it.
const SHINGLE: usize = 3;

/// A text as hashes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Gist {
    /// Words of content, each once.
    pub words: BTreeSet<u32>,
    /// Runs of words of content, numbers, paths and names, each once.
    pub units: BTreeSet<u32>,
    /// How many of its words agree or praise.
    pub agreeing: usize,
    /// How many words it has.
    pub length: usize,
}

impl Gist {
    /// What a text brings.
    pub fn of(text: &str) -> Self {
        let text = legible(text);
        let mut gist = Self::default();
        let mut run: Vec<String> = Vec::new();
        for token in text.split(' ') {
            if let Some(fact) = fact(token) {
                gist.length += 1;
                gist.units.insert(hash("fact", &[&fact]));
            } else {
                for word in words(token) {
                    gist.length += 1;
                    gist.agreeing += usize::from(AGREEING.binary_search(&word.as_str()).is_ok());
                    if is_content(&word) {
                        // By the stems of decision 24, so that another form of a word is no news.
                        run.push(stem(&word).to_owned());
                    }
                }
            }
        }
        gist.words = run.iter().map(|word| hash("word", &[word])).collect();
        // A text of one or two words of content has no run of three: what it has is compared whole, so that it is
        // neither all new nor all known.
        let size = SHINGLE.min(run.len().max(1));
        gist.units.extend(run.windows(size).map(|words| hash("shingle", words)));
        gist
    }
}

/// Another hash for each kind, so that a word is no number.
fn hash(kind: &str, parts: &[impl AsRef<str>]) -> u32 {
    let whole = parts.iter().fold(mix(0, kind.as_bytes()), |hash, part| mix(hash, part.as_ref().as_bytes()));
    // Four bytes a hash: a thread keeps thousands, and one that falls together by chance makes a comment a little
    // less new.
    (whole >> 32) as u32
}

/// A number, a path or a name, without what stands around it; nothing where it is a plain word.
fn fact(token: &str) -> Option<String> {
    let token = token.trim_matches(|letter: char| !letter.is_alphanumeric() && !"/_".contains(letter));
    let letters: Vec<char> = token.chars().collect();
    let joins = |triple: &[char]| {
        let [before, middle, after] = triple else { return false };
        before.is_alphanumeric()
            && after.is_alphanumeric()
            && matches!(middle, '/' | '\\' | '_' | '.' | ':' | '=' | '#')
    };
    let is_camel = letters.windows(2).any(|pair| pair[0].is_lowercase() && pair[1].is_uppercase());
    let is_fact = token.contains(|letter: char| letter.is_ascii_digit())
        || token.contains("::")
        || letters.windows(3).any(joins)
        || is_camel;
    (is_fact && token.contains(char::is_alphanumeric)).then(|| token.to_lowercase())
}

fn is_content(word: &str) -> bool {
    STOP.binary_search(&word).is_err() && AGREEING.binary_search(&word).is_err()
}

/// Words that say nothing about a subject. Sorted.
const STOP: &[&str] = &[
    "a", "about", "above", "after", "again", "all", "also", "am", "an", "and", "any", "are", "as", "at", "be",
    "because", "been", "before", "being", "below", "between", "both", "but", "by", "can", "could", "d", "did", "do",
    "does", "doing", "done", "down", "during", "each", "else", "few", "for", "from", "further", "had", "has", "have",
    "he", "her", "here", "him", "his", "how", "i", "if", "in", "into", "is", "it", "its", "just", "ll", "m", "many",
    "may", "me", "might", "more", "most", "much", "must", "my", "no", "not", "now", "of", "off", "on", "once", "only",
    "or", "other", "our", "out", "over", "own", "re", "s", "same", "shall", "she", "should", "so", "some", "such", "t",
    "than", "that", "the", "their", "them", "then", "there", "these", "they", "this", "those", "through", "to", "too",
    "under", "until", "up", "us", "ve", "very", "was", "we", "were", "what", "when", "where", "which", "while", "who",
    "whom", "why", "will", "with", "would", "yes", "you", "your",
];

/// Words with which one agrees or praises. Sorted.
// Chosen on one half of real letters and judged on the other: there it stops 13 of 35 letters of praise, and 4 of 88
// sober ones (docs/MEASURED.md).
const AGREEING: &[&str] = &[
    "absolutely", "acknowledged", "agree", "agreed", "agreement", "agrees", "amazing", "applaud", "appreciate",
    "appreciated", "appreciation", "awesome", "beautiful", "bravo", "brilliant", "celebrate", "celebration",
    "champion", "commend", "commendation", "congrats", "congratulations", "definitely", "exactly", "excellence",
    "excellent", "exceptional", "extraordinary", "fantastic", "flawless", "flawlessly", "genius", "gratitude", "great",
    "honored", "honoured", "impressive", "incredible", "indeed", "inspiring", "kudos", "legendary", "love",
    "magnificent", "masterful", "outstanding", "perfect", "perfectly", "phenomenal", "proud", "remarkable", "stellar",
    "superb", "thank", "thanks", "totally", "unstoppable", "wonderful",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lists_are_sorted() {
        assert!(STOP.is_sorted() && AGREEING.is_sorted());
    }

    #[test]
    fn a_gist_has_words_of_content_and_what_stands_for_itself() {
        let gist = Gist::of("I agree: the tests of src/log/pen.rs:12 failed 3 times, tested with cargo.");
        assert_eq!((gist.agreeing, gist.length), (1, 12));
        assert_eq!(gist.words, Gist::of("test failed times cargo").words);
        // Three runs of `test failed times test cargo`, a path and a number.
        assert_eq!(gist.units.len(), 3 + 2);
    }

    #[test]
    fn case_forms_of_verbs_and_dress_make_no_difference() {
        assert_eq!(Gist::of("**Fixed** the ＰＵＭＰ in MyType"), Gist::of("fixing the pump in (MyType)"));
    }

    #[test]
    fn paths_numbers_and_names_are_facts() {
        for fact_ in ["src/a.rs", "PATH=/bin:/usr/bin", "42", "v1.2", "PyAutoGUI", "snake_case", "a::b", "(file.rs)"] {
            assert!(fact(fact_).is_some(), "{fact_}");
        }
        for word in ["word", "URGENT", "end.", "-", "//", "**bold**"] {
            assert_eq!(fact(word), None, "{word}");
        }
    }

    #[test]
    fn a_text_of_few_words_has_one_run() {
        assert_eq!(Gist::of("Pump broken").units.len(), 1);
        assert_eq!(Gist::of("I agree, great!").units.len(), 0);
    }
}
