//! The blind first pass: opinions that are collected sealed, so that nobody follows anybody (control-room 7.1,
//! decision 40).
//!
//! Owns `blind.*`. Knows hashes of opinions until a pass is closed, and never their texts: those lie where whoever wrote
//! them keeps them, and are recorded when they are revealed. Does not know who is in the swarm; a policy does.

pub mod command;
pub mod decide;
pub mod event;
pub mod state;

pub use command::{Command, Observed};
pub use decide::{Refusal, decide};
pub use event::Event;
pub use state::State;

use annals_kernel::grounding::Impact;
use annals_kernel::settings::{AnySetting, Setting, Weakens};

/// Control-room 10.2.
pub static ENABLED: Setting<bool> = Setting::new(
    "sanity.blind_first_pass_enabled",
    || false,
    "whether comments that would change much wait until a blind pass on their issue is over",
)
.weakening(Weakens::WhenOff);
/// Control-room 7.1.
pub static IMPACTS: Setting<Vec<Impact>> = Setting::new(
    "sanity.blind_pass_impact_levels",
    || vec![Impact::Structural, Impact::CanonChanging],
    "comments of which impacts wait for a blind pass",
)
.weakening(Weakens::Always);
/// Control-room 7.1.
pub static ROLES: Setting<Vec<String>> = Setting::new(
    "sanity.blind_pass_roles",
    || vec!["critic".to_owned(), "continuity".to_owned()],
    "agents of which roles give their opinion in a blind pass",
)
.weakening(Weakens::Always);

/// Every setting of this room.
pub static SETTINGS: &[&dyn AnySetting] = &[&ENABLED, &IMPACTS, &ROLES];
