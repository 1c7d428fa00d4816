//! Signed heads: which line of each writer was signed last, and by which key (decision 47).
//!
//! Owns `history.head.*`. Does not know whose a key is: nobody is trusted because of what stands in the log.

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
