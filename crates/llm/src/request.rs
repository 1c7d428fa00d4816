//! What a model is asked.
//!
//! As a role wrote it: whether it may leave is the sanitizer's matter, and who answers is the configuration's.

use annals_kernel::grounding::words;
use serde::{Deserialize, Serialize};

words! {
    /// Who said an earlier part of a conversation.
    pub enum Speaker {
        /// Our side.
        User = "user",
        /// The model.
        Assistant = "assistant",
    }
}

/// An earlier part of a conversation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Turn {
    /// Who said it.
    pub speaker: Speaker,
    /// What was said.
    pub text: String,
}

/// A question to a model.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct GenerateRequest {
    /// The effect's idempotency key: a recorded answer is found under it.
    pub key: String,
    /// What the model is, and the rules it answers by.
    pub system: String,
    /// What was said before.
    pub earlier: Vec<Turn>,
    /// What is asked now.
    pub user: String,
    /// The JSON schema the answer has to follow, for servers that can constrain.
    pub schema: Option<serde_json::Value>,
    /// The answer's tokens at most. Thoughts that cannot be turned off come on top (`thinking_tokens`).
    pub max_tokens: u32,
    /// Whether the model may think first; verdicts are asked without.
    pub may_think: bool,
    /// How freely it chooses words, where the backend can be told.
    pub temperature: Option<f64>,
    /// What makes its choices repeatable, where the backend can be told. Equal only on one build of a server.
    pub seed: Option<u64>,
}

impl GenerateRequest {
    /// With the defaults of everything else.
    pub fn new(system: impl Into<String>, user: impl Into<String>, max_tokens: u32) -> Self {
        Self { system: system.into(), user: user.into(), max_tokens, ..Self::default() }
    }

    /// Its tokens at four characters each, where no tokenizer is at hand.
    pub fn estimated_tokens(&self) -> u64 {
        let earlier: usize = self.earlier.iter().map(|turn| turn.text.chars().count()).sum();
        let chars = self.system.chars().count() + self.user.chars().count() + earlier;
        u64::try_from(chars.div_ceil(4)).unwrap_or(u64::MAX)
    }
}
