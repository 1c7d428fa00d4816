//! The resident agent, kept going: messages are taken from the queue one after the other, each in a tick whose end is on
//! the record (Galatea, track 1).
//!
//! * [`host`]: one process that has the agent, and its ticks.
//! * [`channel`]: where answers go.
//! * `fit`: the part of facts, message and conversation that fits a model.
//! * `conversation`: turns, and how far a summary goes in them.
//! * `gather`: what a tick begins with, read from the world.
//! * `work`: what a task is at, by its last message.
//! * [`inbox`]: which messages may be answered in this clone.
//! * `said`: what a tick says to its message.
//! * `lease`: one process has an agent.
//! * `record`: answers of models as entries, and those of a tick that was killed.
//!
//! Judges no state and writes no answer: `role::resident` says what is asked, models answer.

pub mod channel;
mod conversation;
mod fit;
mod gather;
pub mod host;
pub mod inbox;
mod lease;
mod record;
mod said;
#[cfg(test)]
mod tests;
mod work;

pub use channel::{ChannelHandler, Channels};
pub use gather::standing;
pub use host::{Host, HostError, ResidentModels, ResidentQuestion, ResidentStep, TickEnd, TickReport};
pub use inbox::Inbox;
pub use record::session_of;
