//! Why knowledge stays as it is.

use super::row::Review;
use crate::kernel::id::{AgentId, EntryId};

/// Why knowledge stays as it is.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Refusal {
    /// What agents learn is reviewed before it counts.
    #[error("{actor} may not {what}: that is for the user, the team lead and the moderator")]
    NotAReviewer {
        /// Who asked.
        actor: AgentId,
        /// What was asked.
        what: &'static str,
    },
    /// Nothing is said.
    #[error("there is no text")]
    NoText,
    /// Nobody would read it.
    #[error("an entry of knowledge may have {most} characters at most; this one has {length}")]
    TooLong {
        /// How many it has.
        length: usize,
        /// The most.
        most: usize,
    },
    /// A name that is none.
    #[error("a name has 1 to {most} characters and no line breaks")]
    BadName {
        /// The most.
        most: usize,
    },
    /// There is no such entry.
    #[error("there is no entry {entry} of knowledge")]
    UnknownEntry {
        /// Which.
        entry: EntryId,
    },
    /// Something else holds instead.
    #[error("{entry} holds no more: {by} holds instead")]
    Superseded {
        /// Which.
        entry: EntryId,
        /// What holds.
        by: EntryId,
    },
    /// An entry cannot take its own place.
    #[error("{entry} cannot take its own place")]
    Itself {
        /// Which.
        entry: EntryId,
    },
    /// It is put away already.
    #[error("{entry} is archived already")]
    Archived {
        /// Which.
        entry: EntryId,
    },
    /// It is there.
    #[error("{entry} is not archived")]
    NotArchived {
        /// Which.
        entry: EntryId,
    },
    /// The same was added from the same place.
    #[error("{entry} says so already, from the same source")]
    Known {
        /// Which.
        entry: EntryId,
    },
    /// Nothing to look for.
    #[error("a retrieval needs a query or an entity")]
    NoQuery,
    /// There is no such candidate.
    #[error("there is no candidate {candidate}")]
    UnknownCandidate {
        /// Which.
        candidate: Box<str>,
    },
    /// It was reviewed.
    #[error("candidate {candidate} was {review} already")]
    Settled {
        /// Which.
        candidate: Box<str>,
        /// What became of it.
        review: Review,
    },
    /// It was proposed, and is no news.
    #[error("candidate {candidate} says so already, and is {review}")]
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

    /// What can be done about it.
    pub fn hint(&self) -> &'static str {
        match self {
            Self::NotAReviewer { .. } => {
                "`annals knowledge propose` waits for a review; knowledge.agents_may_add lets agents do without"
            }
            Self::NoText => "say what is known, in a sentence",
            Self::TooLong { .. } => "make several entries of it, or a page of canon",
            Self::BadName { .. } => "name a person, a file, a library: `--entity sqlite`",
            Self::UnknownEntry { .. } => "`annals knowledge list --all` shows those there are",
            Self::Superseded { .. } => "`annals knowledge show` shows both",
            Self::Itself { .. } => "name the entry that holds instead",
            Self::Archived { .. } => "`annals knowledge restore` brings it back",
            Self::NotArchived { .. } => "nothing is left to do",
            Self::Known { .. } => "`annals knowledge feedback` says that it helped",
            Self::NoQuery => "`annals knowledge search \"how are tests run\"`, or `--entity sqlite`",
            Self::UnknownCandidate { .. } => "`annals knowledge review` shows those that wait",
            Self::Settled { .. } => "`annals knowledge review --all` shows what became of it",
            Self::Proposed { .. } => "`annals knowledge review --all` shows it",
        }
    }
}
