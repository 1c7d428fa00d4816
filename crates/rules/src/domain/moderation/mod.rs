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

use annals_kernel::settings::{AnySetting, Setting, Weakens};

/// Control-room 2.4.
pub static ASSIST_AFTER: Setting<u32> = Setting::new(
    "moderation.assist_after_stops",
    || 3,
    "an agent of whom so many comments in a row were stopped works in smaller portions; 0: never by itself",
)
.weakening(Weakens::Always);
/// Control-room 2.4.
pub static ASSIST_UNTIL: Setting<u32> =
    Setting::new("moderation.assist_until_passes", || 3, "until so many comments of it in a row were taken")
        .weakening(Weakens::WhenLower);
/// Control-room 11.4.1.
pub static ASSIST_SLICES: Setting<u32> =
    Setting::new("moderation.assist_slices", || 5, "into how many portions a task is cut then")
        .weakening(Weakens::WhenLower);

/// Every setting of this room.
pub static SETTINGS: &[&dyn AnySetting] =
    &[&ASSIST_AFTER, &ASSIST_UNTIL, &ASSIST_SLICES, &report::ENABLED, &report::FREQUENCY];
