//! What happens to issues.

use std::collections::BTreeSet;

use super::meta::Meta;
use super::status::{EpistemicStatus, IssuePart, IssuePriority, LinkKind, Usefulness};
use annals_kernel::grounding::Stance;
use annals_kernel::grounds::Grounds;
use annals_kernel::id::{AgentId, IssueId};
use annals_kernel::time::Timestamp;
use annals_kernel::wire::wire;

wire! {
    /// What happened to an issue.
    pub enum Event each {
        /// Which issue.
        issue: IssueId as &IssueId
    } {
        /// It was opened, with the fields of the command.
        Opened = "issues.issue.opened" {
            /// Its number: for people, and for ever.
            number: u64,
            /// Its tags, where they are known in another form than the command has them.
            tags: Option<BTreeSet<Box<str>>>,
        },
        /// A rule opened it.
        Raised = "issues.issue.raised" {
            /// Its number.
            number: u64,
            /// A line that somebody gave; none where it is made of what the issue is about.
            #[sparse]
            title: Box<str>,
            /// Who is to take care of it.
            assignee: AgentId,
            /// How much it matters.
            priority: IssuePriority,
            /// With `#meta`.
            #[always]
            tags: BTreeSet<Box<str>>,
            /// What it is about: its text is made of that.
            meta: Meta,
        },
        /// It was changed, as the command says.
        Edited = "issues.issue.edited" {
            /// Which of its words are others now: these are shown in the thread. In older lines nothing is said.
            words: Vec<IssuePart>,
            /// The tags that it has now, where they are known in another form than the command has them.
            tags: Option<BTreeSet<Box<str>>>,
        },
        /// A comment came into its thread, as the command says. The comment's id is that of the entry.
        CommentAdded = "issues.comment.added" {
            /// How much of what it cites is evidence; none where it cites nothing. In older lines all of it counts.
            grounds: Option<Grounds>,
        },
        /// Somebody tried to act on it while it was frozen.
        TurnedAway = "issues.actor.turned_away" {
            /// Who.
            actor: AgentId,
        },
        /// A text was too long to be taken.
        TextRefused = "issues.text.refused" {
            /// Who.
            actor: AgentId,
            /// How many characters it has.
            length: u64,
        },
        /// It is better founded than before.
        EpistemicChanged = "issues.epistemic.changed" {
            /// What it was.
            from: EpistemicStatus,
            /// What it is.
            to: EpistemicStatus,
        },
        /// It ended with a decision.
        Resolved = "issues.issue.resolved" {
            /// How much of what it cites is evidence; none where it cites nothing. In older lines all of it counts.
            grounds: Option<Grounds>,
        },
        /// It ended without one.
        Closed = "issues.issue.closed" {},
        /// It was taken up again.
        Reopened = "issues.issue.reopened" {},
        /// Somebody began to work on it.
        Started = "issues.issue.started" {},
        /// The discussion was stopped.
        Frozen = "issues.issue.frozen" {
            /// The rule, or the reason that somebody gave.
            reason: Box<str>,
            /// From when on anyone may act again.
            until: Timestamp,
        },
        /// The time of a freeze was over, and somebody acted (decision 13). A new epoch begins.
        Thawed = "issues.issue.thawed" {},
        /// Somebody let the discussion go on. A new epoch begins.
        Unfrozen = "issues.issue.unfrozen" {},
        /// It depends on another one.
        Linked = "issues.issue.linked" {
            /// How.
            kind: LinkKind,
            /// To which.
            to: IssueId,
        },
        /// It does so no more.
        Unlinked = "issues.issue.unlinked" {
            /// How.
            kind: LinkKind,
            /// To which.
            to: IssueId,
        },
        /// It was marked as applied or irrelevant.
        Marked = "issues.issue.marked" {
            /// Applied or irrelevant.
            usefulness: Usefulness,
        },
        /// An agent said that it was applied, and what it named to show that is not there.
        Refuted = "issues.claim.refuted" {},
        /// An agent read it.
        WasRead = "issues.issue.accessed" {},
        /// An opinion of a blind pass came into its thread. Its text is observed in the entry (decision 40).
        OpinionRevealed = "issues.opinion.revealed" {
            /// Whose.
            agent: AgentId,
            /// For, against, or neither.
            stance: Stance,
        },
    }
}
