//! Retention: days older than a limit are packed into `history/archive/`, where every command still reads them.
//!
//! Nothing is ever deleted (decision 5). All pieces of a day become one. A day file that several clones write to stays,
//! empty, so that a merge with one that still does finds a file to merge with; a writer's own goes.

use serde::Serialize;

use super::{Engine, EngineError};
use annals_kernel::time::Day;
use annals_log::LogError;
use annals_log::disk::Safety;
use annals_log::rewrite::pack_from;
use annals_log::segment::{Packing, Segment, SegmentOwner};
use annals_log::segment_merge::SegmentMerge;

/// Segments of one day that were packed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct Packed {
    /// The segments.
    pub from: Vec<String>,
    /// The segment of the archive.
    pub to: String,
    /// Bytes before.
    pub bytes: u64,
    /// Bytes after.
    pub packed_bytes: u64,
}

/// Whether to pack or to say what would be packed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PackMode {
    /// Do it.
    Pack,
    /// Only say it.
    DryRun,
}

impl Engine {
    /// Packs the segments whose last day lies before a day.
    pub fn archive(&self, before: Day, mode: PackMode) -> Result<Vec<Packed>, EngineError> {
        let (packed, _) = self.log().write(&mut || self.clock().chance(), |_| {
            let pieces = self.unpacked(before)?;
            let days = pieces.chunk_by(|left, right| stem(left) == stem(right));
            days.map(|pieces| self.pack(pieces, mode)).collect::<Result<Vec<_>, _>>()
        })?;
        Ok(packed)
    }

    /// The segments whose last day lies before a day and that are not packed.
    pub(super) fn unpacked(&self, before: Day) -> Result<Vec<Segment>, EngineError> {
        let history = self.place().history();
        let mut segments = Segment::list(&**self.disk(), history).map_err(LogError::at("list", history))?;
        segments.retain(|segment| {
            let last = segment.days().map(|days| *days.end());
            // An empty one is what packing a shared day file left behind.
            segment.packing() == Packing::Plain && segment.look.len > 0 && last.is_some_and(|last| last < before)
        });
        Ok(segments)
    }

    fn pack(&self, pieces: &[Segment], mode: PackMode) -> Result<Packed, EngineError> {
        let (disk, history) = (&**self.disk(), self.place().history());
        let bytes = pieces.iter().map(|piece| piece.look.len).sum();
        let from = pieces.iter().map(|piece| piece.name.clone()).collect();
        if mode == PackMode::DryRun {
            return Ok(Packed { from, to: "archive/".to_owned(), bytes, packed_bytes: 0 });
        }
        // Merged by ids: strung together by their names the tenth piece stood before the second, and `verify` found the
        // lines of every day with ten commits out of order.
        let mut lines = SegmentMerge::of(disk, history, pieces).map_err(LogError::at("read", history))?;
        let to = pack_from(disk, self.place(), stem(&pieces[0]), &mut lines)?;
        // Only now that the packed lines are on the disk the plain ones go.
        for piece in pieces {
            let path = history.join(&piece.name);
            let done = match SegmentOwner::of(&piece.name) {
                Some((_, SegmentOwner::Writer { .. })) => disk.remove(&path),
                Some((_, SegmentOwner::Everybody)) | None => disk.replace(&path, b"", Safety::Synced),
            };
            done.map_err(LogError::at("empty", &path))?;
        }
        let packed = disk.look(&history.join(&to)).map_err(LogError::at("look at", history.join(&to)))?;
        let packed_bytes = packed.map_or(0, |look| look.len);
        Ok(Packed { from, to, bytes, packed_bytes })
    }
}

/// What the names of the segments of a day, or a week, begin with.
fn stem(segment: &Segment) -> &str {
    SegmentOwner::of(&segment.name).map_or(segment.stem(), |(stem, _)| stem)
}
