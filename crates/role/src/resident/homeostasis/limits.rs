//! From where on a state is LOW or HIGH, and how long one holds.
//!
//! The times of caches and overrides are the source's (tracks 1e and 2); that of research, silence, idling, delegation
//! and cooldown follow its cases; the others are ours.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use annals_kernel::share::Share;

const MINUTE_MS: u64 = 60_000;
const HOUR_MS: u64 = 60 * MINUTE_MS;

/// All thresholds of homeostasis.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct HomeostasisLimits {
    /// A message with fewer content words asks for no knowledge: a greeting.
    pub fewest_words: usize,
    /// A fact that shares so many content words with the message is about it.
    pub shared_words: usize,
    /// A fact that retrieval itself rates is about the message from here on.
    pub relevant_from: Share,
    /// Confidence of all facts about the message, in thousandths, from which on it is more than enough.
    pub ample_confidence: u32,
    /// So many of the person's last turns are looked at together.
    pub stuck_turns: usize,
    /// So many of those must speak of a failure.
    pub failing_turns: usize,
    /// So many content words must come back in them.
    pub repeated_words: usize,
    /// Work without activity for longer is stale.
    pub stale_work_ms: u64,
    /// What was delegated for longer wants a word.
    pub delegation_ms: u64,
    /// With a task, nothing said for so long is silence.
    pub silence_ms: u64,
    /// Nothing heard for longer is silence, too.
    pub idle_ms: u64,
    /// What was said more recently is enough for now.
    pub cooldown_ms: u64,
    /// Exploring with facts at hand for so long is too long.
    pub research_ms: u64,
    /// Less of a budget than this is a danger.
    pub least_budget: Share,
    /// Less of the disk than this is a danger.
    pub least_disk: Share,
    /// More of the agent's own calls failing than this is a danger.
    pub most_errors: Share,
    /// Of fewer calls there is no rate (decision 18).
    pub fewest_calls: u32,
    /// How long an answer on certainty holds.
    pub certainty_cache_ms: u64,
    /// How long an answer on the use of knowledge holds.
    pub application_cache_ms: u64,
}

impl Default for HomeostasisLimits {
    fn default() -> Self {
        Self {
            fewest_words: 2,
            shared_words: 2,
            relevant_from: Share::thousandths(500),
            ample_confidence: 2_500,
            stuck_turns: 3,
            failing_turns: 2,
            repeated_words: 2,
            stale_work_ms: 48 * HOUR_MS,
            delegation_ms: 24 * HOUR_MS,
            silence_ms: 3 * HOUR_MS,
            idle_ms: 4 * HOUR_MS,
            cooldown_ms: 5 * MINUTE_MS,
            research_ms: 2 * HOUR_MS,
            least_budget: Share::thousandths(100),
            least_disk: Share::thousandths(50),
            most_errors: Share::thousandths(500),
            fewest_calls: 5,
            certainty_cache_ms: MINUTE_MS,
            application_cache_ms: 5 * MINUTE_MS,
        }
    }
}
