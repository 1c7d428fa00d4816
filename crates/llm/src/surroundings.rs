//! What a call needs from outside: time, chance, the environment, a folder.
//!
//! Handed in, so that tests and replays can fix it. Nothing else here reads a clock or a variable.

use std::future::Future;
use std::path::PathBuf;
use std::pin::Pin;
use std::time::Duration;

use annals_kernel::time::Timestamp;

/// A wait.
pub type Waiting = Pin<Box<dyn Future<Output = ()> + Send>>;

/// What a call needs from outside.
pub trait Surroundings: Send + Sync {
    /// The time.
    fn now(&self) -> Timestamp;

    /// Chance, for the jitter of retries.
    fn random(&self) -> u64;

    /// A variable of the environment: keys, and the proxy.
    fn variable(&self, name: &str) -> Option<String>;

    /// Where folders for single calls may be made.
    fn scratch(&self) -> PathBuf;

    /// Waits: for retries, deadlines and fallbacks. The runtime needs its timer for it.
    fn sleep(&self, ms: u64) -> Waiting {
        Box::pin(tokio::time::sleep(Duration::from_millis(ms)))
    }
}
