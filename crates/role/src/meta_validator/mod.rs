//! The validator of a round: gathers what the subtasks came to, group by group, merges, and accepts or asks for another plan
//! (artoo R4b).
//!
//! A fold over messages. In doubt it rejects, and where anything failed it asks no model. Starts no subtask, runs no check,
//! and computes no loss (R7 does).

pub mod claim;
pub mod gate;
pub mod gathering;
pub mod question;
#[cfg(test)]
mod tests;

pub use claim::{CitedSummary, FinalClaim, cited};
pub use gate::{GateFindings, failure_class, gate, merge, round_outcome};
pub use gathering::Gathering;
pub use question::{checks, question, read};
