//! A decision as it stands in its line: `operation.input` holds command and observations, `operation.output` events.
//!
//! Reads and writes that form. Does not decide.

use std::borrow::Cow;

use annals_sparse::sparse;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::{Asked, RULES_VERSION};
use crate::domain::{Ask, Command, Event, RoomsDecided};
use annals_kernel::annals::Annals;
use annals_kernel::decision::Refusal;
use annals_kernel::entry::{HistoryEntry, Metadata, Operation, OperationType, Provenance};
use annals_kernel::envelope::Envelope;
use annals_kernel::json::{Json, Members};
use annals_kernel::wire::BadWire;

/// A decision, read from its line.
#[derive(Debug, Clone, PartialEq)]
pub struct Decision {
    /// What was asked; `None` where a later version asked it.
    pub ask: Option<Ask>,
    /// What happened.
    pub events: Vec<Event>,
    /// Names of a command or of events that this version does not know.
    pub unknown: Vec<String>,
}

#[derive(Serialize, Deserialize)]
struct Input {
    command: Json,
    // A text of JSON has no default of its own: what is left out is the empty object.
    #[serde(default = "Json::empty_object", skip_serializing_if = "Json::is_empty_object")]
    observed: Json,
}

/// The outcome of a decision, as it stands in its line.
#[sparse]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema, Deserialize)]
pub struct Outcome {
    /// Events, in order.
    #[always]
    pub events: Vec<WireEvent>,
    /// The "no", if there was one.
    pub refusal: Option<Refusal>,
}

impl From<&RoomsDecided> for Outcome {
    fn from(decided: &RoomsDecided) -> Self {
        Self { events: decided.events.iter().map(WireEvent::of).collect(), refusal: decided.refusal.clone() }
    }
}

/// An event as it stands in its line.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema, Deserialize)]
pub struct WireEvent {
    /// Its name.
    pub name: String,
    /// Its fields.
    pub data: Json,
}

impl WireEvent {
    /// Writes an event.
    pub fn of(event: &Event) -> Self {
        Self { name: event.name().to_owned(), data: event.data() }
    }
}

/// Why a line that says it is a decision cannot be read as one.
#[derive(Debug, thiserror::Error)]
pub enum BadDecision {
    /// Input without a command, or output without events.
    #[error("input or output is not that of a decision")]
    Shape,
    /// The fields of a command or event do not fit.
    #[error(transparent)]
    Fields(#[from] BadWire),
}

impl Decision {
    /// Reads a decision.
    pub fn of(entry: &Envelope<'_>) -> Result<Self, BadDecision> {
        let mut unknown = Vec::new();
        let (input, output): (GivenInput<'_>, TakenOutput<'_>) = entry.input_and_output().ok_or(BadDecision::Shape)?;
        let ask = input.ask(&entry.name(), &mut unknown)?;
        let mut events = Vec::with_capacity(output.events.len());
        for event in &output.events {
            events.extend(known(Event::read_text(&event.name, event.data.get()), &mut unknown)?);
        }
        Ok(Self { ask, events, unknown })
    }
}

/// An input, borrowed from its line.
#[derive(Deserialize)]
struct GivenInput<'g> {
    #[serde(borrow)]
    command: &'g RawValue,
    #[serde(borrow, default)]
    observed: Option<&'g RawValue>,
}

/// An output, borrowed from its line.
#[derive(Deserialize)]
struct TakenOutput<'t> {
    #[serde(borrow)]
    events: Vec<TakenEvent<'t>>,
}

#[derive(Deserialize)]
struct TakenEvent<'t> {
    #[serde(borrow)]
    name: Cow<'t, str>,
    #[serde(borrow)]
    data: &'t RawValue,
}

impl GivenInput<'_> {
    fn ask(&self, name: &str, unknown: &mut Vec<String>) -> Result<Option<Ask>, BadDecision> {
        let command = known(Command::read_text(name, self.command.get()), unknown)?;
        let observed = || self.observed.map_or_else(Json::empty_object, Json::of_raw);
        Ok(command.map(|command| Ask { command, observed: observed() }))
    }
}

/// What was asked, whatever became of it; `None` where a later version asked it.
pub fn ask_of(entry: &Envelope<'_>) -> Result<Option<Ask>, BadDecision> {
    asked(entry, &mut Vec::new())
}

fn asked(entry: &Envelope<'_>, unknown: &mut Vec<String>) -> Result<Option<Ask>, BadDecision> {
    let input: Input = entry.input().ok_or(BadDecision::Shape)?;
    let command = known(Command::read(&entry.name(), &input.command), unknown)?;
    Ok(command.map(|command| Ask { command, observed: input.observed }))
}

/// What another version named is kept aside.
fn known<T>(result: Result<T, BadWire>, unknown: &mut Vec<String>) -> Result<Option<T>, BadWire> {
    match result {
        Ok(value) => Ok(Some(value)),
        Err(BadWire::UnknownName(name)) => {
            unknown.push(name.into());
            Ok(None)
        }
        Err(error) => Err(error),
    }
}

/// The entry that holds a decision. Its place in the chain is not there yet.
pub fn entry_of(ask: &Ask, asked: &Asked, decided: &RoomsDecided, duration_ms: u64) -> HistoryEntry {
    let input = Input { command: ask.command.data(), observed: ask.observed.clone() };
    HistoryEntry {
        id: asked.id,
        timestamp: asked.at,
        session_id: asked.session.clone(),
        project_id: None,
        operation: Operation {
            kind: OperationType::SystemEvent,
            name: ask.command.name().into(),
            input: Json::of(&input),
            output: Some(Json::of(&Outcome::from(decided))),
            duration_ms: Some(duration_ms),
            success: decided.refusal.is_none(),
            error: decided.refusal.as_ref().map(|refusal| refusal.rule.clone()),
            unknown: Members::default(),
        },
        provenance: Provenance { agent_id: Some(asked.actor.clone()), ..Provenance::default() },
        metadata: Metadata::default(),
        annals: Annals { r: Some(RULES_VERSION), ..Annals::default() },
        extensions: Members::default(),
        unknown: Members::default(),
    }
}
