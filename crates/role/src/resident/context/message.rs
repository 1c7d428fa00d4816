//! A message as a model is given it.
//!
//! Data only.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use annals_kernel::grounding::words;

words! {
    /// Who speaks.
    pub enum ContextRole {
        /// Who set the model up.
        System = "system",
        /// The person.
        User = "user",
        /// The model.
        Assistant = "assistant",
        /// A tool that was called.
        Tool = "tool",
    }
}

words! {
    /// Whether a message may be left out.
    #[derive(Default)]
    pub enum Hold {
        /// It may.
        #[default]
        Free = "free",
        /// It may not, where zones are kept.
        Pinned = "pinned",
    }
}

/// A message.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ContextMessage {
    /// Who speaks.
    pub role: ContextRole,
    /// What is said; of a call, its name and input.
    pub content: String,
    /// Whether it may be left out.
    #[serde(default)]
    pub hold: Hold,
    /// Ids of the calls that it makes.
    #[serde(default)]
    pub calls: Vec<String>,
    /// The id of the call that it is the result of.
    #[serde(default)]
    pub answers: Option<String>,
}

impl ContextMessage {
    /// A message that neither calls nor answers.
    pub fn new(role: ContextRole, content: impl Into<String>) -> Self {
        Self { role, content: content.into(), hold: Hold::Free, calls: Vec::new(), answers: None }
    }
}
