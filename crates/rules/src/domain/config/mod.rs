//! Configuration as it was in force, entry by entry (decision 37).
//!
//! Owns `config.*`. The file is read and written by `engine`; what differs from the log is adopted by a decision of the
//! user before any other, but for what weakens: that holds only in a clone whose user entered it there (`engine::consent`).
//! Does not know what a key means; the room that reads it does.

mod clock;

use std::collections::BTreeMap;

use annals_sparse::sparse;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use annals_kernel::actor::Standing;
use annals_kernel::decision::{Cause, Moment, Outcome};
use annals_kernel::id::AgentId;
use annals_kernel::settings::Settings;
use annals_kernel::wire::wire;

pub use self::clock::{GivenClock, Trust};

#[cfg(test)]
mod tests;

wire! {
    /// What can be asked of the configuration.
    pub enum Command {
        /// Change values; `null` takes one back.
        Change(Change) = "config.value.change",
        /// Take over what somebody changed in the file.
        Adopt(Adopt) = "config.file.adopt",
        /// Say that values which weaken are to hold in this clone, whether the log knew them or not.
        Accept(Accept) = "config.value.accept",
        /// Say, before anything else is in the log, that time and chance are what commands are given.
        GiveClock(GiveClock) = "config.clock.give",
    }
}

/// Fields of `config.value.change`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Change {
    /// New values by key; `null` takes a value back.
    pub values: BTreeMap<Box<str>, Option<Value>>,
}

/// Fields of `config.file.adopt`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Adopt {
    /// What the file says and the log did not know; `null` for a value that is gone.
    pub values: BTreeMap<Box<str>, Option<Value>>,
}

/// Fields of `config.value.accept`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Accept {
    /// Values by key; `null` for the default.
    pub values: BTreeMap<Box<str>, Option<Value>>,
}

/// Fields of `config.clock.give`: there is nothing to choose.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct GiveClock {}

/// What is observed for these commands.
#[sparse]
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Observed {
    /// Those of the keys whose settings weaken what protects the project, as the list of settings says.
    pub weakening: Vec<Box<str>>,
}

wire! {
    /// What happened to the configuration.
    pub enum Event {
        /// A value was set or taken back.
        Changed(Changed) = "config.value.changed",
        /// A value that weakens was accepted in a clone.
        Accepted(Accepted) = "config.value.accepted",
        /// Time and chance are what commands are given, from the first entry on (decision 46).
        ClockGiven(ClockGiven) = "config.clock.given",
    }
}

/// Fields of `config.value.changed`.
#[sparse]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Changed {
    /// Which.
    pub key: Box<str>,
    /// What it was.
    pub from: Option<Value>,
    /// What it is.
    pub to: Option<Value>,
}

/// Fields of `config.value.accepted`.
#[sparse]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Accepted {
    /// Which.
    pub key: Box<str>,
    /// The value; none: the default.
    pub value: Option<Value>,
}

/// Fields of `config.clock.given`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ClockGiven {}

/// Why the configuration stays as it is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(untagged)]
#[non_exhaustive]
pub enum Refusal {
    /// Everything has the value already that was asked for.
    NothingToChange,
    /// The rules that bind agents are not for them to change (control-room 14.1).
    NotALead {
        /// Who asked.
        actor: AgentId,
    },
    /// What weakens is for nobody but the user (decision 46).
    NotTheUser {
        /// Who asked.
        actor: AgentId,
        /// Of which setting.
        key: Box<str>,
    },
}

impl Refusal {
    /// The rule, as it is recorded.
    pub fn rule(&self) -> &'static str {
        match self {
            Self::NothingToChange => "config.nothing_to_change",
            Self::NotALead { .. } => "config.not_a_lead",
            Self::NotTheUser { .. } => "config.not_the_user",
        }
    }
}

/// The configuration in force.
#[sparse]
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct State {
    /// Values that somebody set.
    pub settings: Settings,
    /// Set where time and chance are what commands are given, and not the machine's.
    pub clock: Option<GivenClock>,
}

impl State {
    /// Takes in an event of a decision.
    pub fn evolve(&mut self, event: &Event, cause: &Cause<'_, Command, Observed>) {
        match event {
            Event::Changed(changed) => self.settings.set(&changed.key, changed.to.clone()),
            Event::Accepted(accepted) => self.settings.set(&accepted.key, accepted.value.clone()),
            Event::ClockGiven(_) => self.clock = Some(GivenClock::by(cause.id)),
        }
    }
}

/// Decides what becomes of a command.
pub fn decide(state: &State, command: &Command, observed: &Observed, moment: &Moment<'_>) -> Outcome<Event, Refusal> {
    if let Some(refusal) = not_entitled(command, observed, moment) {
        return Outcome::refused(refusal);
    }
    let changed = |key: &str, to: &Option<Value>| {
        let from = state.settings.stored(key).cloned();
        (from != *to).then(|| Event::Changed(Changed { key: key.into(), from, to: to.clone() }))
    };
    #[expect(clippy::borrowed_box, reason = "it comes so from the map")]
    let accepted = |(key, value): (&Box<str>, &Option<Value>)| {
        Event::Accepted(Accepted { key: key.clone(), value: value.clone() })
    };
    let events: Vec<_> = match command {
        Command::Change(Change { values }) | Command::Adopt(Adopt { values }) => {
            values.iter().filter_map(|(key, to)| changed(key, to)).collect()
        }
        Command::Accept(Accept { values }) => values.iter().map(accepted).collect(),
        Command::GiveClock(_) => vec![ClockGiven {}.into()],
    };
    if events.is_empty() { Outcome::refused(Refusal::NothingToChange) } else { Outcome { events, refusal: None } }
}

/// Who may not ask for it, and why.
fn not_entitled(command: &Command, observed: &Observed, moment: &Moment<'_>) -> Option<Refusal> {
    let actor = || moment.actor.clone();
    let guarded = match command {
        Command::Adopt(_) => return None,
        Command::Accept(Accept { values }) => values.keys().next(),
        Command::Change(_) | Command::GiveClock(_) if !moment.standing.is_lead() => {
            return Some(Refusal::NotALead { actor: actor() });
        }
        Command::Change(_) => observed.weakening.first(),
        Command::GiveClock(_) => None,
    };
    let key = guarded.filter(|_| moment.standing != Standing::User)?;
    Some(Refusal::NotTheUser { actor: actor(), key: key.clone() })
}
