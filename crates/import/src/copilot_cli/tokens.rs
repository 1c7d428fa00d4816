//! Tokens of the Copilot CLI: each message says what it wrote, the end of the session gives the totals.
//!
//! `inputTokens` includes what came from the cache and what went into it, `outputTokens` the reasoning.

use std::collections::{BTreeMap, BTreeSet};

use crate::object::Object;
use annals_kernel::annals::Usage;
use annals_kernel::id::ModelId;

/// Replies whose record came and whose message did not are remembered up to so many.
const RECORDS: usize = 1024;

/// What was counted so far.
#[derive(Debug, Default)]
pub(super) struct CopilotTokens {
    by_model: BTreeMap<ModelId, Usage>,
    /// The replies that have a record of their own.
    told: BTreeSet<Box<str>>,
}

impl CopilotTokens {
    /// What the record of a reply adds. Totals at the end say it again.
    pub(super) fn record(&mut self, usage: &Object<'_>, model: Option<&ModelId>) -> Option<Usage> {
        let added = Usage { requests: 1, ..counts(usage) };
        if let Some(call) = usage.text("apiCallId").filter(|_| self.told.len() < RECORDS) {
            // The same reply again adds nothing.
            if !self.told.insert((&*call).into()) {
                return None;
            }
        }
        *self.by_model.entry(model.cloned().unwrap_or_default()).or_default() += added;
        Some(added)
    }

    /// What a message adds; nothing where its reply had a record.
    pub(super) fn message(&mut self, data: &Object<'_>, model: Option<&ModelId>) -> Option<Usage> {
        let call = data.text("apiCallId");
        if call.is_some_and(|call| self.told.remove(&*call)) {
            return None;
        }
        let added = Usage { requests: 1, output: data.integer("outputTokens").unwrap_or(0), ..Usage::default() };
        *self.by_model.entry(model.cloned().unwrap_or_default()).or_default() += added;
        Some(added)
    }

    /// What the totals at the end add to what the messages said, by model.
    pub(super) fn total(&mut self, data: &Object<'_>) -> Vec<(ModelId, Usage)> {
        let metrics = data.object("modelMetrics");
        let totals = metrics.members().map(|(model, metrics)| (ModelId::from(model), counted(metrics.get())));
        let totals: BTreeMap<ModelId, Usage> = totals.collect();
        let mut added = Vec::new();
        for (model, total) in totals {
            let before = self.by_model.insert(model.clone(), total).unwrap_or_default();
            if total != before {
                added.push((model, total - before));
            }
        }
        added
    }
}

fn counted(metrics: &str) -> Usage {
    let metrics = Object::of(metrics);
    let usage = counts(&metrics.object("usage"));
    Usage { requests: metrics.object("requests").integer("count").unwrap_or(0), ..usage }
}

fn counts(usage: &Object<'_>) -> Usage {
    let count = |key| usage.integer(key).unwrap_or(0);
    let (cache_read, cache_write) = (count("cacheReadTokens"), count("cacheWriteTokens"));
    Usage {
        input: count("inputTokens").saturating_sub(cache_read).saturating_sub(cache_write).max(0),
        cache_read,
        cache_write,
        output: count("outputTokens"),
        reasoning: count("reasoningTokens"),
        ..Usage::default()
    }
}
