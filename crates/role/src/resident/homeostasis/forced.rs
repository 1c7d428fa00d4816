//! States that a person sets for a while (Galatea, track 1e).
//!
//! Entries of the log, so that nothing is taken back: a later one wins, one that is over counts as if it were not there.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::dimension::{Dimension, DimensionState};
use annals_kernel::time::Timestamp;

/// A state that holds whatever rule and model say.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct StateOverride {
    /// On which scale.
    pub dimension: Dimension,
    /// Which.
    pub state: DimensionState,
    /// It holds before then.
    pub until: Timestamp,
}

/// What holds now; the last one given is the last of the list.
pub fn in_force(overrides: &[StateOverride], dimension: Dimension, now: Timestamp) -> Option<DimensionState> {
    let holds = |one: &&StateOverride| one.dimension == dimension && now < one.until;
    overrides.iter().rev().find(holds).map(|one| one.state)
}
