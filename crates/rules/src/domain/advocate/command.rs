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
            /// What is to be challenged.
            issue: IssueId,
            /// Who is to do it; none: whose turn it is (control-room 13.3).
            agent: Option<AgentId>,
        },
        /// Take such a task back.
        Release = "advocate.assignment.release" {
            /// Where.
            issue: IssueId,
        },
    }
}

/// Nothing is observed for these commands.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Observed {}
