//! What can be configured of the resident agent: its heartbeat, its channels, and whom it trusts (decision 37).

use std::collections::BTreeMap;

use super::word::{CompressionStrategy, MessageTrust};
use annals_kernel::settings::{outside, settings};
use annals_kernel::share::Share;

/// A day, in milliseconds.
const DAY_MS: u64 = 86_400_000;

settings! {
    /// Galatea, track 1d.
    HEARTBEAT_ENABLED: bool = true, "heartbeat.enabled", "whether the resident agent ticks without being written to",
        weakens Never;
    /// Galatea, track 1d.
    HEARTBEAT_INTERVAL: u64 = 30_000, "heartbeat.interval_ms", "from one heartbeat to the next, in milliseconds",
        unless |ms| outside(ms, &100, &DAY_MS), weakens Never;
    /// Galatea, track 1d.
    SKIP_WHEN_IDLE: bool = true, "heartbeat.skip_when_idle",
        "whether a heartbeat is left out when nothing waits and all is well", weakens Never;
    /// Decision 69.
    LEASE_MS: u64 = 600_000, "resident.lease_ms",
        "how long a process has the resident agent before another clone may take it, in milliseconds",
        unless |ms| outside(ms, &1000, &DAY_MS), weakens Never;
    /// What channels are worth.
    CHANNELS: BTreeMap<Box<str>, MessageTrust> =
        [("api", MessageTrust::High), ("ui", MessageTrust::Absolute)].map(|(name, trust)| (name.into(), trust)).into(),
        "resident.channels", "how far each channel of messages is trusted; one that is not here: not at all",
        weakens Always;
    /// What senders are worth.
    PEOPLE: BTreeMap<Box<str>, MessageTrust> = BTreeMap::new(), "resident.people",
        "how far each sender of messages is trusted, beside you and the roster; one that is not here: not at all",
        weakens Always;
    /// How many messages wait.
    MAX_PENDING: usize = 1000, "resident.max_pending", "how many messages may wait for the resident agent",
        unless |most| outside(most, &1, &100_000), weakens WhenHigher;
    /// How long a message is.
    MESSAGE_CHARS: usize = 16_000, "resident.message_chars", "the longest message to the resident agent, in characters",
        unless |most| outside(most, &1, &1_000_000), weakens WhenHigher;
    /// Galatea, track 2.
    L2_ENABLED: bool = true, "homeostasis.l2.enabled",
        "whether a model is asked for the two scales that no rule can read", weakens Never;
    /// Galatea, track 2.
    L2_MAX_TOKENS: u32 = 50, "homeostasis.l2.max_tokens", "how many tokens such an answer may have",
        unless |most| outside(most, &1, &10_000), weakens Never;
    /// Galatea, track 4.
    CHARS_PER_TOKEN: u32 = 4, "context.compression.chars_per_token",
        "how many characters are a token, where the family of a model is not known; 4 stands for an estimate by script", unless |count| outside(count, &1, &100),
        weakens Never;
    /// Galatea, track 4.
    RESERVE_RATIO: Share = Share::thousandths(100), "context.compression.reserve_ratio",
        "the part of a model's context that is left for its answer", weakens Never;
    /// Galatea, track 4.
    MODEL_BUDGETS: BTreeMap<Box<str>, u64> =
        [("glm-4.7-flash:latest", 8_192), ("gpt-oss:latest", 8_192), ("sonnet", 200_000), ("default", 8_192)]
            .map(|(name, budget)| (name.into(), budget)).into(),
        "context.compression.model_budgets", "the context of each model, in tokens; `default` of any other",
        weakens Never;
    /// Galatea, track 4.
    STRATEGY: CompressionStrategy = CompressionStrategy::SlidingWindow, "context.compression.strategy",
        "how a conversation is made to fit: sliding_window, zoned, summarizing or hybrid", weakens Never;
}
