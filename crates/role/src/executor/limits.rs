//! How long one attempt may go on (decision 37: configuration).
//!
//! Counts only; time and money are the budget's matter.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What one attempt may cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct ExecutorLimits {
    /// Answers of the model, readable or not.
    pub max_answers: u32,
    /// Calls of tools.
    pub max_calls: u32,
}

impl Default for ExecutorLimits {
    fn default() -> Self {
        Self { max_answers: 12, max_calls: 40 }
    }
}
