//! Why something is not decided as it was asked.

use super::command::{Kind, Side};
use super::csp::Resolved;
use crate::kernel::id::{AgentId, SessionId};

/// Why something is not decided as it was asked.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Refusal {
    /// No word is left of the task.
    #[error("a task has at least one word")]
    NoTask,
    /// Nobody reads that much.
    #[error("a text is {chars} characters long; at most {most} are taken")]
    TooLong {
        /// How long it is.
        chars: usize,
        /// The most.
        most: usize,
    },
    /// One at a time.
    #[error("debate {debate} about this task goes on")]
    GoesOn {
        /// Which.
        debate: Box<str>,
    },
    /// There is no such debate.
    #[error("there is no debate {debate}")]
    UnknownDebate {
        /// Its id.
        debate: Box<str>,
    },
    /// It is over.
    #[error("debate {debate} is over")]
    Over {
        /// Its id.
        debate: Box<str>,
    },
    /// 1 to 3.
    #[error("a debate has 1 to {most} rounds, not {rounds}")]
    BadRounds {
        /// How many were asked for.
        rounds: u8,
        /// The most.
        most: u8,
    },
    /// A failure debate needs failures.
    #[error("{count} failures in a row are no reason for a debate; {least} are")]
    TooFewFailures {
        /// How many there are.
        count: u32,
        /// How many there must be.
        least: u32,
    },
    /// After it, one attempt; then a person.
    #[error("these failures were debated already, in {debate}")]
    DebateUsed {
        /// Where.
        debate: Box<str>,
    },
    /// The same task and plan.
    #[error("this plan was debated already, in {debate}")]
    DebatedAlready {
        /// Where.
        debate: Box<str>,
    },
    /// Debates are off.
    #[error("debates are off in session {session}")]
    Disabled {
        /// Which session.
        session: SessionId,
    },
    /// A position of the other kind of debate.
    #[error("this is a {debate} debate, and that a position for a {position} debate")]
    OtherKind {
        /// The debate.
        debate: Kind,
        /// The position.
        position: Kind,
    },
    /// The advocate first, then the critic.
    #[error("it is not the {side}'s turn")]
    NotYourTurn {
        /// Who spoke.
        side: Side,
    },
    /// One agent does not argue with itself.
    #[error("{actor} is the {side} here already")]
    BothSides {
        /// Who.
        actor: AgentId,
        /// The other side.
        side: Side,
    },
    /// Brevity.
    #[error("{tokens} tokens are too many; at most {most} are taken")]
    TooManyTokens {
        /// How many.
        tokens: u32,
        /// The most.
        most: u32,
    },
    /// Both must have spoken.
    #[error("the {side} has not spoken yet")]
    NotHeard {
        /// Who.
        side: Side,
    },
    /// The synthesis is a rule.
    #[error("by the rule {rule} it is {expected}, not {given}")]
    NotByRule {
        /// The row.
        rule: &'static str,
        /// What it comes to.
        expected: Resolved,
        /// What was given.
        given: Resolved,
    },
    /// Fewer attempts are allowed.
    #[error("after {resolution} at most {most} attempts follow, not {given}")]
    TooManyAttempts {
        /// The word.
        resolution: Resolved,
        /// The most.
        most: u8,
        /// What was given.
        given: u8,
    },
    /// Nothing to judge.
    #[error("debate {debate} has come to nothing yet")]
    NotResolved {
        /// Its id.
        debate: Box<str>,
    },
    /// A person's word.
    #[error("only the user and who leads may do that, not {actor}")]
    NotAllowed {
        /// Who asked.
        actor: AgentId,
    },
    /// Nothing counts.
    #[error("nothing is counted against this task")]
    NothingCounts,
    /// They are one already.
    #[error("both are task {task}")]
    SameTask {
        /// Its id.
        task: Box<str>,
    },
    /// Somebody said so before.
    #[error("both count as task {task} already")]
    JoinedAlready {
        /// Its id.
        task: Box<str>,
    },
    /// Nothing is known of it.
    #[error("nothing is known of a task {task}")]
    UnknownTask {
        /// What was given.
        task: Box<str>,
    },
    /// It is so already.
    #[error("debates are {debates} in session {session} already")]
    AsItIs {
        /// Which session.
        session: SessionId,
        /// On or off.
        debates: &'static str,
    },
    /// No count says so, or a person was called already.
    #[error("nothing new calls a person to task {task}")]
    NotDue {
        /// Its id.
        task: Box<str>,
    },
    /// Once is enough.
    #[error("nothing new repeats in session {session}")]
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
            Self::NothingCounts => "dialectic.nothing_counts",
            Self::SameTask { .. } => "dialectic.same_task",
            Self::JoinedAlready { .. } => "dialectic.joined_already",
            Self::UnknownTask { .. } => "dialectic.unknown_task",
            Self::AsItIs { .. } => "dialectic.as_it_is",
            Self::NotDue { .. } => "dialectic.not_due",
            Self::Announced { .. } => "dialectic.announced",
        }
    }

    /// What can be done about it.
    pub fn hint(&self) -> &'static str {
        match self {
            Self::NoTask => "say in words what is to be done",
            Self::TooLong { .. } => "say it in fewer words",
            Self::GoesOn { .. } => {
                "`annals debate show` says whose turn it is; `annals debate reset TASK` calls it off"
            }
            Self::UnknownDebate { .. } => "`annals debate list` shows those there are",
            Self::Over { .. } => "`annals debate request` begins another",
            Self::BadRounds { .. } => "one round is enough for most",
            Self::TooFewFailures { .. } => "`annals debate fail TASK ERROR` records an attempt that failed",
            Self::DebateUsed { .. } => "the attempt that is left may be made; after it a person decides",
            Self::DebatedAlready { .. } => "another plan (--plan) may be debated; this one may be carried out",
            Self::Disabled { .. } => "`annals debate enable --session ID` switches them on again",
            Self::OtherKind { .. } => {
                "a plan is argued about with CLAIM and OBJECTION, a failure with DIAGNOSIS and PATTERN"
            }
            Self::NotYourTurn { .. } => "the advocate speaks first, then the critic, as many rounds as were asked for",
            Self::BothSides { .. } => "let another agent take this side (--as)",
            Self::TooManyTokens { .. } => "say it in fewer words; the limits are dialectic.*_max_tokens",
            Self::NotHeard { .. } => "both speak before anything is resolved",
            Self::NotByRule { .. } => "leave the word out, or let the sides speak again",
            Self::TooManyAttempts { .. } => "leave it out",
            Self::NotResolved { .. } => "`annals debate resolve` does that",
            Self::NotAllowed { .. } => "ask the user",
            Self::NothingCounts => "`annals debate failures` shows what counts",
            Self::SameTask { .. } => "texts that differ in case, punctuation and articles alone are one task",
            Self::JoinedAlready { .. } => "`annals debate same A B --different` parts them",
            Self::UnknownTask { .. } => "`annals debate failures` shows those that failed",
            Self::AsItIs { .. } => "nothing is left to do",
            Self::NotDue { .. } => "a person is called once",
            Self::Announced { .. } => "it is announced once",
        }
    }
}
