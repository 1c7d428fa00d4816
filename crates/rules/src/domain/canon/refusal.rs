//! Why canon stays as it is.

use serde::Serialize;

use super::event::Conflict;
use annals_kernel::id::AgentId;

/// Why canon stays as it is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(untagged)]
#[non_exhaustive]
pub enum Refusal {
    /// Control-room 6.2.
    NotALead {
        /// Who asked.
        actor: AgentId,
        /// What was asked.
        what: &'static str,
    },
    /// Control-room 6.2.
    TooFewVotes {
        /// How many it needs.
        needed: u32,
        /// How many it has.
        has: usize,
    },
    /// Control-room 6.2.
    Contradicted {
        /// Where.
        conflicts: Vec<Conflict>,
    },
    /// It would be a file name that is none.
    BadKey {
        /// The key.
        key: Box<str>,
    },
    /// What its supporters did not read.
    NotItsText,
    /// What another issue made canon is not replaced by the way.
    Taken {
        /// The key.
        key: Box<str>,
    },
    /// There is no such entry, or no such version of it.
    UnknownEntry {
        /// As it was named.
        anchor: Box<str>,
    },
    /// It was retired.
    RetiredAlready {
        /// The key.
        key: Box<str>,
    },
    /// Nothing is said.
    NoText,
    /// A text that nobody could read.
    TooLong {
        /// How many it has.
        length: usize,
        /// The most.
        most: usize,
    },
    /// A claim that says nothing, or too much.
    BadClaim {
        /// The most.
        most: usize,
    },
    /// More than anybody could compare.
    TooManyClaims {
        /// How many it makes.
        count: usize,
        /// The most.
        most: usize,
    },
    /// It is so already.
    NothingToChange {
        /// The key.
        key: Box<str>,
    },
    /// Nothing contradicts canon.
    NoConflict,
    /// What whoever leads would have to be told.
    NoIssue,
}

impl Refusal {
    /// The rule, as it is recorded.
    pub fn rule(&self) -> &'static str {
        match self {
            Self::NotALead { .. } => "canon.not_a_lead",
            Self::TooFewVotes { .. } => "canon.too_few_votes",
            Self::Contradicted { .. } => "canon.contradicted",
            Self::BadKey { .. } => "canon.bad_key",
            Self::NotItsText => "canon.not_its_text",
            Self::Taken { .. } => "canon.taken",
            Self::UnknownEntry { .. } => "canon.unknown_entry",
            Self::RetiredAlready { .. } => "canon.retired_already",
            Self::NoText => "canon.no_text",
            Self::TooLong { .. } => "canon.too_long",
            Self::BadClaim { .. } => "canon.bad_claim",
            Self::TooManyClaims { .. } => "canon.too_many_claims",
            Self::NothingToChange { .. } => "canon.nothing_to_change",
            Self::NoConflict => "canon.no_conflict",
            Self::NoIssue => "canon.no_issue",
        }
    }
}
