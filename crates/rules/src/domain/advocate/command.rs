//! What can be asked of dissent.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use annals_kernel::id::{AgentId, IssueId};
use annals_kernel::wire::wire;

wire! {
    /// What can be asked of dissent.
    pub enum Command {
        /// Let somebody challenge what an issue proposes.
        Assign = "advocate.assignment.assign" {
            /// Which issue is challenged: 42, #42b or an id.
            issue: IssueId,
            /// Who challenges it [default: of those who can and have no part in it, who had this least in seven days].
            agent: Option<AgentId>,
        },
        /// Take such a task back.
        Release = "advocate.assignment.release" {
            /// On which issue.
            issue: IssueId,
        },
    }
}

/// Nothing is observed for these commands.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Observed {}
