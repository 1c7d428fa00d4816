//! What happens on the ladder.

use super::ladder::WatchLevel;
use annals_kernel::credits::Rate;
use annals_kernel::id::{AgentId, ModelId};
use annals_kernel::wire::wire;

wire! {
    /// What happened to the standing of an agent.
    pub enum Event {
        /// It went up or down the ladder (control-room 12.2).
        LevelChanged = "reliability.level.changed" {
            /// Who.
            agent: AgentId,
            /// With which model.
            model: ModelId,
            /// What it was.
            from: WatchLevel,
            /// What it is.
            to: WatchLevel,
            /// How much of its last actions was penalised.
            penalty: Rate,
        },
    }
}
