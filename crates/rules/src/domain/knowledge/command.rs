//! What can be asked of knowledge.

use annals_sparse::sparse;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::row::{Effect, Kind, Source};
use annals_kernel::grounding::words;
use annals_kernel::id::EntryId;
use annals_kernel::share::Share;
use annals_kernel::wire::wire;

wire! {
    /// What can be asked of knowledge.
    pub enum Command {
        /// Say that something is known.
        Add(Add) = "knowledge.entry.add",
        /// Say that another entry holds instead.
        Supersede(Supersede) = "knowledge.entry.supersede",
        /// Ask what is known: a read that counts (decision 22).
        Retrieve(Retrieve) = "knowledge.entry.retrieve",
        /// Put an entry away.
        Archive(Archive) = "knowledge.entry.archive",
        /// Bring an entry back that was put away, or has faded.
        Restore(Restore) = "knowledge.entry.restore",
        /// Announce what has faded since.
        Expire(Expire) = "knowledge.entry.expire",
        /// Propose that entries which say the same become one.
        Consolidate(Consolidate) = "knowledge.entry.consolidate",
        /// Say what came of working with an entry.
        Give(Give) = "knowledge.feedback.give",
        /// Propose something; it does not count yet.
        Propose(Propose) = "knowledge.candidate.propose",
        /// Let a candidate count.
        Accept(Accept) = "knowledge.candidate.accept",
        /// Turn a candidate down.
        Reject(Reject) = "knowledge.candidate.reject",
    }
}

/// Fields of `knowledge.entry.add`.
#[sparse]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Add {
    /// What sort of knowledge.
    pub kind: Kind,
    /// What is known.
    pub content: Box<str>,
    /// Names in it, beside those that are found in the text.
    pub entities: Vec<Box<str>>,
    /// Whom or what it is about.
    pub about: Option<Box<str>>,
    /// How sure one may be; none: as is configured.
    pub confidence: Option<Share>,
    /// How much hangs on it; none: nobody says.
    pub impact: Option<Effect>,
    /// Where it was learnt.
    #[serde(default, skip_serializing_if = "Source::is_empty")]
    pub source: Source,
    /// The entry that it takes the place of.
    pub supersedes: Option<EntryId>,
}

/// Fields of `knowledge.entry.supersede`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Supersede {
    /// The entry that holds no more.
    pub entry: EntryId,
    /// The one that holds instead.
    pub by: EntryId,
}

/// Fields of `knowledge.entry.retrieve`.
#[sparse]
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Retrieve {
    /// A question, or a few words.
    #[serde(default, skip_serializing_if = "str::is_empty")]
    pub query: Box<str>,
    /// Names that it is about, beside those that are found in the query.
    pub entities: Vec<Box<str>>,
    /// Only of this type.
    pub kind: Option<Kind>,
    /// How many at most; none: as is configured.
    pub limit: Option<usize>,
}

/// Fields of `knowledge.entry.archive`.
#[sparse]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Archive {
    /// Which.
    pub entry: EntryId,
    /// Why.
    pub reason: Option<Box<str>>,
}

/// Fields of `knowledge.entry.restore`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Restore {
    /// Which.
    pub entry: EntryId,
}

/// Fields of `knowledge.entry.expire`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Expire {}

/// Fields of `knowledge.entry.consolidate`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Consolidate {}

words! {
    /// What came of working with an entry.
    pub enum Ending {
        /// It helped.
        Success = "success",
        /// It did harm.
        Failed = "failed",
        /// Neither.
        Neutral = "neutral",
    }
}

/// Fields of `knowledge.feedback.give`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Give {
    /// Which entry.
    pub entry: EntryId,
    /// What came of it.
    pub result: Ending,
}

/// Fields of `knowledge.candidate.propose`.
#[sparse]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Propose {
    /// What sort of knowledge.
    pub kind: Kind,
    /// What may be known.
    pub content: Box<str>,
    /// Names in it, beside those that are found in the text.
    pub entities: Vec<Box<str>>,
    /// Whom or what it is about.
    pub about: Option<Box<str>>,
    /// How sure one may be; none: as is configured for what is extracted.
    pub confidence: Option<Share>,
    /// How much hangs on it; none: nobody says.
    pub impact: Option<Effect>,
    /// Where it was learnt.
    #[serde(default, skip_serializing_if = "Source::is_empty")]
    pub source: Source,
}

/// Fields of `knowledge.candidate.accept`.
#[sparse]
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Accept {
    /// Which.
    pub candidate: Box<str>,
    /// What is known, in better words.
    pub content: Option<Box<str>>,
    /// Of another type.
    pub kind: Option<Kind>,
    /// With another confidence.
    pub confidence: Option<Share>,
    /// With another impact.
    pub impact: Option<Effect>,
}

/// Fields of `knowledge.candidate.reject`.
#[sparse]
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Reject {
    /// Which.
    pub candidate: Box<str>,
    /// Why.
    pub reason: Option<Box<str>>,
}

/// Nothing is observed for these commands.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Observed {}
