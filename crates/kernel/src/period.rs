//! Stretches of the work that somebody marks, and which of them count what happens.
//!
//! Does not know who marks them.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::grounding::words;
use super::id::EntryId;

words! {
    /// A stretch of the work that somebody marks; each has its own credits and goals (control-room 11.8, 11.9).
    pub enum Period {
        /// One sitting.
        Session = "session",
        /// A chapter.
        Chapter = "chapter",
        /// An act: several chapters.
        Act = "act",
    }
}

/// Which periods count what happens in an entry.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Periods(BTreeMap<Period, Option<EntryId>>);

impl Periods {
    /// One begins.
    pub fn begin(&mut self, period: Period) {
        self.0.insert(period, None);
    }

    /// One ends in an entry; what follows from that in the same entry still counts.
    pub fn end(&mut self, period: Period, entry: EntryId) {
        self.0.insert(period, Some(entry));
    }

    /// Whether one has begun, and maybe ended: before that nothing is counted in it.
    pub fn has_begun(&self, period: Period) -> bool {
        self.0.contains_key(&period)
    }

    /// Those that count what happens in an entry.
    pub fn counting(&self, entry: EntryId) -> Vec<Period> {
        let counts = self.0.iter().filter(|(_, end)| end.is_none_or(|end| end == entry));
        counts.map(|(period, _)| *period).collect()
    }
}
