//! What is strange in a log: data, never an error. The first of them are kept, all are counted.

use serde::{Deserialize, Serialize};

use annals_kernel::decision::Oddity;
use annals_kernel::id::EntryId;

/// A clock further ahead than this is odd.
pub const CLOCK_AHEAD_MS: u64 = 5 * 60 * 1000;

/// How many are kept.
const KEPT: usize = 100;

/// What is strange in the log.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Oddities {
    /// How many.
    pub count: u64,
    /// The first of them.
    pub first: Vec<Oddity>,
}

impl Oddities {
    /// Remembers one.
    pub fn add(&mut self, entry: EntryId, what: &str) {
        self.count += 1;
        if self.first.len() < KEPT {
            self.first.push(Oddity { entry, what: what.into() });
        }
    }
}
