//! What happens to dissent.

use annals_sparse::sparse;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use annals_kernel::grounding::{DissentReason, words};
use annals_kernel::id::{AgentId, IssueId};
use annals_kernel::wire::wire;

wire! {
    /// What happened to dissent.
    pub enum Event {
        /// Somebody asked for a challenge; who gives it follows.
        Called(Called) = "advocate.assignment.called",
        /// An agent is to challenge what an issue proposes.
        Made(Made) = "advocate.assignment.made",
        /// Nobody can challenge it.
        Failed(Failed) = "advocate.assignment.failed",
        /// The agent did challenge it: the devil's advocate was consulted.
        Fulfilled(Fulfilled) = "advocate.assignment.fulfilled",
        /// The task is over.
        Expired(Expired) = "advocate.assignment.expired",
    }
}

/// Fields of `advocate.assignment.called`.
#[sparse]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Called {
    /// What is to be challenged.
    pub issue: IssueId,
    /// Who is to do it; none: whose turn it is.
    pub agent: Option<AgentId>,
}

/// Fields of `advocate.assignment.made` (control-room 13.1).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Made {
    /// What is to be challenged.
    pub issue: IssueId,
    /// By whom.
    pub agent: AgentId,
    /// Why.
    pub reason: DissentReason,
    /// Who asked for it: `system`, or whoever called.
    pub by: AgentId,
    /// For how many comments on the issue.
    pub comments: u32,
}

/// Fields of `advocate.assignment.failed`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Failed {
    /// What was to be challenged.
    pub issue: IssueId,
    /// Why.
    pub reason: DissentReason,
    /// Who asked for it.
    pub by: AgentId,
}

/// Fields of `advocate.assignment.fulfilled`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Fulfilled {
    /// What was challenged.
    pub issue: IssueId,
    /// By whom.
    pub agent: AgentId,
}

words! {
    /// Why a task to dissent is over.
    pub enum Ending {
        /// All its comments were made.
        CommentsMade = "comments-made",
        /// The issue ended.
        IssueEnded = "issue-ended",
        /// It was taken back.
        Released = "released",
    }
}

/// Fields of `advocate.assignment.expired`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Expired {
    /// Where.
    pub issue: IssueId,
    /// Whose task it was.
    pub agent: AgentId,
    /// How many comments were made of it.
    pub used: u32,
    /// Why it is over.
    pub ending: Ending,
}
