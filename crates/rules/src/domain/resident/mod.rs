//! The resident agent: messages that wait for it, who may tick it, what came of each tick, and states that a person set
//! (Galatea, track 1; decisions 68 and 69).
//!
//! Owns `resident.*`. Asks no model and judges no state: a tick is done outside, and its end is decided here.

pub mod command;
pub mod decide;
pub mod event;
pub mod own;
pub mod settings;
pub mod state;
#[cfg(test)]
mod tests;
pub mod told;
pub mod trust;
pub mod word;

pub use command::{Command, Observed};
pub use decide::{Refusal, clone_of, decide};
pub use event::Event;
pub use state::{Activity, InboxMessage, Lease, Resident, SetState, State, Totals};
pub use told::{ConversationSummary, LeftOut, ToldPart};
pub use word::{
    Approval, AskedDimension, CompressionStrategy, Delivery, Dimension, DimensionState, MessagePhase, MessageTrust,
    TickAction, TickTrigger,
};
