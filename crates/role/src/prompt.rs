//! What a role asks a model, and why an answer could not be read.
//!
//! Data only: which model answers is the registry's matter.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use annals_kernel::json::{Json, sha256_hex};

/// A question to a model.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RolePrompt {
    /// What the model is, and the rules it answers by.
    pub system: String,
    /// What is asked now.
    pub user: String,
    /// The JSON schema the answer has to follow, for servers that can constrain.
    pub schema: Option<serde_json::Value>,
    /// So many tokens of an answer at most.
    pub max_tokens: u32,
    /// Whether the model may think first; verdicts are asked without.
    pub may_think: bool,
}

impl RolePrompt {
    /// SHA-256 of the whole question: what an entry says of it.
    pub fn hash(&self) -> String {
        sha256_hex(Json::of(self).text().as_bytes())
    }
}

/// Why an answer could not be used.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, thiserror::Error)]
#[serde(tag = "why", rename_all = "snake_case")]
#[non_exhaustive]
pub enum BadAnswer {
    /// Nothing came, or only thoughts.
    #[error("the answer is empty")]
    Empty,
    /// It holds no JSON that could be read.
    #[error("the answer holds no readable JSON: {reason}")]
    NotJson {
        /// What the parser said.
        reason: String,
    },
    /// It ends before its JSON does.
    #[error("the answer was cut off")]
    CutOff,
    /// The model declined.
    #[error("the model refused: {words}")]
    Refused {
        /// Its first words.
        words: String,
    },
    /// It repeats itself without end.
    #[error("the answer repeats itself")]
    Loops,
    /// The JSON is not what was asked for.
    #[error("the answer's {field} {problem}")]
    Field {
        /// Which member, by dotted path.
        field: String,
        /// What is wrong with it.
        problem: String,
    },
    /// A plan uses what it must not.
    #[error("{what} is used, which it must not be")]
    Forbidden {
        /// The tool or target.
        what: String,
    },
}
