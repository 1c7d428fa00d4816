//! What can be asked about credits.

use annals_sparse::sparse;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::goal::{Deadline, Metric};
use super::reason::Reason;
use annals_kernel::id::{AgentId, EntryId, IssueId};
use annals_kernel::wire::wire;

wire! {
    /// What can be asked about credits.
    pub enum Command {
        /// Give an agent credits, or take some.
        Award(Award) = "credits.credit.award",
        /// Cut a task into parts, each of which earns its share.
        Slice(Slice) = "credits.task.slice",
        /// Say that the next part is done.
        Complete(Complete) = "credits.slice.complete",
        /// Set a goal.
        SetGoal(SetGoal) = "credits.goal.set",
        /// Take a goal back.
        DropGoal(DropGoal) = "credits.goal.drop",
    }
}

/// What an award is about.
#[sparse]
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct About {
    /// An issue.
    pub issue: Option<IssueId>,
    /// A comment of it: the entry in which it stands.
    pub comment: Option<EntryId>,
    /// A file.
    pub file: Option<Box<str>>,
}

impl About {
    /// Whether it is about nothing that has a name.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// About an issue.
    pub fn issue(issue: &IssueId) -> Self {
        Self { issue: Some(issue.clone()), ..Self::default() }
    }
}

/// Fields of `credits.credit.award`.
#[sparse]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Award {
    /// Who gets them.
    pub agent: AgentId,
    /// Why.
    pub reason: Reason,
    /// How many whole credits, where the giver may say: 1 to 3, whether they are given or taken.
    pub amount: Option<i64>,
    /// What it is about.
    #[serde(default, skip_serializing_if = "About::is_empty")]
    pub about: About,
    /// In words.
    pub note: Option<Box<str>>,
}

/// Fields of `credits.task.slice`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Slice {
    /// The issue that is the task.
    pub issue: IssueId,
    /// Who does it.
    pub doer: AgentId,
    /// Whole credits of the task.
    pub total: u32,
    /// How many parts.
    pub slices: u32,
}

/// Fields of `credits.slice.complete`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Complete {
    /// The issue that is the task.
    pub issue: IssueId,
    /// Who did it.
    pub doer: AgentId,
}

/// Fields of `credits.goal.set`.
#[sparse]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SetGoal {
    /// Whose it is; none: the team's.
    pub agent: Option<AgentId>,
    /// What is counted.
    pub metric: Metric,
    /// How many; whole credits where credits are counted, 1 where no penalty is to come.
    pub target: u32,
    /// Until when.
    pub deadline: Option<Deadline>,
    /// In words.
    #[serde(default)]
    pub description: Box<str>,
}

/// Fields of `credits.goal.drop`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DropGoal {
    /// Which.
    pub goal: Box<str>,
}

/// Nothing is observed for these commands.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Observed {}
