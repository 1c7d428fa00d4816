//! Improvement A of the control room: an issue that touches nothing real for long counts for less, and then as past.
//!
//! A question, asked with a time; nothing is stored, and the next touch undoes it.

use serde::Serialize;

use super::row::Issue;
use super::status::Priority;
use crate::kernel::settings::{Setting, Settings};
use crate::kernel::time::Timestamp;

/// Improvement A.
pub static DECAY_DAYS: Setting<u32> = Setting::new(
    "issues.decay_days",
    || 30,
    "an issue that touched nothing real for so many days counts one priority lower, after twice as many as archived; \
     0: never",
);

/// What an issue counts as that touched nothing real for long.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Faded {
    /// As one that matters less.
    Lower(Priority),
    /// As one of the past.
    Archived,
}

impl Issue {
    /// What it counts as, where that is not what its priority says: it goes on, and touched nothing real for long.
    pub fn faded(&self, now: Timestamp, settings: &Settings) -> Option<Faded> {
        const DAY_MS: u64 = 86_400_000;
        let days = u64::from(settings.get(&DECAY_DAYS));
        let untouched = now.since(self.touched_at);
        if days == 0 || self.status.has_ended() || untouched < days * DAY_MS {
            return None;
        }
        if untouched >= 2 * days * DAY_MS {
            return Some(Faded::Archived);
        }
        let lower = match self.priority {
            Priority::Critical => Priority::High,
            Priority::High => Priority::Normal,
            Priority::Normal => Priority::Low,
            Priority::Low => return None,
        };
        Some(Faded::Lower(lower))
    }
}
