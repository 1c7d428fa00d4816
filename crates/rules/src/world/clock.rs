//! Whether the clock of a log is one that commands are given: only where the log began so (decision 46).
//!
//! What an import brought is older than anything and says nothing of this log's clock.

use super::World;
use crate::domain::config::ClockTrust;
use crate::domain::{Event, config};
use annals_kernel::envelope::Envelope;

/// What lines of this log's own a fold has met.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Begun {
    /// None: imports at most.
    #[default]
    No,
    /// Some.
    Yes,
}

impl World {
    /// Whether an event may have its effect: a clock is given by the first line of a log and the first of its writer, or
    /// not at all.
    pub(super) fn may_take_in(&mut self, event: &Event, entry: &Envelope<'_>, begun: Begun) -> bool {
        if !matches!(event, Event::Config(config::Event::ClockGiven(_))) {
            return true;
        }
        let is_first = begun == Begun::No && entry.writer().is_some_and(|(_, count)| count == 1);
        if !is_first {
            self.oddities.add(entry.id(), "a clock is given by the first entry of a log, and this is not the first");
        }
        is_first
    }

    /// Notes who wrote a line, where the clock was given: whoever did not know of that makes it the machine's again.
    pub(super) fn follow_clock(&mut self, entry: &Envelope<'_>) {
        if self.rooms.config.clock.is_none() || entry.has_source() {
            return;
        }
        let Some((writer, _)) = entry.writer() else { return };
        let gave = self.rooms.config.clock.as_ref().is_some_and(|clock| clock.by_entry == entry.id());
        if gave {
            return self.rooms.config.gave_clock(writer.as_ref().into());
        }
        let seen = || entry.link().map(|link| link.seen.into_keys()).into_iter().flatten();
        let seen = if entry.has_seen() { Some(seen()) } else { None };
        if self.rooms.config.follow_clock(&writer, seen.into_iter().flatten()) == ClockTrust::Lost {
            self.oddities.add(entry.id(), "the clock was given, and who wrote this did not know: it is the machine's");
        }
    }
}
