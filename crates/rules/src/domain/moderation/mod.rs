//! What the moderator may do beside freezing and deciding issues: freeze tags, join issues, ask the user, give agents
//! more or less freedom, have them work in smaller portions; and how agents of a role remember
//! (control-room 2.2, 2.4, 9.3).
//!
//! Owns `moderation.*`. Does not know issues or the roster; policies look there.

pub mod command;
pub mod decide;
pub mod event;
pub mod report;
pub mod state;

pub use command::{Command, Observed};
pub use decide::{Refusal, decide};
pub use event::Event;
pub use state::State;

use annals_kernel::settings::settings;

settings! {
    /// Control-room 2.4.
    ASSIST_AFTER: u32 = 3, "moderation.assist_after_stops",
        "an agent of whom so many comments in a row were stopped works in smaller portions; 0: never by itself",
        weakens Always;
    /// Control-room 2.4.
    ASSIST_UNTIL: u32 = 3, "moderation.assist_until_passes",
        "until so many comments of it in a row were taken", weakens WhenLower;
    /// Control-room 11.4.1.
    ASSIST_SLICES: u32 = 5, "moderation.assist_slices",
        "into how many portions a task is cut then", weakens WhenLower;
}
