//! A verdict of one word in a short answer.
//!
//! No verdict is better than a wrong one: what is empty, long-winded, negated or ambiguous is none.

use std::str::FromStr;

use annals_kernel::cut::head;

/// A verdict stands among at most so many words: `The verdict is: PASS.`
const MOST_WORDS: usize = 8;
/// An answer is not looked at further than this, in bytes.
const VERDICT_BYTES: usize = 16 * 1024;
/// What turns a verdict around, beside all that ends in `n't`.
const NEGATIONS: &[&str] = &["not", "no", "never", "cannot", "neither", "nor", "without", "unless", "nicht", "kein"];

/// The one word that an answer says: `PASS`, `"pass."`, `Verdict: pass`; of a longer answer its first and last line.
pub fn word<T: FromStr + PartialEq>(raw: &str) -> Option<T> {
    let said = without_thoughts(head(raw, VERDICT_BYTES))?.trim();
    if said.split_whitespace().count() <= MOST_WORDS {
        return only(verdicts(said)?);
    }
    let mut lines = said.lines();
    let (first, last) = (lines.next()?, lines.next_back()?);
    let mut found = Vec::new();
    for line in [first, last] {
        found.extend(verdicts(line).unwrap_or_default());
    }
    only(found)
}

/// The verdicts among a few words; none where one of them turns it around.
fn verdicts<T: FromStr>(line: &str) -> Option<Vec<T>> {
    let line = line.replace('’', "'");
    let is_part = |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | '-' | '\'');
    let words = line.split(|letter| !is_part(letter)).map(|word| word.trim_matches(['-', '\'', '_']));
    let words: Vec<_> = words.filter(|word| !word.is_empty()).collect();
    let (mut found, is_short) = (Vec::new(), words.len() <= MOST_WORDS);
    for word in words {
        match parsed(word) {
            Some(verdict) => found.push(verdict),
            None if is_negation(word) => return None,
            None => {}
        }
    }
    is_short.then_some(found)
}

fn is_negation(word: &str) -> bool {
    let lower = word.to_lowercase();
    lower.ends_with("n't") || NEGATIONS.contains(&lower.as_str())
}

fn parsed<T: FromStr>(word: &str) -> Option<T> {
    let spellings = [word.to_owned(), word.to_lowercase(), word.to_uppercase()];
    spellings.iter().find_map(|spelling| spelling.parse().ok())
}

/// What all of them say.
fn only<T: PartialEq>(found: Vec<T>) -> Option<T> {
    let mut found = found.into_iter();
    let first = found.next()?;
    found.all(|other| other == first).then_some(first)
}

/// What was said and not thought; nothing where a thought does not end.
fn without_thoughts(raw: &str) -> Option<&str> {
    let folded = raw.to_ascii_lowercase();
    let said = folded.rfind("</think>").map_or(0, |at| at + "</think>".len());
    (!folded[said..].contains("<think>")).then_some(&raw[said..])
}
