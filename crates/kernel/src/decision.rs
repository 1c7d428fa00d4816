//! What a rule is given, and what it answers.
//!
//! Does not run rules; `world` does.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::actor::Standing;
use super::id::{AgentId, EntryId, SessionId};
use super::json::Json;
use super::settings::Settings;
use super::time::Timestamp;

/// When and by whom something is decided: all that a rule may know beside the state.
#[derive(Debug, Clone)]
pub struct Moment<'a> {
    /// The id of the entry that will hold the decision; ids of new things derive from it.
    pub id: EntryId,
    /// The time of the decision.
    pub at: Timestamp,
    /// Who asks.
    pub actor: AgentId,
    /// What that actor may be taken for.
    pub standing: Standing,
    /// The session in which it is asked.
    pub session: SessionId,
    /// The configuration in force.
    pub settings: &'a Settings,
}

/// Where an event comes from.
#[derive(Debug, Clone, Copy)]
pub struct Cause<'c, C, O> {
    /// What was asked and what was found out for it; `None` where another room was asked, or by a later version.
    pub asked: Option<(&'c C, &'c O)>,
    /// The entry that holds the decision.
    pub id: EntryId,
    /// Its time.
    pub at: Timestamp,
    /// Who asked.
    pub actor: &'c AgentId,
}

impl<'c, C, O> Cause<'c, C, O> {
    /// What was asked.
    pub fn command(&self) -> Option<&'c C> {
        self.asked.map(|(command, _)| command)
    }

    /// What was found out for it.
    pub fn observed(&self) -> Option<&'c O> {
        self.asked.map(|(_, observed)| observed)
    }
}

/// The answer of a room: events, and perhaps a "no" (a refusal by rule may have consequences).
#[derive(Debug, Clone, PartialEq)]
pub struct Outcome<E, R> {
    /// What happened.
    pub events: Vec<E>,
    /// Why what was asked did not.
    pub refusal: Option<R>,
}

impl<E, R> Outcome<E, R> {
    /// It happens.
    pub fn of(event: impl Into<E>) -> Self {
        Self { events: vec![event.into()], refusal: None }
    }

    /// A rule says no.
    pub fn refused(refusal: R) -> Self {
        Self { events: Vec::new(), refusal: Some(refusal) }
    }

    /// A rule says no, and that is itself worth recording.
    pub fn refused_with(event: impl Into<E>, refusal: R) -> Self {
        Self { events: vec![event.into()], refusal: Some(refusal) }
    }
}

impl<E, R> From<Result<Outcome<E, R>, R>> for Outcome<E, R> {
    fn from(result: Result<Self, R>) -> Self {
        result.unwrap_or_else(Self::refused)
    }
}

/// A "no" by rule, as it is recorded: the rule, and the facts that it names. Edges make sentences of it (decision 53).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, thiserror::Error)]
#[error("{rule}")]
pub struct Refusal {
    /// Room and rule, as in `session.illegal_transition`. It never changes; a new meaning is a new rule.
    pub rule: Box<str>,
    /// An object: the facts by name.
    #[schemars(with = "serde_json::Map<String, serde_json::Value>")]
    // A text of JSON has no default of its own: what is left out is the empty object.
    #[serde(default = "Json::empty_object", skip_serializing_if = "Json::is_empty_object")]
    pub data: Json,
}

impl Refusal {
    /// A rule with its facts; a rule without any has `()`.
    pub fn of(rule: &str, data: &impl Serialize) -> Self {
        let data = Json::of(data);
        Self { rule: rule.into(), data: if data.is_object() { data } else { Json::empty_object() } }
    }
}

/// Something strange in the log: data, never an error.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Oddity {
    /// The entry that is odd.
    pub entry: EntryId,
    /// What is odd about it.
    pub what: Box<str>,
}
