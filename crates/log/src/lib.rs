//! The history on disk: day files of one line an entry, written under a lock, chained, readable whatever befell them.
//!
//! Knows entries, not what they mean.

pub mod amend;
pub mod batch;
pub(crate) mod begun;
pub mod blob;
pub mod bookmark;
pub mod clone;
pub mod disk;
pub mod elsewhere;
pub mod find;
pub mod folders;
pub mod git;
pub mod kept;
mod large;
pub mod mending;
pub(crate) mod notices;
mod open_files;
pub mod order;
pub mod patience;
mod pen;
pub mod place;
mod pool;
pub mod position;
pub mod prefilter;
pub(crate) mod prepare;
mod queue;
pub mod read;
pub mod rescue;
pub mod rewrite;
pub mod sealed;
pub mod second;
pub mod segment;
pub mod segment_merge;
pub mod sync;
pub mod tail;
pub mod taken;
#[cfg(test)]
mod testing;
mod unpack;
pub mod verify;
mod versions;
pub mod watermarks;
pub mod writer;

use std::io;
use std::path::PathBuf;

use annals_kernel::id::EntryId;
use annals_kernel::time::Timestamp;

/// Why the log could not do what it was asked.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LogError {
    /// The system refused something.
    #[error("cannot {doing} {}", path.display())]
    Io {
        /// What was tried.
        doing: &'static str,
        /// On what.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// A segment cannot be read.
    #[error(transparent)]
    Read(#[from] read::ReadError),
    /// The disk did not keep what was written; it does not count.
    #[error("cannot bring the last lines of {} to the disk, {fate}", path.display())]
    NotSynced {
        /// Where it was written.
        path: PathBuf,
        /// What became of it.
        fate: sync::Fate,
        /// What the system said.
        source: io::Error,
    },
    /// Ids have come to their end.
    #[error(
        "no id is left for an entry at {at}: the last one lies in the year 10889; is the clock of this machine right?"
    )]
    NoIdLeft {
        /// The time that was asked for.
        at: Timestamp,
    },
    /// Nobody could read the line of an entry again.
    #[error(
        "the line of entry {entry} would have {bytes} bytes, and no more than {} are read: make it shorter",
        read::MAX_LINE_BYTES
    )]
    TooLong {
        /// The entry, which is not written.
        entry: EntryId,
        /// How long its line would be.
        bytes: u64,
    },
    /// It was opened to be looked at.
    #[error("nothing is written into the past: this command writes, so give it without --at")]
    OnlyRead,
}

impl LogError {
    /// Says what was tried on which path.
    pub fn at(doing: &'static str, path: impl Into<PathBuf>) -> impl FnOnce(io::Error) -> Self {
        let path = path.into();
        move |source| Self::Io { doing, path, source }
    }
}
