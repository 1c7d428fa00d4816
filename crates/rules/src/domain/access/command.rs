//! What can be asked about access.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::policy::Intent;
use annals_kernel::id::AgentId;
use annals_kernel::wire::wire;

wire! {
    /// What can be asked about access.
    pub enum Command {
        /// Somebody tried to use a path; recorded where it is refused.
        Attempt = "access.path.attempt" {
            /// The path below `.context`, resolved, with `/`.
            path: Box<str>,
            /// What was tried.
            intent: Intent,
            /// The tool that tried it.
            tool: Option<Box<str>>,
        },
        /// Let an agent write a folder that is not writable by itself.
        Grant = "access.grant.give" {
            /// Who.
            agent: AgentId,
            /// A folder of `.context`.
            folder: Box<str>,
        },
        /// Take such a right back.
        Revoke = "access.grant.revoke" {
            /// Who.
            agent: AgentId,
            /// A folder of `.context`.
            folder: Box<str>,
        },
    }
}

/// Nothing is observed for these commands.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Observed {}
