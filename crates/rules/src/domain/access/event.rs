//! What happened about access.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::policy::Policy;
use annals_kernel::id::AgentId;
use annals_kernel::wire::wire;

wire! {
    /// What happened about access.
    pub enum Event {
        /// An attempt was refused.
        Denied(Denied) = "access.path.denied",
        /// An agent may write a folder.
        Given(Given) = "access.grant.given",
        /// It no longer may.
        Revoked(Revoked) = "access.grant.revoked",
    }
}

/// Fields of `access.path.denied`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Denied {
    /// Who tried.
    pub agent: AgentId,
    /// What the folder allows.
    pub policy: Policy,
}

/// Fields of `access.grant.given`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Given {
    /// Who.
    pub agent: AgentId,
    /// A folder of `.context`.
    pub folder: Box<str>,
}

/// Fields of `access.grant.revoked`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Revoked {
    /// Who.
    pub agent: AgentId,
    /// A folder of `.context`.
    pub folder: Box<str>,
}
