//! Whether a history is what its writers wrote: every line whole, every chain unbroken (DESIGN 3.4).
//!
//! Reads everything once and keeps 64 bytes a line. Says what it found; says also what it could not know. It sees what
//! was done to the lines of a writer; who a writer is it knows where heads are signed and somebody has named
//! the keys. Changes nothing.

mod blobs;
mod case;
mod chain;
mod doubles;
mod finding;
mod judge;
mod links;
mod misfiled;
mod namesake;
mod own;
mod places;
mod raw;
mod recorded;
mod say;
mod scrubs;
mod settled;
mod shape;
mod sheet;
mod signed;
mod survey;
mod versions;
mod witness;

use std::io;

pub use self::blobs::Blobs;
pub use self::finding::{By, CutOff, Evidence, Finding, Inserted, Link, Misplaced, Namesake, What};
pub use self::judge::{Foreign, Report, WriterReport, judge, judge_signed};
pub use self::recorded::{Recorded, Settlements, Word};
pub use self::scrubs::{Scrub, ScrubbedLines, Scrubs};
pub use self::settled::{LineStanding, Settled};
pub use self::sheet::Sheet;
pub use self::signed::{SignatureFault, SignatureTerms, Signatures, Unsigned, WriterSignature};
pub use self::survey::{Survey, Totals};
pub use self::witness::{BadHead, Memory, Remembered, Rememberer};

use super::LogError;
use super::bookmark::Bookmark;
use super::disk::{Disk, Lock};
use super::place::Place;
use super::position::Position;
use super::read::{Flow, Stretch, read_as};
use super::segment::Segment;

/// Whether `local/` is asked.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Local {
    /// What it remembers must be there.
    #[default]
    Compare,
    /// Another branch is checked out, or only the files as they are matter.
    Ignore,
}

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
        Local::Compare => memories(disk, place)?,
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

/// What this clone remembers: the last line it wrote, and the last line of each writer that it has read. Nothing is
/// repaired or caught up with.
fn memories(disk: &dyn Disk, place: &Place) -> Result<Vec<Memory>, LogError> {
    let bookmark = Bookmark::read(disk, &place.bookmark()).map_err(LogError::at("read", place.bookmark()))?;
    let position = Position::load(disk, place)?;
    let marks = position.marks().iter().flat_map(|(_, mark)| mark.heads.clone());
    let own = position.own_heads(disk, place, bookmark.as_ref())?;
    let heads = marks.chain(bookmark.map(|bookmark| (bookmark.writer, bookmark.head)));
    let memory = |by| move |(writer, head)| Memory { by, head: Remembered::Head(writer, head) };
    let counts = own.iter().map(|(writer, own)| (writer.clone(), own.head));
    let wrote = own.iter().map(|(writer, own)| (writer.clone(), own.wrote));
    let heads = heads.chain(counts).map(memory(Rememberer::Local));
    Ok(heads.chain(wrote.map(memory(Rememberer::Writer))).collect())
}
