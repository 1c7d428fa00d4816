//! What can be asked of canon.

use annals_sparse::sparse;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::claim::Claim;
use annals_kernel::grounding::words;
use annals_kernel::id::{AgentId, IssueId};
use annals_kernel::wire::wire;

wire! {
    /// What can be asked of canon.
    pub enum Command {
        /// Make an issue canon (control-room 6.2).
        Promote(Promote) = "canon.issue.promote",
        /// Say what holds.
        State(Statement) = "canon.entry.state",
        /// Say that it holds no more.
        Retire(Retire) = "canon.entry.retire",
        /// Say that a text contradicts canon, before somebody goes by it.
        Detect(Detect) = "canon.conflict.detect",
        /// Say what is to become of such a text (control-room 14.3).
        Resolve(Resolve) = "canon.conflict.resolve",
    }
}

/// Fields of `canon.issue.promote`.
#[sparse]
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Promote {
    /// Which.
    pub issue: IssueId,
    /// The entry that it makes, or makes a new version of; none: as the title suggests.
    pub key: Option<Box<str>>,
    /// A line.
    pub title: Box<str>,
    /// What holds from now on, Markdown.
    pub text: Box<str>,
    /// Claims that a model or a person adds to those that are found in the text.
    pub claims: Vec<Claim>,
}

/// Fields of `canon.entry.state`.
#[sparse]
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Statement {
    /// The entry; a new version where there is one.
    pub key: Box<str>,
    /// A line; none: that of the version before.
    pub title: Option<Box<str>>,
    /// What holds, Markdown.
    pub text: Box<str>,
    /// Claims that a model or a person adds to those that are found in the text.
    pub claims: Vec<Claim>,
}

/// Fields of `canon.entry.retire`.
#[sparse]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Retire {
    /// The entry.
    pub key: Box<str>,
    /// Why.
    pub reason: Option<Box<str>>,
}

/// Fields of `canon.conflict.detect`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Detect {
    /// SHA-256 of the text.
    pub text: Box<str>,
    /// What it claims against canon.
    pub claims: Vec<Claim>,
}

words! {
    /// What is to become of a text that contradicts canon (control-room 14.3).
    pub enum Answer {
        /// The text holds; canon gets a new version.
        Override = "override",
        /// Canon holds; the text is to be changed.
        Keep = "keep",
        /// The team is asked.
        Discuss = "discuss",
    }
}

/// Fields of `canon.conflict.resolve`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Resolve {
    /// What is to become of it.
    pub answer: Answer,
    /// SHA-256 of the text.
    pub text: Box<str>,
    /// What it claims against canon.
    pub claims: Vec<Claim>,
    /// Who caught it, where that is not known from a `canon.conflict.detect`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detected_by: Option<AgentId>,
    /// The issue in which the team is asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub issue: Option<IssueId>,
}

/// What was found out for a command before it was decided.
#[sparse]
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Observed {
    /// For `canon.issue.promote` and `canon.entry.state`: the claims that the rules find in the text.
    pub claims: Vec<Claim>,
    /// For `canon.issue.promote`: SHA-256 of what the issue itself says, which is all that an agent may promote.
    pub text: Option<Box<str>>,
}
