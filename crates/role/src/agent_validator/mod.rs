//! The validator of one subtask: what its criteria came to, and whether the executor tries again (artoo R4a).
//!
//! Code decides what code can check, and a model is asked for the rest (decision 62). What the executor says is a claim;
//! what its tools gave is the evidence. Runs no check and no tool, and judges no task criterion (R4b does).

pub mod correction;
pub mod grounding;
pub mod judging;
pub mod limits;
pub mod question;
pub mod report;
#[cfg(test)]
mod tests;

pub use judging::{Judging, SubTaskJudgement, judge};
pub use limits::ValidatorLimits;
pub use question::{checks, question, read};
