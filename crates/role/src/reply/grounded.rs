//! Whether what a model wrote stands on the words that it was given.
//!
//! Compares words and numbers; what they mean is not seen. A paraphrase may fall through: the role that asks has a safe
//! reading to fall back to.

use std::collections::BTreeSet;

use annals_kernel::script::is_by_letter;

/// Whether at least half of a text's words stand in the source, and all of its numbers.
pub fn is_grounded(text: &str, source: &str) -> bool {
    let (words, known) = (words(text), words(source));
    let is_number = |word: &&String| word.bytes().all(|byte| byte.is_ascii_digit());
    let common = words.intersection(&known).count();
    !words.is_empty() && common * 2 >= words.len() && words.iter().filter(is_number).all(|word| known.contains(word))
}

/// Whether a text has any word of the source that is longer than two letters.
pub fn shares_a_word(text: &str, source: &str) -> bool {
    let known = words(source);
    let is_telling = |word: &String| !word.is_ascii() || word.len() > 2;
    let source_tells = known.iter().any(is_telling);
    words(text).iter().any(|word| (is_telling(word) || !source_tells) && known.contains(word))
}

/// Words in small letters; numbers without leading zeros; scripts without spaces, and Hangul, letter by letter.
fn words(text: &str) -> BTreeSet<String> {
    let lower = text.to_lowercase();
    let mut words = BTreeSet::new();
    for run in lower.split(|letter: char| !letter.is_alphanumeric()) {
        let mut word = String::new();
        for letter in run.chars() {
            if is_by_letter(letter) {
                words.insert(letter.to_string());
            } else {
                word.push(letter);
            }
        }
        let is_number = word.bytes().all(|byte| byte.is_ascii_digit());
        words.insert(if is_number { word.trim_start_matches('0').to_owned() } else { word });
    }
    words.remove("");
    words
}
