//! Retention: days older than a limit are packed into `history/archive/`, where every command still reads them.
//!
//! Nothing is ever deleted (decision 5). The day file stays, empty, so that a merge with a clone that still writes to
//! that day finds a file to merge with.

use serde::Serialize;

use super::{Engine, EngineError};
use crate::kernel::time::Day;
use crate::log::LogError;
use crate::log::disk::{Safety, Sequential};
use crate::log::rewrite::pack_from;
use crate::log::segment::{Packing, Segment};

/// A segment that was packed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Packed {
    /// The day file.
    pub from: String,
    /// The segment of the archive.
    pub to: String,
    /// Bytes before.
    pub bytes: u64,
    /// Bytes after.
    pub packed_bytes: u64,
}

/// Whether to pack or to say what would be packed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// Do it.
    Pack,
    /// Only say it.
    DryRun,
}

impl Engine {
    /// Packs the segments whose last day lies before a day.
    pub fn archive(&self, before: Day, mode: Mode) -> Result<Vec<Packed>, EngineError> {
        let (packed, _) = self.log().write(&mut || self.clock().chance(), |_| {
            self.unpacked(before)?.iter().map(|segment| self.pack(segment, mode)).collect::<Result<Vec<_>, _>>()
        })?;
        Ok(packed)
    }

    /// The segments whose last day lies before a day and that are not packed.
    pub(super) fn unpacked(&self, before: Day) -> Result<Vec<Segment>, EngineError> {
        let history = self.place().history();
        let mut segments = Segment::list(&**self.disk(), history).map_err(LogError::at("list", history))?;
        segments.retain(|segment| {
            let last = segment.days().map(|days| *days.end());
            segment.packing() == Packing::Plain && segment.look.len > 0 && last.is_some_and(|last| last < before)
        });
        Ok(segments)
    }

    fn pack(&self, segment: &Segment, mode: Mode) -> Result<Packed, EngineError> {
        let (disk, history) = (&**self.disk(), self.place().history());
        let bytes = segment.look.len;
        if mode == Mode::DryRun {
            return Ok(Packed { from: segment.name.clone(), to: "archive/".to_owned(), bytes, packed_bytes: 0 });
        }
        let path = history.join(&segment.name);
        let file = disk.open(&path).map_err(LogError::at("open", &path))?;
        let to = pack_from(disk, history, segment.stem(), &mut Sequential::new(&*file, 0))?;
        // Only now that the packed lines are on the disk the plain ones go.
        disk.replace(&path, b"", Safety::Synced).map_err(LogError::at("empty", &path))?;
        let packed = disk.look(&history.join(&to)).map_err(LogError::at("look at", history.join(&to)))?;
        let packed_bytes = packed.map_or(0, |look| look.len);
        Ok(Packed { from: segment.name.clone(), to, bytes, packed_bytes })
    }
}
