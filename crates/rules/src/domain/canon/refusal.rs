//! Why canon stays as it is.

use super::event::ClaimConflict;
use annals_kernel::id::AgentId;
use annals_kernel::refusal::refusal;

refusal! {
    /// Why canon stays as it is.
    pub enum Refusal {
        /// Control-room 6.2.
        NotALead = "canon.not_a_lead" { actor: AgentId, what: &'static str },
        /// Control-room 6.2.
        TooFewVotes = "canon.too_few_votes" { needed: u32, has: usize },
        /// Control-room 6.2.
        Contradicted = "canon.contradicted" { conflicts: Vec<ClaimConflict> },
        /// It would be a file name that is none.
        BadKey = "canon.bad_key" { key: Box<str> },
        /// What its supporters did not read.
        NotItsText = "canon.not_its_text",
        /// What another issue made canon is not replaced by the way.
        Taken = "canon.taken" { key: Box<str> },
        /// There is no such entry, or no such version of it.
        UnknownEntry = "canon.unknown_entry" { anchor: Box<str> },
        /// It was retired.
        RetiredAlready = "canon.retired_already" { key: Box<str> },
        /// Nothing is said.
        NoText = "canon.no_text",
        /// A text that nobody could read.
        TooLong = "canon.too_long" { length: usize, most: usize },
        /// A claim that says nothing, or too much.
        BadClaim = "canon.bad_claim" { most: usize },
        /// More than anybody could compare.
        TooManyClaims = "canon.too_many_claims" { count: usize, most: usize },
        /// It is so already.
        NothingToChange = "canon.nothing_to_change" { key: Box<str> },
        /// Nothing contradicts canon.
        NoConflict = "canon.no_conflict",
        /// What whoever leads would have to be told.
        NoIssue = "canon.no_issue",
    }
}
