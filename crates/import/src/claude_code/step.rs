//! From what a record says to a draft: the parts that all entries of this importer share.
//!
//! Knows no line type; those who read lines make the steps.

use annals_kernel::record::{Event, Input, Kind, Speech};
use serde::Serialize;

use crate::Draft;
use annals_kernel::annals::{Source, Usage};
use annals_kernel::entry::{Metadata, Operation, OperationType, Provenance};
use annals_kernel::id::ModelId;
use annals_kernel::json::{Json, Members};
use annals_kernel::time::Timestamp;

use super::threads::AgentThread;

/// The name of the tool, in sources and as an agent.
pub const TOOL: &str = "claude-code";

/// Where a record stands: all that an entry made of it inherits.
#[derive(Debug, Clone)]
pub(super) struct RecordPlace {
    /// Index of the session: the main one or a sub-agent's.
    pub(super) thread: usize,
    /// Line of the file, from 1.
    pub(super) line: u64,
    /// The record's own id; where it has none, a hash of it.
    pub(super) record: Box<str>,
    /// When.
    pub(super) at: Timestamp,
    /// `synthetic` where the record has no time of its own.
    pub(super) time: Option<&'static str>,
}

/// The record at hand.
#[derive(Debug)]
pub(super) struct StepRecord {
    pub(super) place: RecordPlace,
    /// How many entries it has made.
    pub(super) made: u32,
    /// Tokens that wait for its first entry.
    pub(super) usage: Option<Usage>,
    /// The model that speaks in it.
    pub(super) model: Option<ModelId>,
    /// The message that it is a piece of.
    pub(super) message: Option<Box<str>>,
}

impl StepRecord {
    pub(super) fn at(place: RecordPlace) -> Self {
        Self { place, made: 0, usage: None, model: None, message: None }
    }

    /// A name for the next entry: that of the record, and from the second entry on a number.
    pub(super) fn next_name(&mut self) -> Box<str> {
        self.made += 1;
        let record = &self.place.record;
        if self.made == 1 { record.clone() } else { format!("{record}/{}", self.made).into() }
    }
}

/// Who takes a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Actor {
    /// The agent whose session it is.
    Agent,
    /// The agent that started this one.
    Parent,
    /// A person.
    Person,
}

/// What was done, without where and when.
#[derive(Debug)]
pub(super) struct Step {
    pub(super) actor: Actor,
    pub(super) kind: OperationType,
    pub(super) name: Box<str>,
    pub(super) input: Json,
    pub(super) output: Option<Json>,
    pub(super) duration_ms: Option<u64>,
    pub(super) success: bool,
    pub(super) error: Option<Box<str>>,
}

impl Step {
    fn new(actor: Actor, kind: Kind, name: &str, input: &(impl Serialize + ?Sized)) -> Self {
        let (input, kind) = (Json::of(input), kind.operation_type());
        Self { actor, kind, name: name.into(), input, output: None, duration_ms: None, success: true, error: None }
    }

    /// Something that an agent says or thinks.
    pub(super) fn said(actor: Actor, kind: Speech, text: &str) -> Self {
        Self::new(actor, kind.into(), kind.name(), &TextContent { text })
    }

    /// Something that a person does.
    pub(super) fn person(kind: Input, input: &(impl Serialize + ?Sized)) -> Self {
        Self::new(Actor::Person, kind.into(), kind.name(), input)
    }

    /// Something that the tool says of the session.
    pub(super) fn system(kind: Event, input: &(impl Serialize + ?Sized)) -> Self {
        Self::new(Actor::Agent, kind.into(), kind.name(), input)
    }

    /// A call. Arguments that are no object are put into one.
    pub(super) fn call(name: &str, arguments: Json) -> Self {
        let input = if arguments.is_object() { arguments } else { Json::of(&StepArguments { arguments }) };
        Self { input, ..Self::new(Actor::Agent, Kind::Call, name, &()) }
    }

    /// The same step, gone wrong.
    pub(super) fn failed(self, error: Option<Box<str>>) -> Self {
        Self { success: false, error, ..self }
    }

    /// The draft, at its place in a session.
    pub(super) fn draft(self, thread: &AgentThread, file: &str, place: &RecordPlace, record: Box<str>) -> Draft {
        let agent_id = match self.actor {
            Actor::Agent => thread.agent.clone(),
            Actor::Parent => TOOL.into(),
            Actor::Person => "user".into(),
        };
        Draft {
            at: place.at,
            operation: Operation {
                kind: self.kind,
                name: self.name,
                input: self.input,
                output: self.output,
                duration_ms: self.duration_ms,
                success: self.success,
                error: self.error,
                unknown: Members::default(),
            },
            provenance: Provenance { agent_id: Some(agent_id), ..Provenance::default() },
            metadata: Metadata::default(),
            source: Source {
                kind: TOOL.into(),
                session: thread.native.clone(),
                record,
                file: Some(file.into()),
                line: Some(place.line),
                time: place.time.map(Into::into),
                tool: None,
            },
            usage: None,
        }
    }
}

/// `{"text": …}`.
#[derive(Serialize)]
pub(super) struct TextContent<'a> {
    pub(super) text: &'a str,
}

/// `{"arguments": …}`.
#[derive(Serialize)]
struct StepArguments {
    arguments: Json,
}
