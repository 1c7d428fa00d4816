//! The resident agent: how it stands, and what of a conversation it is given (Galatea, tracks 2 and 4).
//!
//! Pure: reads no clock, asks no model, keeps nothing. Ticks, messages and channels are not here.

pub mod context;
pub mod homeostasis;
pub mod thought;
