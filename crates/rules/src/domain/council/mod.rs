//! Councils: a few agents vote on what somebody contests or nominates, debate where they tie, and an arbitrator or the
//! user has the last word (AFS 7).
//!
//! Owns `council.*`. Counts votes; does not know hivemind, and carries nothing anywhere: policies do. Asks no agent for
//! its vote: votes come in as commands.

pub mod command;
pub mod count;
pub mod decide;
pub mod event;
pub(crate) mod refusal;
pub mod session;
pub mod settings;
pub mod state;
#[cfg(test)]
mod tests;

pub use command::{Command, Observed};
pub use decide::decide;
pub use event::Event;
pub use refusal::Refusal;
pub use session::{CouncilSession, CouncilStatus};
pub use state::{State, Totals};
