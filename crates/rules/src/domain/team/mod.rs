//! Credits of the team as a whole: what all of them achieved together, each achievement once (control-room 15).
//!
//! Owns `team.*`. Has no commands: policies see what was achieved.

pub mod event;
pub mod state;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

pub use event::{Event, Reason};
pub use state::{State, Totals};

use annals_kernel::settings::{AnySetting, Setting, Weakens};

/// Control-room 14.4, 15.2.
pub static AMOUNTS: Setting<BTreeMap<Reason, i64>> = Setting::new(
    "team.amounts",
    || Reason::ALL.iter().map(|reason| (*reason, reason.default_amount())).collect(),
    "whole credits of the team for each reason",
)
.weakening(Weakens::Always);
/// Control-room 15.2.
pub static LEAST_ACTIONS: Setting<u64> = Setting::new(
    "team.min_actions",
    || 10,
    "how many actions a session, chapter or act must hold before its end can earn the team credits",
)
.weakening(Weakens::WhenLower);

/// Every setting of this room.
pub static SETTINGS: &[&dyn AnySetting] = &[&AMOUNTS, &LEAST_ACTIONS];
