//! What a model said where a decision rests on it: an observation like any other, so that replay asks nobody.
//!
//! Does not say what the words mean: who asked reads them.

use annals_sparse::sparse;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::id::EntryId;

/// What a model said, and how it was asked.
#[sparse]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ModelWord {
    /// The entry that took in the answer before anybody read it.
    pub entry: EntryId,
    /// What it was asked for: `council`, `dialectic`, `summary`, …
    pub purpose: Box<str>,
    /// The model, as its server names it.
    pub model: Box<str>,
    /// SHA-256 of what it was asked.
    pub prompt: Box<str>,
    /// Tokens of the question, where the server counted.
    #[sparse]
    pub tokens_in: u64,
    /// Tokens of the answer, where the server counted.
    #[sparse]
    pub tokens_out: u64,
    /// Characters of what it was to judge that it was not shown: the word is not one over the whole.
    #[sparse]
    pub left_out: u64,
    /// How long it took.
    pub ms: u64,
    /// The answer, as it came; empty while it is sealed.
    #[sparse]
    pub answer: Box<str>,
}
