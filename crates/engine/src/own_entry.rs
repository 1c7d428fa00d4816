//! `local/own-entries`: which messages to resident agents, tasks, approvals and firings this clone wrote itself, so that nothing
//! a repository brings is taken for a person's word (decision 50).
//!
//! A line for each entry: its id, and the hash of what it says. Says only who wrote it; what follows, others decide.

use std::path::PathBuf;

use super::own_word::{OwnWords, line_of};
use super::{Engine, EngineError};
use annals_kernel::annals::OwnLine;
use annals_kernel::id::EntryId;
use annals_log::LogError;
use annals_rules::domain::{Command, Event, cognition, resident, task};

/// Only the end of a longer file counts, some 70,000 entries: what is older waits for the person's word again.
const MOST_BYTES: u64 = 4 << 20;

impl Engine {
    /// What this clone wrote of messages to resident agents, of tasks and of firings.
    pub fn own_entries(&self) -> Result<OwnWords, EngineError> {
        let path = self.own_entries_file();
        let bytes = self.disk().read_end(&path, MOST_BYTES).map_err(LogError::at("read", &path))?;
        Ok(bytes.map(|bytes| OwnWords::read(&String::from_utf8_lossy(&bytes))).unwrap_or_default())
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
            events.iter().filter_map(|event| own_line(event, command, entry)).map(|line| kept(&line)).collect();
        if lines.is_empty() {
            return Ok(());
        }
        self.keep_own(&self.own_entries_file(), &lines)
    }

    fn own_entries_file(&self) -> PathBuf {
        self.place().local().join("own-entries")
    }
}

/// The words of an event that counts only where this clone wrote it.
fn own_line(event: &Event, command: &Command, entry: EntryId) -> Option<OwnLine> {
    if let (Event::Resident(event), Command::Resident(command)) = (event, command) {
        resident::own::line_of(event, command, entry)
    } else if let (Event::Task(task::Event::Begun(begun)), Command::Task(command)) = (event, command) {
        task::line_of(begun, command, entry)
    } else if let (Event::Task(task::Event::Sent(_)), Command::Task(task::Command::Send(send))) = (event, command) {
        task::approval_line(send, entry)
    } else if let Event::Cognition(cognition::Event::TriggerFired(fired)) = event {
        Some(fired.firing.own_line(&fired.session))
    } else {
        None
    }
}

fn kept((entry, words): &OwnLine) -> String {
    line_of(*entry, std::iter::once(words.as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use annals_kernel::time::Timestamp;

    #[test]
    fn an_entry_counts_in_its_own_words_alone_and_a_torn_line_not_at_all() {
        let line = |millis, words: &str| (EntryId::new(Timestamp::from_millis(millis), 1), words.to_owned());
        let text = kept(&line(1, "one")) + "rubbish\n" + &kept(&line(2, "two"));
        let own = OwnWords::read(&text);
        assert!(own.wrote(&line(1, "one")) && own.wrote(&line(2, "two")));
        assert!(!own.wrote(&line(1, "two")) && !own.wrote(&line(3, "one")));
        let torn = OwnWords::read(&text[..text.len() - 2]);
        assert_eq!((torn.wrote(&line(1, "one")), torn.wrote(&line(2, "two"))), (true, false));
    }
}
