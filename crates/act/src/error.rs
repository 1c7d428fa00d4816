//! Why a run cannot begin or go on.

use annals_engine::EngineError;
use annals_kernel::decision::Refusal;

/// Why a run cannot begin or go on. What was recorded stays, and `--resume` goes on from it.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RunError {
    /// The history cannot be read or written.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// A rule says no.
    #[error("the record refuses it: {0}")]
    Refused(Refusal),
    /// There is no such task.
    #[error("there is no task {task}; `annals task list` shows those there are")]
    UnknownTask {
        /// As it was named.
        task: String,
    },
    /// It has its final result.
    #[error("task {task} has ended; `annals task show {task}` shows how")]
    HasEnded {
        /// Which.
        task: String,
    },
    /// The record says what this version of the loop does not.
    #[error(
        "task {task} was recorded by another version of the loop: message {n} is {recorded}, and would be {expected}"
    )]
    OtherVersion {
        /// Which task.
        task: String,
        /// The message.
        n: u32,
        /// What was recorded.
        recorded: String,
        /// What would be said.
        expected: String,
    },
    /// The record says that a person allowed something, and this clone did not write it.
    #[error(
        "entry {entry} says that you allowed what cannot be taken back, and it was not written in this clone: \
         task {task} does not go on with it; `annals task abort {task}` ends it"
    )]
    NotAllowedHere {
        /// Which task.
        task: String,
        /// Which entry.
        entry: String,
    },
    /// An entry of the task cannot be read.
    #[error("entry {entry} of task {task} cannot be read: {reason}")]
    BadEntry {
        /// Which task.
        task: String,
        /// Which entry.
        entry: String,
        /// Why.
        reason: String,
    },
}

impl RunError {
    /// Whether it is the record of the task that cannot be read: another version wrote it, or somebody else. What only reads
    /// goes on without it.
    pub fn is_of_record(&self) -> bool {
        matches!(self, Self::BadEntry { .. } | Self::UnknownTask { .. })
    }
}
