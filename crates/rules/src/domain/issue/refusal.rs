//! Why an issue does not become what was asked.

use super::number::Label;
use super::status::IssueStatus;
use annals_kernel::id::{AgentId, IssueId};
use annals_kernel::json::as_text;
use annals_kernel::refusal::refusal;
use annals_kernel::time::Timestamp;

refusal! {
    /// Why an issue does not become what was asked.
    pub enum Refusal {
        /// There is no such issue.
        UnknownIssue = "issues.unknown_issue" { issue: IssueId },
        /// A title says what it is about.
        BadTitle = "issues.bad_title" { most: usize },
        /// A text that nobody could read.
        TooLong = "issues.too_long" { length: usize, most: usize },
        /// An empty text.
        NoText = "issues.no_text",
        /// The same source was opened before.
        KnownSource = "issues.known_source" { origin: Box<str>, issue: IssueId },
        /// The discussion is stopped (control-room 3.4).
        Frozen = "issues.frozen" { #[serde(serialize_with = "as_text")] label: Label, until: Timestamp },
        /// It was frozen too often (decision 13).
        FrozenForGood = "issues.frozen_for_good" {
            #[serde(serialize_with = "as_text")] label: Label, freezes: u32,
        },
        /// It has no arrow there.
        NotThen = "issues.not_then" {
            #[serde(serialize_with = "as_text")] label: Label, from: IssueStatus, what: &'static str,
        },
        /// Too few have spoken (decision 12).
        TooEarly = "issues.too_early" {
            #[serde(serialize_with = "as_text")] label: Label, turns: usize, least: u32,
        },
        /// Only some may do this.
        NotPrivileged = "issues.not_privileged" { actor: AgentId, what: &'static str },
        /// It is so already.
        NothingToChange = "issues.nothing_to_change" { #[serde(serialize_with = "as_text")] label: Label },
        /// A tag that only rules give.
        ReservedTag = "issues.reserved_tag" { tag: Box<str> },
        /// It would wait for itself.
        Circular = "issues.circular" { #[serde(serialize_with = "as_text")] label: Label },
        /// What is to show that it was applied is not there.
        Refuted = "issues.refuted" { #[serde(serialize_with = "as_text")] label: Label },
        /// A commit from before the issue was opened shows nothing that it led to.
        OldCommit = "issues.old_commit" {
            #[serde(serialize_with = "as_text")] label: Label, committed_at: Timestamp, opened_at: Timestamp,
        },
        /// Nothing shows that it was applied.
        NotShown = "issues.not_shown" { #[serde(serialize_with = "as_text")] label: Label },
    }
}
