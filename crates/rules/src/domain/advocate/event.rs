//! What happens to dissent.

use annals_kernel::grounding::{DissentReason, words};
use annals_kernel::id::{AgentId, IssueId};
use annals_kernel::wire::wire;

wire! {
    /// What happened to dissent.
    pub enum Event each {
        /// On which issue.
        issue: IssueId as &IssueId
    } {
        /// Somebody asked for a challenge; who gives it follows.
        Called = "advocate.assignment.called" {
            /// Who is to do it; none: whose turn it is.
            agent: Option<AgentId>,
        },
        // (control-room 13.1).
        /// An agent is to challenge what an issue proposes.
        Made = "advocate.assignment.made" {
            /// By whom.
            agent: AgentId,
            /// Why.
            reason: DissentReason,
            /// Who asked for it: `system`, or whoever called.
            by: AgentId,
            /// For how many comments on the issue.
            comments: u32,
        },
        /// Nobody can challenge it.
        Failed = "advocate.assignment.failed" {
            /// Why.
            reason: DissentReason,
            /// Who asked for it.
            by: AgentId,
        },
        /// The agent did challenge it: the devil's advocate was consulted.
        Fulfilled = "advocate.assignment.fulfilled" {
            /// By whom.
            agent: AgentId,
        },
        /// The task is over.
        Expired = "advocate.assignment.expired" {
            /// Whose task it was.
            agent: AgentId,
            /// How many comments were made of it.
            used: u32,
            /// Why it is over.
            ending: DissentEnding,
        },
    }
}

words! {
    /// Why a task to dissent is over.
    pub enum DissentEnding {
        /// All its comments were made.
        CommentsMade = "comments-made",
        /// The issue ended.
        IssueEnded = "issue-ended",
        /// It was taken back.
        Released = "released",
    }
}
