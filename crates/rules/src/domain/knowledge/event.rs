//! What happens to knowledge.

use annals_sparse::sparse;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::command::Ending;
use super::row::Said;
use super::trace::Count;
use annals_kernel::id::EntryId;
use annals_kernel::time::Timestamp;
use annals_kernel::wire::wire;

wire! {
    /// What happened to knowledge.
    pub enum Event {
        /// Something is known.
        Added(Added) = "knowledge.entry.added",
        /// Another entry holds instead; the old one can be read.
        Superseded(Superseded) = "knowledge.entry.superseded",
        /// Somebody asked, and these entries came.
        Retrieved(Retrieved) = "knowledge.entry.retrieved",
        /// An entry was put away.
        Archived(Archived) = "knowledge.entry.archived",
        /// An entry was brought back: from now on it fades anew.
        Restored(Restored) = "knowledge.entry.restored",
        /// It is announced what has faded. Changes no entry.
        Faded(Faded) = "knowledge.entry.faded",
        /// Somebody worked with an entry.
        Given(Given) = "knowledge.feedback.given",
        /// Something may be known; it does not count yet.
        Proposed(Proposed) = "knowledge.candidate.proposed",
        /// A candidate counts.
        Accepted(Accepted) = "knowledge.candidate.accepted",
        /// A candidate does not.
        Rejected(Rejected) = "knowledge.candidate.rejected",
    }
}

/// Fields of `knowledge.entry.added`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Added {
    /// The entry: the id of the line that added it.
    pub entry: EntryId,
    /// What is known.
    #[serde(flatten)]
    pub said: Said,
}

/// Fields of `knowledge.entry.superseded`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Superseded {
    /// The entry that holds no more.
    pub entry: EntryId,
    /// The one that holds instead.
    pub by: EntryId,
}

/// Fields of `knowledge.entry.retrieved`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Retrieved {
    /// What came, the best first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub entries: Vec<EntryId>,
    /// How many entries went into each stage and came out of it.
    pub stages: Vec<Count>,
}

/// Fields of `knowledge.entry.archived`.
#[sparse]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Archived {
    /// Which.
    pub entry: EntryId,
    /// Why.
    pub reason: Option<Box<str>>,
}

/// Fields of `knowledge.entry.restored`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Restored {
    /// Which.
    pub entry: EntryId,
}

/// Fields of `knowledge.entry.faded`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Faded {
    /// Those that faded first come first.
    pub entries: Vec<Crossing>,
}

/// An entry that has faded below the threshold.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Crossing {
    /// Which.
    pub entry: EntryId,
    /// From when on it faded: a later retrieval makes this announcement void.
    pub since: Timestamp,
    /// When it crossed the threshold.
    pub at: Timestamp,
}

/// Fields of `knowledge.feedback.given`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Given {
    /// Which entry.
    pub entry: EntryId,
    /// What came of it.
    pub result: Ending,
}

/// Fields of `knowledge.candidate.proposed`.
#[sparse]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Proposed {
    /// The candidate: the same for the same text of the same type.
    pub candidate: Box<str>,
    /// What may be known.
    #[serde(flatten)]
    pub said: Said,
    /// The entries that it would take the place of.
    pub supersedes: Vec<EntryId>,
}

/// Fields of `knowledge.candidate.accepted`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Accepted {
    /// Which.
    pub candidate: Box<str>,
    /// The entry that it became.
    pub entry: EntryId,
}

/// Fields of `knowledge.candidate.rejected`.
#[sparse]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Rejected {
    /// Which.
    pub candidate: Box<str>,
    /// Why.
    pub reason: Option<Box<str>>,
}
