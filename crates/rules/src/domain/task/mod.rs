//! Tasks of the control loop: what was asked for, what the roles said to each other, and how each task ended (artoo).
//!
//! Owns `tasks.*`. Holds the table of the bus: what is not in it is not said. Does not plan, judge or act, and reads no
//! message but for what it does to the task; the roles do.

pub mod bus;
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
pub use state::{State, Task, TaskPhase, Totals, approval_line, line_of};
