//! All rooms together, folded from entries; a decision with its consequences; its replay.
//!
//! Pure: the same entries give the same world, to the byte, on every machine. Does not read files.

pub mod carry;
pub mod decision;
pub mod oddity;
pub mod replay;
#[cfg(test)]
mod tests;

use std::any::Any;

use serde::Serialize;

use self::decision::{BadDecision, Decision};
use self::oddity::Oddities;
use crate::domain::breaker::Check;
use crate::domain::{Ask, Decided, Heard, Rooms};
use crate::kernel::envelope::Envelope;
use crate::kernel::id::{AgentId, EntryId, SessionId};
use crate::kernel::json::{canonical, sha256_hex};
use crate::kernel::settings::Settings;
use crate::kernel::time::Timestamp;
use crate::policy;

/// The rules of this version. Raised when any `decide` changes (decision 38).
pub const RULES_VERSION: u32 = 1;

/// Everything that follows from the entries so far.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct World {
    /// What the rooms know.
    #[serde(flatten)]
    pub rooms: Rooms,
    /// What is strange in the log.
    pub oddities: Oddities,
    /// The last entry.
    pub last: EntryId,
}

impl World {
    /// Takes in the next entry. Never fails: what it does not understand it remembers as an oddity.
    pub fn apply(&mut self, entry: &Envelope<'_>) {
        self.take_in(entry, &Read::of(entry));
    }

    /// The same, with what `prepared` made of the entry before.
    pub fn apply_prepared(&mut self, entry: &Envelope<'_>, prepared: Option<&(dyn Any + Send + Sync)>) {
        match prepared.and_then(|prepared| prepared.downcast_ref::<Read>()) {
            Some(read) => self.take_in(entry, read),
            None => self.apply(entry),
        }
    }

    fn take_in(&mut self, entry: &Envelope<'_>, read: &Read) {
        self.last = self.last.max(entry.id());
        self.rooms.observe(entry, &read.heard);
        match read.decision.as_deref() {
            None => {}
            Some(Ok(decision)) => self.evolve(decision, entry),
            Some(Err(error)) => self.oddities.add(entry.id(), &format!("a decision that cannot be read: {error}")),
        }
    }

    fn evolve(&mut self, decision: &Decision, entry: &Envelope<'_>) {
        let actor = AgentId::from(entry.agent().unwrap_or_default().as_ref());
        for name in &decision.unknown {
            self.oddities.add(entry.id(), &format!("{name} is not known to this version"));
        }
        for event in &decision.events {
            let from = policy::From { ask: decision.ask.as_ref(), id: entry.id(), at: entry.at(), actor: &actor };
            policy::take_in(&mut self.rooms, event, &from);
        }
        if entry.id().time().since(entry.at()) > oddity::CLOCK_AHEAD_MS {
            self.oddities.add(entry.id(), "a clock more than five minutes ahead came before it");
        }
    }

    /// Decides, with all that follows: the same world, ask and moment give the same events.
    pub fn decide(&self, ask: &Ask, asked: &Asked) -> Decided {
        self.decide_under(ask, asked, &self.rooms.config.settings)
    }

    /// Decides as if another configuration were in force.
    pub fn decide_under(&self, ask: &Ask, asked: &Asked, settings: &Settings) -> Decided {
        carry::carry_out(&self.rooms, ask, asked, settings)
    }

    /// What each circuit breaker would say about a command.
    pub fn explain(&self, ask: &Ask, asked: &Asked, settings: &Settings) -> Vec<Check> {
        policy::explain(&self.rooms, ask, &carry::moment(&self.rooms, asked, settings))
    }

    /// SHA-256 of the canonical state.
    pub fn hash(&self) -> String {
        sha256_hex(canonical(self).as_bytes())
    }
}

/// What can be read in an entry without knowing what came before.
struct Read {
    heard: Heard,
    decision: Option<Box<Result<Decision, BadDecision>>>,
}

impl Read {
    fn of(entry: &Envelope<'_>) -> Self {
        Self { heard: Heard::of(entry), decision: entry.rules().map(|_| Box::new(Decision::of(entry))) }
    }
}

/// Reads an entry ahead, on whatever thread, for `World::apply_prepared`; nothing where there is nothing to be read.
pub fn prepared(entry: &Envelope<'_>) -> Option<Box<dyn Any + Send + Sync>> {
    let read = Read::of(entry);
    (read.decision.is_some() || !read.heard.is_nothing()).then(|| Box::new(read) as _)
}

/// When, by whom and in which session something is asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Asked {
    /// The id of the entry that will hold the decision.
    pub id: EntryId,
    /// The time of the decision.
    pub at: Timestamp,
    /// Who asks.
    pub actor: AgentId,
    /// In which session.
    pub session: SessionId,
}
