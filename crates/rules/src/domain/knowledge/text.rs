//! Texts as words: what two texts have in common, in any script.
//!
//! Does not know languages beyond the plural `s` of Latin words. Scripts without spaces are taken two letters at a time.

use std::collections::BTreeSet;

use annals_kernel::json::sha256_hex;
use annals_kernel::script::is_unspaced;

/// More different words of one text are not told apart.
pub const MOST_WORDS: usize = 64;
/// A longer word is no word.
const MOST_CHARS: usize = 48;
/// A longer text is read as far as this, in characters.
const READ_CHARS: usize = 20_000;

/// A text without its accidents: lower case, white space folded, no stop at the end.
pub fn normal(text: &str) -> String {
    let folded: Vec<String> = text.split_whitespace().map(str::to_lowercase).collect();
    let folded = folded.join(" ");
    folded.trim_end_matches(['.', '!', ',', ';', ':', ' ']).to_owned()
}

/// What a text is known by: sixteen hexadecimal digits, the same for the same text of the same sort.
pub fn key(kind: &str, text: &str) -> Box<str> {
    sha256_hex(format!("{kind}\n{}", normal(text)).as_bytes())[..16].into()
}

/// The different words of a text, in their order.
pub fn words(text: &str) -> Vec<Box<str>> {
    terms(text).into_iter().map(|(word, _)| word).collect()
}

/// The same, each with the form in which it was first written, in lower case.
pub fn terms(text: &str) -> Vec<(Box<str>, Box<str>)> {
    let mut words = Words::default();
    let mut run = String::new();
    for letter in text.chars().take(READ_CHARS) {
        if letter.is_alphanumeric() && !is_unspaced(letter) {
            run.push(letter);
            continue;
        }
        words.add_run(&run);
        run.clear();
        words.add_unspaced(letter);
    }
    words.add_run(&run);
    words.end_unspaced();
    words.found
}

#[derive(Default)]
struct Words {
    found: Vec<(Box<str>, Box<str>)>,
    known: BTreeSet<Box<str>>,
    /// The last letter of a script without spaces, and whether it stands alone so far.
    last: Option<(char, bool)>,
}

impl Words {
    fn add(&mut self, word: &str, written: &str) {
        if self.found.len() < MOST_WORDS && self.known.insert(word.into()) {
            self.found.push((word.into(), written.into()));
        }
    }

    fn add_run(&mut self, run: &str) {
        if run.is_empty() {
            return;
        }
        self.end_unspaced();
        self.add_word(run);
        let parts = humps(run);
        if parts.len() > 1 {
            for part in parts {
                self.add_word(part);
            }
        }
    }

    fn add_word(&mut self, word: &str) {
        let word: String = word.to_lowercase().chars().take(MOST_CHARS).collect();
        // A single letter of Latin says nothing; a figure does.
        if word.chars().nth(1).is_some() || !word.is_ascii() || word.bytes().all(|byte| byte.is_ascii_digit()) {
            self.add(&singular(&word), &word);
        }
    }

    fn add_unspaced(&mut self, letter: char) {
        if !is_unspaced(letter) {
            self.end_unspaced();
            return;
        }
        if let Some((before, _)) = self.last {
            let pair = format!("{before}{letter}");
            self.add(&pair, &pair);
        }
        self.last = Some((letter, self.last.is_none()));
    }

    fn end_unspaced(&mut self) {
        if let Some((letter, true)) = self.last.take() {
            let alone = letter.to_string();
            self.add(&alone, &alone);
        }
    }
}

/// The parts of a name such as `GitTemporaryDirectory`; one part where it has none.
fn humps(run: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut start = 0;
    let mut before = None;
    for (at, letter) in run.char_indices() {
        if letter.is_uppercase() && before.is_some_and(char::is_lowercase) {
            parts.push(&run[start..at]);
            start = at;
        }
        before = Some(letter);
    }
    parts.push(&run[start..]);
    parts
}

/// A word without the plural `s`: "tests" and "test" are one word.
fn singular(word: &str) -> String {
    let is_plural = word.is_ascii() && word.len() > 3 && word.ends_with('s');
    let keeps = ["ss", "us", "is"].iter().any(|end| word.ends_with(end));
    match word.strip_suffix("ies") {
        Some(stem) if stem.len() > 2 => format!("{stem}y"),
        Some(_) | None if is_plural && !keeps => word[..word.len() - 1].to_owned(),
        Some(_) | None => word.to_owned(),
    }
}
