//! The end of a segment after a crash: a whole line gets its newline, a torn one is moved away.
//!
//! Called under the lock only. Does not touch anything before the last newline.

use std::fmt;
use std::io;
use std::path::Path;

use super::batch::Batch;
use super::disk::{Append, Disk, Safety};
use super::watermarks::Watermark;
use annals_kernel::annals::LineHash;

/// What was done about the end of a segment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Repair {
    /// The last line was whole; it has a newline now.
    Finished {
        /// The segment.
        segment: String,
    },
    /// The last line was torn; its bytes are in another file now.
    Moved {
        /// The segment.
        segment: String,
        /// That file, below `history/`.
        to: String,
        /// How many bytes.
        bytes: u64,
    },
    /// Files that git took away and no branch holds have a name again.
    PutBack {
        /// The new names of segments.
        segments: Vec<String>,
        /// How many large values.
        values: usize,
    },
    /// A packed segment of another branch is not read any further.
    LeftPacked {
        /// The file, below `.context`.
        path: String,
        /// Why.
        problem: String,
    },
}

impl fmt::Display for Repair {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Finished { segment } => {
                write!(f, "the last line of history/{segment} had no newline, as a crash leaves it; it has one now")
            }
            Self::Moved { segment, to, bytes } => write!(
                f,
                "the last line of history/{segment} was torn, as a crash leaves it; its {bytes} bytes are in history/{to} now"
            ),
            Self::PutBack { segments, values } => {
                let names = segments.join(", ");
                let s = if *values == 1 { "" } else { "s" };
                write!(f, "put back what git took away and no branch holds: ")?;
                match (segments.len(), values) {
                    (0, values) => write!(f, "{values} large value{s}"),
                    (_, 0) => write!(f, "history/ has {names} now"),
                    (_, values) => write!(f, "history/ has {names} and {values} large value{s} now"),
                }
            }
            Self::LeftPacked { path, problem } => {
                write!(
                    f,
                    "{path} of another branch is not read to its end, what follows counts as not there: {problem}"
                )
            }
        }
    }
}

/// Repairs what stands behind the last newline of a segment.
pub fn repair(
    disk: &dyn Disk,
    history: &Path,
    segment: &str,
    file: &dyn Append,
    mark: &mut Watermark,
) -> io::Result<Option<Repair>> {
    let length = file.look()?.len;
    if length <= mark.end {
        return Ok(None);
    }
    let mut rest = vec![0; usize::try_from(length - mark.end).map_err(io::Error::other)?];
    let count = disk.open(&history.join(segment))?.read_at(&mut rest, mark.end)?;
    rest.truncate(count);
    // A whole line was perhaps acknowledged and only its newline is missing; a torn one never was, because a line
    // counts when all of it is on the disk.
    let repair = if is_whole(&Batch::decode(rest.clone(), mark.end), mark) {
        file.append(b"\n")?;
        rest.push(b'\n');
        mark.see(&Batch::decode(rest, mark.end));
        Repair::Finished { segment: segment.to_owned() }
    } else {
        let to = move_away(disk, history, segment, &rest, mark.end)?;
        // Moved rather than cut: a person may still want to see what a crash left.
        file.truncate(mark.end)?;
        Repair::Moved { segment: segment.to_owned(), to, bytes: rest.len() as u64 }
    };
    file.sync()?;
    Ok(Some(repair))
}

/// One entry, nothing else wrong, and next in the chain of its writer if it has one.
fn is_whole(batch: &Batch, mark: &Watermark) -> bool {
    let mut entries = batch.entries();
    let (Some(entry), None) = (entries.next(), entries.next()) else { return false };
    let chains = entry.envelope.link().is_none_or(|link| {
        let head = mark.heads.get(&link.writer);
        head.is_none_or(|head| link.count == head.count + 1 && link.previous == head.hash)
    });
    // The one trouble is the newline that is missing.
    batch.troubles.len() == 1 && chains
}

/// The bytes are safe in their new place before they leave the old one.
fn move_away(disk: &dyn Disk, history: &Path, segment: &str, torn: &[u8], at: u64) -> io::Result<String> {
    let to = format!(".torn/{}-{at}-{}", segment.replace('/', "-"), LineHash::of(torn));
    disk.create_folder(&history.join(".torn"))?;
    disk.sync_folder(history)?;
    disk.replace(&history.join(&to), torn, Safety::Synced)?;
    Ok(to)
}
