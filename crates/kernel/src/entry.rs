//! `HistoryEntry`: one step, one line (AFS 2.1, 2.2).
//!
//! Reads what any tool of the protocol writes (camelCase too) and keeps every key it does not know, byte for byte.
//! Does not say what a step means; the rooms do. The fold does not come here either: it reads `envelope`.

use std::fmt;

use annals_sparse::sparse;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{DeserializeOwned, Error as _};
use serde::ser::SerializeMap;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::annals::{Annals, Extensions};
use super::id::{AgentId, EntryId, ModelId, SessionId};
use super::json::{Json, Members, on_one_line};
use super::record::Kind;
use super::time::Timestamp;

/// One step of an agent, a person or the system. Immutable once written.
#[sparse]
#[derive(Debug, Clone, PartialEq, JsonSchema)]
pub struct HistoryEntry {
    /// A ULID; the order of the fold.
    pub id: EntryId,
    /// When it happened; a call, when it ended.
    pub timestamp: Timestamp,
    /// Groups related operations.
    pub session_id: SessionId,
    /// For project-local history.
    pub project_id: Option<Box<str>>,
    /// What was done.
    pub operation: Operation,
    /// Who did it.
    pub provenance: Provenance,
    /// For retrieval.
    pub metadata: Metadata,
    /// What Annals adds: the chain, the source of an import, token usage.
    #[schemars(skip)]
    pub annals: Annals,
    /// Other members of `extensions`, as they were.
    #[schemars(with = "Option<Extensions>")]
    #[sparse]
    pub extensions: Members,
    /// Keys that the protocol does not have, as they were.
    #[schemars(skip)]
    pub unknown: Members,
}

/// The operation envelope.
#[sparse]
#[derive(Debug, Clone, PartialEq, JsonSchema)]
pub struct Operation {
    /// What kind of step.
    #[schemars(rename = "type")]
    pub kind: OperationType,
    /// Tool name, event type or state key.
    pub name: Box<str>,
    /// What went in: an object.
    #[schemars(with = "serde_json::Map<String, serde_json::Value>")]
    pub input: Json,
    /// What came out; may be redacted or a reference to a blob.
    #[schemars(with = "Option<serde_json::Value>")]
    pub output: Option<Json>,
    /// How long it took, in milliseconds.
    pub duration_ms: Option<u64>,
    /// Whether it did what it was asked.
    pub success: bool,
    /// Why it did not.
    pub error: Option<Box<str>>,
    /// Keys that the protocol does not have, as they were.
    #[schemars(skip)]
    pub unknown: Members,
}

/// Where a step comes from.
#[sparse]
#[derive(Debug, Clone, Default, PartialEq, JsonSchema)]
pub struct Provenance {
    /// The acting agent, or `user`.
    pub agent_id: Option<AgentId>,
    /// The model behind the agent.
    pub model_id: Option<ModelId>,
    /// Links to a conversation.
    pub parent_message_id: Option<Box<str>>,
    /// For nested operations.
    pub parent_entry_id: Option<EntryId>,
    /// Keys that the protocol does not have, as they were.
    #[schemars(skip)]
    pub unknown: Members,
}

/// Metadata for retrieval.
#[sparse]
#[derive(Debug, Clone, Default, PartialEq, JsonSchema)]
pub struct Metadata {
    /// Free tags.
    pub tags: Option<Vec<Box<str>>>,
    /// Files that the step read or wrote, relative to the project where they lie in it.
    pub files_touched: Option<Vec<Box<str>>>,
    /// Tokens of the step.
    pub token_count: Option<u64>,
    /// Whether the sanitizer took something out.
    pub redacted: Option<bool>,
    /// Keys that the protocol does not have, as they were.
    #[schemars(skip)]
    pub unknown: Members,
}

/// What kind of step (AFS 2.2); open for extension.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum OperationType {
    /// A tool was called.
    ToolCall,
    /// An agent said something.
    AgentMessage,
    /// A person said something.
    UserInput,
    /// Session start and end, errors, and every decision of Annals.
    SystemEvent,
    /// A snapshot of an agent's state.
    CognitiveState,
    /// A type of a plugin or of another tool.
    Other(Box<str>),
}

impl OperationType {
    /// The types that the protocol names.
    pub const KNOWN: [Self; 5] =
        [Self::ToolCall, Self::AgentMessage, Self::UserInput, Self::SystemEvent, Self::CognitiveState];

    /// As it is written.
    pub fn as_str(&self) -> &str {
        match self {
            Self::ToolCall => "tool_call",
            Self::AgentMessage => "agent_message",
            Self::UserInput => "user_input",
            Self::SystemEvent => "system_event",
            Self::CognitiveState => "cognitive_state",
            Self::Other(name) => name,
        }
    }
}

impl From<&str> for OperationType {
    fn from(text: &str) -> Self {
        Self::KNOWN.into_iter().find(|kind| kind.as_str() == text).unwrap_or_else(|| Self::Other(text.into()))
    }
}

impl fmt::Display for OperationType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// Why a value is not an entry: the place, as a path of keys, and what is wrong there.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{place}: {problem}")]
pub struct BadEntry {
    place: String,
    problem: String,
}

impl BadEntry {
    pub(super) fn new(place: &str, problem: impl fmt::Display) -> Self {
        Self { place: place.to_owned(), problem: problem.to_string() }
    }
}

/// Takes known members out of an object, one by one; what stays is unknown.
pub(super) struct Reader<'p> {
    place: &'p str,
    members: Members,
}

impl<'p> Reader<'p> {
    pub(super) fn new(place: &'p str, members: Members) -> Self {
        Self { place, members }
    }

    fn of(place: &'p str, json: Option<Json>) -> Result<Self, BadEntry> {
        let members = json.map_or(Ok(Members::default()), |json| json.read());
        Ok(Self::new(place, members.map_err(|error| BadEntry::new(place, error))?))
    }

    /// A member that may be missing or null. Each key is given in `snake_case` and, where it differs, in camelCase.
    pub(super) fn optional<T: DeserializeOwned>(&mut self, keys: &[&str]) -> Result<Option<T>, BadEntry> {
        let Some(json) = self.members.take(keys) else { return Ok(None) };
        json.read().map_err(|error| self.bad(keys[0], error))
    }

    pub(super) fn required<T: DeserializeOwned>(&mut self, keys: &[&str]) -> Result<T, BadEntry> {
        let json = self.members.take(keys).ok_or_else(|| self.bad(keys[0], "is missing"))?;
        json.read().map_err(|error| self.bad(keys[0], error))
    }

    pub(super) fn has(&self, key: &str) -> bool {
        self.members.get(key).is_some()
    }

    fn bad(&self, key: &str, problem: impl fmt::Display) -> BadEntry {
        let place = if self.place.is_empty() { key.to_owned() } else { format!("{}.{key}", self.place) };
        BadEntry { place, problem: problem.to_string() }
    }

    pub(super) fn rest(self) -> Members {
        self.members
    }
}

impl HistoryEntry {
    /// Reads one JSON object.
    pub fn read(text: &str) -> Result<Self, BadEntry> {
        Self::from_members(serde_json::from_str(text).map_err(|error| BadEntry::new("entry", error))?)
    }

    fn from_members(members: Members) -> Result<Self, BadEntry> {
        let mut entry = Reader::new("", members);
        let mut extensions: Members = entry.optional(&["extensions"])?.unwrap_or_default();
        let annals = extensions.take(&["annals"]).map_or(Ok(Annals::default()), |json| Annals::from_json(&json))?;
        Ok(Self {
            id: entry.required(&["id"])?,
            timestamp: entry.required(&["timestamp"])?,
            session_id: entry.required(&["session_id", "sessionId"])?,
            project_id: entry.optional(&["project_id", "projectId"])?,
            operation: Operation::from_json(entry.required(&["operation"])?)?,
            provenance: Provenance::from_json(entry.optional(&["provenance"])?)?,
            metadata: Metadata::from_json(entry.optional(&["metadata"])?)?,
            annals,
            extensions,
            unknown: entry.rest(),
        })
    }

    /// What it records.
    pub fn record(&self) -> Kind {
        Kind::of(self.operation.kind.as_str(), &self.operation.name)
    }

    /// The line, without a newline. Known keys come in the order of the protocol, ours last.
    pub fn to_line(&self) -> String {
        on_one_line(serde_json::to_string(self).expect("BUG: an entry does not serialize"))
    }
}

impl Operation {
    fn from_json(json: Json) -> Result<Self, BadEntry> {
        let mut operation = Reader::of("operation", Some(json))?;
        Ok(Self {
            kind: operation.required::<Box<str>>(&["type"])?.as_ref().into(),
            name: operation.required(&["name"])?,
            input: operation.optional(&["input"])?.unwrap_or_else(Json::empty_object),
            output: operation.optional(&["output"])?,
            duration_ms: operation.optional::<Millis>(&["duration_ms", "durationMs"])?.map(|millis| millis.0),
            success: operation.required(&["success"])?,
            error: operation.optional(&["error"])?,
            unknown: operation.rest(),
        })
    }
}

/// Milliseconds, which some tools write with a fraction.
struct Millis(u64);

impl<'de> Deserialize<'de> for Millis {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "checked to be in range")]
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let number = serde_json::Number::deserialize(deserializer)?;
        let rounded = || number.as_f64().filter(|value| (0.0..9e15).contains(value)).map(|value| value.round() as u64);
        number.as_u64().or_else(rounded).map(Self).ok_or_else(|| D::Error::custom("is not a number of milliseconds"))
    }
}

impl Provenance {
    fn from_json(json: Option<Json>) -> Result<Self, BadEntry> {
        let mut provenance = Reader::of("provenance", json)?;
        Ok(Self {
            agent_id: provenance.optional(&["agent_id", "agentId"])?,
            model_id: provenance.optional(&["model_id", "modelId"])?,
            parent_message_id: provenance.optional(&["parent_message_id", "parentMessageId"])?,
            parent_entry_id: provenance.optional(&["parent_entry_id", "parentEntryId"])?,
            unknown: provenance.rest(),
        })
    }
}

impl Metadata {
    fn from_json(json: Option<Json>) -> Result<Self, BadEntry> {
        let mut metadata = Reader::of("metadata", json)?;
        Ok(Self {
            tags: metadata.optional(&["tags"])?,
            files_touched: metadata.optional(&["files_touched", "filesTouched"])?,
            token_count: metadata.optional(&["token_count", "tokenCount"])?,
            redacted: metadata.optional(&["redacted"])?,
            unknown: metadata.rest(),
        })
    }
}

/// Writes an object: members that are there, then the unknown ones.
pub(super) struct Writer<M>(pub(super) M);

impl<M: SerializeMap> Writer<M> {
    pub(super) fn field(&mut self, key: &str, value: &(impl Serialize + ?Sized)) -> Result<(), M::Error> {
        self.0.serialize_entry(key, value)
    }

    pub(super) fn some<T: Serialize>(&mut self, key: &str, value: Option<&T>) -> Result<(), M::Error> {
        value.map_or(Ok(()), |value| self.field(key, value))
    }

    pub(super) fn members(&mut self, members: &Members) -> Result<(), M::Error> {
        members.iter().try_for_each(|(key, value)| self.field(key, value))
    }
}

impl Serialize for HistoryEntry {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut entry = Writer(serializer.serialize_map(None)?);
        entry.field("id", &self.id)?;
        entry.field("timestamp", &self.timestamp)?;
        entry.field("session_id", &self.session_id)?;
        entry.some("project_id", self.project_id.as_ref())?;
        entry.field("operation", &self.operation)?;
        entry.field("provenance", &self.provenance)?;
        entry.field("metadata", &self.metadata)?;
        entry.members(&self.unknown)?;
        if !self.extensions.is_empty() || !self.annals.is_empty() {
            let mut extensions = self.extensions.clone();
            if !self.annals.is_empty() {
                extensions.set("annals", Json::of(&self.annals));
            }
            entry.field("extensions", &extensions)?;
        }
        entry.0.end()
    }
}

impl Serialize for Operation {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut operation = Writer(serializer.serialize_map(None)?);
        operation.field("type", self.kind.as_str())?;
        operation.field("name", &self.name)?;
        operation.field("input", &self.input)?;
        operation.some("output", self.output.as_ref())?;
        operation.members(&self.unknown)?;
        operation.some("duration_ms", self.duration_ms.as_ref())?;
        operation.field("success", &self.success)?;
        operation.some("error", self.error.as_ref())?;
        operation.0.end()
    }
}

impl Serialize for Provenance {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut provenance = Writer(serializer.serialize_map(None)?);
        provenance.some("agent_id", self.agent_id.as_ref())?;
        provenance.some("model_id", self.model_id.as_ref())?;
        provenance.some("parent_message_id", self.parent_message_id.as_ref())?;
        provenance.some("parent_entry_id", self.parent_entry_id.as_ref())?;
        provenance.members(&self.unknown)?;
        provenance.0.end()
    }
}

impl Serialize for Metadata {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut metadata = Writer(serializer.serialize_map(None)?);
        metadata.some("tags", self.tags.as_ref())?;
        metadata.some("files_touched", self.files_touched.as_ref())?;
        metadata.some("token_count", self.token_count.as_ref())?;
        metadata.some("redacted", self.redacted.as_ref())?;
        metadata.members(&self.unknown)?;
        metadata.0.end()
    }
}

impl<'de> Deserialize<'de> for HistoryEntry {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::from_members(Members::deserialize(deserializer)?).map_err(D::Error::custom)
    }
}

impl JsonSchema for OperationType {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "OperationType".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": "string",
            "minLength": 1,
            "description": "One of the types of AFS 2.2, or the name of a plugin's own type.",
            "examples": Self::KNOWN.iter().map(Self::as_str).collect::<Vec<_>>()
        })
    }
}
