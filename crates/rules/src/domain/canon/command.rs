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
        Promote = "canon.issue.promote" derive(Default) {
            /// Which.
            issue: IssueId,
            /// The entry that it makes, or makes a new version of; none: as the title suggests.
            key: Option<Box<str>>,
            /// A line.
            title: Box<str>,
            /// What holds from now on, Markdown.
            text: Box<str>,
            /// Claims that a model or a person adds to those that are found in the text.
            claims: Vec<Claim>,
        },
        /// Say what holds.
        State(Statement) = "canon.entry.state",
        /// Say that it holds no more.
        Retire = "canon.entry.retire" {
            /// Which entry: its key.
            key: Box<str>,
            /// Why, in words.
            reason: Option<Box<str>>,
        },
        /// Say that a text contradicts canon, before somebody goes by it.
        Detect = "canon.conflict.detect" {
            /// SHA-256 of the text.
            text: Box<str>,
            /// What it claims against canon.
            #[always]
            claims: Vec<Claim>,
        },
        /// Say what is to become of such a text (control-room 14.3).
        Resolve = "canon.conflict.resolve" {
            /// What is to become of it.
            answer: ConflictAnswer,
            /// SHA-256 of the text.
            text: Box<str>,
            /// What it claims against canon.
            #[always]
            claims: Vec<Claim>,
            /// Who caught it, where that is not known from a `canon.conflict.detect`.
            detected_by: Option<AgentId>,
            /// The issue in which the team is asked.
            issue: Option<IssueId>,
        },
    }
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

words! {
    /// What is to become of a text that contradicts canon (control-room 14.3).
    pub enum ConflictAnswer {
        /// The text holds; canon gets a new version.
        Override = "override",
        /// Canon holds; the text is to be changed.
        Keep = "keep",
        /// The team is asked.
        Discuss = "discuss",
    }
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
