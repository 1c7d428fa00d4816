//! When a failed question is asked again, and after how long.
//!
//! Pure: chance is handed in. Who waits is `call`.

use crate::failure::ModelError;

/// How often and how soon.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Retry {
    /// Attempts, the first one included.
    pub attempts: u32,
    /// The most that is waited before the second one; doubled before each further one.
    pub base_ms: u64,
    /// The most that is waited before any.
    pub most_ms: u64,
    /// A server that wants to be left alone for longer is not asked again.
    pub patience_ms: u64,
}

impl Default for Retry {
    fn default() -> Self {
        Self { attempts: 4, base_ms: 500, most_ms: 20_000, patience_ms: 60_000 }
    }
}

impl Retry {
    /// How long to wait after so many failed attempts; none where it is of no use to ask again. Anywhere between
    /// nothing and the most, so that many who failed together do not come back together; never before the server says.
    pub fn wait_ms(&self, failed: u32, error: &ModelError, random: u64) -> Option<u64> {
        if failed >= self.attempts || !error.is_transient() {
            return None;
        }
        let most = self.base_ms.saturating_mul(1 << failed.saturating_sub(1).min(32)).min(self.most_ms);
        let jittered = share_of(most, random);
        match error.retry_after_ms() {
            Some(asked) if asked > self.patience_ms => None,
            Some(asked) => Some(asked.saturating_add(jittered.min(self.base_ms))),
            None => Some(jittered),
        }
    }
}

/// From nothing to all of it, as chance has it.
fn share_of(most: u64, random: u64) -> u64 {
    let share = ((u128::from(most) + 1) * u128::from(random)) >> u64::BITS;
    u64::try_from(share).expect("BUG: a share is no more than the whole")
}
