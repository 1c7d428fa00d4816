//! What can be asked of issues.

use std::collections::BTreeSet;

use annals_sparse::sparse;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::status::{LinkKind, Priority, Usefulness};
use annals_kernel::grounding::{Checked, Citation, Evidence, Impact, Stance, words};
use annals_kernel::id::{AgentId, IssueId};
use annals_kernel::time::Timestamp;
use annals_kernel::wire::wire;

wire! {
    /// What can be asked of issues.
    pub enum Command {
        /// Open an issue.
        Open(Open) = "issues.issue.open",
        /// Change an issue; what is not named stays.
        Edit(Edit) = "issues.issue.edit",
        /// Say something.
        Comment(Comment) = "issues.comment.add",
        /// End it with a decision.
        Resolve(Resolve) = "issues.issue.resolve",
        /// End it without one.
        Close(Close) = "issues.issue.close",
        /// Take it up again.
        Reopen(Reopen) = "issues.issue.reopen",
        /// Stop the discussion for a while.
        Freeze(Freeze) = "issues.issue.freeze",
        /// Let the discussion go on, with guidance.
        Unfreeze(Unfreeze) = "issues.issue.unfreeze",
        /// Say how two issues depend on each other.
        Link(Link) = "issues.issue.link",
        /// Take that back.
        Unlink(Unlink) = "issues.issue.unlink",
        /// Say that it was applied in the work, or that it is irrelevant.
        Mark(Mark) = "issues.issue.mark",
        /// Begin to work on it.
        Start(Start) = "issues.issue.start",
        /// Read it, as an agent: that counts (decision 22).
        Read(Read) = "issues.issue.read",
    }
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

/// Fields of `issues.issue.open`.
#[sparse]
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Open {
    /// A line.
    pub title: Box<str>,
    /// Markdown.
    #[serde(default)]
    pub body: Box<str>,
    /// Who is to take care of it.
    pub assignee: Option<AgentId>,
    /// How much it matters.
    #[serde(default, skip_serializing_if = "is_default")]
    pub priority: Priority,
    /// Tags, with or without `#`.
    pub tags: BTreeSet<Box<str>>,
    /// Issues that it has to do with.
    pub related: BTreeSet<IssueId>,
    /// How much the proposal would change.
    pub impact: Option<Impact>,
    /// Where it was known before: `beads:bd-12`. The same source is opened once.
    pub source: Option<Box<str>>,
}

/// Fields of `issues.issue.edit`.
#[sparse]
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Edit {
    /// Which.
    pub issue: IssueId,
    /// Its new title.
    pub title: Option<Box<str>>,
    /// Its new text.
    pub body: Option<Box<str>>,
    /// Who is to take care of it; empty: nobody.
    pub assignee: Option<AgentId>,
    /// How much it matters.
    pub priority: Option<Priority>,
    /// Tags to add.
    pub tags: BTreeSet<Box<str>>,
    /// Tags to take off.
    pub untag: BTreeSet<Box<str>>,
}

words! {
    /// What an author did beside commenting (control-room 5.1).
    pub enum ActionKind {
        /// A patch was made.
        PatchCreated = "patch-created",
        /// A file was changed.
        FileModified = "file-modified",
        /// The issue was resolved.
        Resolved = "resolved",
        /// It was handed on to somebody who can decide.
        Escalated = "escalated",
    }
}

/// What an author did beside commenting.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Action {
    /// What kind.
    #[serde(rename = "type")]
    pub kind: ActionKind,
    /// What exactly: a file, a patch, a reason.
    pub details: Box<str>,
}

/// Fields of `issues.comment.add`.
#[sparse]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Comment {
    /// On which issue.
    pub issue: IssueId,
    /// Markdown.
    pub body: Box<str>,
    /// For, against, or neither.
    #[serde(default = "neutral", skip_serializing_if = "is_neutral")]
    pub stance: Stance,
    /// How much it would change.
    pub impact: Option<Impact>,
    /// What it stands on.
    #[serde(default, skip_serializing_if = "Evidence::is_empty")]
    pub evidence: Evidence,
    /// What its author did.
    pub action: Option<Action>,
    /// Why the evidence was looked up, and what came of it.
    #[serde(default, skip_serializing_if = "Citation::is_empty")]
    pub citation: Citation,
}

fn neutral() -> Stance {
    Stance::Neutral
}

fn is_neutral(stance: &Stance) -> bool {
    *stance == Stance::Neutral
}

/// Fields of `issues.issue.resolve`.
#[sparse]
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Resolve {
    /// Which.
    pub issue: IssueId,
    /// What was decided; it counts as a comment.
    pub note: Box<str>,
    /// What the decision stands on.
    #[serde(default, skip_serializing_if = "Evidence::is_empty")]
    pub evidence: Evidence,
    /// Why before there were enough comments, or while it is frozen: only for user, team lead and moderator.
    pub force: Option<Box<str>>,
}

/// Fields of `issues.issue.close`.
#[sparse]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Close {
    /// Which.
    pub issue: IssueId,
    /// Why.
    pub reason: Option<Box<str>>,
}

/// Fields of `issues.issue.reopen`.
#[sparse]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Reopen {
    /// Which.
    pub issue: IssueId,
    /// Why.
    pub reason: Option<Box<str>>,
}

/// Fields of `issues.issue.freeze`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Freeze {
    /// Which.
    pub issue: IssueId,
    /// Why.
    pub reason: Box<str>,
}

/// Fields of `issues.issue.unfreeze`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Unfreeze {
    /// Which.
    pub issue: IssueId,
    /// What is to be heeded from here on; it stands in the thread (control-room 2.2, 9.3).
    pub guidance: Box<str>,
}

/// Fields of `issues.issue.link`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Link {
    /// From which.
    pub issue: IssueId,
    /// How.
    pub kind: LinkKind,
    /// To which: `issue` blocks it, is part of it, was found while working on it, has to do with it.
    pub to: IssueId,
}

/// Fields of `issues.issue.unlink`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Unlink {
    /// From which.
    pub issue: IssueId,
    /// How.
    pub kind: LinkKind,
    /// To which.
    pub to: IssueId,
}

/// Fields of `issues.issue.mark`.
#[sparse]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Mark {
    /// Which.
    pub issue: IssueId,
    /// Applied or irrelevant.
    pub usefulness: Usefulness,
    /// The file that shows it.
    pub file: Option<Box<str>>,
    /// The commit that shows it.
    pub commit: Option<Box<str>>,
}

/// Fields of `issues.issue.start`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Start {
    /// Which.
    pub issue: IssueId,
}

/// Fields of `issues.issue.read`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Read {
    /// Which.
    pub issue: IssueId,
}

/// What was found out for a command before it was decided.
#[sparse]
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Observed {
    /// For `issues.comment.add` and `issues.issue.resolve`: each cited file, in the order of the evidence.
    pub evidence: Vec<Checked>,
    /// For `issues.comment.add` and `issues.issue.resolve`: how many characters the text had, where only its beginning
    /// was handed in.
    pub cut_from: Option<u64>,
    /// For `issues.issue.mark`: what code found out about the file or commit that shows it.
    pub shown: Option<Shown>,
    /// For `issues.issue.mark`: SHA-256 of the file that shows it.
    pub sha256: Option<Box<str>>,
    /// For `issues.issue.mark`: when the commit that shows it was made, as it says.
    pub committed_at: Option<Timestamp>,
}

words! {
    /// What was found of the file or commit that is to show that an issue was applied.
    pub enum Shown {
        /// It is there.
        Found = "found",
        /// It is not.
        Missing = "missing",
    }
}
