//! What can be asked of issues.

use std::collections::BTreeSet;

use annals_sparse::sparse;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::status::{IssuePriority, LinkKind, Usefulness};
use annals_kernel::grounding::{Checked, Citation, Evidence, Impact, Stance, words};
use annals_kernel::id::{AgentId, IssueId};
use annals_kernel::time::Timestamp;
use annals_kernel::wire::wire;

wire! {
    /// What can be asked of issues.
    pub enum Command {
        /// Open an issue.
        Open = "issues.issue.open" derive(Default) {
            /// Its title, a line.
            title: Box<str>,
            /// The text, Markdown.
            #[serde(default)]
            body: Box<str>,
            /// The assignee.
            assignee: Option<AgentId>,
            /// How much it matters.
            #[sparse]
            priority: IssuePriority,
            /// A tag, with or without #.
            tags: BTreeSet<Box<str>>,
            /// An issue that it has to do with.
            related: BTreeSet<IssueId>,
            /// How much it would change.
            impact: Option<Impact>,
            /// Where it was known before: `beads:bd-12`. The same source is opened once.
            source: Option<Box<str>>,
        },
        /// Change an issue; what is not named stays.
        Edit = "issues.issue.edit" derive(Default) {
            /// Which issue: 42, #42b or an id.
            issue: IssueId,
            /// Its new title.
            title: Option<Box<str>>,
            /// Its new text.
            body: Option<Box<str>>,
            /// The assignee; "" takes it away.
            assignee: Option<AgentId>,
            /// How much it matters.
            priority: Option<IssuePriority>,
            /// A tag to add.
            tags: BTreeSet<Box<str>>,
            /// A tag to take off.
            untag: BTreeSet<Box<str>>,
        },
        /// Say something.
        Comment = "issues.comment.add" {
            /// On which issue.
            issue: IssueId,
            /// Markdown.
            body: Box<str>,
            /// For, against, or neither.
            #[sparse]
            stance: Stance,
            /// How much it would change.
            impact: Option<Impact>,
            /// What it stands on.
            #[sparse]
            evidence: Evidence,
            /// What its author did.
            action: Option<AuthorAct>,
            /// Why the evidence was looked up, and what came of it.
            #[sparse]
            citation: Citation,
        },
        /// End it with a decision.
        Resolve = "issues.issue.resolve" derive(Default) {
            /// Which issue: 42, #42b or an id.
            issue: IssueId,
            /// What was decided; it counts as a comment.
            note: Box<str>,
            /// What the decision stands on.
            #[sparse]
            evidence: Evidence,
            /// Why before there were enough comments, or while it is frozen: only for user, team lead and moderator.
            force: Option<Box<str>>,
        },
        /// End it without one.
        Close = "issues.issue.close" {
            /// Which issue: 42, #42b or an id.
            issue: IssueId,
            /// Why, in words.
            reason: Option<Box<str>>,
        },
        /// Take it up again.
        Reopen = "issues.issue.reopen" {
            /// Which issue: 42, #42b or an id.
            issue: IssueId,
            /// Why, in words.
            reason: Option<Box<str>>,
        },
        /// Stop the discussion for a while.
        Freeze = "issues.issue.freeze" {
            /// Which issue: 42, #42b or an id.
            issue: IssueId,
            /// Why, in words.
            reason: Box<str>,
        },
        /// Let the discussion go on, with guidance.
        Unfreeze = "issues.issue.unfreeze" {
            /// Which issue: 42, #42b or an id.
            issue: IssueId,
            /// Guidance for the comments that follow.
            guidance: Box<str>,
        },
        /// Say how two issues depend on each other.
        Link = "issues.issue.link" {
            /// From which.
            issue: IssueId,
            /// How.
            kind: LinkKind,
            /// To which: `issue` blocks it, is part of it, was found while working on it, has to do with it.
            to: IssueId,
        },
        /// Take that back.
        Unlink = "issues.issue.unlink" {
            /// From which.
            issue: IssueId,
            /// How.
            kind: LinkKind,
            /// To which.
            to: IssueId,
        },
        /// Say that it was applied in the work, or that it is irrelevant.
        Mark = "issues.issue.mark" {
            /// Which issue: 42, #42b or an id.
            issue: IssueId,
            /// Applied or irrelevant.
            usefulness: Usefulness,
            /// A file of the project that shows it.
            file: Option<Box<str>>,
            /// A commit that shows it.
            commit: Option<Box<str>>,
        },
        /// Begin to work on it.
        Start = "issues.issue.start" {
            /// Which issue: 42, #42b or an id.
            issue: IssueId,
        },
        /// Read it, as an agent: that counts (decision 22).
        Read = "issues.issue.read" {
            /// Which issue: 42, #42b or an id.
            issue: IssueId,
        },
    }
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
pub struct AuthorAct {
    /// What kind.
    #[serde(rename = "type")]
    pub kind: ActionKind,
    /// What exactly: a file, a patch, a reason.
    pub details: Box<str>,
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
