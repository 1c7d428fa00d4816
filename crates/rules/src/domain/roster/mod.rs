//! Who is in the swarm: agents with role, model and abilities, and whether a swarm may run at all (control-room 2).
//!
//! Owns `roster.*`. Does not know what agents did; `reliability` does.

pub mod command;
pub mod decide;
pub mod event;
pub mod health;
pub mod state;

pub use command::{Command, Observed};
pub use decide::{Refusal, decide};
pub use event::Event;
pub use state::State;
