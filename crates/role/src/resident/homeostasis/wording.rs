//! The words of a text that say what it is about, and whether two of them are alike.
//!
//! Any script: where words are not parted by blanks, two letters stand for one. Stop words are English alone. Knows no
//! meaning.

use std::collections::BTreeSet;

use annals_kernel::script::is_unspaced;

/// So many words of a text are looked at.
const MOST_WORDS: usize = 400;

/// A shorter beginning says nothing.
const FEWEST_LETTERS: usize = 4;

const STOP: &[&str] = &[
    "a", "about", "again", "all", "also", "am", "an", "and", "any", "are", "as", "at", "be", "been", "but", "by",
    "can", "cant", "could", "did", "didnt", "do", "does", "doesnt", "dont", "for", "from", "get", "got", "had", "has",
    "have", "hello", "here", "hey", "hi", "how", "i", "if", "im", "in", "into", "is", "isnt", "it", "its", "just",
    "let", "lets", "me", "my", "no", "not", "now", "of", "ok", "okay", "on", "or", "our", "out", "please", "should",
    "so", "still", "thank", "thanks", "that", "the", "their", "them", "then", "there", "these", "they", "this",
    "those", "to", "up", "us", "was", "we", "were", "what", "when", "where", "which", "who", "why", "will", "with",
    "wont", "would", "yes", "you", "your",
];

/// The words of a text in order, lower case, without apostrophes and without letters that cannot be seen.
pub fn words(text: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut word = String::new();
    for letter in text.chars().filter(|letter| !is_silent(*letter)).flat_map(char::to_lowercase) {
        if letter.is_alphanumeric() {
            word.push(letter);
        } else if !word.is_empty() {
            words.push(std::mem::take(&mut word));
            if words.len() >= MOST_WORDS {
                return words;
            }
        }
    }
    words.extend((!word.is_empty()).then_some(word));
    words
}

/// The words that say what a text is about.
pub fn content_words(text: &str) -> BTreeSet<String> {
    let said = words(text).into_iter().filter(|word| STOP.binary_search(&word.as_str()).is_err());
    said.flat_map(parted).take(MOST_WORDS).collect()
}

/// Whether two words are forms of one: one begins the other, or three quarters of them begin alike.
pub fn is_alike(one: &str, other: &str) -> bool {
    if one == other {
        return true;
    }
    let common = one.chars().zip(other.chars()).take_while(|(one, other)| one == other).count();
    let (one, other) = (one.chars().count(), other.chars().count());
    common >= FEWEST_LETTERS && (common == one.min(other) || common * 4 >= one.max(other) * 3)
}

/// So many words of a text have their like in another.
pub fn shared(of: &BTreeSet<String>, with: &BTreeSet<String>) -> usize {
    of.iter().filter(|word| with.iter().any(|other| is_alike(word, other))).count()
}

/// Apostrophes, soft hyphens, and letters without width.
pub fn is_silent(letter: char) -> bool {
    matches!(letter, '\'' | '’' | '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{feff}')
}

/// A run of a script without blanks as pairs of letters; any other word as it is.
fn parted(word: String) -> Vec<String> {
    let letters: Vec<char> = word.chars().collect();
    if letters.len() < 2 || !letters.iter().any(|letter| is_unspaced(*letter)) {
        return vec![word];
    }
    letters.windows(2).map(|pair| pair.iter().collect()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stop_words_are_sorted() {
        assert!(STOP.is_sorted());
    }

    #[test]
    fn what_a_text_is_about() {
        let cases: [(&str, &[&str]); 6] = [
            ("How do I implement OAuth2?", &["implement", "oauth2"]),
            ("hi, thanks!", &[]),
            ("That didn't work", &["work"]),
            ("数据库坏了", &["数据", "据库", "库坏", "坏了"]),
            ("почему не работает", &["почему", "не", "работает"]),
            ("de\u{200b}lete", &["delete"]),
        ];
        for (text, expected) in cases {
            let expected: BTreeSet<_> = expected.iter().map(|word| (*word).to_owned()).collect();
            assert_eq!(content_words(text), expected, "{text}");
        }
    }

    #[test]
    fn forms_of_a_word_are_alike() {
        for (one, other, expected) in [
            ("auth", "authentication", true),
            ("аутентификация", "аутентификации", true),
            ("screen", "screens", true),
            ("set", "settings", false),
            ("component", "computer", false),
            ("", "", true),
        ] {
            assert_eq!(is_alike(one, other), expected, "{one} {other}");
        }
    }
}
