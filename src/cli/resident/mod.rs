//! `annals resident …`: an agent that lives beside the project and answers messages (Galatea, tracks 1 and 2).
//!
//! Joins what a tick needs: the record, models, the lock of this clone, and the channels.

mod host;
mod lock;
mod run;
mod set;
mod status;
mod tick;
mod told;

pub(super) use host::host;
pub(super) use status::ResidentStatus;
pub(super) use tick::ToldTicks;
pub(super) use told::ToldTick;

use super::registry::{CommandRow, rows};

/// Commands about the resident agent.
pub(super) const ROWS: &[CommandRow] = rows! {
    /// Answer the messages that wait, once
    "tick" => Runs(&With(tick::run)),
    /// Keep the agent: answer messages as they come, until Ctrl-C
    "run" => Runs(&With(run::run)),
    /// Show where it stands: its states, what waits, who has it, what it did
    "status" => Runs(&With(status::run)),
    /// Set one of its states for a while
    "override" => Runs(&With(set::run)),
};
