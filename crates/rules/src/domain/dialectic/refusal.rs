//! Why something is not decided as it was asked.

use serde::Serialize;

use super::command::{Kind, Side};
use super::csp::Resolved;
use annals_kernel::id::{AgentId, SessionId};

/// Why something is not decided as it was asked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(untagged)]
#[non_exhaustive]
pub enum Refusal {
    /// No word is left of the task.
    NoTask,
    /// Nobody reads that much.
    TooLong {
        /// How long it is.
        chars: usize,
        /// The most.
        most: usize,
    },
    /// One at a time.
    GoesOn {
        /// Which.
        debate: Box<str>,
    },
    /// There is no such debate.
    UnknownDebate {
        /// Its id.
        debate: Box<str>,
    },
    /// It is over.
    Over {
        /// Its id.
        debate: Box<str>,
    },
    /// 1 to 3.
    BadRounds {
        /// How many were asked for.
        rounds: u8,
        /// The most.
        most: u8,
    },
    /// A failure debate needs failures.
    TooFewFailures {
        /// How many there are.
        count: u32,
        /// How many there must be.
        least: u32,
    },
    /// After it, one attempt; then a person.
    DebateUsed {
        /// Where.
        debate: Box<str>,
    },
    /// The same task and plan.
    DebatedAlready {
        /// Where.
        debate: Box<str>,
    },
    /// Debates are off.
    Disabled {
        /// Which session.
        session: SessionId,
    },
    /// A position of the other kind of debate.
    OtherKind {
        /// The debate.
        debate: Kind,
        /// The position.
        position: Kind,
    },
    /// The advocate first, then the critic.
    NotYourTurn {
        /// Who spoke.
        side: Side,
    },
    /// One agent does not argue with itself.
    BothSides {
        /// Who.
        actor: AgentId,
        /// The other side.
        side: Side,
    },
    /// Brevity.
    TooManyTokens {
        /// How many.
        tokens: u32,
        /// The most.
        most: u32,
    },
    /// Both must have spoken.
    NotHeard {
        /// Who.
        side: Side,
    },
    /// The synthesis is a rule.
    NotByRule {
        /// The row.
        rule: &'static str,
        /// What it comes to.
        expected: Resolved,
        /// What was given.
        given: Resolved,
    },
    /// Fewer attempts are allowed.
    TooManyAttempts {
        /// The word.
        resolution: Resolved,
        /// The most.
        most: u8,
        /// What was given.
        given: u8,
    },
    /// Nothing to judge.
    NotResolved {
        /// Its id.
        debate: Box<str>,
    },
    /// A person's word.
    NotAllowed {
        /// Who asked.
        actor: AgentId,
    },
    /// The user's word.
    NotTheUser {
        /// Who asked.
        actor: AgentId,
    },
    /// Nothing counts.
    NothingCounts,
    /// They are one already.
    SameTask {
        /// Its id.
        task: Box<str>,
    },
    /// Somebody said so before.
    JoinedAlready {
        /// Its id.
        task: Box<str>,
    },
    /// Nothing is known of it.
    UnknownTask {
        /// What was given.
        task: Box<str>,
    },
    /// It is so already.
    AsItIs {
        /// Which session.
        session: SessionId,
        /// On or off.
        debates: &'static str,
    },
    /// No count says so, or a person was called already.
    NotDue {
        /// Its id.
        task: Box<str>,
    },
    /// Once is enough.
    Announced {
        /// Which session.
        session: SessionId,
    },
}

impl Refusal {
    /// The rule, as it is recorded.
    pub fn rule(&self) -> &'static str {
        match self {
            Self::NoTask => "dialectic.no_task",
            Self::TooLong { .. } => "dialectic.too_long",
            Self::GoesOn { .. } => "dialectic.goes_on",
            Self::UnknownDebate { .. } => "dialectic.unknown_debate",
            Self::Over { .. } => "dialectic.over",
            Self::BadRounds { .. } => "dialectic.bad_rounds",
            Self::TooFewFailures { .. } => "dialectic.too_few_failures",
            Self::DebateUsed { .. } => "dialectic.debate_used",
            Self::DebatedAlready { .. } => "dialectic.debated_already",
            Self::Disabled { .. } => "dialectic.disabled",
            Self::OtherKind { .. } => "dialectic.other_kind",
            Self::NotYourTurn { .. } => "dialectic.not_your_turn",
            Self::BothSides { .. } => "dialectic.both_sides",
            Self::TooManyTokens { .. } => "dialectic.too_many_tokens",
            Self::NotHeard { .. } => "dialectic.not_heard",
            Self::NotByRule { .. } => "dialectic.not_by_rule",
            Self::TooManyAttempts { .. } => "dialectic.too_many_attempts",
            Self::NotResolved { .. } => "dialectic.not_resolved",
            Self::NotAllowed { .. } => "dialectic.not_allowed",
            Self::NotTheUser { .. } => "dialectic.not_the_user",
            Self::NothingCounts => "dialectic.nothing_counts",
            Self::SameTask { .. } => "dialectic.same_task",
            Self::JoinedAlready { .. } => "dialectic.joined_already",
            Self::UnknownTask { .. } => "dialectic.unknown_task",
            Self::AsItIs { .. } => "dialectic.as_it_is",
            Self::NotDue { .. } => "dialectic.not_due",
            Self::Announced { .. } => "dialectic.announced",
        }
    }
}
