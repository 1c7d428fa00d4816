//! What happens in debates and to counts of failures.

use annals_sparse::sparse;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::command::{
    ApprovalSpan, AtDestructive, DebateKind, DebateSide, Debates, ForgivenBecause, Relation, ResolvedEnding,
};
use super::csp::{Resolved, Stakes};
use super::stakes::DebateCategory;
use super::synthesis::SynthesisRule;
use annals_kernel::call::effect::Effect;
use annals_kernel::grounding::words;
use annals_kernel::id::{EntryId, SessionId};
use annals_kernel::wire::wire;

wire! {
    /// What happened in a debate, or to a count.
    pub enum Event {
        /// A debate began.
        Requested = "dialectic.debate.requested" {
            /// Its id: that of the entry.
            debate: Box<str>,
            /// The task, by its id.
            task: Box<str>,
            /// Before or after.
            kind: DebateKind,
            /// The plan, by the hash of its text.
            plan: Box<str>,
            /// What is at stake.
            stakes: Stakes,
            /// Of which kind that is.
            category: DebateCategory,
            /// 1 to 3.
            rounds: u8,
            /// Failures in a row.
            failures: u32,
        },
        /// One side spoke.
        Argued = "dialectic.position.taken" {
            /// Which debate.
            debate: Box<str>,
            /// Who spoke.
            side: DebateSide,
            /// In which round, from 1.
            round: u8,
            /// How long it is, in tokens as they are counted here.
            tokens: u32,
        },
        /// It came to something.
        Resolved(ResolvedDebate) = "dialectic.debate.resolved",
        /// Somebody said what became of it.
        Judged = "dialectic.debate.judged" {
            /// Which debate.
            debate: Box<str>,
            /// What became of it.
            outcome: ResolvedEnding,
            /// Whether the debate made a difference.
            helped: bool,
        },
        /// An attempt failed.
        Failed = "dialectic.attempt.failed" {
            /// The task, by its id.
            task: Box<str>,
            /// The so-manyeth failure in a row.
            attempt: u32,
            /// Which error.
            fingerprint: Box<str>,
        },
        /// An attempt succeeded, and failures before it count no more.
        Succeeded = "dialectic.attempt.succeeded" {
            /// The task, by its id.
            task: Box<str>,
            /// So many failures counted before.
            cleared: u32,
        },
        /// Failures so far count no more; a debate about them is over.
        Cleared = "dialectic.task.cleared" {
            /// The task, by its id.
            task: Box<str>,
            /// So many failures counted before.
            cleared: u32,
            /// Why.
            because: ForgivenBecause,
        },
        /// A person has to decide how it goes on.
        Escalated = "dialectic.task.escalated" {
            /// The task, by its id.
            task: Box<str>,
            /// Why.
            why: EscalationReason,
            /// Failures in a row.
            failures: u32,
        },
        /// Two tasks count together, or apart.
        Related = "dialectic.task.related" {
            /// The task that was asked about, by its id.
            task: Box<str>,
            /// The other one, by its id.
            other: Box<str>,
            /// What they are to each other.
            relation: Relation,
        },
        /// Debates were switched off or on for a session.
        Switched = "dialectic.session.switched" {
            /// Which session.
            session: SessionId,
            /// On or off.
            debates: Debates,
        },
        /// Recorded calls failed with the same error again: a debate is due.
        Repeated = "dialectic.failure.repeated" {
            /// The task, by its id.
            task: Box<str>,
            /// What it is, in a few words.
            summary: Box<str>,
            /// In which session.
            session: SessionId,
            /// Which error.
            fingerprint: Box<str>,
            /// With which tool, about what.
            approach: Box<str>,
            /// The entry of its last failure.
            cause: EntryId,
            /// So many times without a success in between.
            count: u32,
        },
        /// A debate is due, and the person hears of it.
        Called = "dialectic.debate.called" {
            /// For which task, by its id.
            task: Box<str>,
            /// What it is, in a few words.
            summary: Box<str>,
            /// In which session.
            session: SessionId,
            /// Before or after.
            kind: DebateKind,
            /// What is at stake.
            stakes: Stakes,
            /// Of which kind that is.
            category: DebateCategory,
            /// What a command does, where that is the cause.
            effect: Option<Effect>,
            /// The error that came again, where that is.
            fingerprint: Option<Box<str>>,
            /// The command.
            command: Option<Box<str>>,
            /// Failures in a row.
            failures: u32,
            /// The entry that caused it.
            cause: EntryId,
        },
        /// A command that is hard to undo was held.
        Held = "dialectic.command.held" {
            /// In which session.
            session: SessionId,
            /// The command, by the hash of its text.
            command: Box<str>,
            /// Its beginning.
            text: Box<str>,
            /// What it does.
            effects: Vec<Effect>,
            /// What became of it.
            answer: AtDestructive,
        },
        /// The user approved a command that was held.
        Approved = "dialectic.command.approved" {
            /// The entry that held it.
            held: Box<str>,
            /// In which session.
            session: SessionId,
            /// The beginning of the command.
            text: Box<str>,
            /// How far.
            span: ApprovalSpan,
        },
        /// A command that was approved once ran: the approval is used up.
        Passed = "dialectic.command.passed" {
            /// The entry that held it.
            held: Box<str>,
            /// In which session.
            session: SessionId,
        },
    }
}

words! {
    /// Why a person has to decide.
    pub enum EscalationReason {
        /// Too many failures in a row.
        Count = "count",
        /// The debate is used up: the attempt after it failed.
        DebateUsed = "debate-used",
        /// The debate came to that.
        Resolution = "resolution",
    }
}

/// Fields of `dialectic.debate.resolved`.
#[sparse]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ResolvedDebate {
    /// Which debate.
    pub debate: Box<str>,
    /// The task, by its id.
    pub task: Box<str>,
    /// The word.
    pub resolution: Resolved,
    /// The row of the table of synthesis.
    pub rule: SynthesisRule,
    /// Why, as somebody says; nothing where the rule says it, but in lines from before edges made words of it.
    #[sparse]
    pub rationale: Box<str>,
    /// The changes.
    pub modifications: Vec<Box<str>>,
    /// What to do next.
    pub next_approach: Option<Box<str>>,
    /// Who decides.
    pub escalate_to: Option<Box<str>>,
    /// How many attempts may follow.
    pub next_attempt_limit: Option<u8>,
}
