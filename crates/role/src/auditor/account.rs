//! What a task cost: model calls that had to wait for each other, and tokens by role (artoo, "Cost Model").
//!
//! Counts what it is told. Prices stand with the models.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::bus::Party;
use annals_kernel::time::Timestamp;

/// A model was asked, and answered or failed to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ModelCall {
    /// For which role.
    pub role: Party,
    /// When it was asked.
    pub started: Timestamp,
    /// When the answer was whole.
    pub ended: Timestamp,
    /// Tokens it read.
    pub prompt_tokens: u64,
    /// Tokens it wrote, thoughts included.
    pub answer_tokens: u64,
    /// What it cost, in millionths of a US dollar.
    #[serde(default)]
    pub cost_micro_usd: u64,
}

/// What the calls of a role came to.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct RoleCost {
    /// Calls, parallel ones each.
    pub calls: u64,
    /// Tokens read.
    pub prompt_tokens: u64,
    /// Tokens written.
    pub answer_tokens: u64,
    /// Milliseconds that models worked; parallel ones add up.
    pub model_ms: u64,
    /// Money, in millionths of a US dollar.
    pub cost_micro_usd: u64,
}

/// The account of one task.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Account {
    rows: BTreeMap<Party, RoleCost>,
    spans: Vec<CallSpan>,
}

/// From when to when a call took; ordered by its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
struct CallSpan {
    ended: Timestamp,
    started: Timestamp,
}

impl Account {
    /// Takes in a call.
    pub fn heard(&mut self, call: &ModelCall) {
        let row = self.rows.entry(call.role).or_default();
        *row = row.plus(&RoleCost {
            calls: 1,
            prompt_tokens: call.prompt_tokens,
            answer_tokens: call.answer_tokens,
            model_ms: call.ended.since(call.started),
            cost_micro_usd: call.cost_micro_usd,
        });
        self.spans.push(CallSpan { ended: call.ended.max(call.started), started: call.started });
    }

    /// Calls on the critical path: the longest chain of calls each of which began when the one before was over.
    pub fn sequential_calls(&self) -> u64 {
        let mut spans = self.spans.clone();
        spans.sort_unstable();
        let mut chain = 0;
        let mut over: Option<Timestamp> = None;
        for span in spans {
            if over.is_none_or(|over| span.started >= over) {
                chain += 1;
                over = Some(span.ended);
            }
        }
        chain
    }

    /// What each role cost.
    pub fn rows(&self) -> &BTreeMap<Party, RoleCost> {
        &self.rows
    }

    /// What all of them cost.
    pub fn total(&self) -> RoleCost {
        self.rows.values().fold(RoleCost::default(), |sum, row| sum.plus(row))
    }
}

impl RoleCost {
    fn plus(&self, other: &Self) -> Self {
        Self {
            calls: self.calls.saturating_add(other.calls),
            prompt_tokens: self.prompt_tokens.saturating_add(other.prompt_tokens),
            answer_tokens: self.answer_tokens.saturating_add(other.answer_tokens),
            model_ms: self.model_ms.saturating_add(other.model_ms),
            cost_micro_usd: self.cost_micro_usd.saturating_add(other.cost_micro_usd),
        }
    }
}
