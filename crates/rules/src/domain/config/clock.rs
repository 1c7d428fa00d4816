//! A clock that is what commands are given, for demonstrations and tests (decision 46).
//!
//! It holds for a log that began so and for nothing that was merged into one: whoever wrote a line there must have known.
//! Does not know whether its entry is the first; the fold does.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::State;
use annals_kernel::id::{EntryId, WriterId};

/// That time and chance are given, and who is known to have known.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct GivenClock {
    /// The entry that says so.
    pub by_entry: EntryId,
    /// Whose lines rest on that entry.
    pub known_to: BTreeSet<WriterId>,
}

/// Whether a clock that was given goes on to hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ClockTrust {
    /// It does.
    Kept,
    /// A line does not rest on it.
    Lost,
}

impl GivenClock {
    pub(super) fn by(by_entry: EntryId) -> Self {
        Self { by_entry, known_to: BTreeSet::new() }
    }
}

impl State {
    /// A writer wrote the entry that gave the clock.
    pub(crate) fn gave_clock(&mut self, writer: WriterId) {
        if let Some(clock) = &mut self.clock {
            clock.known_to.insert(writer);
        }
    }

    /// A writer's line has seen these others. A line of a writer that never saw who gave the clock was written elsewhere,
    /// by the machine's time: from there on the log is not one whose clock was given.
    pub(crate) fn follow_clock(&mut self, writer: &str, seen: impl IntoIterator<Item = WriterId>) -> ClockTrust {
        let Some(clock) = &mut self.clock else { return ClockTrust::Kept };
        if clock.known_to.contains(writer) {
            return ClockTrust::Kept;
        }
        if seen.into_iter().any(|other| clock.known_to.contains(&other)) {
            clock.known_to.insert(writer.into());
            return ClockTrust::Kept;
        }
        self.clock = None;
        ClockTrust::Lost
    }
}
