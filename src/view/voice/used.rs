//! Whether an agent used a belief that it was told. Pure: looks at what it said and called since.

use std::collections::BTreeSet;

use crate::analysis::step::{Call, Record, Step};
use crate::domain::Rooms;
use crate::domain::voice::ToldSession;
use crate::kernel::id::EntryId;

/// So many rows of beliefs are looked at: the latest.
const LOOKED_AT: usize = 200;
/// Shorter words say little.
const LEAST_LETTERS: usize = 5;
/// A belief is used where one message or call has this many of its words, and this share of them.
const LEAST_WORDS: usize = 3;
const LEAST_SHARE: f64 = 0.6;

/// The keys of beliefs that a session was told, and has used since, and not been counted for yet.
pub fn used(rooms: &Rooms, told: &ToldSession, record: &Record) -> Vec<Box<str>> {
    let Some(at) = told.at else { return Vec::new() };
    let is_told = |id: &str| {
        told.heard.iter().any(|key| {
            key.split_once('/').is_some_and(|(topic, told)| matches!(topic, "golden" | "belief") && told == id)
        })
    };
    let entries = rooms.hivemind.entries.first_by_rank(LOOKED_AT).into_iter();
    let told = entries.filter(|(_, entry)| entry.id.parse::<EntryId>().is_ok() && is_told(&entry.id));
    let since: Vec<String> = record.steps.iter().filter(|step| step.at >= at).filter_map(texts).collect();
    let fresh = told.filter(|(_, entry)| entry.decay.last_accessed < at);
    fresh
        .filter(|(key, entry)| since.iter().any(|text| speaks_of(text, key, &entry.value)))
        .map(|(key, _)| key.clone())
        .collect()
}

/// What an agent said or called in a step.
fn texts(step: &Step) -> Option<String> {
    let called = |call: &Call| {
        let edits = call.edits.iter().map(|edit| &*edit.new);
        call.command.as_deref().into_iter().chain(edits).collect::<Vec<_>>().join("\n")
    };
    step.said().map(str::to_owned).or_else(|| step.call().map(called))
}

fn words(text: &str) -> BTreeSet<String> {
    let words =
        text.split(|letter: char| !letter.is_alphanumeric()).filter(|word| word.chars().count() >= LEAST_LETTERS);
    words.map(str::to_lowercase).collect()
}

#[expect(clippy::cast_precision_loss, reason = "a belief has a few hundred words at most")]
fn speaks_of(text: &str, key: &str, value: &str) -> bool {
    let (of_value, said) = (words(value), words(text));
    let shared = of_value.intersection(&said).count();
    text.contains(key) || shared >= LEAST_WORDS && shared as f64 >= LEAST_SHARE * of_value.len() as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_belief_is_used_where_one_text_has_most_of_it() {
        let value = "Integration tests need the postgres container on port 5544";
        for (text, expected) in [
            ("I start the postgres container first, as the integration tests need it.", true),
            ("See `pg-container`.", true),
            ("The tests pass.", false),
            ("The container works.", false),
            ("", false),
        ] {
            assert_eq!(speaks_of(text, "pg-container", value), expected, "{text}");
        }
    }
}
