//! What came of asking, with all that failed on the way: each of it is an entry of its own (decision 65).

use std::fmt;

use annals_kernel::time::Timestamp;

use super::choice::NoModel;
use crate::answer::{RawAnswer, Vectors};
use crate::failure::ModelError;

/// An attempt that failed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attempt {
    /// Who was asked.
    pub name: String,
    /// Why it gave no answer.
    pub error: ModelError,
    /// How long that took.
    pub ms: u64,
}

/// An answer, and how it was had.
#[derive(Debug, Clone, PartialEq)]
pub struct Asked {
    /// As it came.
    pub answer: RawAnswer,
    /// Who gave it, as the person calls it.
    pub name: String,
    /// When it was complete.
    pub at: Timestamp,
    /// How long the attempt that gave it took.
    pub ms: u64,
    /// What failed before.
    pub attempts: Vec<Attempt>,
}

/// Vectors, and how they were had (AFS 10.2).
#[derive(Debug, Clone, PartialEq)]
pub struct Embedded {
    /// As they came, with the model that made them.
    pub vectors: Vectors,
    /// Who made them, as the person calls it.
    pub name: String,
    /// When they were made.
    pub at: Timestamp,
    /// What failed before.
    pub attempts: Vec<Attempt>,
}

/// There is no answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AskError {
    /// Why, in the end.
    pub why: Unasked,
    /// What failed, in order.
    pub attempts: Vec<Attempt>,
}

/// Why there is no answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Unasked {
    /// Nobody could be asked.
    #[error(transparent)]
    Choice(#[from] NoModel),
    /// All who were asked failed, the last of them so.
    #[error(transparent)]
    Model(#[from] ModelError),
}

impl AskError {
    pub(super) fn of_choice(error: NoModel) -> Self {
        Self { why: error.into(), attempts: Vec::new() }
    }
}

impl fmt::Display for AskError {
    /// Where a stand-in failed, too, both are named.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let last = |attempt: &&Attempt| self.attempts.last().is_some_and(|last| last.name == attempt.name);
        let Some(first) = self.attempts.iter().rfind(|attempt| !last(attempt)) else { return self.why.fmt(f) };
        write!(f, "{} (before, {}: {})", self.why, first.name, first.error)
    }
}

impl std::error::Error for AskError {}
