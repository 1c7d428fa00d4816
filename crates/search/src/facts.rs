//! What is told of an entry beside the line that was looked for. Does not read files.

use annals_kernel::entry::HistoryEntry;
use annals_kernel::envelope::{Ending, Envelope};
use annals_kernel::id::{EntryId, SessionId};
use annals_kernel::joined::completes;
use annals_kernel::record::{Event, Kind};
use annals_kernel::time::Timestamp;
use serde_json::Value;

/// What an entry is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct EntryFacts {
    pub id: EntryId,
    pub at: Timestamp,
    pub session: SessionId,
    pub agent: Option<Box<str>>,
    pub kind: Box<str>,
    pub name: Box<str>,
    /// Of a call, how it ended.
    pub ending: Option<Ending>,
    /// The entry of which it tells more.
    pub completes: Option<EntryId>,
    /// The issue that a command was about.
    pub issue: Option<Box<str>>,
    /// Whether other lines may stand for the same record of another tool.
    pub has_source: bool,
}

impl EntryFacts {
    pub(crate) fn of(entry: &Envelope<'_>) -> Self {
        let record = entry.record();
        let own = || std::str::from_utf8(entry.line()).ok().and_then(|line| HistoryEntry::read(line).ok());
        let is_completion = record == Kind::Event(Event::Completion);
        Self {
            id: entry.id(),
            at: entry.at(),
            session: SessionId::from(entry.session().as_ref()),
            agent: entry.agent().map(|agent| agent.as_ref().into()),
            kind: entry.kind_text().as_ref().into(),
            name: entry.name().as_ref().into(),
            ending: (record == Kind::Call).then(|| entry.ending()),
            completes: is_completion.then(own).flatten().as_ref().and_then(completes),
            issue: issue_of(entry),
            has_source: entry.has_source(),
        }
    }
}

/// The issue that a decision was about.
pub(crate) fn issue_of(entry: &Envelope<'_>) -> Option<Box<str>> {
    if entry.rules().is_none() || !entry.name().starts_with("issues.") {
        return None;
    }
    let input = entry.input::<Value>()?;
    // The entry that opens an issue is the issue.
    let named = input.pointer("/command/issue").and_then(Value::as_str).map(Into::into);
    Some(named.unwrap_or_else(|| entry.id().to_string().into()))
}
