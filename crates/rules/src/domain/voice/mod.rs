//! The voice: what agents were told of what is known, and where a person wants silence.
//!
//! Owns `voice.*`. Remembers which pieces a session has heard, so that only what is new is told, and what it cost. Does not
//! choose what is told, and holds no words; the edges do.

pub mod command;
pub mod decide;
pub mod event;
pub mod settings;
pub mod state;
#[cfg(test)]
mod tests;

pub use command::{Command, Observed};
pub use decide::{Refusal, decide};
pub use event::Event;
pub use state::{State, ToldSession, Totals};
