//! `local/own-words`: what this clone's user said or accepted, so that it may be told to agents.
//!
//! The id of each entry and the hashes of its texts, kept when it is decided: under an id that a repository brings, other words
//! have other hashes, whatever writer and file they come with. What was decided before, or in another clone, `accept_words` adds.
//! Says only whose words they are; which are told, others decide.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use super::{Answer, By, Engine, EngineError};
use annals_kernel::actor::USER;
use annals_kernel::annals::{LineHash, OwnLine};
use annals_kernel::id::EntryId;
use annals_log::LogError;
use annals_rules::domain::{Event, canon, hivemind, knowledge};
use annals_rules::world::World;

/// A longer file is none of ours: some 100,000 entries.
const MOST_BYTES: u64 = 24 << 20;

/// Words, and the entry that says them.
pub type Word<'w> = (EntryId, &'w [Box<str>]);

/// What this clone's user said or accepted.
#[derive(Debug, Clone, Default)]
pub struct OwnWords(BTreeMap<EntryId, BTreeSet<LineHash>>);

impl OwnWords {
    /// Whether the user said, or accepted, all of these words in this entry.
    pub fn has(&self, entry: EntryId, words: &[Box<str>]) -> bool {
        let said = self.0.get(&entry);
        said.is_some_and(|said| words.iter().all(|word| said.contains(&LineHash::of(word.as_bytes()))))
    }

    /// Whether this clone wrote the entry, in these words.
    pub fn wrote(&self, (entry, words): &OwnLine) -> bool {
        self.0.get(entry).is_some_and(|said| said.contains(&LineHash::of(words.as_bytes())))
    }

    pub(super) fn read(text: &str) -> Self {
        let mut own = Self::default();
        // A line that a crash cut short counts for nothing: its words are told again once they are accepted.
        for (entry, rest) in text.lines().filter_map(|line| line.split_once(' ')) {
            if let Ok(entry) = entry.parse() {
                own.0.entry(entry).or_default().extend(rest.split(' ').filter_map(LineHash::parse));
            }
        }
        own
    }
}

impl Engine {
    /// What this clone's user said or accepted.
    pub fn own_words(&self) -> Result<OwnWords, EngineError> {
        let path = self.own_words_file();
        let bytes = self.disk().read_at_most(&path, MOST_BYTES).map_err(LogError::at("read", &path))?;
        Ok(bytes.map(|bytes| OwnWords::read(&String::from_utf8_lossy(&bytes))).unwrap_or_default())
    }

    /// The user takes these words for true, whoever wrote them.
    pub fn accept_words(&self, words: &[Word<'_>]) -> Result<(), EngineError> {
        if words.is_empty() {
            return Ok(());
        }
        let line = |(entry, words): &Word<'_>| line_of(*entry, words.iter().map(|word| &**word));
        self.keep_own(&self.own_words_file(), &words.iter().map(line).collect::<String>())
    }

    /// Adds lines to a file of what this clone wrote.
    pub(super) fn keep_own(&self, path: &Path, lines: &str) -> Result<(), EngineError> {
        let append = || self.disk().append_to(path)?.append(lines.as_bytes());
        Ok(append().map_err(LogError::at("write", path))?)
    }

    /// Keeps what the user has just made canon, a belief or knowledge. What was pulled from another store, others said.
    pub(super) fn keep_own_words(&self, answer: &Answer, by: &By) -> Result<(), EngineError> {
        let Some(entry) = answer.entry.filter(|_| by.actor.as_str() == USER) else { return Ok(()) };
        for event in &answer.events {
            let words = if let Event::Canon(canon::Event::Established(new)) = event {
                self.ask(|world| canon_words(world, &new.key, entry))?
            } else if let Event::Hivemind(hivemind::Event::Added(new)) = event {
                vec![new.entry.key.clone(), new.entry.value.clone()]
            } else if let Event::Knowledge(knowledge::Event::Added(new)) = event {
                vec![new.said.content.clone()]
            } else {
                continue;
            };
            self.accept_words(&[(entry, &words)])?;
        }
        Ok(())
    }

    fn own_words_file(&self) -> PathBuf {
        self.place().local().join("own-words")
    }
}

/// The line of an entry: its id, and the hash of each of its texts.
pub(super) fn line_of<'w>(entry: EntryId, words: impl Iterator<Item = &'w str>) -> String {
    let hashes: Vec<_> = words.map(|word| LineHash::of(word.as_bytes()).to_string()).collect();
    format!("{entry} {}\n", hashes.join(" "))
}

/// Title and text of the version that an entry made; the event names it alone.
fn canon_words(world: &World, key: &str, entry: EntryId) -> Vec<Box<str>> {
    let versions = world.rooms.canon.entry(key).into_iter().flat_map(|row| &row.versions);
    let made = versions.filter(|version| version.entry == entry);
    made.flat_map(|version| [version.title.clone(), version.text.clone()]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_count_under_their_entry_alone_and_all_of_them() {
        let id = |millis| EntryId::new(annals_kernel::time::Timestamp::from_millis(millis), 1);
        let hash = |text: &str| LineHash::of(text.as_bytes());
        let text =
            format!("{} {} {}\n{} {}\nrubbish\n{} 12", id(1), hash("one"), hash("two"), id(2), hash("three"), id(3));
        let own = OwnWords::read(&text);
        let has = |millis, words: &[&str]| {
            own.has(id(millis), &words.iter().map(|word| Box::from(*word)).collect::<Vec<_>>())
        };
        assert!(has(1, &["one"]) && has(1, &["one", "two"]) && has(2, &["three"]));
        assert!(!has(1, &["one", "three"]) && !has(2, &["one"]) && !has(3, &["12"]) && !has(4, &["one"]));
    }
}
