//! What can be asked of dissent.

use annals_sparse::sparse;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use annals_kernel::id::{AgentId, IssueId};
use annals_kernel::wire::wire;

wire! {
    /// What can be asked of dissent.
    pub enum Command {
        /// Let somebody challenge what an issue proposes.
        Assign(Assign) = "advocate.assignment.assign",
        /// Take such a task back.
        Release(Release) = "advocate.assignment.release",
    }
}

/// Fields of `advocate.assignment.assign`.
#[sparse]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Assign {
    /// What is to be challenged.
    pub issue: IssueId,
    /// Who is to do it; none: whose turn it is (control-room 13.3).
    pub agent: Option<AgentId>,
}

/// Fields of `advocate.assignment.release`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Release {
    /// Where.
    pub issue: IssueId,
}

/// Nothing is observed for these commands.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Observed {}
