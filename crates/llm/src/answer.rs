//! What a model answered, as it came.
//!
//! Nothing here is parsed: a role reads `text` after `raw` has become an entry of the log (decision 65).

use serde::{Deserialize, Serialize};

/// An answer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RawAnswer {
    /// What it says.
    pub text: String,
    /// What it thought first, where the backend tells it apart.
    pub thinking: Option<String>,
    /// Why it ended.
    pub finish: Finish,
    /// The model, as the server named it.
    pub model: String,
    /// Tokens of the question, where the server counted.
    pub tokens_in: Option<u64>,
    /// Tokens of the answer, thoughts included, where the server counted.
    pub tokens_out: Option<u64>,
    /// What the backend says it cost, in billionths of a dollar.
    pub nano_usd: Option<u64>,
    /// The whole body as received; what is no UTF-8 is replaced.
    pub raw: String,
}

/// Why an answer ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Finish {
    /// It was complete.
    Stop,
    /// It ran into `max_tokens` or the end of the context.
    Length,
    /// The model, or a filter, declined.
    Refused,
    /// It wants a tool, which it was not given.
    ToolUse,
    /// As the server says.
    Other(String),
}

/// Vectors of texts, in the order of the texts.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Vectors {
    /// The model, as the server named it (AFS 10.2, `embedding_model`).
    pub model: String,
    /// One a text, all of one length.
    pub vectors: Vec<Vec<f32>>,
    /// Tokens of the texts, where the server counted.
    pub tokens_in: Option<u64>,
}

impl Vectors {
    /// One a text, none empty, all of one length, and each with a direction: zeros are near nothing.
    pub(crate) fn require_one_each(&self, texts: usize) -> Result<(), String> {
        let lengths: std::collections::BTreeSet<_> = self.vectors.iter().map(Vec::len).collect();
        if self.vectors.len() != texts || lengths.len() > 1 || lengths.contains(&0) {
            return Err(format!("it has {} vectors of lengths {lengths:?} for {texts} texts", self.vectors.len()));
        }
        let has_none =
            |vector: &Vec<f32>| vector.iter().all(|number| *number == 0.0) || vector.iter().any(|it| !it.is_finite());
        match self.vectors.iter().position(has_none) {
            Some(at) => Err(format!("vector {} of {texts} has no direction", at + 1)),
            None => Ok(()),
        }
    }
}
