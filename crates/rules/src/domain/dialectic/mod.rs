//! Dialectic: two argue before something dangerous is done, and after something failed twice.
//!
//! Owns `dialectic.*`. Tells tasks and errors apart, counts failures, answers the question that is asked before each
//! attempt, carries a debate from request to resolution. Asks no model: who argues, or asks a model to, sends a position, and the synthesis is
//! a table of rules. Does not stop anybody: the gate answers, and whoever asked it acts on that.

mod asked;
pub(crate) mod background;
pub mod called;
pub mod command;
pub mod csp;
mod debate;
pub mod decide;
pub mod event;
mod foreign;
pub mod gate;
mod heard;
pub mod held;
pub mod identity;
pub mod judge;
pub mod limits;
pub(crate) mod named;
mod observe;
mod ordered;
pub mod phrases;
pub(crate) mod refusal;
pub mod report;
pub mod row;
pub mod stakes;
pub mod state;
pub mod synthesis;
pub mod task;
#[cfg(test)]
mod tests;

pub use command::{Command, Observed};
pub use decide::decide;
pub use event::Event;
pub use foreign::at_stake as at_stake_abroad;
pub use heard::HeardTask;
pub use refusal::Refusal;
pub use row::{Debate, Trail};
pub use state::{State, Totals};
pub use task::DebatedTask;
