//! What a *record* sets off: commands that the engine decides as `system`, because something that was recorded calls for
//! them (DESIGN 1).
//!
//! Pure. Never asked by the fold and never by an import: `engine::react` asks, at the end of a turn, after a failed call,
//! and when somebody looks. Each command carries its rule and the entry that caused it, and its room refuses a pair of
//! rule and cause that happened already: so it happens once, also after a crash, and once in a merge.

use super::{cognition, dialectic, manning};
use crate::domain::{Command, Rooms};
use annals_kernel::id::SessionId;
use annals_kernel::settings::Settings;
use annals_kernel::time::Timestamp;

/// More than this is not decided at once: what is left is due the next time.
const MOST_COMMANDS: usize = 64;

/// For which session, when, and under which configuration it is asked what is due.
#[derive(Debug, Clone, Copy)]
pub struct DueTurn<'t> {
    /// The session in which something was recorded.
    pub session: &'t SessionId,
    /// Now.
    pub at: Timestamp,
    /// The configuration in force.
    pub settings: &'t Settings,
}

/// What is due in a session, or because time passed. It asks the rooms for few rows, and says nothing of what happened.
pub type DueRule = fn(&Rooms, &DueTurn<'_>) -> Vec<Command>;

/// All of them, in the order in which they are asked.
pub(crate) const DUE: &[DueRule] = &[cognition::due, dialectic::due, manning::due];

/// Everything that is due in a session.
pub fn due(rooms: &Rooms, turn: &DueTurn<'_>) -> Vec<Command> {
    DUE.iter().flat_map(|due| due(rooms, turn)).take(MOST_COMMANDS).collect()
}
