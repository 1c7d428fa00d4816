//! Why knowledge stays as it is.

use super::row::Review;
use super::settle::Unsettled;
use annals_kernel::id::{AgentId, EntryId};
use annals_kernel::refusal::refusal;

refusal! {
    /// Why knowledge stays as it is.
    pub enum Refusal {
        /// What agents learn is reviewed before it counts.
        NotAReviewer = "knowledge.not_a_reviewer" { actor: AgentId, what: &'static str },
        /// One decision proposes so many.
        TooMuch = "knowledge.too_much" { most: usize },
        /// All of it waits already, or was reviewed.
        NothingNew = "knowledge.nothing_new",
        /// Nothing is said.
        NoText = "knowledge.no_text",
        /// Nobody would read it.
        TooLong = "knowledge.too_long" { length: usize, most: usize },
        /// A name that is none.
        BadName = "knowledge.bad_name" { most: usize },
        /// There is no such entry.
        UnknownEntry = "knowledge.unknown_entry" { entry: EntryId },
        /// Something else holds instead.
        Superseded = "knowledge.superseded" { entry: EntryId, by: EntryId },
        /// An entry cannot take its own place.
        Itself = "knowledge.itself" { entry: EntryId },
        /// Two entries do not say the opposite of each other.
        NotOpposed = "knowledge.not_opposed" { entry: EntryId, other: EntryId },
        /// Nothing on record says which of two holds.
        Unsettled = "knowledge.unsettled" { entry: EntryId, other: EntryId, why: Unsettled },
        /// It is put away already.
        Archived = "knowledge.archived" { entry: EntryId },
        /// It is there.
        NotArchived = "knowledge.not_archived" { entry: EntryId },
        /// The same was added from the same place.
        Known = "knowledge.known" { entry: EntryId },
        /// Nothing to look for.
        NoQuery = "knowledge.no_query",
        /// There is no such candidate.
        UnknownCandidate = "knowledge.unknown_candidate" { candidate: Box<str> },
        /// It was reviewed.
        Settled = "knowledge.settled" { candidate: Box<str>, review: Review },
        /// It was proposed, and is no news.
        Proposed = "knowledge.proposed" { candidate: Box<str>, review: Review },
    }
}
