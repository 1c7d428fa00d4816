//! Why credits are not given, and goals not set.

use super::reason::{CreditReason, Heading};
use annals_kernel::id::{AgentId, IssueId};
use annals_kernel::refusal::refusal;

refusal! {
    /// Why credits are not given, and goals not set.
    pub enum Refusal {
        /// Nobody awards credits to itself (control-room 11.6).
        SelfAward = "credits.self_award" { agent: AgentId },
        /// Nor under another of its names.
        SameHands = "credits.same_hands" { by: AgentId, agent: AgentId },
        /// What code verifies no command awards (control-room 11.6).
        SystemOnly = "credits.system_only" { reason: CreditReason },
        /// Each heading has its own (decision 16).
        NotEntitled = "credits.not_entitled" { by: AgentId, reason: CreditReason, heading: Heading },
        /// The user takes part, but not in this.
        UserEarnsNothing = "credits.user_earns_nothing",
        /// There is no such agent.
        UnknownAgent = "credits.unknown_agent" { agent: AgentId },
        /// Whoever gives them must be of the swarm.
        Stranger = "credits.stranger" { by: AgentId },
        /// There is no such issue.
        UnknownIssue = "credits.unknown_issue" { issue: IssueId },
        /// Thanks are for something.
        NoIssue = "credits.no_issue" { reason: CreditReason },
        /// Thanks are said once.
        ThankedAlready = "credits.thanked_already" { by: AgentId, agent: AgentId },
        /// Each unfreezing that went well pays once.
        NotDue = "credits.not_due" { reason: CreditReason },
        /// The amount is not the giver's to say.
        FixedAmount = "credits.fixed_amount" { reason: CreditReason },
        /// Cutting and checking off is the assistant's (control-room 2.4).
        NotTheAssistant = "credits.not_the_assistant" { actor: AgentId },
        /// A part of nothing (control-room 11.4.1).
        BadSlices = "credits.bad_slices" { total: u32, slices: u32 },
        /// Too much for one task.
        TooLarge = "credits.too_large" { most: u32 },
        /// A task is cut once.
        CutAlready = "credits.cut_already" { doer: AgentId },
        /// Nothing is left to check off.
        NoPart = "credits.no_part" { doer: AgentId },
        /// Goals are the moderator's and the user's (control-room 11.9).
        NotAGoalSetter = "credits.not_a_goal_setter" { actor: AgentId },
        /// A goal has an aim.
        NoTarget = "credits.no_target",
        /// Without an end nothing is ever free of penalties.
        NoDeadline = "credits.no_deadline",
        /// It would be over before it begins.
        PastDeadline = "credits.past_deadline",
        /// More would be looked at by nobody.
        TooManyGoals = "credits.too_many_goals" { most: usize },
        /// There is no such goal, or it has ended.
        UnknownGoal = "credits.unknown_goal" { goal: Box<str> },
    }
}
