//! Why an issue does not become what was asked.

use serde::Serialize;

use super::number::Label;
use super::status::Status;
use annals_kernel::id::{AgentId, IssueId};
use annals_kernel::json::as_text;
use annals_kernel::time::Timestamp;

/// Why an issue does not become what was asked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(untagged)]
#[non_exhaustive]
pub enum Refusal {
    /// There is no such issue.
    UnknownIssue {
        /// The id.
        issue: IssueId,
    },
    /// A title says what it is about.
    BadTitle {
        /// The most.
        most: usize,
    },
    /// A text that nobody could read.
    TooLong {
        /// How many it has.
        length: usize,
        /// The most.
        most: usize,
    },
    /// An empty text.
    NoText,
    /// The same source was opened before.
    KnownSource {
        /// Where it was known before.
        origin: Box<str>,
        /// What it is here.
        issue: IssueId,
    },
    /// The discussion is stopped (control-room 3.4).
    Frozen {
        /// Which.
        #[serde(serialize_with = "as_text")]
        label: Label,
        /// From when on anyone may act again.
        until: Timestamp,
    },
    /// It was frozen too often (decision 13).
    FrozenForGood {
        /// Which.
        #[serde(serialize_with = "as_text")]
        label: Label,
        /// How often.
        freezes: u32,
    },
    /// It has no arrow there.
    NotThen {
        /// Which.
        #[serde(serialize_with = "as_text")]
        label: Label,
        /// What it is.
        from: Status,
        /// What was asked.
        what: &'static str,
    },
    /// Too few have spoken (decision 12).
    TooEarly {
        /// Which.
        #[serde(serialize_with = "as_text")]
        label: Label,
        /// Comments, with this one.
        turns: usize,
        /// How many it needs.
        least: u32,
    },
    /// Only some may do this.
    NotPrivileged {
        /// Who asked.
        actor: AgentId,
        /// What was asked.
        what: &'static str,
    },
    /// It is so already.
    NothingToChange {
        /// Which.
        #[serde(serialize_with = "as_text")]
        label: Label,
    },
    /// A tag that only rules give.
    ReservedTag {
        /// As it was typed.
        tag: Box<str>,
    },
    /// It would wait for itself.
    Circular {
        /// Which.
        #[serde(serialize_with = "as_text")]
        label: Label,
    },
    /// What is to show that it was applied is not there.
    Refuted {
        /// Which.
        #[serde(serialize_with = "as_text")]
        label: Label,
    },
    /// A commit from before the issue was opened shows nothing that it led to.
    OldCommit {
        /// Which.
        #[serde(serialize_with = "as_text")]
        label: Label,
        /// When the commit was made.
        committed_at: Timestamp,
        /// When the issue was opened.
        opened_at: Timestamp,
    },
    /// Nothing shows that it was applied.
    NotShown {
        /// Which.
        #[serde(serialize_with = "as_text")]
        label: Label,
    },
}

impl Refusal {
    /// The rule, as it is recorded.
    pub fn rule(&self) -> &'static str {
        match self {
            Self::UnknownIssue { .. } => "issues.unknown_issue",
            Self::BadTitle { .. } => "issues.bad_title",
            Self::TooLong { .. } => "issues.too_long",
            Self::NoText => "issues.no_text",
            Self::KnownSource { .. } => "issues.known_source",
            Self::Frozen { .. } => "issues.frozen",
            Self::FrozenForGood { .. } => "issues.frozen_for_good",
            Self::NotThen { .. } => "issues.not_then",
            Self::TooEarly { .. } => "issues.too_early",
            Self::NotPrivileged { .. } => "issues.not_privileged",
            Self::NothingToChange { .. } => "issues.nothing_to_change",
            Self::ReservedTag { .. } => "issues.reserved_tag",
            Self::Circular { .. } => "issues.circular",
            Self::Refuted { .. } => "issues.refuted",
            Self::OldCommit { .. } => "issues.old_commit",
            Self::NotShown { .. } => "issues.not_shown",
        }
    }
}
