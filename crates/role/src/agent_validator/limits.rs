//! How often a subtask is tried (artoo R4a, `maxRetries`; decision 37: configuration).
//!
//! A number.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How often.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct ValidatorLimits {
    /// Attempts after the first one.
    pub max_retries: u32,
}

impl Default for ValidatorLimits {
    fn default() -> Self {
        Self { max_retries: 2 }
    }
}
