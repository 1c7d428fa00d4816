//! Whether a text is prose in a language of Latin script that is not English.
//!
//! By the small words that no English text does without, and that code has no need of: so much for telling them apart
//! that marks are few in prose. Names no language.

use super::feature::{Feature, FeatureTally};

/// Words that hardly any other language has.
const STRONG: &[&str] = &[
    "and", "are", "been", "from", "have", "of", "that", "the", "their", "they", "this", "were", "which", "with", "you",
];

/// Words that others have, too.
const SHARED: &[&str] = &[
    "a", "an", "as", "at", "be", "but", "by", "for", "he", "his", "i", "in", "is", "it", "its", "not", "on", "or",
    "to", "was", "we", "will",
];

/// Of fewer words nothing is said.
const FEWEST_WORDS: u64 = 8;

/// Whether the Latin words of a text are mostly of another language.
pub(super) fn is_foreign(text: &str, tally: &FeatureTally) -> bool {
    let (mut words, mut strong, mut small) = (0u64, 0u64, 0u64);
    for word in text.split(|letter: char| !letter.is_ascii_alphabetic()).filter(|word| !word.is_empty()) {
        let is_one_of = |list: &[&str]| list.iter().any(|one| word.eq_ignore_ascii_case(one));
        words += 1;
        if is_one_of(STRONG) {
            strong += 1;
            small += 1;
        } else if is_one_of(SHARED) {
            small += 1;
        }
    }
    let is_english = strong * 25 >= words || small * 8 >= words;
    words >= FEWEST_WORDS && !is_english && is_latin_prose(tally)
}

/// Few marks, few capitals, and hardly any letter of another script.
fn is_latin_prose(tally: &FeatureTally) -> bool {
    let letters = tally.of(Feature::LatinLetter);
    let known = [Feature::Accented, Feature::Digit, Feature::Mark].map(|feature| tally.of(feature));
    let other = tally.seen.saturating_sub(known.iter().sum::<u64>() + letters);
    tally.of(Feature::Mark) * 8 < letters && other * 10 < letters && tally.capitals * 6 < letters
}
