//! Counting: by four characters, or by what a family of tokenizers makes of words, digits, marks and scripts.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::cost::costs;
use super::family::TokenFamily;
use super::feature::features;
use crate::quote::inline;
use crate::resident::context::message::ContextMessage;

/// Counts tokens.
pub trait TokenCounter {
    /// Of a text.
    fn text(&self, text: &str) -> u64;

    /// Of a message, with what goes around it.
    fn message(&self, message: &ContextMessage) -> u64 {
        self.text(&message.content)
    }
}

/// Counts texts as a prompt shows them: each on a line of its own behind its role, between quotes.
#[derive(Clone, Copy)]
pub struct AsShown<'c> {
    /// Counts what is shown.
    pub counter: &'c dyn TokenCounter,
}

impl TokenCounter for AsShown<'_> {
    fn text(&self, text: &str) -> u64 {
        self.counter.text(&inline(text))
    }

    fn message(&self, message: &ContextMessage) -> u64 {
        self.counter.text(&format!("{}: {}\n", message.role, inline(&message.content)))
    }
}

/// So many characters are a token, a begun one whole; nothing goes around a message (Galatea, track 4).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FourCharacters {
    /// `chars_per_token` of the configuration.
    pub chars_per_token: u32,
}

impl Default for FourCharacters {
    fn default() -> Self {
        Self { chars_per_token: 4 }
    }
}

impl TokenCounter for FourCharacters {
    fn text(&self, text: &str) -> u64 {
        let characters = u64::try_from(text.chars().count()).unwrap_or(u64::MAX);
        characters.div_ceil(u64::from(self.chars_per_token.max(1)))
    }
}

/// Within a fifth of the real count for most texts of some length, whatever their script; `tests/estimate.rs` says for which.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TokenEstimate {
    /// Whose tokens.
    pub family: TokenFamily,
}

impl TokenEstimate {
    /// For a model, by its name.
    pub fn of_model(name: &str) -> Self {
        Self { family: TokenFamily::of_model(name) }
    }
}

impl TokenCounter for TokenEstimate {
    fn text(&self, text: &str) -> u64 {
        let counts = features(text);
        let thousandths =
            counts.iter().zip(costs(self.family)).map(|(count, cost)| count.saturating_mul(u64::from(*cost)));
        thousandths.fold(0, u64::saturating_add).div_ceil(1000)
    }

    fn message(&self, message: &ContextMessage) -> u64 {
        let calls = message.calls.len() + usize::from(message.answers.is_some());
        let around = self.family.around_call().saturating_mul(u64::try_from(calls).unwrap_or(u64::MAX));
        let framed = self.text(&message.content).saturating_add(self.family.around_message());
        framed.saturating_add(around)
    }
}
