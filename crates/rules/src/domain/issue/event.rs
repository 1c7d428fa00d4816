//! What happens to issues.

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::meta::Meta;
use super::status::{Epistemic, LinkKind, Part, Priority, Usefulness};
use annals_kernel::grounding::Stance;
use annals_kernel::grounds::Grounds;
use annals_kernel::id::{AgentId, IssueId};
use annals_kernel::time::Timestamp;
use annals_kernel::wire::wire;

wire! {
    /// What happened to an issue.
    pub enum Event {
        /// It was opened, with the fields of the command.
        Opened(Opened) = "issues.issue.opened",
        /// A rule opened it.
        Raised(Raised) = "issues.issue.raised",
        /// It was changed, as the command says.
        Edited(Edited) = "issues.issue.edited",
        /// A comment came into its thread, as the command says. The comment's id is that of the entry.
        CommentAdded(CommentAdded) = "issues.comment.added",
        /// Somebody tried to act on it while it was frozen.
        TurnedAway(TurnedAway) = "issues.actor.turned_away",
        /// A text was too long to be taken.
        TextRefused(TextRefused) = "issues.text.refused",
        /// It is better founded than before.
        EpistemicChanged(EpistemicChanged) = "issues.epistemic.changed",
        /// It ended with a decision.
        Resolved(Resolved) = "issues.issue.resolved",
        /// It ended without one.
        Closed(Closed) = "issues.issue.closed",
        /// It was taken up again.
        Reopened(Reopened) = "issues.issue.reopened",
        /// Somebody began to work on it.
        Started(Started) = "issues.issue.started",
        /// The discussion was stopped.
        Frozen(Frozen) = "issues.issue.frozen",
        /// The time of a freeze was over, and somebody acted (decision 13). A new epoch begins.
        Thawed(Thawed) = "issues.issue.thawed",
        /// Somebody let the discussion go on. A new epoch begins.
        Unfrozen(Unfrozen) = "issues.issue.unfrozen",
        /// It depends on another one.
        Linked(Linked) = "issues.issue.linked",
        /// It does so no more.
        Unlinked(Unlinked) = "issues.issue.unlinked",
        /// It was marked as applied or irrelevant.
        Marked(Marked) = "issues.issue.marked",
        /// An agent said that it was applied, and what it named to show that is not there.
        Refuted(Refuted) = "issues.claim.refuted",
        /// An agent read it.
        WasRead(WasRead) = "issues.issue.accessed",
        /// An opinion of a blind pass came into its thread. Its text is observed in the entry (decision 40).
        OpinionRevealed(OpinionRevealed) = "issues.opinion.revealed",
    }
}

/// Declares the fields of events that name an issue and no more.
macro_rules! of_an_issue {
    ($( $(#[doc = $doc:literal])* $type:ident { $( $(#[doc = $field_doc:literal])* $(#[serde($($serde:tt)*)])? $field:ident: $data:ty, )* } )*) => {
        $(
            $(#[doc = $doc])*
            #[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
            pub struct $type {
                /// Which.
                pub issue: IssueId,
                $( $(#[doc = $field_doc])* $(#[serde($($serde)*)])? pub $field: $data, )*
            }
        )*

        impl Event {
            /// Which issue it happened to.
            pub fn issue(&self) -> &IssueId {
                match self {
                    Self::Raised(raised) => &raised.issue,
                    $( Self::$type(event) => &event.issue, )*
                }
            }
        }
    };
}

of_an_issue! {
    /// Fields of `issues.issue.opened`.
    Opened {
        /// Its number: for people, and for ever.
        number: u64,
        /// Its tags, where they are known in another form than the command has them.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        tags: Option<BTreeSet<Box<str>>>,
    }
    /// Fields of `issues.issue.edited`.
    Edited {
        /// Which of its words are others now: these are shown in the thread. In older lines nothing is said.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        words: Vec<Part>,
        /// The tags that it has now, where they are known in another form than the command has them.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        tags: Option<BTreeSet<Box<str>>>,
    }
    /// Fields of `issues.comment.added`.
    CommentAdded {
        /// How much of what it cites is evidence; none where it cites nothing. In older lines all of it counts.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        grounds: Option<Grounds>,
    }
    /// Fields of `issues.actor.turned_away`.
    TurnedAway {
        /// Who.
        actor: AgentId,
    }
    /// Fields of `issues.text.refused`.
    TextRefused {
        /// Who.
        actor: AgentId,
        /// How many characters it has.
        length: u64,
    }
    /// Fields of `issues.epistemic.changed`.
    EpistemicChanged {
        /// What it was.
        from: Epistemic,
        /// What it is.
        to: Epistemic,
    }
    /// Fields of `issues.issue.resolved`.
    Resolved {
        /// How much of what it cites is evidence; none where it cites nothing. In older lines all of it counts.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        grounds: Option<Grounds>,
    }
    /// Fields of `issues.issue.closed`.
    Closed {}
    /// Fields of `issues.issue.reopened`.
    Reopened {}
    /// Fields of `issues.issue.started`.
    Started {}
    /// Fields of `issues.issue.frozen`.
    Frozen {
        /// The rule, or the reason that somebody gave.
        reason: Box<str>,
        /// From when on anyone may act again.
        until: Timestamp,
    }
    /// Fields of `issues.issue.thawed`.
    Thawed {}
    /// Fields of `issues.issue.unfrozen`.
    Unfrozen {}
    /// Fields of `issues.issue.linked`.
    Linked {
        /// How.
        kind: LinkKind,
        /// To which.
        to: IssueId,
    }
    /// Fields of `issues.issue.unlinked`.
    Unlinked {
        /// How.
        kind: LinkKind,
        /// To which.
        to: IssueId,
    }
    /// Fields of `issues.issue.marked`.
    Marked {
        /// Applied or irrelevant.
        usefulness: Usefulness,
    }
    /// Fields of `issues.claim.refuted`.
    Refuted {}
    /// Fields of `issues.issue.accessed`.
    WasRead {}
    /// Fields of `issues.opinion.revealed`.
    OpinionRevealed {
        /// Whose.
        agent: AgentId,
        /// For, against, or neither.
        stance: Stance,
    }
}

/// Fields of `issues.issue.raised`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Raised {
    /// The new issue.
    pub issue: IssueId,
    /// Its number.
    pub number: u64,
    /// A line that somebody gave; none where it is made of what the issue is about.
    #[serde(default, skip_serializing_if = "str::is_empty")]
    pub title: Box<str>,
    /// Who is to take care of it.
    pub assignee: AgentId,
    /// How much it matters.
    pub priority: Priority,
    /// With `#meta`.
    pub tags: BTreeSet<Box<str>>,
    /// What it is about: its text is made of that.
    pub meta: Meta,
}
