//! What was tried and given up, as memory keeps it in the text of an experience: how each part that failed was worded, and
//! which calls of it failed. Written by the loop, read back by the planner.
//!
//! Does not know what memory makes of it.

use super::spelling::Spelling;
use crate::ggs::{CallResult, SubTaskOutcome};
use crate::plan::PlannedSubTask;

/// Stands before it.
const TITLE: &str = "Tried: ";
/// Stands between the wording of a part and its calls, and between calls.
const BY: &str = " by ";
/// Characters of a wording, and parts that are kept: an experience is no longer than 600 characters.
const WORDING_CHARS: usize = 160;
const MOST_PARTS: usize = 2;
const MOST_CALLS: usize = 3;
const CALL_CHARS: usize = 60;
/// Words that make no other wording.
const FILLING: &[&str] = &[
    "a", "again", "also", "an", "and", "carefully", "finally", "first", "it", "just", "now", "of", "please", "simply",
    "that", "the", "then", "this", "to", "you",
];

/// A part of a plan that failed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct TriedPart {
    wording: Vec<String>,
    /// Tool and target, as they are compared.
    calls: Vec<String>,
}

/// A part that failed, as it was worded, and what was used in it.
pub fn tried_line<'o>(parts: impl IntoIterator<Item = (&'o str, &'o SubTaskOutcome)>) -> String {
    let part = |(intent, outcome): (&str, &SubTaskOutcome)| {
        let failed = outcome.tool_uses.iter().filter(|used| used.result == CallResult::Failed);
        let calls =
            failed.map(|used| format!("{BY}'{}'", plain(&format!("{} {}", used.tool, used.target), CALL_CHARS)));
        format!("'{}'{}", plain(intent, WORDING_CHARS), calls.take(MOST_CALLS).collect::<String>())
    };
    let parts: Vec<_> = parts.into_iter().take(MOST_PARTS).map(part).collect();
    if parts.is_empty() { String::new() } else { format!("{TITLE}{}; ", parts.join(", ")) }
}

/// What a text of memory says was tried.
pub(super) fn tried_in(text: &str) -> Vec<TriedPart> {
    let Some((_, rest)) = text.split_once(TITLE) else { return Vec::new() };
    let mut parts: Vec<TriedPart> = Vec::new();
    let mut rest = rest;
    while let Some((said, behind)) = rest.strip_prefix('\'').and_then(|rest| rest.split_once('\'')) {
        let is_call = parts.last().is_some() && text[..text.len() - rest.len()].ends_with(BY);
        match parts.last_mut().filter(|_| is_call) {
            Some(part) => part.calls.push(spelled(said)),
            None => parts.push(TriedPart { wording: wording(said), calls: Vec::new() }),
        }
        rest = behind.strip_prefix(BY).or_else(|| behind.strip_prefix(", ")).unwrap_or_default();
    }
    parts
}

impl TriedPart {
    /// Whether a subtask is this part once more: worded so, or using a tool on a target as it did when the call failed.
    pub(super) fn is(&self, subtask: &PlannedSubTask) -> bool {
        let words = wording(&plain(&subtask.intent, WORDING_CHARS));
        let uses = |planned: &crate::plan::PlannedTool| {
            let target = planned.target.as_deref().filter(|target| !target.trim().is_empty())?;
            Some(spelled(&plain(&format!("{} {target}", planned.tool), CALL_CHARS)))
        };
        let is_worded_so = !words.is_empty() && words == self.wording;
        is_worded_so || subtask.tools.iter().filter_map(uses).any(|call| self.calls.contains(&call))
    }
}

/// The words that tell it from others, in whatever order.
fn wording(text: &str) -> Vec<String> {
    let spelling = Spelling::of(text);
    let words = spelling.words().iter().map(|word| word.text.clone());
    let mut words: Vec<_> = words.filter(|word| !FILLING.contains(&word.as_str())).collect();
    words.sort_unstable();
    words.dedup();
    words
}

fn spelled(call: &str) -> String {
    Spelling::of(call).words().iter().map(|word| word.text.as_str()).collect::<Vec<_>>().join(" ")
}

/// On one line, without the mark that ends it.
fn plain(text: &str, most: usize) -> String {
    let letters = text.trim().chars().filter(|letter| *letter != '\'');
    letters.map(|letter| if letter.is_control() { ' ' } else { letter }).take(most).collect()
}
