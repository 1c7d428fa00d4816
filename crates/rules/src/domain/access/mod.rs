//! Who may write where in a `.context` folder (AFS appendix D).
//!
//! Owns `access.*`. A question is pure; a refused attempt and a grant are decisions. Does not look at files: paths come
//! as the shell resolved them.

pub mod command;
pub mod decide;
pub mod event;
pub mod policy;
pub mod state;
#[cfg(test)]
mod tests;

pub use command::{Command, Observed};
pub use decide::{Refusal, decide};
pub use event::Event;
pub use state::State;
