//! Milestones: where sessions, chapters and acts of the work begin and end (control-room 11.8, 11.9, 15.2).
//!
//! Owns `milestones.*`. Does not know what is counted between them. A session here is a sitting of the team, not the
//! session of one program in the log.

pub mod command;
pub mod decide;
pub mod event;
pub mod state;
#[cfg(test)]
mod tests;

pub use command::{Command, Observed};
pub use decide::{Refusal, decide};
pub use event::Event;
pub use state::{OpenMilestones, State};
