//! `local/own-entries`: which messages to resident agents, tasks and firings of triggers this clone wrote itself, so that nothing
//! a repository brings is taken for a person's word (decision 50).
//!
//! A line for each entry: its id, and the hash of what it says. Says only who wrote it; what follows, others decide.

use std::collections::BTreeSet;
use std::path::PathBuf;

use super::{Engine, EngineError};
use annals_kernel::annals::LineHash;
use annals_kernel::id::EntryId;
use annals_log::LogError;
use annals_rules::domain::{Command, Event, cognition, resident, task};

/// An entry, and what it says.
pub type OwnLine = (EntryId, String);

/// Only the end of a longer file counts, some 70,000 entries: what is older waits for the person's word again.
const MOST_BYTES: u64 = 4 << 20;

/// What this clone wrote.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct OwnEntries(BTreeSet<(EntryId, LineHash)>);

impl OwnEntries {
    /// Whether this clone wrote it, in these words.
    pub fn wrote(&self, (entry, words): &OwnLine) -> bool {
        self.0.contains(&(*entry, LineHash::of(words.as_bytes())))
    }

    /// A line that a crash cut short counts for nothing.
    fn read(text: &str) -> Self {
        let pairs = text.lines().filter_map(|line| line.split_once(' '));
        Self(pairs.filter_map(|(entry, hash)| Some((entry.parse().ok()?, LineHash::parse(hash)?))).collect())
    }
}

impl Engine {
    /// What this clone wrote of messages to resident agents, of tasks and of firings.
    pub fn own_entries(&self) -> Result<OwnEntries, EngineError> {
        let path = self.own_entries_file();
        let bytes = self.disk().read_end(&path, MOST_BYTES).map_err(LogError::at("read", &path))?;
        Ok(bytes.map(|bytes| OwnEntries::read(&String::from_utf8_lossy(&bytes))).unwrap_or_default())
    }

    /// Keeps what a decision of this clone says of them, before its entry is written: a kill between the two leaves a line
    /// that names nothing, and no task that is nobody's.
    pub(super) fn keep_own_entries(
        &self,
        command: &Command,
        events: &[Event],
        entry: EntryId,
    ) -> Result<(), EngineError> {
        let lines: String =
            events.iter().filter_map(|event| line_of(event, command, entry)).map(|line| kept(&line)).collect();
        if lines.is_empty() {
            return Ok(());
        }
        let path = self.own_entries_file();
        let append = || self.disk().append_to(&path)?.append(lines.as_bytes());
        Ok(append().map_err(LogError::at("write", &path))?)
    }

    fn own_entries_file(&self) -> PathBuf {
        self.place().local().join("own-entries")
    }
}

/// The words of an event that counts only where this clone wrote it.
fn line_of(event: &Event, command: &Command, entry: EntryId) -> Option<OwnLine> {
    if let (Event::Resident(event), Command::Resident(command)) = (event, command) {
        resident::own::line_of(event, command, entry)
    } else if let (Event::Task(task::Event::Begun(begun)), Command::Task(command)) = (event, command) {
        task::line_of(begun, command, entry)
    } else if let Event::Cognition(cognition::Event::TriggerFired(fired)) = event {
        Some(fired.firing.own_line(&fired.session))
    } else {
        None
    }
}

fn kept((entry, words): &OwnLine) -> String {
    format!("{entry} {}\n", LineHash::of(words.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use annals_kernel::time::Timestamp;

    #[test]
    fn an_entry_counts_in_its_own_words_alone_and_a_torn_line_not_at_all() {
        let line = |millis, words: &str| (EntryId::new(Timestamp::from_millis(millis), 1), words.to_owned());
        let text = kept(&line(1, "one")) + "rubbish\n" + &kept(&line(2, "two"));
        let own = OwnEntries::read(&text);
        assert!(own.wrote(&line(1, "one")) && own.wrote(&line(2, "two")));
        assert!(!own.wrote(&line(1, "two")) && !own.wrote(&line(3, "one")));
        let torn = OwnEntries::read(&text[..text.len() - 2]);
        assert_eq!((torn.wrote(&line(1, "one")), torn.wrote(&line(2, "two"))), (true, false));
    }
}
