//! Memory: what was learnt by doing, as megrams that fade, and what of it has become common sense (artoo R5).
//!
//! Owns `memory.*`. Keeps facts; what is left of them at a time is a question (decision 36). Calls no model, formats no
//! prompt, and does not look for experience itself: the goal-gradient solver writes it, and `system` what the record of a
//! session shows.

pub mod command;
pub mod decide;
pub mod dream;
pub mod event;
pub(crate) mod potential;
pub mod quantum;
pub(crate) mod refusal;
pub mod row;
pub mod state;
pub mod tag;
#[cfg(test)]
mod tests;

pub use command::{Command, Observed};
pub use decide::decide;
pub use event::Event;
pub use potential::{Action, Potentials};
pub use refusal::Refusal;
pub use state::{State, Totals};
