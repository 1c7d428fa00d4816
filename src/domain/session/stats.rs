//! Counts: of one session, and over all of them.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use crate::kernel::call::found_nothing;
use crate::kernel::envelope::{Ending, Envelope, Step};
use crate::kernel::rows::change;
use crate::kernel::time::Timestamp;

/// Counts of a session (AFS 3.1 `stats`, and more).
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stats {
    /// Entries.
    pub operation_count: u64,
    /// Time in which something happened: pauses of more than half an hour do not count. In milliseconds.
    pub duration_ms: u64,
    /// Files that a call wrote.
    pub files_modified: BTreeSet<Box<str>>,
    /// Calls by tool.
    pub tools_used: BTreeMap<Box<str>, u64>,
    /// Finished calls that failed; a search that found nothing has not.
    pub failed_calls: u64,
    /// Prompts of people.
    pub prompts: u64,
    /// Messages of agents.
    pub messages: u64,
    /// Calls that a person, a hook or a rule refused.
    pub rejections: u64,
    /// Times a person stopped the agent.
    pub interrupts: u64,
    /// Times the context was compacted.
    pub compactions: u64,
}

/// Totals over all sessions.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Totals {
    /// Sessions.
    pub sessions: u64,
    /// Entries.
    pub entries: u64,
    /// Entries by type.
    pub by_type: BTreeMap<Box<str>, u64>,
    /// Calls by tool.
    pub by_tool: BTreeMap<Box<str>, ToolTotal>,
    /// Time of the first entry.
    pub first_at: Option<Timestamp>,
    /// Time of the last entry.
    pub last_at: Option<Timestamp>,
}

/// Calls of one tool.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ToolTotal {
    /// How many.
    pub calls: u64,
    /// How many of them failed.
    pub failed: u64,
    /// How long they took together, in milliseconds.
    pub duration_ms: u64,
}

impl Totals {
    pub(super) fn count(&mut self, entry: &Envelope<'_>) {
        self.entries += 1;
        change(&mut self.by_type, &entry.kind_text(), |count| *count += 1);
        if entry.step() == Step::ToolCall {
            change(&mut self.by_tool, &entry.name(), |tool| {
                tool.calls += 1;
                tool.failed += u64::from(entry.ending() == Ending::Failed);
                tool.duration_ms += entry.duration_ms().unwrap_or(0);
            });
        }
        self.first_at = Some(self.first_at.map_or(entry.at(), |first| first.min(entry.at())));
        self.last_at = self.last_at.max(Some(entry.at()));
    }
}

impl Stats {
    pub(super) fn call(&mut self, entry: &Envelope<'_>, written: &[Box<str>]) {
        change(&mut self.tools_used, &entry.name(), |count| *count += 1);
        match entry.ending() {
            Ending::Failed => self.failed_calls += u64::from(!found_nothing(entry)),
            Ending::Succeeded => {
                let new: Vec<_> = written.iter().filter(|file| !self.files_modified.contains(*file)).cloned().collect();
                self.files_modified.extend(new);
            }
        }
    }
}
