//! Surroundings for tests. With sockets time must not run by itself: waits end at once, and deadlines when told.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use annals_kernel::time::Timestamp;
use tokio::sync::Notify;
use tokio::time::Instant;

use crate::models::LOOK_MS;
use crate::surroundings::{Surroundings, Waiting};

/// What is this long or longer is a deadline, and no wait before another attempt.
const DEADLINE_MS: u64 = 100_000;

/// Waits end at once and move the clock. Deadlines end when told.
#[derive(Default)]
pub struct Still {
    clock: Mutex<i64>,
    waits: Mutex<Vec<u64>>,
    deadline: Arc<Notify>,
    variables: BTreeMap<String, String>,
}

impl Still {
    /// With variables.
    pub fn with(variables: &[(&str, &str)]) -> Arc<Self> {
        let variables = variables.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        Arc::new(Self { variables, ..Self::default() })
    }

    /// Without any.
    pub fn new() -> Arc<Self> {
        Self::with(&[])
    }

    /// What was waited before further attempts.
    pub fn waits(&self) -> Vec<u64> {
        self.waits.lock().unwrap().clone()
    }

    /// Lets every deadline pass.
    pub fn pass_deadlines(&self) {
        self.deadline.notify_one();
    }
}

impl Surroundings for Still {
    fn now(&self) -> Timestamp {
        Timestamp::from_millis(*self.clock.lock().unwrap())
    }

    /// The most that any wait may be.
    fn random(&self) -> u64 {
        u64::MAX
    }

    fn variable(&self, name: &str) -> Option<String> {
        self.variables.get(name).cloned()
    }

    fn scratch(&self) -> PathBuf {
        std::env::temp_dir()
    }

    fn sleep(&self, ms: u64) -> Waiting {
        if ms >= DEADLINE_MS || ms == LOOK_MS {
            let deadline = self.deadline.clone();
            return Box::pin(async move { deadline.notified().await });
        }
        self.waits.lock().unwrap().push(ms);
        *self.clock.lock().unwrap() += i64::try_from(ms).unwrap();
        Box::pin(std::future::ready(()))
    }
}

/// The clock of a runtime whose time stands still until everybody waits. For models without sockets.
pub struct OnTokio(Instant);

impl OnTokio {
    /// The clock starts.
    pub fn new() -> Arc<Self> {
        Arc::new(Self(Instant::now()))
    }
}

impl Surroundings for OnTokio {
    fn now(&self) -> Timestamp {
        Timestamp::from_millis(i64::try_from(self.0.elapsed().as_millis()).unwrap())
    }

    fn random(&self) -> u64 {
        u64::MAX
    }

    fn variable(&self, _: &str) -> Option<String> {
        None
    }

    fn scratch(&self) -> PathBuf {
        std::env::temp_dir()
    }

    fn sleep(&self, ms: u64) -> Waiting {
        Box::pin(tokio::time::sleep(Duration::from_millis(ms)))
    }
}
