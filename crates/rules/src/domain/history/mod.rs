//! What the user decided about the log itself: holes that stay, versions that count, clocks that were wrong.
//!
//! Owns `history.hole.*`, `history.conflict.*` and `history.clock.*` (decisions 43 to 45). What is settled and
//! mended here is read before the fold, as scrubs are: `log::versions` and `log::mending` carry it out. Does not look at lines
//! and does not change any.

pub mod command;
pub mod decide;
pub mod event;
pub mod state;
#[cfg(test)]
mod tests;

pub use command::{Command, Observed};
pub use decide::{Refusal, decide};
pub use event::Event;
pub use state::State;
