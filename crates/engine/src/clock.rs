//! Time and chance: the only place that asks the machine for either.
//!
//! In a folder that was made for tests or a demonstration both may be given; the edge reads them and builds this.

use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Instant, SystemTime, UNIX_EPOCH};

use sha2::{Digest, Sha256};

use annals_kernel::time::Timestamp;
use annals_log::writer::Machine;

/// Where time and chance come from.
#[derive(Debug)]
pub struct Clock {
    now: Now,
    chance: Chance,
}

#[derive(Debug)]
enum Now {
    Machine,
    /// Stands still, but for what `advance` adds.
    Fixed(AtomicI64),
}

#[derive(Debug)]
enum Chance {
    Machine(Box<Mutex<Pool>>),
    /// The hash of a seed and of how often it was asked.
    Seeded {
        seed: String,
        count: AtomicU64,
    },
}

/// Chance of the machine that nobody was given yet: it is asked for many ids at once, not with every line.
// A record asked the machine with every id; with 16 at a time it asks 0.1 times a record (docs/MEASURED.md).
#[derive(Debug, Default)]
struct Pool {
    bytes: [[u8; 16]; 16],
    left: usize,
}

impl Pool {
    fn take(&mut self) -> [u8; 16] {
        if self.left == 0 {
            getrandom::fill(self.bytes.as_flattened_mut()).expect("BUG: the machine has no chance to give");
            self.left = self.bytes.len();
        }
        self.left -= 1;
        std::mem::take(&mut self.bytes[self.left])
    }
}

impl Default for Clock {
    fn default() -> Self {
        Self::new(None, None)
    }
}

impl Clock {
    /// The machine's time and chance, or fixed ones.
    pub fn new(now: Option<Timestamp>, seed: Option<String>) -> Self {
        let now = now.map_or(Now::Machine, |at| Now::Fixed(AtomicI64::new(at.millis())));
        let chance = seed
            .map_or_else(|| Chance::Machine(Box::default()), |seed| Chance::Seeded { seed, count: AtomicU64::new(0) });
        Self { now, chance }
    }

    /// The time.
    #[expect(clippy::disallowed_methods, reason = "this is the one place")]
    pub fn now(&self) -> Timestamp {
        match &self.now {
            Now::Fixed(at) => Timestamp::from_millis(at.load(Ordering::Relaxed)),
            Now::Machine => {
                let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
                Timestamp::from_millis(i64::try_from(since.as_millis()).unwrap_or(i64::MAX))
            }
        }
    }

    /// Moves a fixed time on; the machine's time moves by itself.
    pub fn advance(&self, millis: i64) {
        if let Now::Fixed(at) = &self.now {
            at.fetch_add(millis, Ordering::Relaxed);
        }
    }

    /// What the machine says at this moment.
    pub fn machine(&self) -> Machine {
        Machine { now: self.now(), chance: self.chance() }
    }

    /// 128 bits that nobody can guess, unless a seed was given.
    pub fn chance(&self) -> u128 {
        let bytes = match &self.chance {
            Chance::Machine(pool) => pool.lock().unwrap_or_else(PoisonError::into_inner).take(),
            Chance::Seeded { seed, count } => {
                let count = count.fetch_add(1, Ordering::Relaxed);
                // A hash rather than a generator of a crate: the numbers of a golden log stay the same whatever
                // version is built.
                let digest = Sha256::digest(format!("{seed}/{count}").as_bytes());
                *digest.first_chunk().expect("BUG: a digest has 32 bytes")
            }
        };
        u128::from_be_bytes(bytes)
    }

    /// The same for what is not of the log, and must not shift the chance that a seed gives to it.
    pub fn chance_beside(&self) -> u128 {
        match &self.chance {
            Chance::Machine(_) => self.chance(),
            Chance::Seeded { seed, .. } => Self::new(None, Some(format!("{seed}/beside"))).chance(),
        }
    }

    /// Measures how long something takes; nothing where the time is fixed.
    #[expect(clippy::disallowed_methods, reason = "this is the one place")]
    pub fn stopwatch(&self) -> Stopwatch {
        match self.now {
            // A measured duration would give the same commands other bytes in each run.
            Now::Fixed(_) => Stopwatch(None),
            Now::Machine => Stopwatch(Some(Instant::now())),
        }
    }
}

/// What nobody can guess, for keys: a seed never gives it, because a key outlives the demonstration it was made in.
pub fn secret() -> [u8; 32] {
    let mut bytes = [0; 32];
    getrandom::fill(&mut bytes).expect("BUG: the machine has no chance to give");
    bytes
}

/// Measures how long something takes.
#[derive(Debug, Clone, Copy)]
pub struct Stopwatch(Option<Instant>);

impl Stopwatch {
    /// Milliseconds since it was started.
    pub fn millis(&self) -> u64 {
        self.0.map_or(0, |start| u64::try_from(start.elapsed().as_millis()).unwrap_or(u64::MAX))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn no_chance_is_given_twice() {
        let clock = Clock::default();
        let given = std::thread::scope(|scope| {
            let take = || (0..100).map(|_| clock.chance()).collect::<Vec<_>>();
            let takers: Vec<_> = (0..4).map(|_| scope.spawn(take)).collect();
            takers.into_iter().flat_map(|taker| taker.join().expect("no taker panics")).collect::<Vec<_>>()
        });
        assert_eq!(given.iter().filter(|chance| **chance != 0).collect::<BTreeSet<_>>().len(), 400);
    }
}
