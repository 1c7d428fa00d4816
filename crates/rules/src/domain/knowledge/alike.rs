//! Near copies: texts that say the same in nearly the same words.
//!
//! By the words that they share. A number, a name in code or a "not" that only one of them has makes them two.

use std::collections::BTreeSet;

use super::row::{Candidate, KnowledgeKind, KnowledgeText};
use super::state::State;
use super::text;

/// The words of a text, each once.
pub(super) type WordSet = BTreeSet<Box<str>>;

/// So many candidates are looked at: those that wait, then the latest.
const LOOKED_AT: usize = 100;
/// A text of fewer words is only what it is.
const LEAST_WORDS: usize = 4;
/// What stands before the number of a step.
const STEPS: [&str; 7] = ["step", "stage", "phase", "part", "schritt", "teil", "no"];
/// What turns a sentence around.
const TURNS: &str = "not don dont never no nor without only instead except unless kein keine keinen nicht nie niemals ohne nur \
    statt should must may can isn aren doesn won shouldn mustn";

/// A candidate of the same type that says nearly the same.
pub(super) fn near(state: &State, kind: KnowledgeKind, content: &str) -> Option<(Box<str>, Candidate)> {
    let words = set(content);
    if words.len() < LEAST_WORDS {
        return None;
    }
    let candidates = state.candidates.first_by_rank(LOOKED_AT).into_iter();
    let mut same = candidates.filter(|(_, candidate)| candidate.said.kind == kind);
    let found = same.find(|(_, candidate)| is_alike(&words, &set(&candidate.said.content)));
    found.map(|(id, candidate)| (id.clone(), candidate.clone()))
}

/// Whether two texts of one type say nearly the same.
pub(super) fn is_near(one: &KnowledgeText, other: &KnowledgeText) -> bool {
    let (one_words, other_words) = (set(&one.content), set(&other.content));
    let is_long = one_words.len() >= LEAST_WORDS && other_words.len() >= LEAST_WORDS;
    one.kind == other.kind && is_long && is_alike(&one_words, &other_words)
}

/// Whether two texts speak of the same in nearly the same words, and what differs turns one around: a "not", a number.
pub(super) fn are_opposed(one: &WordSet, other: &WordSet) -> bool {
    let (both, all) = (one.intersection(other).count(), one.union(other).count());
    let turned = one.symmetric_difference(other).any(|word| turns(word));
    turned && both >= LEAST_WORDS - 1 && both * 5 >= all * 3
}

fn turns(word: &str) -> bool {
    word.bytes().any(|byte| byte.is_ascii_digit()) || TURNS.split_whitespace().any(|turn| turn == word)
}

pub(super) fn set(text: &str) -> WordSet {
    text::words(text).into_iter().collect()
}

/// The words by which an entry contradicts another. Of a procedure the number of its step is none of them: "step 1" and
/// "step 2" are parts of one.
pub(super) fn telling(kind: KnowledgeKind, content: &str) -> WordSet {
    if kind != KnowledgeKind::Procedure {
        return set(content);
    }
    let mut words: Vec<&str> = content.split_whitespace().collect();
    let is_number = |word: &str| {
        let bare = word.trim_matches(|letter: char| !letter.is_alphanumeric());
        !bare.is_empty() && bare.bytes().all(|byte| byte.is_ascii_digit())
    };
    let names = |word: &str| {
        let lower = word.to_lowercase();
        STEPS.contains(&lower.trim_matches(|letter: char| !letter.is_alphanumeric()))
    };
    // "1. Build it" names its step first.
    let begins = words.first().is_some_and(|word| is_number(word) && word.ends_with(['.', ')', ':']));
    let numbered = (1..words.len()).find(|at| is_number(words[*at]) && names(words[at - 1])).or(begins.then_some(0));
    if let Some(at) = numbered {
        words.remove(at);
    }
    set(&words.join(" "))
}

/// Three words of four are in both, and what differs turns nothing around.
fn is_alike(one: &BTreeSet<Box<str>>, other: &BTreeSet<Box<str>>) -> bool {
    let (both, all) = (one.intersection(other).count(), one.union(other).count());
    let differ = || one.symmetric_difference(other);
    both >= LEAST_WORDS - 1 && both * 4 >= all * 3 && !differ().any(|word| turns(word))
}

#[cfg(test)]
mod tests {
    use super::{are_opposed, is_alike, set};

    #[test]
    fn near_copies_are_one_and_what_turns_a_sentence_makes_two() {
        for (one, other, expected) in [
            ("always run the unit tests before a commit", "Always run the unit tests before the commit!", true),
            ("we deploy to the cluster in Frankfurt", "we deploy to the cluster in frankfurt.", true),
            ("don't use tabs in the Go files", "use tabs in the Go files", false),
            ("the API listens on port 8080 here", "the API listens on port 8081 here", false),
            ("always run the linter first", "always run the formatter afterwards", false),
        ] {
            assert_eq!(is_alike(&set(one), &set(other)), expected, "{one} / {other}");
        }
    }

    #[test]
    fn what_turns_a_sentence_around_is_opposed_to_it() {
        for (one, other, expected) in [
            ("don't use tabs in the Go files", "use tabs in the Go files", true),
            ("the API listens on port 8080 here", "the API listens on port 8081 here", true),
            ("always run the unit tests before a commit", "never run the unit tests before a commit", true),
            ("always run the unit tests before a commit", "Always run the unit tests before the commit!", false),
            ("use tabs in the Go files", "never push to the main branch", false),
            ("use tabs", "never use tabs", false),
        ] {
            let (one_words, other_words) = (set(one), set(other));
            let found = (are_opposed(&one_words, &other_words), are_opposed(&other_words, &one_words));
            assert_eq!(found, (expected, expected), "{one} / {other}");
        }
    }
}
