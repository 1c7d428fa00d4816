//! Credits of the team as a whole: what all of them achieved together, each achievement once (control-room 15).
//!
//! Owns `team.*`. Has no commands: policies see what was achieved.

pub mod event;
pub mod state;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

pub use event::{Event, TeamReason};
pub use state::{State, Totals};

use annals_kernel::settings::settings;

settings! {
    /// Control-room 14.4, 15.2.
    AMOUNTS: BTreeMap<TeamReason, i64> =
        TeamReason::ALL.iter().map(|reason| (*reason, reason.default_amount())).collect(),
        "team.amounts", "whole credits of the team for each reason", weakens Always;
    /// Control-room 15.2.
    LEAST_ACTIONS: u64 = 10, "team.min_actions",
        "how many actions a session, chapter or act must hold before its end can earn the team credits",
        weakens WhenLower;
}
