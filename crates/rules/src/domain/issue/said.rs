//! What a command would bring into a thread: a comment, or the text that resolves the issue.
//!
//! Does not judge it; the breakers do.

use super::command::{Command, Comment, Resolve};
use annals_kernel::grounding::{Evidence, Impact, Stance};
use annals_kernel::id::IssueId;

/// A text that would come into a thread.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum ThreadText<'c> {
    /// A comment.
    Comment(&'c Comment),
    /// The text that resolves the issue.
    Resolution(&'c Resolve),
}

impl Command {
    /// What it would bring into a thread; nothing where it says nothing there.
    pub fn said(&self) -> Option<ThreadText<'_>> {
        match self {
            Self::Comment(comment) => Some(ThreadText::Comment(comment)),
            Self::Resolve(resolve) => Some(ThreadText::Resolution(resolve)),
            Self::Open(_)
            | Self::Edit(_)
            | Self::Close(_)
            | Self::Reopen(_)
            | Self::Freeze(_)
            | Self::Unfreeze(_)
            | Self::Link(_)
            | Self::Unlink(_)
            | Self::Mark(_)
            | Self::Start(_)
            | Self::Read(_) => None,
        }
    }
}

impl<'c> ThreadText<'c> {
    /// On which issue.
    pub fn issue(self) -> &'c IssueId {
        match self {
            Self::Comment(comment) => &comment.issue,
            Self::Resolution(resolve) => &resolve.issue,
        }
    }

    /// Its words.
    pub fn text(self) -> &'c str {
        match self {
            Self::Comment(comment) => &comment.body,
            Self::Resolution(resolve) => &resolve.note,
        }
    }

    /// How much it would change; a resolution does not say.
    pub fn impact(self) -> Option<Impact> {
        match self {
            Self::Comment(comment) => comment.impact,
            Self::Resolution(_) => None,
        }
    }

    /// For, against, or neither; a resolution is neither.
    pub fn stance(self) -> Stance {
        match self {
            Self::Comment(comment) => comment.stance,
            Self::Resolution(_) => Stance::Neutral,
        }
    }

    /// What it stands on.
    pub fn evidence(self) -> &'c Evidence {
        match self {
            Self::Comment(comment) => &comment.evidence,
            Self::Resolution(resolve) => &resolve.evidence,
        }
    }
}
