//! What is known: an entry with all that came of it, and a candidate that waits for a review.

use annals_sparse::sparse;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::settle::SettledBy;
use annals_kernel::grounding::words;
use annals_kernel::id::{AgentId, EntryId, SessionId};
use annals_kernel::rows::Ranked;
use annals_kernel::share::Share;
use annals_kernel::time::Timestamp;

words! {
    /// What sort of knowledge (Galatea 3, view 2).
    pub enum KnowledgeKind {
        /// Something is so.
        Fact = "fact",
        /// Somebody likes it so.
        Preference = "preference",
        /// It must be so; never fades.
        Rule = "rule",
        /// How something is done.
        Procedure = "procedure",
        /// It was taken for something else.
        Correction = "correction",
        /// It was settled so.
        Decision = "decision",
    }
}

words! {
    /// How much hangs on it.
    pub enum Effect {
        /// Little.
        Low = "low",
        /// Something.
        Medium = "medium",
        /// Much.
        High = "high",
    }
}

/// Where something was learnt.
#[sparse]
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct KnowledgeSource {
    /// The session in which it was learnt.
    pub session: Option<SessionId>,
    /// An entry of the history from which it was learnt; sixteen are kept.
    pub entries: Vec<EntryId>,
    /// By which rule, where a rule found it.
    pub rule: Option<Box<str>>,
}

/// The most entries that a source names.
pub(crate) const MOST_SOURCES: usize = 16;

impl KnowledgeSource {
    /// The same, with no more entries than are kept.
    pub(super) fn bounded(&self) -> Self {
        let mut source = self.clone();
        source.entries.sort_unstable();
        source.entries.dedup();
        source.entries.truncate(MOST_SOURCES);
        source
    }

    /// Takes in where it was learnt once more.
    pub(super) fn add(&mut self, other: &Self) {
        self.entries.extend(other.entries.iter().copied());
        *self = self.bounded();
    }
}

/// What is said: the same for entries and candidates.
#[sparse]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct KnowledgeText {
    /// What sort of knowledge.
    pub kind: KnowledgeKind,
    /// What is known.
    pub content: Box<str>,
    /// Names in it.
    pub entities: Vec<Box<str>>,
    /// Whom or what it is about.
    pub about: Option<Box<str>>,
    /// How sure one may be.
    pub confidence: Share,
    /// How much hangs on it; nothing where nobody has said.
    pub impact: Option<Effect>,
    /// Where it was learnt.
    #[sparse]
    pub source: KnowledgeSource,
}

/// How often it was shown, and what came of it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Evidence {
    /// How often somebody worked with it.
    pub exposed: u64,
    /// How often that went well.
    pub helpful: u64,
    /// How often that went wrong.
    pub harmful: u64,
}

/// Who archived it by hand.
#[sparse]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema, Deserialize)]
pub struct Archived {
    /// When.
    pub at: Timestamp,
    /// By whom.
    pub by: AgentId,
    /// Why.
    pub reason: Option<Box<str>>,
}

/// What took its place.
#[sparse]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema, Deserialize)]
pub struct Superseded {
    /// When.
    pub at: Timestamp,
    /// The entry that holds instead.
    pub by: EntryId,
    /// By which rule, where a rule said so.
    pub because: Option<SettledBy>,
}

/// An entry of knowledge.
#[sparse]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema, Deserialize)]
pub struct KnowledgeEntry {
    /// What is known; its confidence is that of the beginning, and never changes.
    #[serde(flatten)]
    pub said: KnowledgeText,
    /// Who added it.
    pub by: AgentId,
    /// When it was extracted.
    pub extracted_at: Timestamp,
    /// When it was retrieved last, or brought back.
    pub last_retrieved_at: Option<Timestamp>,
    /// How often it was retrieved.
    #[serde(default)]
    pub retrievals: u64,
    /// What took its place.
    pub superseded_by: Option<Superseded>,
    /// Who put it away.
    pub archived: Option<Archived>,
    /// How often it was shown, and what came of it.
    #[serde(flatten)]
    pub evidence: Evidence,
}

impl KnowledgeEntry {
    /// From when on it fades.
    pub fn touched_at(&self) -> Timestamp {
        self.last_retrieved_at.unwrap_or(self.extracted_at).max(self.extracted_at)
    }

    /// Whether nothing took its place and nobody put it away; it may have faded.
    pub fn is_kept(&self) -> bool {
        self.superseded_by.is_none() && self.archived.is_none()
    }
}

impl Ranked for KnowledgeEntry {
    /// The latest first.
    fn rank(&self) -> i64 {
        self.extracted_at.millis()
    }
}

words! {
    /// What became of a candidate.
    pub enum Review {
        /// Nobody has looked yet.
        Waiting = "waiting",
        /// It counts.
        Accepted = "accepted",
        /// It does not.
        Rejected = "rejected",
    }
}

/// Something that may be known: it does not count before somebody accepts it.
#[sparse]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema, Deserialize)]
pub struct Candidate {
    /// What would be known.
    #[serde(flatten)]
    pub said: KnowledgeText,
    /// Who proposed it.
    pub by: AgentId,
    /// When.
    pub at: Timestamp,
    /// How often it was proposed, from other entries each time.
    pub seen: u64,
    /// The entries that it would take the place of.
    pub supersedes: Vec<EntryId>,
    /// What became of it.
    pub review: Review,
    /// Who reviewed it, and when.
    pub reviewed: Option<(AgentId, Timestamp)>,
    /// The entry that it became.
    pub entry: Option<EntryId>,
    /// Why it was rejected.
    pub reason: Option<Box<str>>,
}

impl Ranked for Candidate {
    /// Those that wait first, the latest first.
    fn rank(&self) -> i64 {
        const MILLIS_BITS: u32 = 48;
        let waits = i64::from(self.review == Review::Waiting);
        waits << MILLIS_BITS | self.at.millis().clamp(0, (1 << MILLIS_BITS) - 1)
    }
}
