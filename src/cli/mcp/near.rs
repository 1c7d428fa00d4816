//! What is known of a subject, the nearest first: canon, beliefs, knowledge, experience, and what failed before.
//!
//! Ranks by words (BM25 over these texts alone: each rare word that a question and a text share counts, long texts less).
//! Pure: reads the state, records nothing, so that no recall makes anything stronger. Who may hear it, callers decide.

use std::collections::{BTreeMap, BTreeSet};

use super::wire::KnownKind;
use crate::domain::Rooms;
use crate::kernel::id::EntryId;
use crate::kernel::stem::stem;
use crate::kernel::time::Timestamp;

/// So many rows of a table are looked at: the latest.
const LOOKED_AT: usize = 2000;
/// How soon more of the same word counts no more, and how much the length of a text weighs (BM25's k1 and b).
const SATURATION: f64 = 1.2;
const LENGTH_WEIGHT: f64 = 0.75;

/// A text that is known.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct NearText {
    /// What sort of thing it is.
    pub kind: KnownKind,
    /// What it is called by: a key, or an id.
    pub key: String,
    /// What it says.
    pub text: String,
    /// Who said it.
    pub by: String,
    /// When.
    pub at: Timestamp,
    /// The entry that says it, where there is one.
    pub entry: Option<EntryId>,
    /// The texts of that entry, by which it is known whose words they are.
    pub words: Vec<Box<str>>,
    /// How near it is to the question; only to compare with others of the same answer.
    pub score: f64,
}

/// What is known of a subject, the nearest first.
pub(super) fn near(rooms: &Rooms, query: &str, at: Timestamp) -> Vec<NearText> {
    let mut all = canon(rooms);
    all.extend(beliefs(rooms, at));
    all.extend(knowledge(rooms));
    all.extend(experience(rooms));
    all.extend(failures(rooms));
    ranked(all, query)
}

fn canon(rooms: &Rooms) -> Vec<NearText> {
    let entries = rooms.canon.entries.first_by_rank(LOOKED_AT).into_iter();
    let versions = entries.flat_map(|(key, entry)| entry.current().map(move |version| (key, version)));
    let recalled = versions.map(|(key, version)| NearText {
        kind: KnownKind::Canon,
        key: key.to_string(),
        text: format!("{}: {}", version.title, version.text),
        by: version.by.to_string(),
        at: version.at,
        entry: Some(version.entry),
        words: vec![version.title.clone(), version.text.clone()],
        score: 0.0,
    });
    recalled.collect()
}

fn beliefs(rooms: &Rooms, at: Timestamp) -> Vec<NearText> {
    let entries = rooms.hivemind.entries.first_by_rank(LOOKED_AT).into_iter();
    let held = entries.filter(|(_, entry)| entry.removed.is_none() && !entry.is_expired_at(at));
    let recalled = held.map(|(key, entry)| {
        let id = entry.id.parse::<EntryId>().ok();
        NearText {
            kind: KnownKind::Belief,
            key: key.to_string(),
            text: format!("{key}: {}", entry.value),
            by: entry.source.agent_id.to_string(),
            at: entry.source.timestamp,
            entry: id,
            words: vec![key.clone(), entry.value.clone()],
            score: 0.0,
        }
    });
    recalled.collect()
}

fn knowledge(rooms: &Rooms) -> Vec<NearText> {
    let entries = rooms.knowledge.entries.first_by_rank(LOOKED_AT).into_iter();
    let recalled = entries.filter(|(_, entry)| entry.is_kept()).map(|(id, entry)| NearText {
        kind: KnownKind::Knowledge,
        key: id.to_string(),
        text: entry.said.content.to_string(),
        by: entry.by.to_string(),
        at: entry.extracted_at,
        entry: id.parse().ok(),
        words: vec![entry.said.content.clone()],
        score: 0.0,
    });
    recalled.collect()
}

fn experience(rooms: &Rooms) -> Vec<NearText> {
    let memory = &rooms.memory;
    let ids: Vec<_> = memory.megrams.first_by_rank(LOOKED_AT).into_iter().map(|(id, _)| id.clone()).collect();
    let recalled = ids.iter().filter_map(|id| memory.megram(id)).map(|megram| NearText {
        kind: KnownKind::Experience,
        key: megram.id.to_string(),
        text: format!("{} / {}: {}", megram.space, megram.entity, megram.content),
        by: crate::kernel::actor::SYSTEM.to_owned(),
        at: megram.created_at,
        entry: megram.id.parse().ok(),
        words: vec![megram.content.clone()],
        score: 0.0,
    });
    recalled.collect()
}

fn failures(rooms: &Rooms) -> Vec<NearText> {
    let tasks = rooms.dialectic.tasks.first_by_rank(LOOKED_AT).into_iter();
    let recalled = tasks.filter(|(_, task)| task.same_as.is_none()).filter_map(|(id, task)| {
        let run = task.runs.iter().max_by_key(|run| run.count).map(|run| (&run.error, run.entry, run.at));
        let attempt = task.attempts.last().map(|attempt| (&attempt.error, attempt.entry, attempt.at));
        let (error, entry, at) = run.or(attempt)?;
        Some(NearText {
            kind: KnownKind::Failure,
            key: id.to_string(),
            text: format!("{}: failed with \"{error}\"", task.summary),
            by: crate::kernel::actor::SYSTEM.to_owned(),
            at,
            entry: Some(entry),
            words: Vec::new(),
            score: 0.0,
        })
    });
    recalled.collect()
}

/// Those that share a word with the question, the nearest first; of equals the later one.
fn ranked(all: Vec<NearText>, query: &str) -> Vec<NearText> {
    let asked: BTreeSet<String> = tokens(query).into_iter().collect();
    let texts: Vec<BTreeMap<String, f64>> = all.iter().map(|one| counts(&one.text)).collect();
    let total = all.len();
    let lengths: Vec<f64> = texts.iter().map(|text| text.values().sum()).collect();
    let mean = (lengths.iter().sum::<f64>() / number(total.max(1))).max(1.0);
    let weights: BTreeMap<&str, f64> = asked
        .iter()
        .map(|word| {
            let having = number(texts.iter().filter(|text| text.contains_key(word)).count());
            (&**word, libm::log(1.0 + (number(total) - having + 0.5) / (having + 0.5)))
        })
        .collect();
    let score = |text: &BTreeMap<String, f64>, length: f64| -> f64 {
        let long = SATURATION * (1.0 - LENGTH_WEIGHT + LENGTH_WEIGHT * length / mean);
        let one = |(word, weight): (&&str, &f64)| {
            text.get(*word).map_or(0.0, |count| weight * count * (SATURATION + 1.0) / (count + long))
        };
        weights.iter().map(one).sum()
    };
    let mut found: Vec<_> = all
        .into_iter()
        .zip(texts.iter().zip(&lengths))
        .map(|(one, (text, length))| NearText { score: score(text, *length), ..one })
        .filter(|one| one.score > 0.0)
        .collect();
    found.sort_by(|one, two| {
        two.score
            .total_cmp(&one.score)
            .then(two.at.cmp(&one.at))
            .then(one.kind.cmp(&two.kind))
            .then(one.key.cmp(&two.key))
    });
    found
}

#[expect(clippy::cast_precision_loss, reason = "counts of words")]
fn number(count: usize) -> f64 {
    count as f64
}

fn counts(text: &str) -> BTreeMap<String, f64> {
    let mut counts = BTreeMap::new();
    for token in tokens(text) {
        *counts.entry(token).or_default() += 1.0;
    }
    counts
}

/// Words that say nothing of what a question is about.
const EMPTY: [&str; 40] = [
    "a", "about", "all", "an", "and", "are", "as", "at", "be", "by", "can", "do", "does", "for", "from", "have", "how",
    "i", "if", "in", "is", "it", "its", "me", "my", "of", "on", "or", "our", "so", "that", "the", "this", "to", "was",
    "we", "what", "when", "with", "you",
];

/// The words of a text, as their stems; a name such as `parse_utf8` and its parts.
fn tokens(text: &str) -> Vec<String> {
    let lower = text.to_lowercase();
    let names = lower.split(|letter: char| !letter.is_alphanumeric() && letter != '_');
    let parts = names.flat_map(|name| {
        let whole = name.contains('_').then_some(name);
        whole.into_iter().chain(name.split('_'))
    });
    let words = parts.filter(|word| !word.is_empty() && !EMPTY.contains(word));
    words.map(|word| plural(stem(word)).to_owned()).collect()
}

/// `tests` and `test`, `caches` and `cache`: the plural goes with the singular.
fn plural(word: &str) -> &str {
    match word.strip_suffix('s') {
        Some(rest) if rest.len() > 2 && !rest.ends_with(['s', 'u', 'i']) => rest,
        Some(_) | None => word,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(key: &str, text: &str) -> NearText {
        NearText {
            kind: KnownKind::Knowledge,
            key: key.to_owned(),
            text: text.to_owned(),
            by: "user".to_owned(),
            at: Timestamp::from_millis(0),
            entry: None,
            words: Vec::new(),
            score: 0.0,
        }
    }

    fn keys(query: &str, texts: &[(&str, &str)]) -> Vec<String> {
        let all = texts.iter().map(|(key, said)| text(key, said)).collect();
        ranked(all, query).into_iter().map(|one| one.key).collect()
    }

    #[test]
    fn a_rare_word_counts_more_than_a_frequent_one_and_no_shared_word_is_no_hit() {
        let texts = [
            ("login", "the login test is flaky: it waits for a clock"),
            ("fmt", "run the formatter before each test"),
            ("test", "a test has a name that is a sentence"),
            ("port", "the server listens on port 7777"),
        ];
        assert_eq!(keys("fix the flaky login test", &texts), ["login", "test", "fmt"]);
        assert_eq!(keys("ports", &texts), ["port"]);
        assert_eq!(keys("what is it", &texts), Vec::<String>::new());
    }

    #[test]
    fn names_are_found_whole_and_by_their_parts() {
        let texts = [("one", "parse_utf8 panics on an empty line"), ("two", "utf8 is checked by the reader")];
        assert_eq!(keys("parse_utf8", &texts), ["one", "two"]);
        assert_eq!(keys("parse", &texts), ["one"]);
    }
}
