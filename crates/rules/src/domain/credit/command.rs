//! What can be asked about credits.

use annals_sparse::sparse;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::goal::{Deadline, GoalMetric};
use super::reason::CreditReason;
use annals_kernel::id::{AgentId, EntryId, IssueId};
use annals_kernel::wire::wire;

wire! {
    /// What can be asked about credits.
    pub enum Command {
        /// Give an agent credits, or take some.
        Award = "credits.credit.award" {
            /// Who gets them.
            agent: AgentId,
            /// Why: user-marked-helpful, proposal-accepted-by-user, peer-marked-helpful, moderator-commendation, moderator-penalty, ….
            reason: CreditReason,
            /// How many, 1 to 3, where the moderator may say.
            amount: Option<i64>,
            /// What it is about.
            #[sparse]
            about: AwardSubject,
            /// In words.
            note: Option<Box<str>>,
        },
        /// Cut a task into parts, each of which earns its share.
        Slice = "credits.task.slice" {
            /// The issue that is the task.
            issue: IssueId,
            /// Who does it.
            doer: AgentId,
            /// Whole credits of the task.
            total: u32,
            /// How many parts.
            slices: u32,
        },
        /// Say that the next part is done.
        Complete = "credits.slice.complete" {
            /// The issue that is the task.
            issue: IssueId,
            /// Who did it.
            doer: AgentId,
        },
        /// Set a goal.
        SetGoal = "credits.goal.set" {
            /// The goal of one agent [default: of the team].
            agent: Option<AgentId>,
            /// What is counted.
            metric: GoalMetric,
            /// How many; whole credits where credits are counted.
            target: u32,
            /// session-end, chapter-end, act-end or a time.
            deadline: Option<Deadline>,
            /// In words.
            #[serde(default)]
            description: Box<str>,
        },
        /// Take a goal back.
        DropGoal = "credits.goal.drop" {
            /// Its id, or the end of it.
            goal: Box<str>,
        },
    }
}

/// What an award is about.
#[sparse]
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AwardSubject {
    /// The issue that it is about.
    pub issue: Option<IssueId>,
    /// The comment that it is about: its entry.
    pub comment: Option<EntryId>,
    /// The file that it is about.
    pub file: Option<Box<str>>,
}

impl AwardSubject {
    /// Whether it is about nothing that has a name.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// About an issue.
    pub fn issue(issue: &IssueId) -> Self {
        Self { issue: Some(issue.clone()), ..Self::default() }
    }
}

/// Nothing is observed for these commands.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Observed {}
