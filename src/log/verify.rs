//! Whether a history is what its writers wrote: every line whole, every chain unbroken (DESIGN 3.4).
//!
//! Reads everything once and keeps 64 bytes a line. Says what it found; says also what it could not know. It sees what
//! was done to the lines of a writer; it cannot know who a writer is, because lines are not signed. Changes nothing.

mod blobs;
mod case;
mod chain;
mod doubles;
mod finding;
mod judge;
mod links;
mod local;
mod misfiled;
mod places;
mod raw;
mod report;
mod say;
mod scrubs;
mod shape;
mod sheet;
mod survey;
mod versions;
mod witness;

use std::io;

pub use self::blobs::Blobs;
pub use self::finding::{By, CutOff, Evidence, Finding, Inserted, Link, Misplaced, What};
pub use self::judge::{Foreign, judge};
pub use self::local::Local;
pub use self::report::{Report, WriterReport};
pub use self::scrubs::{Scrub, Scrubbed, Scrubs};
pub use self::sheet::Sheet;
pub use self::survey::{Survey, Totals};
pub use self::witness::{BadHead, Memory, Remembered, Rememberer};

use super::LogError;
use super::disk::{Disk, Lock};
use super::place::Place;
use super::read::{Flow, Stretch, read_as};
use super::segment::Segment;

/// Reads the whole history, as it is at this moment, and what `local/` remembers of it.
///
/// Lines that are appended meanwhile are left for the next time.
pub fn survey(disk: &dyn Disk, place: &Place, local: Local, blobs: Blobs) -> Result<(Survey, Vec<Memory>), LogError> {
    let (segments, memories) = list(disk, place, local)?;
    let stretches: Vec<_> = segments.iter().map(|segment| Stretch { segment: segment.clone(), from: 0 }).collect();
    let mut survey = Survey::new(segments);
    let make = |_, batch| Sheet::of(&batch, blobs);
    read_as(disk, place.history(), &stretches, &make, &mut |segment, sheet| {
        match sheet {
            Ok(sheet) => survey.add(segment, sheet),
            Err(error) => survey.failed(segment, &error.source),
        }
        Flow::More
    });
    if blobs == Blobs::Check {
        survey.check_blobs(disk, &place.blobs())?;
    }
    Ok((survey, memories))
}

/// Files grow while they are listed. The lock holds writers off for that long, so that no line is missing whose next
/// one is there.
fn list(disk: &dyn Disk, place: &Place, local: Local) -> Result<(Vec<Segment>, Vec<Memory>), LogError> {
    let lock = lock(disk, place)?;
    let memories = match local {
        Local::Compare => local::memories(disk, place)?,
        Local::Ignore => Vec::new(),
    };
    let segments = Segment::list(disk, place.history()).map_err(LogError::at("list", place.history()))?;
    drop(lock);
    Ok((segments, memories))
}

/// Where nobody may write, nobody does: a history on a medium that cannot be written is read without a lock.
fn lock(disk: &dyn Disk, place: &Place) -> Result<Option<Box<dyn Lock>>, LogError> {
    let local = disk.look(place.local()).map_err(LogError::at("look at", place.local()))?;
    if local.is_none() {
        return Ok(None);
    }
    match disk.lock(&place.lock()) {
        Ok(lock) => Ok(Some(lock)),
        Err(error) if matches!(error.kind(), io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem) => {
            Ok(None)
        }
        Err(error) => Err(LogError::at("lock", place.lock())(error)),
    }
}
