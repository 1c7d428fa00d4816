//! `OpenHands` counts tokens from the start of a session; an entry carries what was added since the last count.
//!
//! `prompt_tokens` includes what came from the cache and what went into it.

use crate::object::{Object, rounded};
use annals_kernel::annals::Usage;

/// How far tokens are counted.
#[derive(Debug, Default)]
pub(super) struct OpenHandsTokens {
    counted: Usage,
    /// The last response whose own usage was taken: actions and results repeat it.
    response: Option<String>,
}

impl OpenHandsTokens {
    /// What a count from the start adds. Without a number of requests, a count that grew is one.
    pub(super) fn total(&mut self, total: Usage) -> Option<Usage> {
        let known = total.requests > 0;
        let total = if known { total } else { Usage { requests: self.counted.requests, ..total } };
        let mut added = total - self.counted;
        if added.is_zero() {
            return None;
        }
        if !known {
            added.requests = 1;
        }
        self.counted += added;
        Some(added)
    }

    /// What an accumulated cost adds, where the tokens are counted elsewhere.
    pub(super) fn cost(&mut self, metrics: &Object<'_>) -> Option<Usage> {
        let total = accumulated(metrics).cost_micro_usd;
        let cost_micro_usd = total - self.counted.cost_micro_usd;
        self.counted.cost_micro_usd = self.counted.cost_micro_usd.max(total);
        (cost_micro_usd > 0).then_some(Usage { cost_micro_usd, ..Usage::default() })
    }

    /// What one response adds, the first time that it is seen.
    pub(super) fn response(&mut self, response: &Object<'_>) -> Option<Usage> {
        let id = response.text("id")?.into_owned();
        if self.response.as_deref() == Some(&*id) {
            return None;
        }
        self.response = Some(id);
        let usage = usage_of_response(response);
        let added = Usage { requests: 1, ..usage };
        self.counted += added;
        (!usage.is_zero()).then_some(added)
    }
}

/// `{"accumulated_cost": …, "accumulated_token_usage": {…}}`.
pub(super) fn accumulated(metrics: &Object<'_>) -> Usage {
    let tokens = metrics.object("accumulated_token_usage");
    let count = |key| tokens.integer(key).unwrap_or(0);
    let cost = metrics.number("accumulated_cost").and_then(|cost| rounded(cost * 1e6));
    Usage {
        reasoning: count("reasoning_tokens"),
        cost_micro_usd: cost.unwrap_or(0),
        ..split(
            count("prompt_tokens"),
            count("cache_read_tokens"),
            count("cache_write_tokens"),
            count("completion_tokens"),
        )
    }
}

/// The `usage` of a completion, as the model's service gave it.
pub(super) fn usage_of_response(response: &Object<'_>) -> Usage {
    let usage = response.object("usage");
    let count = |key| usage.integer(key).unwrap_or(0);
    let cached = usage.object("prompt_tokens_details").integer("cached_tokens");
    let read = usage.integer("cache_read_input_tokens").or(cached).unwrap_or(0);
    let reasoning = usage.object("completion_tokens_details").integer("reasoning_tokens");
    Usage {
        reasoning: reasoning.unwrap_or(0),
        ..split(count("prompt_tokens"), read, count("cache_creation_input_tokens"), count("completion_tokens"))
    }
}

fn split(prompt: i64, cache_read: i64, cache_write: i64, output: i64) -> Usage {
    let input = prompt.saturating_sub(cache_read).saturating_sub(cache_write).max(0);
    Usage { input, cache_write, cache_read, output, ..Usage::default() }
}
