//! Topic health: what agents read and discuss again and again, and what of it reaches the work (control-room 8.1).
//!
//! Owns `topics.*`. Counts what it is told; does not know issues, and warns nobody itself: policies do.

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use annals_kernel::decision::Cause;
use annals_kernel::rows::{Ranked, Rows};
use annals_kernel::settings::{Settings, settings};
use annals_kernel::wire::wire;

settings! {
    /// Control-room 10.2.
    ENABLED: bool = true, "sanity.leech_detection_enabled",
        "whether tags that are circled without results are reported", weakens WhenOff;
    /// Control-room 8.1.
    MIN_ISSUES: u64 = 5, "topics.leech_min_issues",
        "so many issues a tag must have before it can be a leech", weakens WhenHigher;
    /// Control-room 8.1.
    MAX_RATE: u64 = 100, "topics.leech_max_application_rate",
        "a tag of which fewer issues are applied per 1000 times that agents read them is a leech", weakens WhenLower;
    /// Control-room 8.1.
    MIN_ACCESSES: u64 = 20, "topics.leech_min_accesses",
        "so often agents must have read issues of a tag before that", weakens WhenHigher;
}

wire! {
    /// What happened to a topic.
    pub enum Event {
        /// Agents circle it without results.
        Flagged = "topics.tag.flagged" {
            /// Which, with `#`.
            tag: Box<str>,
            /// What was counted.
            #[serde(flatten)]
            counts: Topic,
        },
        /// They do so no more.
        Recovered = "topics.tag.recovered" {
            /// Which, with `#`.
            tag: Box<str>,
        },
    }
}

/// What is known of one tag.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Topic {
    /// Issues with it.
    pub issues: u64,
    /// How often agents read them.
    pub accesses: u64,
    /// How many of them were applied in the work.
    pub applied: u64,
    /// How many were marked irrelevant.
    pub irrelevant: u64,
}

impl Topic {
    /// Issues applied per 1000 accesses; unknown where nobody read them.
    pub fn application_rate(&self) -> Option<u64> {
        (self.applied * 1000).checked_div(self.accesses)
    }

    /// Issues marked irrelevant per 1000 issues; unknown where there are none.
    pub fn irrelevance_rate(&self) -> Option<u64> {
        (self.irrelevant * 1000).checked_div(self.issues)
    }

    /// Whether agents circle it without results.
    pub(crate) fn is_leech(&self, settings: &Settings) -> bool {
        self.issues >= settings.get(&MIN_ISSUES)
            && self.accesses >= settings.get(&MIN_ACCESSES)
            // Compared as products, because the rate that is shown is rounded down.
            && self.applied * 1000 < settings.get(&MAX_RATE) * self.accesses
    }
}

impl Ranked for Topic {
    /// The most read first.
    fn rank(&self) -> i64 {
        i64::try_from(self.accesses).unwrap_or(i64::MAX)
    }
}

/// What is always in memory.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Totals {
    /// Tags that are circled without results.
    pub flagged: BTreeSet<Box<str>>,
    /// What is known of all issues together, whatever tags they have.
    pub all: Topic,
}

/// All topics.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct State {
    /// What is always in memory.
    pub totals: Totals,
    /// By tag, with `#`.
    pub tags: Rows<Box<str>, Topic>,
}

impl State {
    /// What is known of a tag.
    pub fn topic(&self, tag: &str) -> Option<&Topic> {
        self.tags.get(tag)
    }

    /// Learns something about a tag.
    pub fn learn(&mut self, tag: &str, change: impl FnOnce(&mut Topic)) {
        change(self.tags.entry(tag, Topic::default));
    }

    /// What follows for a tag from what is known of it: once, when it crosses the line, and once when it comes back.
    pub fn crossing(&self, tag: &str, settings: &Settings) -> Option<Event> {
        let counts = *self.topic(tag)?;
        match (self.totals.flagged.contains(tag), counts.is_leech(settings)) {
            (false, true) => Some(Flagged { tag: tag.into(), counts }.into()),
            (true, false) => Some(Recovered { tag: tag.into() }.into()),
            (true, true) | (false, false) => None,
        }
    }

    /// Takes in an event of a decision.
    pub fn evolve(&mut self, event: &Event, _: &Cause<'_, (), ()>) {
        match event {
            Event::Flagged(flagged) => drop(self.totals.flagged.insert(flagged.tag.clone())),
            Event::Recovered(recovered) => drop(self.totals.flagged.remove(&recovered.tag)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn topic(issues: u64, accesses: u64, applied: u64) -> Topic {
        Topic { issues, accesses, applied, irrelevant: 1 }
    }

    /// Control-room 8.1.
    #[test]
    fn a_leech_has_enough_issues_and_accesses_and_too_little_applied() {
        let is_leech = |topic: Topic| topic.is_leech(&Settings::default());
        assert!(is_leech(topic(5, 20, 1)));
        assert!(!is_leech(topic(4, 20, 1)), "too few issues");
        assert!(!is_leech(topic(5, 19, 1)), "too few accesses");
        assert!(!is_leech(topic(5, 20, 2)), "a tenth is enough");
        assert!(is_leech(topic(5, 21, 2)));
    }

    #[test]
    fn rates_of_nothing_are_unknown() {
        assert_eq!((Topic::default().application_rate(), Topic::default().irrelevance_rate()), (None, None));
        let topic = topic(4, 8, 1);
        assert_eq!((topic.application_rate(), topic.irrelevance_rate()), (Some(125), Some(250)));
    }
}
