//! How a command is kept in: which walls stand around it on this machine, and what is missing (decision 63).
//!
//! A command is started through a helper, which is the program itself under a hidden subcommand (`enter`): its first stage
//! (`warden`) stays outside and ends all that is left when the call ends; its second (`cell`) walls itself in and then starts
//! the command. So nothing has to be done between fork and exec, and no unsafe code is needed. Does not choose commands.

mod cell;
#[cfg(not(target_os = "linux"))]
mod elsewhere;
#[cfg(target_os = "linux")]
mod linux;
mod orders;
mod outcome;
mod reach;
mod start;
mod wall;
mod warden;

pub use self::outcome::{Cancel, CommandEnd, CommandOutcome};
pub(crate) use self::reach::OwnPlace;
pub use self::reach::{Mapped, Opening, Reach};
pub use self::start::{CommandLimits, Confinement, Helper};
pub use self::wall::{ConfinementStatus, Lack};

#[cfg(not(target_os = "linux"))]
use self::elsewhere as linux;

use std::ffi::OsStr;
use std::process::ExitCode;

/// The argument that stands behind the hidden subcommand where the second stage begins.
const CELL: &str = "cell";

/// What the hidden subcommand does; `stage` is the argument behind it, if there is one.
///
/// Must run before the program starts a thread: the kernel gives a process of more than one no namespace of its own.
pub fn enter(stage: Option<&OsStr>) -> ExitCode {
    if stage.is_some_and(|stage| stage == CELL) { cell::run() } else { warden::run() }
}
