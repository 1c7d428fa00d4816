//! States that a person sets for a while (Galatea, track 1e).
//!
//! Entries of the log, so that nothing is taken back: a later one wins, one that is over counts as if it were not there.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::dimension::{Dimension, DimensionState};
use super::limits::HomeostasisLimits;
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

impl StateOverride {
    /// From now on, for so long; five minutes where nothing is said.
    pub fn new(
        dimension: Dimension,
        state: DimensionState,
        now: Timestamp,
        ttl_ms: Option<u64>,
        limits: &HomeostasisLimits,
    ) -> Self {
        let ttl = i64::try_from(ttl_ms.unwrap_or(limits.override_ttl_ms)).unwrap_or(i64::MAX);
        Self { dimension, state, until: now.plus_millis(ttl) }
    }
}

/// What holds now; the last one given is the last of the list.
pub fn in_force(overrides: &[StateOverride], dimension: Dimension, now: Timestamp) -> Option<DimensionState> {
    let holds = |one: &&StateOverride| one.dimension == dimension && now < one.until;
    overrides.iter().rev().find(holds).map(|one| one.state)
}
