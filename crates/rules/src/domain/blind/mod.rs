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
use annals_kernel::settings::settings;

settings! {
    /// Control-room 10.2.
    ENABLED: bool = false, "sanity.blind_first_pass_enabled",
        "whether comments that would change much wait until a blind pass on their issue is over", weakens WhenOff;
    /// Control-room 7.1.
    IMPACTS: Vec<Impact> = vec![Impact::Structural, Impact::CanonChanging], "sanity.blind_pass_impact_levels",
        "comments of which impacts wait for a blind pass", weakens Always;
    /// Control-room 7.1.
    ROLES: Vec<String> = vec!["critic".to_owned(), "continuity".to_owned()], "sanity.blind_pass_roles",
        "agents of which roles give their opinion in a blind pass", weakens Always;
}
