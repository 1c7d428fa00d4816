//! What happens on the ladder.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::ladder::Level;
use annals_kernel::credits::Rate;
use annals_kernel::id::{AgentId, ModelId};
use annals_kernel::wire::wire;

wire! {
    /// What happened to the standing of an agent.
    pub enum Event {
        /// It went up or down the ladder (control-room 12.2).
        LevelChanged(LevelChanged) = "reliability.level.changed",
    }
}

/// Fields of `reliability.level.changed`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct LevelChanged {
    /// Who.
    pub agent: AgentId,
    /// With which model.
    pub model: ModelId,
    /// What it was.
    pub from: Level,
    /// What it is.
    pub to: Level,
    /// How much of its last actions was penalised.
    pub penalty: Rate,
}
