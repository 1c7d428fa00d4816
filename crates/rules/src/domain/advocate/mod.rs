//! The devil's advocate: when a consensus needs a challenge, who gives it, and when that is done
//! (control-room 2.3, 7.2, 13).
//!
//! Owns `advocate.*`. Does not know issues or the roster: policies look there, and choose.

pub mod command;
pub mod decide;
pub mod event;
pub mod state;
pub mod trigger;

pub use command::{Command, Observed};
pub use decide::{Refusal, decide};
pub use event::Event;
pub use state::State;
