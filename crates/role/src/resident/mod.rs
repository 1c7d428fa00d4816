//! The resident agent: how it stands, what of a conversation it is given, and what a tick comes to (Galatea, tracks 1, 2
//! and 4).
//!
//! Pure: reads no clock, asks no model, keeps nothing. Messages and leases are the room's, channels the host's.

pub mod context;
pub mod fitting;
pub mod homeostasis;
pub mod reply;
#[cfg(test)]
mod tests;
pub mod thought;
pub mod tick;
