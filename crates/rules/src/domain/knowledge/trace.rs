//! Why an entry came, or did not: a retrieval, stage by stage (Galatea, track 6, view 3).
//!
//! Does not retrieve; `retrieve` does.

use annals_sparse::sparse;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::decay::KnowledgeStatus;
use super::row::{Effect, KnowledgeKind};
use annals_kernel::grounding::words;
use annals_kernel::id::EntryId;
use annals_kernel::share::Share;

words! {
    /// A stage of a retrieval, in order.
    pub enum Stage {
        /// What shares a word or a name with the query.
        Index = "index",
        /// Of the type that was asked for.
        FilterType = "filter_type",
        /// What is about nobody else, where who asks is not trusted.
        FilterPersonal = "filter_personal",
        /// In whose place nothing else holds.
        FilterSuperseded = "filter_superseded",
        /// What has not faded and was not put away.
        FilterArchived = "filter_archived",
        /// What shares a name with the query goes on to the end.
        EntityMatch = "entity_match",
        /// Of the others, what holds enough of its keywords.
        KeywordMatch = "keyword_match",
        /// The best of them.
        Limit = "limit",
    }
}

/// How many went into a stage and came out of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct StageCount {
    /// Which.
    pub stage: Stage,
    /// So many went in.
    #[serde(rename = "in")]
    pub before: u64,
    /// So many came out.
    #[serde(rename = "out")]
    pub after: u64,
}

/// A retrieval, in full.
#[sparse(marked)]
#[derive(Debug, Clone, Default, PartialEq, Serialize, schemars::JsonSchema)]
pub struct RetrievalTrace {
    /// Words of the query that were looked for.
    pub keywords: Vec<Box<str>>,
    /// Names of the query that were looked for.
    pub entities: Vec<Box<str>>,
    /// How many went in and out.
    pub stages: Vec<StageCount>,
    /// What came, the best first.
    pub results: Vec<EntryId>,
    /// Every entry that was looked at: what came, then what did not, the best first.
    pub entries: Vec<Line>,
    /// Words and names that more entries hold than are looked at.
    #[sparse]
    pub cut: Vec<Box<str>>,
    /// Why nothing came.
    #[sparse]
    pub diagnosis: Vec<EmptyDiagnosis>,
}

/// An entry that was looked at.
#[sparse(marked)]
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct Line {
    /// Which.
    pub entry: EntryId,
    /// What sort of knowledge.
    pub kind: KnowledgeKind,
    /// What is known.
    pub content: Box<str>,
    /// Where it was left behind; none: it came.
    pub dropped_at: Option<Stage>,
    /// Names that it shares with the query.
    pub entities: Vec<Box<str>>,
    /// Keywords that it holds.
    pub keywords: Vec<Box<str>>,
    /// Which part of the keywords that is.
    pub overlap: Share,
    /// How sure one may be of it now.
    pub strength: f64,
    /// How it stands now.
    pub status: KnowledgeStatus,
    /// How much hangs on it: what scores as much stands by this.
    #[sparse]
    pub impact: Option<Effect>,
    /// What decides on its place: what it shares with the query, times its strength in thousandths.
    pub score: u64,
}

words! {
    /// Why nothing came.
    pub enum EmptyReason {
        /// Nothing is known at all.
        NothingKnown = "nothing_known",
        /// No name of the query is known.
        NoEntities = "no_entities",
        /// The query has no word that is not a stop word.
        NoKeywords = "no_keywords",
        /// No entry holds a keyword.
        UnknownKeywords = "unknown_keywords",
        /// Entries hold some keywords, and too few.
        KeywordMismatch = "keyword_mismatch",
        /// What would have come is of another type.
        OtherType = "other_type",
        /// What would have come is about somebody else, and who asks is not trusted.
        Personal = "personal",
        /// In the place of what would have come something else holds.
        Superseded = "superseded",
        /// What would have come has faded or was put away.
        Archived = "archived",
    }
}

/// Why nothing came, and what was closest to it.
#[sparse]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct EmptyDiagnosis {
    /// Why.
    pub reason: EmptyReason,
    /// The closest entries.
    pub closest: Vec<EntryId>,
}
