//! Why something is not decided as it was asked.

use super::command::{DebateKind, DebateSide};
use super::csp::Resolved;
use annals_kernel::id::{AgentId, SessionId};
use annals_kernel::refusal::refusal;

refusal! {
    /// Why something is not decided as it was asked.
    pub enum Refusal {
        /// No word is left of the task.
        NoTask = "dialectic.no_task",
        /// Nobody reads that much.
        TooLong = "dialectic.too_long" { chars: usize, most: usize },
        /// One at a time.
        GoesOn = "dialectic.goes_on" { debate: Box<str> },
        /// There is no such debate.
        UnknownDebate = "dialectic.unknown_debate" { debate: Box<str> },
        /// It is over.
        Over = "dialectic.over" { debate: Box<str> },
        /// 1 to 3.
        BadRounds = "dialectic.bad_rounds" { rounds: u8, most: u8 },
        /// A failure debate needs failures.
        TooFewFailures = "dialectic.too_few_failures" { count: u32, least: u32 },
        /// After it, one attempt; then a person.
        DebateUsed = "dialectic.debate_used" { debate: Box<str> },
        /// The same task and plan.
        DebatedAlready = "dialectic.debated_already" { debate: Box<str> },
        /// Debates are off.
        Disabled = "dialectic.disabled" { session: SessionId },
        /// A position of the other kind of debate.
        OtherKind = "dialectic.other_kind" { debate: DebateKind, position: DebateKind },
        /// The advocate first, then the critic.
        NotYourTurn = "dialectic.not_your_turn" { side: DebateSide },
        /// One agent does not argue with itself.
        BothSides = "dialectic.both_sides" { actor: AgentId, side: DebateSide },
        /// Brevity.
        TooManyTokens = "dialectic.too_many_tokens" { tokens: u32, most: u32 },
        /// Both must have spoken.
        NotHeard = "dialectic.not_heard" { side: DebateSide },
        /// The synthesis is a rule.
        NotByRule = "dialectic.not_by_rule" { rule: &'static str, expected: Resolved, given: Resolved },
        /// Fewer attempts are allowed.
        TooManyAttempts = "dialectic.too_many_attempts" { resolution: Resolved, most: u8, given: u8 },
        /// Nothing to judge.
        NotResolved = "dialectic.not_resolved" { debate: Box<str> },
        /// A person's word.
        NotAllowed = "dialectic.not_allowed" { actor: AgentId },
        /// The user's word.
        NotTheUser = "dialectic.not_the_user" { actor: AgentId },
        /// Nothing counts.
        NothingCounts = "dialectic.nothing_counts",
        /// They are one already.
        SameTask = "dialectic.same_task" { task: Box<str> },
        /// Somebody said so before.
        JoinedAlready = "dialectic.joined_already" { task: Box<str> },
        /// Nothing is known of it.
        UnknownTask = "dialectic.unknown_task" { task: Box<str> },
        /// It is so already.
        AsItIs = "dialectic.as_it_is" { session: SessionId, debates: &'static str },
        /// No count says so, or a person was called already.
        NotDue = "dialectic.not_due" { task: Box<str> },
        /// The user's word alone lets a command pass.
        ApprovedByUser = "dialectic.approved_by_user" { actor: AgentId },
        /// No such command waits.
        NothingHeld = "dialectic.nothing_held" { command: Box<str> },
        /// Once is enough.
        Announced = "dialectic.announced" { session: SessionId },
    }
}
