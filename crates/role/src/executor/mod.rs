//! The executor: one attempt at a subtask, as questions to a model, requests to tools, and a result with evidence (artoo R3).
//!
//! Pure: an answer in, a step out. Runs no tool, asks no model, judges nothing (R4a does), and never retries of its own
//! accord: `ExecutorAttempt::again` takes a correction.

pub mod answer;
pub mod attempt;
mod held;
pub mod input;
pub mod limits;
pub mod question;
#[cfg(test)]
mod tests;
pub mod whole;

pub use answer::{ExecutorStep, Then};
pub use attempt::ExecutorAttempt;
pub use limits::ExecutorLimits;
pub use whole::ExecutorForm;

pub use super::evidence::{evidence, head_tail, transcript::OUTPUT_CHARS};
