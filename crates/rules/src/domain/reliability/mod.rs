//! How reliable agents are, each with each model: what they did, how much of it was penalised, how far that led up the
//! ladder, and how far they are to be trusted (control-room 8.2, 12; decision 18).
//!
//! Owns `reliability.*`. Has no commands: policies see when a level changes. Credits are kept by `credit`.

pub mod event;
pub mod ladder;
pub mod record;
pub mod state;
#[cfg(test)]
mod tests;

pub use event::Event;
pub use ladder::WatchLevel;
pub use record::{AgentTrust, ReliabilityRecord};
pub use state::State;
