//! Counts: of one session, and over all of them.

use annals_kernel::record::Kind;
use std::collections::{BTreeMap, BTreeSet};

use annals_sparse::sparse;
use serde::{Deserialize, Serialize};

use super::joined::Told;
use annals_kernel::envelope::Envelope;
use annals_kernel::report::Fate;
use annals_kernel::rows::change;
use annals_kernel::time::Timestamp;

/// Counts of a session (AFS 3.1 `stats`, and more).
#[sparse(marked)]
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stats {
    /// Entries.
    pub operation_count: u64,
    /// Entries beside these that only tell more of what others tell.
    #[sparse]
    pub retold: u64,
    /// Time in which something happened: pauses of more than half an hour do not count. In milliseconds.
    pub duration_ms: u64,
    /// Files that a call wrote.
    pub files_modified: BTreeSet<Box<str>>,
    /// Calls by tool.
    pub tools_used: BTreeMap<Box<str>, u64>,
    /// Finished calls that failed; a search that found nothing has not, nor has a call that a person stopped.
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
#[sparse(marked)]
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, schemars::JsonSchema, Deserialize)]
pub struct Totals {
    /// Sessions.
    pub sessions: u64,
    /// Entries.
    pub entries: u64,
    /// Those of them that only tell more of what others tell.
    #[sparse]
    pub retold: u64,
    /// The others by type.
    pub by_type: BTreeMap<Box<str>, u64>,
    /// Calls by tool.
    pub by_tool: BTreeMap<Box<str>, ToolTotal>,
    /// Time of the first entry.
    pub first_at: Option<Timestamp>,
    /// Time of the last entry.
    pub last_at: Option<Timestamp>,
}

/// Calls of one tool.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, schemars::JsonSchema, Deserialize)]
pub struct ToolTotal {
    /// How many.
    pub calls: u64,
    /// How many of them failed.
    pub failed: u64,
    /// How long they took together, in milliseconds.
    pub duration_ms: u64,
}

impl Totals {
    /// The calls of all tools.
    pub fn calls(&self) -> ToolTotal {
        self.by_tool.values().fold(ToolTotal::default(), |all, tool| ToolTotal {
            calls: all.calls + tool.calls,
            failed: all.failed + tool.failed,
            duration_ms: all.duration_ms + tool.duration_ms,
        })
    }

    pub(super) fn count(&mut self, entry: &Envelope<'_>, told: Told) {
        self.entries += 1;
        self.first_at = Some(self.first_at.map_or(entry.at(), |first| first.min(entry.at())));
        self.last_at = self.last_at.max(Some(entry.at()));
        match told {
            Told::New(fate) => {
                change(&mut self.by_type, &entry.kind_text(), |count| *count += 1);
                self.call(entry, fate);
            }
            Told::Again => self.retold += 1,
            Told::Otherwise { was, is } | Told::Moved { was, is } => {
                self.retold += 1;
                self.recount(&tool_of(entry), was, is);
            }
        }
    }

    fn call(&mut self, entry: &Envelope<'_>, better: Option<Fate>) {
        let Some(fate) = fate_of(entry).map(|own| better.unwrap_or(own)) else { return };
        let tool = tool_of(entry);
        if is_call(fate) {
            change(&mut self.by_tool, &tool, |tool| {
                tool.calls += 1;
                tool.failed += u64::from(is_failed(fate));
                tool.duration_ms += entry.duration_ms().unwrap_or(0);
            });
        }
    }

    /// What ends in the background does not say by which tool it was begun.
    fn recount(&mut self, tool: &str, was: Fate, is: Fate) {
        if tool.is_empty() {
            return;
        }
        change(&mut self.by_tool, tool, |tool| {
            tool.calls = moved(tool.calls, calls(was), calls(is));
            tool.failed = moved(tool.failed, failures(was), failures(is));
        });
    }
}

impl Stats {
    pub(super) fn call(&mut self, entry: &Envelope<'_>, written: &[Box<str>], better: Option<Fate>) {
        let Some(fate) = fate_of(entry).map(|own| better.unwrap_or(own)) else { return };
        self.rejections += u64::from(fate == Fate::Refused);
        self.failed_calls += u64::from(fate == Fate::Failed);
        if is_call(fate) {
            change(&mut self.tools_used, &tool_of(entry), |count| *count += 1);
        }
        self.wrote(written, fate);
    }

    /// A call ended otherwise than it was counted.
    pub(super) fn recount(&mut self, entry: &Envelope<'_>, written: &[Box<str>], was: Fate, is: Fate) {
        self.rejections = moved(self.rejections, u64::from(was == Fate::Refused), u64::from(is == Fate::Refused));
        self.failed_calls = moved(self.failed_calls, u64::from(was == Fate::Failed), u64::from(is == Fate::Failed));
        if is_call(was) != is_call(is) {
            change(&mut self.tools_used, &tool_of(entry), |count| *count = moved(*count, calls(was), calls(is)));
            self.tools_used.retain(|_, count| *count > 0);
        }
        self.wrote(written, is);
    }

    /// A call that was counted here was made elsewhere.
    pub(super) fn lose(&mut self, entry: &Envelope<'_>, was: Fate) {
        self.operation_count = self.operation_count.saturating_sub(1);
        self.retold += 1;
        self.rejections = moved(self.rejections, u64::from(was == Fate::Refused), 0);
        self.failed_calls = moved(self.failed_calls, u64::from(was == Fate::Failed), 0);
        change(&mut self.tools_used, &tool_of(entry), |count| *count = moved(*count, calls(was), 0));
        self.tools_used.retain(|_, count| *count > 0);
    }

    fn wrote(&mut self, written: &[Box<str>], fate: Fate) {
        if fate == Fate::Done {
            let new: Vec<_> = written.iter().filter(|file| !self.files_modified.contains(*file)).cloned().collect();
            self.files_modified.extend(new);
        }
    }
}

/// What became of the call that an entry is, whether it was made or refused.
fn fate_of(entry: &Envelope<'_>) -> Option<Fate> {
    let record = entry.record();
    let refused = record.is_refused_call().then_some(Fate::Refused);
    if record == Kind::Call { Some(Fate::of_call(entry)) } else { refused }
}

/// The tool that was called, or was to be.
fn tool_of(entry: &Envelope<'_>) -> Box<str> {
    #[derive(Deserialize)]
    struct Of {
        tool: Box<str>,
    }

    if entry.record() == Kind::Call {
        return (*entry.name()).into();
    }
    entry.input::<Of>().map(|of| of.tool).unwrap_or_default()
}

/// A count without what was in it, and with what is.
fn moved(count: u64, was: u64, is: u64) -> u64 {
    count.saturating_sub(was) + is
}

fn calls(fate: Fate) -> u64 {
    u64::from(is_call(fate))
}

fn failures(fate: Fate) -> u64 {
    u64::from(is_failed(fate))
}

/// Whether it counts as made: a call that was refused does not.
fn is_call(fate: Fate) -> bool {
    fate != Fate::Refused
}

/// Whether a tool counts it as failed.
fn is_failed(fate: Fate) -> bool {
    matches!(fate, Fate::Failed | Fate::FoundNothing)
}
