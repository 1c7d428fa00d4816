//! The roles of the control loop, as state machines over what is said between them (artoo R1 to R7).
//!
//! Pure: each takes in what it hears and says what it says. Sends nothing, asks no model, runs no tool.

pub use annals_rules::domain::task::bus;
pub mod message;
pub mod plan;
pub mod prompt;
pub mod tool;

pub mod run;

pub mod agent_validator;
pub mod auditor;
pub mod delegate;
pub mod executor;
pub mod ggs;
pub mod meta_validator;
pub mod perceiver;
pub mod planner;
pub mod tune;

pub mod judged;

pub mod resident;

pub mod criterion;
pub mod evidence;
pub mod quote;
pub mod reply;
#[cfg(test)]
mod testing;
pub mod wanted;
