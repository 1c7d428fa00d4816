//! Tokens of the Copilot CLI: each message says what it wrote, the end of the session gives the totals.
//!
//! `inputTokens` includes what came from the cache and what went into it, `outputTokens` the reasoning.

use std::collections::BTreeMap;

use crate::import::object::Object;
use crate::kernel::annals::Usage;
use crate::kernel::id::ModelId;

/// What was counted so far, by model.
#[derive(Debug, Default)]
pub struct Tokens(BTreeMap<ModelId, Usage>);

impl Tokens {
    /// What a message adds.
    pub fn message(&mut self, data: &Object<'_>, model: Option<&ModelId>) -> Usage {
        let added = Usage { requests: 1, output: data.integer("outputTokens").unwrap_or(0), ..Usage::default() };
        *self.0.entry(model.cloned().unwrap_or_default()).or_default() += added;
        added
    }

    /// What the totals at the end add to what the messages said, by model.
    pub fn total(&mut self, data: &Object<'_>) -> Vec<(ModelId, Usage)> {
        let metrics = data.object("modelMetrics");
        let totals = metrics.members().map(|(model, metrics)| (ModelId::from(model), counted(metrics.get())));
        let totals: BTreeMap<ModelId, Usage> = totals.collect();
        let mut added = Vec::new();
        for (model, total) in totals {
            let before = self.0.insert(model.clone(), total).unwrap_or_default();
            if total != before {
                added.push((model, total - before));
            }
        }
        added
    }
}

fn counted(metrics: &str) -> Usage {
    let metrics = Object::of(metrics);
    let usage = metrics.object("usage");
    let count = |key| usage.integer(key).unwrap_or(0);
    let (cache_read, cache_write) = (count("cacheReadTokens"), count("cacheWriteTokens"));
    Usage {
        requests: metrics.object("requests").integer("count").unwrap_or(0),
        input: count("inputTokens").saturating_sub(cache_read).saturating_sub(cache_write).max(0),
        cache_read,
        cache_write,
        output: count("outputTokens"),
        reasoning: count("reasoningTokens"),
        ..Usage::default()
    }
}
