//! Signs that an answer is none: it repeats itself, or it declines.
//!
//! Asked only of answers without a readable object, so that a false alarm costs no good answer.

use std::collections::BTreeMap;

use super::field::cleaned;
use crate::prompt::BadAnswer;

/// So often in a row, or so many equal lines, is a loop.
const REPEATS: usize = 8;
/// What is repeated is together at least so long, in bytes.
const LOOP_BYTES: usize = 120;
/// So much white space at the end is no layout, in bytes.
const ENDLESS_SPACE: usize = 400;
/// The end of an answer is looked at for a loop, in bytes.
const TAIL_BYTES: usize = 4096;
/// A refusal stands at the beginning, in characters.
const REFUSAL_CHARS: usize = 160;
/// So much of a refusal is kept, in characters.
const WORDS_CHARS: usize = 120;

/// How models decline. The words are ours, and no data was looked at for them.
const REFUSALS: &[&str] = &[
    "i'm sorry", "i am sorry", "sorry, ", "i can't", "i cannot", "i can not", "i'm unable", "i am unable",
    "i'm not able", "i am not able", "i won't", "i will not", "i must decline", "i have to decline", "as an ai",
    "unfortunately, i", "es tut mir leid", "kann ich nicht", "lo siento", "no puedo", "je suis désolé",
    "je ne peux pas", "mi dispiace", "não posso", "抱歉", "对不起", "我无法", "我不能", "申し訳", "できません", "죄송",
];

/// Whether an answer repeats itself: at its end, or with most of its lines.
pub(super) fn loops(text: &str) -> bool {
    ends_in_a_loop(text.trim_end().as_bytes()) || is_mostly_one_line(text)
}

/// Whether an answer that is still being written has no end: a loop, or white space that a schema lets through for ever.
pub fn is_endless(text: &str) -> bool {
    text.len() - text.trim_end().len() >= ENDLESS_SPACE || loops(text)
}

/// Whether the end is one piece many times over: the failure function of Knuth, Morris and Pratt, from behind.
fn ends_in_a_loop(text: &[u8]) -> bool {
    let tail: Vec<u8> = text.iter().rev().take(TAIL_BYTES).copied().collect();
    let mut borders = vec![0; tail.len()];
    let mut border = 0;
    for at in 1..tail.len() {
        while border > 0 && tail[at] != tail[border] {
            border = borders[border - 1];
        }
        border += usize::from(tail[at] == tail[border]);
        borders[at] = border;
        let (length, period) = (at + 1, at + 1 - border);
        if length >= LOOP_BYTES && length >= REPEATS * period {
            return true;
        }
    }
    false
}

fn is_mostly_one_line(text: &str) -> bool {
    let mut counts = BTreeMap::<&str, usize>::new();
    let lines = text.lines().map(str::trim).filter(|line| line.len() > 2);
    lines.for_each(|line| *counts.entry(line).or_default() += 1);
    let most = counts.values().max().copied().unwrap_or_default();
    most >= REPEATS && most * 2 > counts.values().sum()
}

/// The refusal that words without an object are.
pub(super) fn refusal(prose: &str) -> Option<BadAnswer> {
    let folded: String = prose.chars().take(REFUSAL_CHARS).collect();
    let folded = folded.to_lowercase().replace('’', "'");
    let declines = REFUSALS.iter().any(|phrase| folded.contains(phrase));
    declines.then(|| BadAnswer::Refused { words: words(prose) })
}

fn words(prose: &str) -> String {
    let clean = cleaned(prose);
    let line: Vec<_> = clean.split_whitespace().collect();
    line.join(" ").chars().take(WORDS_CHARS).collect()
}
