//! What can be asked of the roster.

use annals_sparse::sparse;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use annals_kernel::actor::Role;
use annals_kernel::grounding::words;
use annals_kernel::id::{AgentId, ModelId};
use annals_kernel::wire::wire;

wire! {
    /// What can be asked of the roster.
    pub enum Command {
        /// Take an agent into the swarm.
        Add(Add) = "roster.agent.add",
        /// Change an agent; what is not named stays.
        Change(Change) = "roster.agent.change",
        /// Give an agent, or the user, a token of its own.
        Seal(Seal) = "roster.agent.seal",
    }
}

words! {
    /// Whether an agent takes part.
    pub enum Duty {
        /// It does.
        Active = "active",
        /// It does not; its past stays.
        Retired = "retired",
    }
}

/// Fields of `roster.agent.add`.
#[sparse]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Add {
    /// Its id: how `--as` names it.
    pub agent: AgentId,
    /// How people call it.
    pub name: Option<Box<str>>,
    /// What it is there for.
    pub role: Role,
    /// The model behind it.
    pub model: Option<ModelId>,
    /// The program that it acts from: in a shell of that, who is not named is this agent.
    pub program: Option<Box<str>>,
    /// Whether it can be asked to dissent (control-room 2.3).
    #[serde(default)]
    pub can_be_devils_advocate: bool,
}

/// Fields of `roster.agent.change`.
#[sparse]
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Change {
    /// Which.
    pub agent: AgentId,
    /// How people call it.
    pub name: Option<Box<str>>,
    /// What it is there for.
    pub role: Option<Role>,
    /// The model behind it from now on (control-room 12.4).
    pub model: Option<ModelId>,
    /// The program that it acts from.
    pub program: Option<Box<str>>,
    /// Whether it can be asked to dissent.
    pub can_be_devils_advocate: Option<bool>,
    /// Whether it takes part.
    pub duty: Option<Duty>,
}

/// Fields of `roster.agent.seal`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Seal {
    /// Whose token: an agent, or `user`.
    pub agent: AgentId,
    /// SHA-256 of the token; the token itself is shown once and kept nowhere.
    pub seal: Box<str>,
}

/// Nothing is observed for these commands.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Observed {}
