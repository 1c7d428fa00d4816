//! Drafts, put together: the parts that every importer would otherwise write out for each record.
//!
//! Knows the shape of an entry, not what the records of a tool mean.

use annals_kernel::record::{Event, Input, Kind, Speech};
use serde::Serialize;

use super::unread::label;
use super::{Draft, ImportError, PassedOver, Sink, Unread};
use annals_kernel::annals::{Source, Usage};
use annals_kernel::entry::{Metadata, Operation, Provenance};
use annals_kernel::id::{AgentId, ModelId};
use annals_kernel::json::{Json, Members};
use annals_kernel::time::Timestamp;

/// What became of a record: entries (now or when its other half comes), or a reason why there is none.
pub(crate) type Made = Result<Option<PassedOver>, ImportError>;

/// What became of a record, of what became of two parts of it: an entry beats any reason, any reason beats "empty".
pub(crate) fn either(one: Option<PassedOver>, other: Option<PassedOver>) -> Option<PassedOver> {
    match (one?, other?) {
        (PassedOver::Empty, other) => Some(other),
        (one, _) => Some(one),
    }
}

/// Hands an entry over.
pub(crate) fn put(sink: &mut dyn Sink, draft: Draft) -> Made {
    sink.entry(draft).map(|()| None)
}

/// Hands over a record of a type that nobody knows.
pub(crate) fn pass_unread(sink: &mut dyn Sink, kind: &str, text: &str, origin: &Origin, spot: &Spot) -> Made {
    let whole = EntryStep::unknown(text).at(origin, spot.clone());
    let (kind, bytes, version) = (label(kind), text.len() as u64, origin.version.clone());
    sink.unread(Unread { kind, bytes, version, whole }).map(|()| None)
}

/// The session that is being read.
#[derive(Debug, Clone)]
pub struct Origin {
    /// The tool, as `annals import` names it.
    pub kind: &'static str,
    /// The session's id in that tool.
    pub session: Box<str>,
    /// The name of the file, without folders.
    pub file: Box<str>,
    /// Who acts in it.
    pub agent: AgentId,
    /// The version of the tool, where the source says so.
    pub version: Option<Box<str>>,
}

impl Origin {
    /// A session of the tool itself, not of a sub-agent.
    pub fn new(kind: &'static str, session: &str, file_name: &str) -> Self {
        Self {
            kind,
            session: session.into(),
            file: without_folders(file_name).into(),
            agent: kind.into(),
            version: None,
        }
    }
}

/// The name of a file: who it is must not depend on where it lies.
pub(crate) fn without_folders(file_name: &str) -> &str {
    file_name.rsplit(['/', '\\']).next().unwrap_or(file_name)
}

/// Where a record stands, and when it was written.
#[derive(Debug, Clone)]
pub struct Spot {
    /// The time of the entry.
    pub at: Timestamp,
    /// Who says so.
    pub clock: EntryClock,
    /// The record's own id, or a hash of it.
    pub record: Box<str>,
    /// The line of the file, from 1.
    pub line: Option<u64>,
}

impl Spot {
    /// The same place, for another entry of the same record.
    #[must_use]
    pub fn part(&self, name: &str) -> Self {
        Self { record: format!("{}/{name}", self.record).into(), ..self.clone() }
    }

    /// Milliseconds from here to a time; unknown where the clock is made up.
    pub fn until(&self, end: Timestamp) -> Option<u64> {
        (self.clock == EntryClock::Tool).then(|| end.since(self.at))
    }

    /// The same place, for the record of this id.
    #[must_use]
    pub fn named(&self, record: &str) -> Self {
        Self { record: record.into(), ..self.clone() }
    }
}

/// Where a time comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EntryClock {
    /// The tool wrote it.
    Tool,
    /// The importer made it up.
    Synthetic,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum EntryActor {
    /// The agent of the session.
    Agent,
    User,
    Other(AgentId),
}

/// What happened, without where and when.
#[derive(Debug, Clone)]
pub(crate) struct EntryStep {
    operation: Operation,
    actor: EntryActor,
    model: Option<ModelId>,
    files: Option<Vec<Box<str>>>,
    usage: Option<Usage>,
}

impl EntryStep {
    fn new(kind: impl Into<Kind>, name: &str, input: Json) -> Self {
        let operation = Operation {
            kind: kind.into().operation_type(),
            name: name.into(),
            input,
            output: None,
            duration_ms: None,
            success: true,
            error: None,
            unknown: Members::default(),
        };
        Self { operation, actor: EntryActor::Agent, model: None, files: None, usage: None }
    }

    /// Something that the tool notes.
    pub(crate) fn event(kind: Event, input: Fields) -> Self {
        Self::new(kind, kind.name(), input.json())
    }

    /// Something that a person does.
    pub(crate) fn user(kind: Input, input: Fields) -> Self {
        Self { actor: EntryActor::User, ..Self::new(kind, kind.name(), input.json()) }
    }

    /// A text of the agent.
    pub(crate) fn says(kind: Speech, text: &str) -> Self {
        Self::new(kind, kind.name(), Fields::new().with("text", text).json())
    }

    /// A message of the agent that says more than its text.
    pub(crate) fn message(input: Fields) -> Self {
        Self::new(Speech::Message, Speech::Message.name(), input.json())
    }

    /// A call; arguments that are no object are wrapped in one.
    pub(crate) fn call(name: &str, arguments: Option<Json>) -> Self {
        let input = match arguments {
            Some(arguments) if arguments.is_object() => arguments,
            Some(arguments) => Fields::new().with("arguments", &arguments).json(),
            None => Json::empty_object(),
        };
        Self::new(Kind::Call, name, input)
    }

    /// A record of a type that the importer does not know.
    pub(crate) fn unknown(text: &str) -> Self {
        let record = Json::from_text(text.to_owned()).ok();
        Self::event(Event::UnknownRecord, Fields::new().some("record", record.as_ref()))
    }

    /// What came out.
    #[must_use]
    pub(crate) fn output(mut self, output: Option<Json>) -> Self {
        self.operation.output = output;
        self
    }

    /// How long it took.
    #[must_use]
    pub(crate) fn lasting(mut self, millis: Option<u64>) -> Self {
        self.operation.duration_ms = millis;
        self
    }

    /// That it failed, where there is an error.
    #[must_use]
    pub(crate) fn failing(mut self, error: Option<&str>) -> Self {
        self.operation.success = error.is_none();
        self.operation.error = error.map(Into::into);
        self
    }

    /// Someone else than the agent of the session did it.
    #[must_use]
    pub(crate) fn by(mut self, agent: AgentId) -> Self {
        self.actor = EntryActor::Other(agent);
        self
    }

    /// The model behind it.
    #[must_use]
    pub(crate) fn model(mut self, model: Option<&ModelId>) -> Self {
        self.model = model.cloned();
        self
    }

    /// The files that its arguments name.
    #[must_use]
    pub(crate) fn files(mut self, files: Vec<Box<str>>) -> Self {
        self.files = Some(files).filter(|files| !files.is_empty());
        self
    }

    /// The tokens that it adds.
    #[must_use]
    pub(crate) fn usage(mut self, usage: Option<Usage>) -> Self {
        self.usage = usage.filter(|usage| !usage.is_zero());
        self
    }

    /// The entry to be.
    pub(crate) fn at(self, origin: &Origin, spot: Spot) -> Draft {
        let agent = match self.actor {
            EntryActor::Agent => origin.agent.clone(),
            EntryActor::User => AgentId::from("user"),
            EntryActor::Other(agent) => agent,
        };
        Draft {
            at: spot.at,
            operation: self.operation,
            provenance: Provenance { agent_id: Some(agent), model_id: self.model, ..Provenance::default() },
            metadata: Metadata { files_touched: self.files, ..Metadata::default() },
            source: Source {
                kind: origin.kind.into(),
                session: origin.session.clone(),
                record: spot.record,
                file: Some(origin.file.clone()),
                line: spot.line,
                time: (spot.clock == EntryClock::Synthetic).then(|| "synthetic".into()),
                tool: None,
            },
            usage: self.usage,
        }
    }
}

/// The members of an input, in the order in which they are added.
#[derive(Debug, Clone, Default)]
pub(crate) struct Fields(Members);

impl Fields {
    /// None yet.
    pub(crate) fn new() -> Self {
        Self::default()
    }

    /// One more.
    #[must_use]
    pub(crate) fn with(mut self, key: &str, value: &(impl Serialize + ?Sized)) -> Self {
        self.0.set(key, Json::of(value));
        self
    }

    /// One more, where it is known.
    #[must_use]
    pub(crate) fn some<T: Serialize + ?Sized>(self, key: &str, value: Option<&T>) -> Self {
        match value {
            Some(value) => self.with(key, value),
            None => self,
        }
    }

    /// Those of another object behind these.
    #[must_use]
    pub(crate) fn and(mut self, others: &Self) -> Self {
        others.0.iter().for_each(|(key, value)| self.0.set(key, value.clone()));
        self
    }

    /// Whether there are none.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The object.
    pub(crate) fn json(self) -> Json {
        Json::of(&self.0)
    }
}
