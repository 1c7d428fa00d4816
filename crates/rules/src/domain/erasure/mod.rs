//! What was taken out of the history: which value of which entry, when and by whom (DESIGN 3.7).
//!
//! Owns `history.entry.scrub*`. Lines are changed by `log::scrub`; this room says what may be changed and remembers it.

use std::collections::BTreeMap;

use annals_sparse::sparse;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use annals_kernel::annals::LineHash;
use annals_kernel::decision::{Cause, Moment, Outcome};
use annals_kernel::id::{AgentId, EntryId};
use annals_kernel::refusal::refusal;
use annals_kernel::time::Timestamp;
use annals_kernel::wire::wire;

#[cfg(test)]
mod tests;

wire! {
    /// What can be asked.
    pub enum Command {
        // The value itself is named nowhere.
        /// Take a leaked value out of entries.
        Scrub = "history.entry.scrub" {
            /// The entry that it was found in; none where the value itself was given.
            entry: Option<EntryId>,
            /// Where in that entry: keys with dots, as in `operation.output.stdout`.
            #[sparse]
            path: Box<str>,
            /// The person who confirmed it.
            confirmed_by: Box<str>,
            /// Why.
            reason: Option<Box<str>>,
        },
    }
}

/// What was found out before a scrub was decided.
#[sparse]
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Observed {
    /// Every line that holds the value, before and after.
    #[serde(default)]
    #[always]
    pub lines: Vec<ScrubbedLine>,
    /// Blobs that held it. Not written any more: they are named by the hash of what they held.
    pub blobs: Vec<Box<str>>,
}

/// A line that was changed in place.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ScrubbedLine {
    /// Its entry.
    pub entry: EntryId,
    /// Hash of the line as it was.
    pub before: LineHash,
    /// Hash of the line as it is.
    pub after: LineHash,
}

wire! {
    /// What happened.
    pub enum Event {
        /// A value was taken out of a line.
        Scrubbed = "history.entry.scrubbed" {
            /// Which entry.
            entry: EntryId,
            /// Hash of its line as it was.
            before: LineHash,
            /// Hash of its line as it is.
            after: LineHash,
        },
    }
}

refusal! {
    /// Why nothing is taken out.
    #[sparse]
    pub enum Refusal {
        /// The chain needs it.
        Structure = "erasure.structure" { path: Box<str> },
        /// No line holds the value.
        NothingThere = "erasure.nothing_there" {
            path: Box<str>,
            /// In which entry; none where the value itself was given.
            entry: Option<EntryId>,
        },
        /// A person must stand for it.
        NotConfirmed = "erasure.not_confirmed",
    }
}

/// What was taken out, and by whom.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct State {
    /// By entry, the oldest first.
    pub scrubs: BTreeMap<EntryId, Vec<Record>>,
}

/// One scrub of one line.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Record {
    /// The entry that records it.
    pub by_entry: EntryId,
    /// When.
    pub at: Timestamp,
    /// Who asked.
    pub actor: AgentId,
    /// The person who confirmed it.
    pub confirmed_by: Box<str>,
    /// Hash of the line as it was.
    pub before: LineHash,
    /// Hash of the line as it is.
    pub after: LineHash,
}

impl State {
    /// Hashes of lines as they were, by entry: copies of them do not count any more.
    pub fn gone(&self) -> BTreeMap<EntryId, Vec<LineHash>> {
        let hashes = |records: &Vec<Record>| records.iter().map(|record| record.before).collect();
        self.scrubs.iter().map(|(entry, records)| (*entry, hashes(records))).collect()
    }

    /// Takes in an event of a decision.
    pub fn evolve(&mut self, event: &Event, cause: &Cause<'_, Command, Observed>) {
        let Event::Scrubbed(scrubbed) = event;
        let record = Record {
            by_entry: cause.id,
            at: cause.at,
            actor: cause.actor.clone(),
            confirmed_by: cause.command().map(|Command::Scrub(scrub)| scrub.confirmed_by.clone()).unwrap_or_default(),
            before: scrubbed.before,
            after: scrubbed.after,
        };
        self.scrubs.entry(scrubbed.entry).or_default().push(record);
    }
}

/// Decides what becomes of a command.
pub fn decide(_: &State, command: &Command, observed: &Observed, _: &Moment<'_>) -> Outcome<Event, Refusal> {
    let Command::Scrub(scrub) = command;
    if scrub.confirmed_by.is_empty() {
        return Outcome::refused(Refusal::NotConfirmed);
    }
    if !is_payload(&scrub.path) {
        return Outcome::refused(Refusal::Structure { path: scrub.path.clone() });
    }
    if observed.lines.is_empty() {
        return Outcome::refused(Refusal::NothingThere { path: scrub.path.clone(), entry: scrub.entry });
    }
    let event =
        |line: &ScrubbedLine| Event::Scrubbed(Scrubbed { entry: line.entry, before: line.before, after: line.after });
    Outcome { events: observed.lines.iter().map(event).collect(), refusal: None }
}

/// Whether a path leads into what a step said and did, not into what the log stands on.
pub(crate) fn is_payload(path: &str) -> bool {
    const STRUCTURE: [&str; 6] =
        ["id", "timestamp", "session_id", "operation.type", "operation.success", "extensions.annals"];
    !STRUCTURE.iter().any(|place| path == *place || path.starts_with(&format!("{place}.")))
}
