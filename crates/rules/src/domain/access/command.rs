//! What can be asked about access.

use annals_sparse::sparse;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::policy::Intent;
use annals_kernel::id::AgentId;
use annals_kernel::wire::wire;

wire! {
    /// What can be asked about access.
    pub enum Command {
        /// Somebody tried to use a path; recorded where it is refused.
        Attempt(Attempt) = "access.path.attempt",
        /// Let an agent write a folder that is not writable by itself.
        Grant(Grant) = "access.grant.give",
        /// Take such a right back.
        Revoke(Revoke) = "access.grant.revoke",
    }
}

/// Fields of `access.path.attempt`.
#[sparse]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Attempt {
    /// The path below `.context`, resolved, with `/`.
    pub path: Box<str>,
    /// What was tried.
    pub intent: Intent,
    /// The tool that tried it.
    pub tool: Option<Box<str>>,
}

/// Fields of `access.grant.give`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Grant {
    /// Who.
    pub agent: AgentId,
    /// A folder of `.context`.
    pub folder: Box<str>,
}

/// Fields of `access.grant.revoke`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Revoke {
    /// Who.
    pub agent: AgentId,
    /// A folder of `.context`.
    pub folder: Box<str>,
}

/// Nothing is observed for these commands.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Observed {}
