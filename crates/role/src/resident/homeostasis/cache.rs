//! Answers of a model that hold for a while: a minute on certainty, five on the use of knowledge (Galatea, track 2).
//!
//! Whether one holds is a question with a time; nothing is removed.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::dimension::{AskedDimension, DimensionState};
use super::limits::HomeostasisLimits;
use annals_kernel::time::Timestamp;

/// The last answer on each scale.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct StateCache(BTreeMap<AskedDimension, CachedState>);

/// An answer, and when it was given.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
struct CachedState {
    state: DimensionState,
    at: Timestamp,
}

impl StateCache {
    /// Keeps an answer.
    pub fn keep(&mut self, dimension: AskedDimension, state: DimensionState, at: Timestamp) {
        self.0.insert(dimension, CachedState { state, at });
    }

    /// The last answer, while it holds. One that is said to come from later than now does not.
    pub fn cached(
        &self,
        dimension: AskedDimension,
        now: Timestamp,
        limits: &HomeostasisLimits,
    ) -> Option<DimensionState> {
        let holds_ms = match dimension {
            AskedDimension::CertaintyAlignment => limits.certainty_cache_ms,
            AskedDimension::KnowledgeApplication => limits.application_cache_ms,
        };
        let kept = self.0.get(&dimension)?;
        (kept.at <= now && now.since(kept.at) < holds_ms).then_some(kept.state)
    }
}
