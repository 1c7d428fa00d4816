//! Circuit breakers: what a comment of an agent must be like, by rules that cost no model call (control-room 3).
//!
//! Owns `breakers.*`. Judges what it is shown; does not know issues, and freezes nothing itself: a policy does.

pub mod event;
pub mod judge;
pub mod limits;
pub mod rule;
pub mod state;

pub use event::Event;
pub use judge::{Draft, Turn, judge};
pub use limits::{LIMITS, Limits, Preset};
pub use rule::{Check, Rule, Severity};
pub use state::State;
