//! Why knowledge stays as it is.

use serde::Serialize;

use super::row::Review;
use annals_kernel::id::{AgentId, EntryId};

/// Why knowledge stays as it is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(untagged)]
#[non_exhaustive]
pub enum Refusal {
    /// What agents learn is reviewed before it counts.
    NotAReviewer {
        /// Who asked.
        actor: AgentId,
        /// What was asked.
        what: &'static str,
    },
    /// Nothing is said.
    NoText,
    /// Nobody would read it.
    TooLong {
        /// How many it has.
        length: usize,
        /// The most.
        most: usize,
    },
    /// A name that is none.
    BadName {
        /// The most.
        most: usize,
    },
    /// There is no such entry.
    UnknownEntry {
        /// Which.
        entry: EntryId,
    },
    /// Something else holds instead.
    Superseded {
        /// Which.
        entry: EntryId,
        /// What holds.
        by: EntryId,
    },
    /// An entry cannot take its own place.
    Itself {
        /// Which.
        entry: EntryId,
    },
    /// It is put away already.
    Archived {
        /// Which.
        entry: EntryId,
    },
    /// It is there.
    NotArchived {
        /// Which.
        entry: EntryId,
    },
    /// The same was added from the same place.
    Known {
        /// Which.
        entry: EntryId,
    },
    /// Nothing to look for.
    NoQuery,
    /// There is no such candidate.
    UnknownCandidate {
        /// Which.
        candidate: Box<str>,
    },
    /// It was reviewed.
    Settled {
        /// Which.
        candidate: Box<str>,
        /// What became of it.
        review: Review,
    },
    /// It was proposed, and is no news.
    Proposed {
        /// Which.
        candidate: Box<str>,
        /// What became of it.
        review: Review,
    },
}

impl Refusal {
    /// The rule, as it is recorded.
    pub fn rule(&self) -> &'static str {
        match self {
            Self::NotAReviewer { .. } => "knowledge.not_a_reviewer",
            Self::NoText => "knowledge.no_text",
            Self::TooLong { .. } => "knowledge.too_long",
            Self::BadName { .. } => "knowledge.bad_name",
            Self::UnknownEntry { .. } => "knowledge.unknown_entry",
            Self::Superseded { .. } => "knowledge.superseded",
            Self::Itself { .. } => "knowledge.itself",
            Self::Archived { .. } => "knowledge.archived",
            Self::NotArchived { .. } => "knowledge.not_archived",
            Self::Known { .. } => "knowledge.known",
            Self::NoQuery => "knowledge.no_query",
            Self::UnknownCandidate { .. } => "knowledge.unknown_candidate",
            Self::Settled { .. } => "knowledge.settled",
            Self::Proposed { .. } => "knowledge.proposed",
        }
    }
}
