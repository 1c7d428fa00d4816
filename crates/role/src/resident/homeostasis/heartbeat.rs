//! Whether a heartbeat is worth a tick (Galatea, track 1d).
//!
//! A question with a time. Holds no lease (decision 69) and starts nothing.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::assessment::HomeostasisAssessment;
use super::dimension::{Dimension, DimensionState};
use annals_kernel::grounding::words;
use annals_kernel::time::Timestamp;

/// `heartbeat` of the configuration.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct HeartbeatSettings {
    /// Whether there is one.
    #[serde(rename = "enabled")]
    pub is_enabled: bool,
    /// From one to the next.
    pub interval_ms: u64,
    /// Whether one that would find nothing to do is left out.
    #[serde(rename = "skip_when_idle")]
    pub may_skip_when_idle: bool,
}

impl Default for HeartbeatSettings {
    fn default() -> Self {
        Self { is_enabled: true, interval_ms: 30_000, may_skip_when_idle: true }
    }
}

/// What a heartbeat finds.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct PulseFacts {
    /// When the last tick was, or was left out.
    pub last_beat: Option<Timestamp>,
    /// Messages that wait.
    pub pending: u64,
}

words! {
    /// What becomes of a heartbeat.
    pub enum Beat {
        /// There is none.
        Off = "off",
        /// It is too early.
        NotYet = "not_yet",
        /// There is nothing to do.
        Skip = "skip",
        /// The agent ticks.
        Tick = "tick",
    }
}

/// What becomes of a heartbeat now.
pub fn beat(
    settings: &HeartbeatSettings,
    facts: &PulseFacts,
    assessment: &HomeostasisAssessment,
    now: Timestamp,
) -> Beat {
    if !settings.is_enabled {
        return Beat::Off;
    }
    if facts.last_beat.is_some_and(|last| now.since(last) < settings.interval_ms) {
        return Beat::NotYet;
    }
    if settings.may_skip_when_idle && may_skip(facts.pending, assessment) { Beat::Skip } else { Beat::Tick }
}

/// Nothing waits, and all six scales are HEALTHY, or the agent has just said something: that it should hold back is no reason
/// to tick. The seventh does not count: an agent whose budget runs out is not helped by ticking more often.
pub fn may_skip(pending: u64, assessment: &HomeostasisAssessment) -> bool {
    let is_well = |dimension: &Dimension| {
        let state = assessment.of(*dimension).state;
        let just_spoke = *dimension == Dimension::CommunicationHealth && state == DimensionState::High;
        just_spoke || state == DimensionState::Healthy
    };
    pending == 0 && Dimension::ALL.iter().all(is_well)
}
