//! Why an entry stays as it is.

use serde::Serialize;

use super::row::Category;
use annals_kernel::id::AgentId;
use annals_kernel::share::Share;
use annals_kernel::time::Timestamp;

/// Why an entry stays as it is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(untagged)]
#[non_exhaustive]
pub enum Refusal {
    /// Nobody could write it twice.
    BadKey {
        /// As it was given.
        key: Box<str>,
    },
    /// Nothing was learnt.
    NoValue,
    /// Nobody could read it.
    TooLong {
        /// Value, reason or alternative.
        what: &'static str,
        /// How many it has.
        length: usize,
        /// The most.
        most: usize,
    },
    /// Nobody could find it.
    BadWords {
        /// The most.
        most: usize,
        /// The longest.
        chars: usize,
    },
    /// It would be gone at once.
    TooWeak {
        /// What it has.
        confidence: Share,
        /// What it needs.
        least: Share,
    },
    /// It is there, and says so.
    Known {
        /// The key.
        key: Box<str>,
    },
    /// It is there, and says something else.
    OtherValue {
        /// The key.
        key: Box<str>,
    },
    /// Nothing has this key.
    UnknownEntry {
        /// The key.
        key: Box<str>,
    },
    /// Decision 21.
    Expired {
        /// The key.
        key: Box<str>,
        /// When.
        at: Timestamp,
    },
    /// One thing at a time.
    ContestedAlready {
        /// The key.
        key: Box<str>,
    },
    /// Nothing to settle.
    NotContested {
        /// The key.
        key: Box<str>,
    },
    /// It was decided to keep it for good.
    Golden {
        /// The key.
        key: Box<str>,
    },
    /// It is that already.
    GoldenAlready {
        /// The key.
        key: Box<str>,
    },
    /// It is that already.
    GlobalAlready {
        /// The key.
        key: Box<str>,
    },
    /// AFS 6.5.
    StaysHere {
        /// Its category.
        category: Category,
    },
    /// AFS 13.2.
    GlobalDisabled,
    /// Nobody could judge it.
    NoReason,
    /// Nothing to choose from.
    NoAlternative,
    /// Nothing would change.
    SameValue {
        /// The key.
        key: Box<str>,
    },
    /// What one agent has learnt, another does not overwrite.
    NotItsAuthor {
        /// Who asked.
        actor: AgentId,
        /// The key.
        key: Box<str>,
        /// Whose it is.
        author: AgentId,
    },
    /// A council, or who leads.
    NotALead {
        /// Who asked.
        actor: AgentId,
        /// What was asked.
        what: &'static str,
    },
    /// Agents contest; they do not take away.
    NotTheUser {
        /// Who asked.
        actor: AgentId,
    },
    /// It stands in paths.
    BadStore {
        /// As it was given.
        name: Box<str>,
    },
    /// More than a line should hold.
    TooMany {
        /// How many there are.
        count: usize,
        /// The most.
        most: usize,
    },
}

impl Refusal {
    /// The rule, as it is recorded.
    pub fn rule(&self) -> &'static str {
        match self {
            Self::BadKey { .. } => "hivemind.bad_key",
            Self::NoValue => "hivemind.no_value",
            Self::TooLong { .. } => "hivemind.too_long",
            Self::BadWords { .. } => "hivemind.bad_words",
            Self::TooWeak { .. } => "hivemind.too_weak",
            Self::Known { .. } => "hivemind.known",
            Self::OtherValue { .. } => "hivemind.other_value",
            Self::UnknownEntry { .. } => "hivemind.unknown_entry",
            Self::Expired { .. } => "hivemind.expired",
            Self::ContestedAlready { .. } => "hivemind.contested_already",
            Self::NotContested { .. } => "hivemind.not_contested",
            Self::Golden { .. } => "hivemind.golden",
            Self::GoldenAlready { .. } => "hivemind.golden_already",
            Self::GlobalAlready { .. } => "hivemind.global_already",
            Self::StaysHere { .. } => "hivemind.stays_here",
            Self::GlobalDisabled => "hivemind.global_disabled",
            Self::NoReason => "hivemind.no_reason",
            Self::NoAlternative => "hivemind.no_alternative",
            Self::SameValue { .. } => "hivemind.same_value",
            Self::NotItsAuthor { .. } => "hivemind.not_its_author",
            Self::NotALead { .. } => "hivemind.not_a_lead",
            Self::NotTheUser { .. } => "hivemind.not_the_user",
            Self::BadStore { .. } => "hivemind.bad_store",
            Self::TooMany { .. } => "hivemind.too_many",
        }
    }
}
