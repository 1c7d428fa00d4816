//! Why credits are not given, and goals not set.

use serde::Serialize;

use super::reason::{Heading, Reason};
use annals_kernel::id::{AgentId, IssueId};

/// Why credits are not given, and goals not set.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(untagged)]
#[non_exhaustive]
pub enum Refusal {
    /// Nobody awards credits to itself (control-room 11.6).
    SelfAward {
        /// Who tried.
        agent: AgentId,
    },
    /// Nor under another of its names.
    SameHands {
        /// The name that gives.
        by: AgentId,
        /// The name that would get.
        agent: AgentId,
    },
    /// What code verifies no command awards (control-room 11.6).
    SystemOnly {
        /// Why they should have been given.
        reason: Reason,
    },
    /// Each heading has its own (decision 16).
    NotEntitled {
        /// Who tried.
        by: AgentId,
        /// Why they should have been given.
        reason: Reason,
        /// Who may.
        heading: Heading,
    },
    /// The user takes part, but not in this.
    UserEarnsNothing,
    /// There is no such agent.
    UnknownAgent {
        /// The name.
        agent: AgentId,
    },
    /// Whoever gives them must be of the swarm.
    Stranger {
        /// Who tried.
        by: AgentId,
    },
    /// There is no such issue.
    UnknownIssue {
        /// The id.
        issue: IssueId,
    },
    /// Thanks are for something.
    NoIssue {
        /// Why they should have been given.
        reason: Reason,
    },
    /// Thanks are said once.
    ThankedAlready {
        /// Who tried.
        by: AgentId,
        /// Whom.
        agent: AgentId,
    },
    /// Each unfreezing that went well pays once.
    NotDue {
        /// Why they should have been given.
        reason: Reason,
    },
    /// The amount is not the giver's to say.
    FixedAmount {
        /// Why they should have been given.
        reason: Reason,
    },
    /// Cutting and checking off is the assistant's (control-room 2.4).
    NotTheAssistant {
        /// Who asked.
        actor: AgentId,
    },
    /// A part of nothing (control-room 11.4.1).
    BadSlices {
        /// Whole credits.
        total: u32,
        /// How many parts.
        slices: u32,
    },
    /// Too much for one task.
    TooLarge {
        /// The most.
        most: u32,
    },
    /// A task is cut once.
    CutAlready {
        /// Who does it.
        doer: AgentId,
    },
    /// Nothing is left to check off.
    NoPart {
        /// Who does it.
        doer: AgentId,
    },
    /// Goals are the moderator's and the user's (control-room 11.9).
    NotAGoalSetter {
        /// Who asked.
        actor: AgentId,
    },
    /// A goal has an aim.
    NoTarget,
    /// Without an end nothing is ever free of penalties.
    NoDeadline,
    /// It would be over before it begins.
    PastDeadline,
    /// More would be looked at by nobody.
    TooManyGoals {
        /// The most.
        most: usize,
    },
    /// There is no such goal, or it has ended.
    UnknownGoal {
        /// The id.
        goal: Box<str>,
    },
}

impl Refusal {
    /// The rule, as it is recorded.
    pub fn rule(&self) -> &'static str {
        match self {
            Self::SelfAward { .. } => "credits.self_award",
            Self::SameHands { .. } => "credits.same_hands",
            Self::SystemOnly { .. } => "credits.system_only",
            Self::NotEntitled { .. } => "credits.not_entitled",
            Self::UserEarnsNothing => "credits.user_earns_nothing",
            Self::UnknownAgent { .. } => "credits.unknown_agent",
            Self::Stranger { .. } => "credits.stranger",
            Self::UnknownIssue { .. } => "credits.unknown_issue",
            Self::NoIssue { .. } => "credits.no_issue",
            Self::ThankedAlready { .. } => "credits.thanked_already",
            Self::NotDue { .. } => "credits.not_due",
            Self::FixedAmount { .. } => "credits.fixed_amount",
            Self::NotTheAssistant { .. } => "credits.not_the_assistant",
            Self::BadSlices { .. } => "credits.bad_slices",
            Self::TooLarge { .. } => "credits.too_large",
            Self::CutAlready { .. } => "credits.cut_already",
            Self::NoPart { .. } => "credits.no_part",
            Self::NotAGoalSetter { .. } => "credits.not_a_goal_setter",
            Self::NoTarget => "credits.no_target",
            Self::NoDeadline => "credits.no_deadline",
            Self::PastDeadline => "credits.past_deadline",
            Self::TooManyGoals { .. } => "credits.too_many_goals",
            Self::UnknownGoal { .. } => "credits.unknown_goal",
        }
    }
}
