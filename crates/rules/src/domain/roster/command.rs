//! What can be asked of the roster.

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
        Add = "roster.agent.add" {
            /// Its id: how `--as` names it.
            agent: AgentId,
            /// How people call it.
            name: Option<Box<str>>,
            /// What it is there for: assistant, writer, critic, continuity, moderator, team-lead, or any other.
            role: Role,
            /// The model behind it.
            model: Option<ModelId>,
            /// The program that it acts from, as `claude-code`: in a shell of that, who is not named is this agent.
            program: Option<Box<str>>,
            /// It can be asked to dissent (control-room 2.3).
            #[serde(default)]
            can_be_devils_advocate: bool,
        },
        /// Change an agent; what is not named stays.
        Change = "roster.agent.change" derive(Default) {
            /// Which agent.
            agent: AgentId,
            /// How people call it.
            name: Option<Box<str>>,
            /// What it is there for.
            role: Option<Role>,
            /// The model behind it from now on; its record is kept by model (control-room 12.4).
            model: Option<ModelId>,
            /// The program that it acts from.
            program: Option<Box<str>>,
            /// Whether it can be asked to dissent.
            can_be_devils_advocate: Option<bool>,
            /// Whether it takes part.
            duty: Option<Duty>,
        },
        /// Give an agent, or the user, a token of its own.
        Seal = "roster.agent.seal" {
            /// Whose token: an agent, or `user`.
            agent: AgentId,
            /// SHA-256 of the token; the token itself is shown once and kept nowhere.
            seal: Box<str>,
        },
    }
}

words! {
    /// Whether an agent takes part.
    pub enum Duty {
        /// It takes part again.
        Active = "active",
        /// It takes part no more; its past stays.
        Retired = "retired",
    }
}

/// Nothing is observed for these commands.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Observed {}
