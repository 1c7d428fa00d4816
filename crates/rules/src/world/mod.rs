//! All rooms together, folded from entries; a decision with its consequences; its replay.
//!
//! Pure: the same entries give the same world, to the byte, on every machine. Does not read files.

pub(crate) mod carry;
pub mod clock;
pub mod decision;
pub mod oddity;
pub mod otherwise;
pub mod replay;
#[cfg(test)]
mod tests;

use std::any::Any;
use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use self::clock::Begun;
use self::decision::{BadDecision, Decision};
use self::oddity::Oddities;
pub use annals_kernel::annals::RULES_VERSION;

use crate::domain::breaker::Check;
use crate::domain::session::Told;
use crate::domain::{Ask, Asking, BadObservation, HeardEntry, Observed, Rooms, RoomsDecided};
use crate::policy::{self, Forecast};
use annals_kernel::call::written;
use annals_kernel::envelope::Envelope;
use annals_kernel::id::{AgentId, EntryId, SessionId};
use annals_kernel::json::{canonical, sha256_hex, tree};
use annals_kernel::report::Report;
use annals_kernel::settings::Settings;
use annals_kernel::time::Timestamp;

/// Everything that follows from the entries so far.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct World {
    /// What the rooms know.
    #[serde(flatten)]
    pub rooms: Rooms,
    /// What is strange in the log.
    pub oddities: Oddities,
    /// The turn of the last entry in the fold: its id, but where a clock was mended.
    pub last: EntryId,
    /// Which rooms take entries in.
    #[serde(skip)]
    pub depth: Depth,
    /// Whether it holds more than imports.
    #[serde(skip)]
    pub begun: Begun,
}

/// Which rooms a fold takes in.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Depth {
    /// All of them.
    #[default]
    Whole,
    /// All but the minds (`Rooms::think`), which take most of the time and are asked for least.
    WithoutMinds,
}

impl World {
    /// Takes in the next entry. Never fails: what it does not understand it remembers as an oddity.
    pub fn apply(&mut self, entry: &Envelope<'_>) {
        self.take_in(entry, &Read::of(entry, self.depth));
    }

    /// The same, with what `prepared` made of the entry before, at the same depth.
    pub fn apply_prepared(&mut self, entry: &Envelope<'_>, prepared: Option<&(dyn Any + Send + Sync)>) {
        match prepared {
            Some(prepared) => {
                let read = prepared.downcast_ref::<Read>().expect("BUG: prepared by somebody else");
                self.take_in(entry, read);
            }
            None => self.take_in(entry, &Read::nothing(self.depth)),
        }
    }

    fn take_in(&mut self, entry: &Envelope<'_>, read: &Read) {
        self.last = self.last.max(entry.turn());
        let begun = self.begun;
        if !entry.has_source() {
            self.begun = Begun::Yes;
        }
        let told = self.rooms.observe(entry, read.said.written(), read.report);
        if let (Said::Heard(heard), Told::New(_) | Told::Moved { .. }) = (&read.said, told) {
            self.rooms.think(entry, heard);
        }
        match read.decision.as_deref() {
            None => {}
            Some(Ok(decision)) => self.evolve(decision, entry, begun),
            Some(Err(error)) => self.oddities.add(entry.id(), &format!("a decision that cannot be read: {error}")),
        }
        self.follow_clock(entry);
    }

    fn evolve(&mut self, decision: &Decision, entry: &Envelope<'_>, begun: Begun) {
        let actor = AgentId::from(entry.agent().unwrap_or_default().as_ref());
        for name in &decision.unknown {
            self.oddities.add(entry.id(), &format!("{name} is not known to this version"));
        }
        let asking = decision.ask.as_ref().map(Asking::of);
        for event in &decision.events {
            if !self.may_take_in(event, entry, begun) {
                continue;
            }
            let rules = entry.rules().unwrap_or_default();
            let from =
                policy::EventSource { asking: asking.as_ref(), id: entry.id(), at: entry.at(), actor: &actor, rules };
            policy::take_in(&mut self.rooms, event, &from);
        }
        if let Some(trouble) = asking.as_ref().and_then(Asking::trouble) {
            self.oddities.add(entry.id(), &trouble.to_string());
        }
        if entry.turn().time().since(entry.at()) > oddity::CLOCK_AHEAD_MS {
            self.oddities.add(entry.id(), "a clock more than five minutes ahead came before it");
        }
    }

    /// Decides, with all that follows: the same world, ask and moment give the same events. The world stays as it is; it is
    /// changed for a moment to see what follows.
    pub fn decide(&mut self, ask: &Ask, asked: &Asked) -> RoomsDecided {
        let settings = self.settings_for(ask);
        self.decide_under(ask, asked, &settings)
    }

    /// The configuration under which something is asked: that of the log, and where other values hold in the clone that
    /// asks, those, as it observed them.
    pub(crate) fn settings_for(&self, ask: &Ask) -> Settings {
        let InForce { in_force } = ask.observed();
        let mut settings = self.rooms.config.settings.clone();
        for (key, value) in in_force {
            settings.set(&key, value);
        }
        settings
    }

    /// Decides as if another configuration were in force.
    pub fn decide_under(&mut self, ask: &Ask, asked: &Asked, settings: &Settings) -> RoomsDecided {
        carry::carry_out(&mut self.rooms, ask, asked, settings)
    }

    /// What each circuit breaker would say about a command.
    pub fn explain(&self, ask: &Ask, asked: &Asked, settings: &Settings) -> Vec<Check> {
        policy::explain(&self.rooms, ask, &carry::moment(&self.rooms, asked, settings))
    }

    /// What each reference of a text would earn or cost.
    pub fn forecast(&self, ask: &Ask, asked: &Asked, settings: &Settings) -> Forecast {
        policy::forecast(&self.rooms, ask, &carry::moment(&self.rooms, asked, settings))
    }

    /// The state as a tree. Here, so that it is compiled once.
    pub fn tree(&self) -> Value {
        tree(self)
    }

    /// SHA-256 of the canonical state.
    pub fn hash(&self) -> String {
        sha256_hex(canonical(self).as_bytes())
    }
}

/// Whether what was found out for a command can be read by all who are asked: its room, and the guards.
pub fn check(ask: &Ask) -> Result<(), BadObservation> {
    Observed::of(ask)?;
    ask.read::<InForce>()?;
    policy::check(ask)
}

/// What the engine adds to any observation where not all that the log says holds in its clone.
#[derive(Debug, Default, Deserialize)]
struct InForce {
    #[serde(default)]
    in_force: BTreeMap<Box<str>, Option<Value>>,
}

/// What an entry says to the minds, or that its call changed these files, where the minds are left out.
enum Said {
    Heard(HeardEntry),
    Written(Vec<Box<str>>),
}

impl Said {
    fn written(&self) -> &[Box<str>] {
        match self {
            Self::Heard(heard) => heard.written(),
            Self::Written(files) => files,
        }
    }

    fn is_nothing(&self) -> bool {
        match self {
            Self::Heard(heard) => heard.is_nothing(),
            Self::Written(files) => files.is_empty(),
        }
    }
}

/// What can be read in an entry without knowing what came before.
struct Read {
    said: Said,
    /// What it reports of a session of another tool.
    report: Option<Report>,
    decision: Option<Box<Result<Decision, BadDecision>>>,
}

impl Read {
    fn of(entry: &Envelope<'_>, depth: Depth) -> Self {
        let said = match depth {
            Depth::Whole => Said::Heard(HeardEntry::of(entry)),
            Depth::WithoutMinds => Said::Written(written(entry)),
        };
        let decision = entry.rules().map(|_| Box::new(Decision::of(entry)));
        Self { said, report: Report::of(entry), decision }
    }

    fn nothing(depth: Depth) -> Self {
        let said = match depth {
            Depth::Whole => Said::Heard(HeardEntry::default()),
            Depth::WithoutMinds => Said::Written(Vec::new()),
        };
        Self { said, report: None, decision: None }
    }

    fn is_nothing(&self) -> bool {
        self.decision.is_none() && self.report.is_none() && self.said.is_nothing()
    }
}

/// Reads an entry ahead, on whatever thread, for `World::apply_prepared`; nothing where there is nothing to be read.
pub fn prepared(entry: &Envelope<'_>, depth: Depth) -> Option<Box<dyn Any + Send + Sync>> {
    let read = Read::of(entry, depth);
    (!read.is_nothing()).then(|| Box::new(read) as _)
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
