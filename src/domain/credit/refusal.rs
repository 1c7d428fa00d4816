//! Why credits are not given, and goals not set.

use super::reason::{Heading, Reason};
use crate::kernel::id::{AgentId, IssueId};

/// Why credits are not given, and goals not set.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Refusal {
    /// Nobody awards credits to itself (control-room 11.6).
    #[error("{agent} cannot award credits to itself")]
    SelfAward {
        /// Who tried.
        agent: AgentId,
    },
    /// Nor under another of its names.
    #[error("{by} and {agent} are in the same hands, and nobody awards credits to itself")]
    SameHands {
        /// The name that gives.
        by: AgentId,
        /// The name that would get.
        agent: AgentId,
    },
    /// What code verifies no command awards (control-room 11.6).
    #[error("{reason} is awarded by the rules alone, never by command")]
    SystemOnly {
        /// Why they should have been given.
        reason: Reason,
    },
    /// Each heading has its own (decision 16).
    #[error("{reason} is for the {heading} to award, not for {by}")]
    NotEntitled {
        /// Who tried.
        by: AgentId,
        /// Why they should have been given.
        reason: Reason,
        /// Who may.
        heading: Heading,
    },
    /// The user takes part, but not in this.
    #[error("the user earns no credits")]
    UserEarnsNothing,
    /// There is no such agent.
    #[error("there is no agent {agent} in the roster")]
    UnknownAgent {
        /// The name.
        agent: AgentId,
    },
    /// Whoever gives them must be of the swarm.
    #[error("{by} is not an active agent of the roster")]
    Stranger {
        /// Who tried.
        by: AgentId,
    },
    /// There is no such issue.
    #[error("there is no issue {issue}")]
    UnknownIssue {
        /// The id.
        issue: IssueId,
    },
    /// Thanks are for something.
    #[error("{reason} needs the issue that it is about")]
    NoIssue {
        /// Why they should have been given.
        reason: Reason,
    },
    /// Thanks are said once.
    #[error("{by} has thanked {agent} for this issue already")]
    ThankedAlready {
        /// Who tried.
        by: AgentId,
        /// Whom.
        agent: AgentId,
    },
    /// Each unfreezing that went well pays once.
    #[error("{reason} is not due: this issue was not unfrozen, was frozen again, or has paid it already")]
    NotDue {
        /// Why they should have been given.
        reason: Reason,
    },
    /// The amount is not the giver's to say.
    #[error("{reason} has a fixed amount")]
    FixedAmount {
        /// Why they should have been given.
        reason: Reason,
    },
    /// Cutting and checking off is the assistant's (control-room 2.4).
    #[error("only the assistant and the user cut tasks into parts and check them off, not {actor}")]
    NotTheAssistant {
        /// Who asked.
        actor: AgentId,
    },
    /// A part of nothing (control-room 11.4.1).
    #[error("a task of {total} credits cannot be cut into {slices} slices")]
    BadSlices {
        /// Whole credits.
        total: u32,
        /// How many parts.
        slices: u32,
    },
    /// Too much for one task.
    #[error("a task may be worth {most} credits and have {most} slices at most")]
    TooLarge {
        /// The most.
        most: u32,
    },
    /// A task is cut once.
    #[error("this issue was cut into parts for {doer} already")]
    CutAlready {
        /// Who does it.
        doer: AgentId,
    },
    /// Nothing is left to check off.
    #[error("no part of this issue waits to be done by {doer}")]
    NoPart {
        /// Who does it.
        doer: AgentId,
    },
    /// Goals are the moderator's and the user's (control-room 11.9).
    #[error("only the user and the moderator set goals, not {actor}")]
    NotAGoalSetter {
        /// Who asked.
        actor: AgentId,
    },
    /// A goal has an aim.
    #[error("a goal needs a target of 1 or more")]
    NoTarget,
    /// Without an end nothing is ever free of penalties.
    #[error("a goal of no penalties needs a deadline, at which it is looked at")]
    NoDeadline,
    /// It would be over before it begins.
    #[error("the deadline is in the past")]
    PastDeadline,
    /// More would be looked at by nobody.
    #[error("{most} goals are open, and no more may be")]
    TooManyGoals {
        /// The most.
        most: usize,
    },
    /// There is no such goal, or it has ended.
    #[error("there is no open goal {goal}")]
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

    /// What can be done about it.
    pub fn hint(&self) -> &'static str {
        match self {
            Self::SelfAward { .. } | Self::SameHands { .. } => {
                "others give credits, and the rules; the attempt is recorded"
            }
            Self::SystemOnly { .. } => "it comes by itself when code has verified it; the attempt is recorded",
            Self::NotEntitled { .. } => {
                "agents give peer-marked-helpful, the user user-marked-helpful; the attempt is recorded"
            }
            Self::UserEarnsNothing => "what the user is kept from is the team's credit",
            Self::UnknownAgent { .. } | Self::Stranger { .. } => "`annals agent list` shows those there are",
            Self::UnknownIssue { .. } => "`annals issue list` shows those there are",
            Self::NoIssue { .. } => "`--issue NUMBER`",
            Self::ThankedAlready { .. } => "one word of thanks counts; another issue is another matter",
            Self::NotDue { .. } => "it comes by itself when an issue that was unfrozen is resolved",
            Self::FixedAmount { .. } => "leave `--amount` out; only the moderator says how many, from 1 to 3",
            Self::NotTheAssistant { .. } => "ask the assistant of the roster",
            Self::BadSlices { .. } => "give 1 credit or more, and 1 slice or more",
            Self::TooLarge { .. } => "`annals config set credits.max_per_task` changes that",
            Self::CutAlready { .. } => "`annals credit slice --done` checks the next part off",
            Self::NoPart { .. } => "`annals credit slice` cuts a task into parts",
            Self::NotAGoalSetter { .. } => "propose it in a comment or an issue",
            Self::NoTarget => "`--target 1`, or more",
            Self::NoDeadline => "`--deadline session-end`, chapter-end, act-end or a time",
            Self::PastDeadline => "give a time to come",
            Self::TooManyGoals { .. } => "`annals goal drop` takes one back",
            Self::UnknownGoal { .. } => "`annals goal list` shows those there are",
        }
    }
}
