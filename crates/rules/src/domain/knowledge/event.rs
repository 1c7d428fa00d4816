//! What happens to knowledge.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::command::{Reject, UseEnding};
use super::row::KnowledgeText;
use super::settle::SettledBy;
use super::trace::StageCount;
use annals_kernel::id::EntryId;
use annals_kernel::time::Timestamp;
use annals_kernel::wire::wire;

wire! {
    /// What happened to knowledge.
    pub enum Event {
        /// Something is known.
        Added = "knowledge.entry.added" {
            /// The entry: the id of the line that added it.
            entry: EntryId,
            /// What is known.
            #[serde(flatten)]
            said: KnowledgeText,
        },
        /// Another entry holds instead; the old one can be read.
        Superseded = "knowledge.entry.superseded" {
            /// The entry that holds no more.
            entry: EntryId,
            /// The one that holds instead.
            by: EntryId,
            /// By which rule, where a rule says so.
            because: Option<SettledBy>,
        },
        /// Somebody asked, and these entries came.
        Retrieved = "knowledge.entry.retrieved" {
            /// What came, the best first.
            entries: Vec<EntryId>,
            /// How many entries went into each stage and came out of it.
            #[always]
            stages: Vec<StageCount>,
        },
        /// An entry was put away.
        Archived = "knowledge.entry.archived" {
            /// Which.
            entry: EntryId,
            /// Why.
            reason: Option<Box<str>>,
        },
        /// An entry was brought back: from now on it fades anew.
        Restored = "knowledge.entry.restored" {
            /// Which.
            entry: EntryId,
        },
        /// It is announced what has faded. Changes no entry.
        Faded = "knowledge.entry.faded" {
            /// Those that faded first come first.
            #[always]
            entries: Vec<Crossing>,
        },
        /// Somebody worked with an entry.
        Given = "knowledge.feedback.given" {
            /// Which entry.
            entry: EntryId,
            /// What came of it.
            result: UseEnding,
        },
        /// Something may be known; it does not count yet.
        Proposed = "knowledge.candidate.proposed" {
            /// The candidate: the same for the same text of the same type.
            candidate: Box<str>,
            /// What may be known.
            #[serde(flatten)]
            said: KnowledgeText,
            /// The entries that it would take the place of.
            supersedes: Vec<EntryId>,
        },
        /// A candidate counts.
        Accepted = "knowledge.candidate.accepted" {
            /// Which.
            candidate: Box<str>,
            /// The entry that it became.
            entry: EntryId,
        },
        /// A candidate does not.
        Rejected(Reject) = "knowledge.candidate.rejected",
    }
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
