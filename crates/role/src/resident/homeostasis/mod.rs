//! How the agent stands on six scales, and on a seventh that is its own safety (Galatea, track 2; decision 68).
//!
//! Pure: what was observed goes in with a time, states come out. Four scales are read by rule, two a model is asked
//! for, in one word; where its answer cannot be read they are HEALTHY and say that nothing else is known. Acts on
//! nothing: what a state means for a prompt is `guidance`, whether a heartbeat is worth a tick `heartbeat`.

pub mod agent_context;
pub mod assessment;
pub mod cache;
pub mod destructive;
pub mod dimension;
pub mod forced;
pub mod guidance;
pub mod heartbeat;
pub mod limits;
pub mod question;
pub mod rule;
pub mod stuck;
#[cfg(test)]
mod tests;
pub mod wording;

pub use agent_context::{
    AgentContext, CurrentPhase, MessageTrust, PhaseName, ResidentTurn, RetrievedFact, TurnRole, Vitals, WorkItem,
};
pub use assessment::{Assessed, AssessmentMethod, HomeostasisAssessment};
pub use cache::StateCache;
pub use destructive::is_destructive;
pub use dimension::{AskedDimension, Dimension, DimensionState};
pub use forced::{StateOverride, in_force};
pub use guidance::guidance;
pub use heartbeat::{Beat, HeartbeatSettings, PulseFacts, beat, may_skip};
pub use limits::HomeostasisLimits;
pub use question::{question, read};
pub use rule::assess_by_rule;
