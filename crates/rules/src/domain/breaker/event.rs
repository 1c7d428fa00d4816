//! What the breakers did.

use super::rule::Check;
use annals_kernel::id::{AgentId, IssueId};
use annals_kernel::wire::wire;

wire! {
    /// What the breakers did to a text. It stands in the command; it is in no thread and no issue (decision 6).
    pub enum Event {
        /// It was not taken.
        Rejected = "breakers.comment.rejected" {
            /// On which issue.
            issue: IssueId,
            /// Whose it was.
            agent: AgentId,
            /// Every rule that it violates.
            #[always]
            violations: Vec<Check>,
        },
        /// It was not taken, and the issue is to be frozen.
        Tripped = "breakers.comment.frozen" {
            /// On which issue.
            issue: IssueId,
            /// Whose it was.
            agent: AgentId,
            /// Every rule that it violates.
            #[always]
            violations: Vec<Check>,
        },
        /// The title and text of an issue, or an opinion of a blind pass, were not taken.
        TextRejected = "breakers.text.rejected" {
            /// Of or on which issue; none where it was to be opened.
            issue: Option<IssueId>,
            /// Whose it was.
            agent: AgentId,
            /// Every rule that it violates.
            #[always]
            violations: Vec<Check>,
        },
    }
}

impl Event {
    /// Whose text it was.
    pub fn agent(&self) -> &AgentId {
        match self {
            Self::Rejected(rejected) => &rejected.agent,
            Self::Tripped(tripped) => &tripped.agent,
            Self::TextRejected(rejected) => &rejected.agent,
        }
    }

    /// On which issue; none where it was to be opened.
    pub fn issue(&self) -> Option<&IssueId> {
        match self {
            Self::Rejected(rejected) => Some(&rejected.issue),
            Self::Tripped(tripped) => Some(&tripped.issue),
            Self::TextRejected(rejected) => rejected.issue.as_ref(),
        }
    }

    /// Every rule that it violates.
    pub fn violations(&self) -> &[Check] {
        match self {
            Self::Rejected(rejected) => &rejected.violations,
            Self::Tripped(tripped) => &tripped.violations,
            Self::TextRejected(rejected) => &rejected.violations,
        }
    }
}
