//! What the breakers did.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::rule::Check;
use crate::kernel::id::{AgentId, IssueId};
use crate::kernel::wire::wire;

wire! {
    /// What the breakers did to a comment. Its text stands in the command; it is in no thread (decision 6).
    pub enum Event {
        /// It was not taken.
        Rejected(Rejected) = "breakers.comment.rejected",
        /// It was not taken, and the issue is to be frozen.
        Tripped(Tripped) = "breakers.comment.frozen",
    }
}

/// Fields of `breakers.comment.rejected`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Rejected {
    /// On which issue.
    pub issue: IssueId,
    /// Whose it was.
    pub agent: AgentId,
    /// Every rule that it violates.
    pub violations: Vec<Check>,
}

/// Fields of `breakers.comment.frozen`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Tripped {
    /// On which issue.
    pub issue: IssueId,
    /// Whose it was.
    pub agent: AgentId,
    /// Every rule that it violates.
    pub violations: Vec<Check>,
}

impl Event {
    /// Whose comment it was.
    pub fn agent(&self) -> &AgentId {
        match self {
            Self::Rejected(rejected) => &rejected.agent,
            Self::Tripped(tripped) => &tripped.agent,
        }
    }

    /// On which issue.
    pub fn issue(&self) -> &IssueId {
        match self {
            Self::Rejected(rejected) => &rejected.issue,
            Self::Tripped(tripped) => &tripped.issue,
        }
    }

    /// Every rule that it violates.
    pub fn violations(&self) -> &[Check] {
        match self {
            Self::Rejected(rejected) => &rejected.violations,
            Self::Tripped(tripped) => &tripped.violations,
        }
    }
}
