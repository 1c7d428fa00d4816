//! Sessions: their life as decisions, and what was done in them as counts (AFS 3).
//!
//! Owns `history.session.*` and `history.summary.*`. A session that nobody started is known from its entries, too: other
//! tools have theirs. Does not count tokens (`usage`) and does not write summaries (`view::summary` does, or a model, as an
//! observation).

pub mod command;
pub mod decide;
pub mod event;
pub(crate) mod joined;
mod open;
mod packed;
pub mod row;
pub mod state;
pub(crate) mod stats;
#[cfg(test)]
mod tests;

pub use command::{Command, Observed};
pub use decide::{Refusal, decide};
pub use event::Event;
pub use joined::Told;
pub use state::{Session, SessionStatus, State, Totals};
