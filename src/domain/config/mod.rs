//! Configuration as it was in force, entry by entry (decision 37).
//!
//! Owns `config.*`. The file is read and written by `engine`; what differs from the log is adopted by a decision before
//! any other. Does not know what a key means; the room that reads it does.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::kernel::decision::{Cause, Moment, Outcome};
use crate::kernel::id::AgentId;
use crate::kernel::settings::Settings;
use crate::kernel::wire::wire;

#[cfg(test)]
mod tests;

wire! {
    /// What can be asked of the configuration.
    pub enum Command {
        /// Change values; `null` takes one back.
        Change(Change) = "config.value.change",
        /// Take over what somebody changed in the file.
        Adopt(Adopt) = "config.file.adopt",
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

/// Nothing is observed for these commands.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Observed {}

wire! {
    /// What happened to the configuration.
    pub enum Event {
        /// A value was set or taken back.
        Changed(Changed) = "config.value.changed",
    }
}

/// Fields of `config.value.changed`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Changed {
    /// Which.
    pub key: Box<str>,
    /// What it was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<Value>,
    /// What it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<Value>,
}

/// Why the configuration stays as it is.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Refusal {
    /// Everything has the value already that was asked for.
    #[error("nothing would change")]
    NothingToChange,
    /// The rules that bind agents are not for them to change (control-room 14.1).
    #[error("only the user or the team lead changes the configuration, not {actor}")]
    NotALead {
        /// Who asked.
        actor: AgentId,
    },
}

impl Refusal {
    /// The rule, as it is recorded.
    pub fn rule(&self) -> &'static str {
        match self {
            Self::NothingToChange => "config.nothing_to_change",
            Self::NotALead { .. } => "config.not_a_lead",
        }
    }

    /// What can be done about it.
    pub fn hint(&self) -> &'static str {
        match self {
            Self::NothingToChange => "`annals config list` shows what is in force",
            Self::NotALead { .. } => "the user asks without `--as`",
        }
    }
}

/// The configuration in force.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct State {
    /// Values that somebody set.
    pub settings: Settings,
}

impl State {
    /// Takes in an event of a decision.
    pub fn evolve(&mut self, event: &Event, _: &Cause<'_, Command, Observed>) {
        let Event::Changed(changed) = event;
        self.settings.set(&changed.key, changed.to.clone());
    }
}

/// Decides what becomes of a command.
pub fn decide(state: &State, command: &Command, _: &Observed, moment: &Moment<'_>) -> Outcome<Event, Refusal> {
    if matches!(command, Command::Change(_)) && !moment.standing.is_lead() {
        return Outcome::refused(Refusal::NotALead { actor: moment.actor.clone() });
    }
    let (Command::Change(Change { values }) | Command::Adopt(Adopt { values })) = command;
    let changed = |key: &str, to: &Option<Value>| {
        let from = state.settings.stored(key).cloned();
        (from != *to).then(|| Event::Changed(Changed { key: key.into(), from, to: to.clone() }))
    };
    let events: Vec<_> = values.iter().filter_map(|(key, to)| changed(key, to)).collect();
    if events.is_empty() { Outcome::refused(Refusal::NothingToChange) } else { Outcome { events, refusal: None } }
}
