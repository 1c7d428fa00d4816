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
use annals_kernel::refusal::refusal;
use annals_kernel::settings::Settings;
use annals_kernel::wire::wire;

pub use self::clock::{ClockTrust, GivenClock};

#[cfg(test)]
mod tests;

wire! {
    /// What can be asked of the configuration.
    pub enum Command {
        /// Change values; `null` takes one back.
        Change = "config.value.change" derive(Default) {
            /// New values by key; `null` takes a value back.
            #[always]
            values: BTreeMap<Box<str>, Option<Value>>,
        },
        /// Take over what somebody changed in the file.
        Adopt = "config.file.adopt" derive(Default) {
            /// What the file says and the log did not know; `null` for a value that is gone.
            #[always]
            values: BTreeMap<Box<str>, Option<Value>>,
        },
        /// Say that values which weaken are to hold in this clone, whether the log knew them or not.
        Accept = "config.value.accept" derive(Default) {
            /// Values by key; `null` for the default.
            #[always]
            values: BTreeMap<Box<str>, Option<Value>>,
        },
        // there is nothing to choose.
        /// Say, before anything else is in the log, that time and chance are what commands are given.
        GiveClock = "config.clock.give" derive(Default) {},
    }
}

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
        Changed = "config.value.changed" {
            /// Which.
            key: Box<str>,
            /// What it was.
            from: Option<Value>,
            /// What it is.
            to: Option<Value>,
        },
        /// A value that weakens was accepted in a clone.
        Accepted = "config.value.accepted" {
            /// Which.
            key: Box<str>,
            /// The value; none: the default.
            value: Option<Value>,
        },
        /// Time and chance are what commands are given, from the first entry on (decision 46).
        ClockGiven = "config.clock.given" derive(Default) {},
    }
}

refusal! {
    /// Why the configuration stays as it is.
    pub enum Refusal {
        /// Everything has the value already that was asked for.
        NothingToChange = "config.nothing_to_change",
        /// The rules that bind agents are not for them to change (control-room 14.1).
        NotALead = "config.not_a_lead" { actor: AgentId },
        /// What weakens is for nobody but the user (decision 46).
        NotTheUser = "config.not_the_user" { actor: AgentId, key: Box<str> },
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
