//! The rules, one room each, and the register: the only place that lists all rooms.
//!
//! Pure. A room names `kernel` and itself, never another room; what joins rooms is a policy.

pub mod access;
pub mod advocate;
pub mod blind;
pub mod breaker;
pub mod canon;
pub mod cognition;
pub mod config;
pub mod council;
pub mod credit;
pub mod dialectic;
pub mod erasure;
pub mod history;
pub mod hivemind;
pub mod issue;
pub mod knowledge;
pub mod memory;
pub mod milestone;
pub mod moderation;
pub mod notice;
pub mod reliability;
pub mod resident;
pub mod roster;
pub mod session;
pub mod signature;
pub mod task;
pub mod team;
pub mod topic;
pub mod usage;
pub mod voice;

mod asking;
mod register;
mod rooms;

pub use asking::{Ask, Asking, BadObservation};
pub use register::{
    Asker, Command, Event, Heads, HeardEntry, Observed, Room, Rooms, RoomsDecided, SETTINGS, command_docs, event_docs,
    events, rule_docs,
};
