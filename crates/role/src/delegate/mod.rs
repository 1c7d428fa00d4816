//! A whole agent as executor: what it is told, and what its own stream says that it did (artoo R3, decision 66).
//!
//! Pure: an outcome in, a report out. Starts no program. What is in the report are claims of the program's: its last words are
//! believed by nobody, and of its calls R4a makes what it makes of any. Checks by code come first.

mod brief;
mod claude;
mod codex;
mod outcome;
mod report;
mod stream;
#[cfg(test)]
mod tests;

pub use outcome::{AgentEnd, AgentJob, AgentOutcome, AgentProgram, AgentUsage};
pub use report::{AgentReport, read};
