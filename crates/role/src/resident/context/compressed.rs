//! What a compressor makes of a conversation (Galatea, track 4, `ContextCompressor`).

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::message::ContextMessage;
use super::token::TokenCounter;

/// Makes a conversation fit a budget.
pub trait Compressor {
    /// What is given, in the order in which it was said.
    fn compress(&self, messages: &[ContextMessage], budget_tokens: u64, counter: &dyn TokenCounter) -> Compressed;
}

/// What is left of a conversation.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Compressed {
    /// What is given, as it was said.
    pub messages: Vec<ContextMessage>,
    /// Their places in the conversation.
    pub kept: Vec<usize>,
    /// So many were left out.
    pub dropped: usize,
    /// What stands for those that were left out; it belongs into the system prompt, for nobody said it.
    #[serde(default)]
    pub summary: Option<String>,
    /// Tokens of all that is given, the summary too. More than the budget where what is always kept is more.
    pub tokens_used: u64,
}

impl Compressed {
    pub(super) fn of(messages: &[ContextMessage], kept: &BTreeSet<usize>, counter: &dyn TokenCounter) -> Self {
        let given: Vec<_> = kept.iter().filter_map(|at| messages.get(*at).cloned()).collect();
        let tokens_used = given.iter().map(|message| counter.message(message)).fold(0, u64::saturating_add);
        Self {
            dropped: messages.len() - given.len(),
            messages: given,
            kept: kept.iter().copied().collect(),
            summary: None,
            tokens_used,
        }
    }

    pub(super) fn with_summary(mut self, summary: &str, counter: &dyn TokenCounter) -> Self {
        self.tokens_used = self.tokens_used.saturating_add(counter.text(summary));
        self.summary = Some(summary.to_owned());
        self
    }
}
