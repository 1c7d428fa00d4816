//! Circuit breakers: what a comment of an agent must be like, by rules that cost no model call (control-room 3).
//!
//! Owns `breakers.*`. Judges what it is shown; does not know issues, and freezes nothing itself: a policy does.

pub(crate) mod alarm;
mod echo;
pub mod event;
pub mod gist;
pub mod judge;
pub mod limits;
pub mod reading;
pub mod rule;
pub mod state;
#[cfg(test)]
mod tests;
pub mod thread;

pub use event::Event;
pub use judge::{CommentTurn, Discussion, Draft, Ground, Speaker, judge};
pub(crate) use judge::{judge_issue, judge_opinion};
pub use limits::{Limits, Preset};
pub use rule::{BreakerRule, Check, ViolationSeverity};
pub use state::{State, Totals};
