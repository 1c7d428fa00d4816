//! What happens to the roster.

use annals_sparse::sparse;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::state::Agent;
use annals_kernel::id::AgentId;
use annals_kernel::wire::wire;

wire! {
    /// What happened to the roster.
    pub enum Event {
        /// An agent came, or is another one than before.
        Changed(Changed) = "roster.agent.changed",
        /// Somebody has a token of its own.
        Sealed(Sealed) = "roster.agent.sealed",
        /// Somebody acted under a name without its token.
        Forged(Forged) = "roster.actor.forged",
        /// Somebody tried what it may not.
        Barred(Barred) = "roster.actor.barred",
    }
}

/// Fields of `roster.agent.changed`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Changed {
    /// Which.
    pub agent: AgentId,
    /// What it is now.
    pub to: Agent,
}

/// Fields of `roster.agent.sealed`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Sealed {
    /// Whose token.
    pub agent: AgentId,
    /// SHA-256 of the token.
    pub seal: Box<str>,
}

/// Fields of `roster.actor.forged`: a security event.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Forged {
    /// The name that was used.
    pub actor: AgentId,
    /// What was asked under it.
    pub command: Box<str>,
}

/// Fields of `roster.actor.barred`: once a day by rule and actor.
#[sparse]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Barred {
    /// Who, by the name that was used.
    pub actor: AgentId,
    /// The rule that said no.
    pub rule: Box<str>,
    /// What was asked.
    pub command: Box<str>,
    /// The agent in whose shell it was asked, where there is one.
    pub shell: Option<Box<str>>,
}
