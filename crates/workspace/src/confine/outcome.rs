//! How a command ended, and how one is stopped.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// How a command ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CommandEnd {
    /// By itself, with this code; by a signal: 128 and its number.
    Exited(i32),
    /// Its time was up, and it was ended with all that it started.
    OutOfTime,
    /// The person stopped it.
    Stopped,
    /// It was not started.
    NotStarted(String),
    /// What became of it is not known.
    Lost(String),
}

/// A command that was run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CommandOutcome {
    /// How it ended.
    pub end: CommandEnd,
    /// What it wrote to both outputs, in the order in which it did; the middle of a long one is left out.
    pub output: String,
}

/// Stops a call that is on its way, from another thread.
#[derive(Debug, Clone, Default)]
pub struct Cancel(Arc<AtomicBool>);

impl Cancel {
    /// Stops it, and each later one.
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether it was stopped.
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
