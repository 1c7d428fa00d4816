//! Groups that are too large for memory: where every entry stands first, then the entries by id, a window at a time.
//!
//! Costs a second reading, and 48 bytes of memory an entry. Does not choose between entries with the same id.

use std::io;
use std::path::Path;

use super::batch::Batch;
use super::disk::{Disk, ReadAt};
use super::read::{Means, ReadError};
use super::segment::{Packing, Segment};
use super::unpack::unpack_whole;
use annals_kernel::id::EntryId;

/// Segments that are read together are held in memory together up to so many bytes.
pub(super) const MOST_BYTES: u64 = 256 << 20;

/// Where an entry stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct EntrySpot {
    pub id: EntryId,
    /// How many milliseconds later it counts than it says.
    shift: i64,
    /// The part, by its place among the parts of the group.
    pub part: u32,
    length: u32,
    offset: u64,
    /// The line, from 1.
    line: u64,
}

/// Where the entries of a batch stand; `before` is the number of lines before it.
pub(super) fn spots(part: usize, before: u64, batch: &Batch) -> impl Iterator<Item = EntrySpot> {
    batch.entries().map(move |placed| EntrySpot {
        id: placed.envelope.id(),
        shift: placed.envelope.shift(),
        part: u32::try_from(part).expect("BUG: more than 4 billion segments"),
        length: u32::try_from(placed.original.len()).expect("BUG: a line of more than 4 GiB"),
        offset: placed.offset,
        line: before + placed.line,
    })
}

/// Puts spots in the order of the fold; those with one id in the order of their lines.
pub(super) fn sort(spots: &mut [EntrySpot]) {
    if spots.iter().any(|spot| spot.shift != 0) {
        // As `order` has it: lines with one id have one turn, the first of theirs.
        spots.sort_unstable_by_key(|spot| (spot.id, spot.shift));
        for same in spots.chunk_by_mut(|left, right| left.id == right.id) {
            let first = same[0].shift;
            for spot in same {
                spot.shift = first;
            }
        }
    }
    spots.sort_unstable_by_key(|spot| (spot.id.shifted(spot.shift), spot.id, spot.part, spot.offset));
}

/// How many of the spots make a window of about so many bytes: entries with one id stay together.
pub(super) fn window(spots: &[EntrySpot], most_bytes: u64) -> usize {
    let mut bytes = 0;
    let full = spots.iter().position(|spot| {
        bytes += u64::from(spot.length);
        bytes > most_bytes
    });
    let Some(first) = full else { return spots.len() };
    let id = spots[first].id;
    first + spots[first..].iter().take_while(|spot| spot.id == id).count()
}

/// The segments of a group, open for reading here and there.
pub(super) struct Opened<'m> {
    files: Vec<(String, Box<dyn ReadAt>)>,
    means: Means<'m>,
}

impl<'m> Opened<'m> {
    /// Opens them; a packed one is unpacked into memory.
    pub(super) fn new<'s>(
        disk: &dyn Disk,
        history: &Path,
        segments: impl Iterator<Item = &'s Segment>,
        means: Means<'m>,
    ) -> Result<Self, ReadError> {
        let open = |segment: &Segment| {
            let failed = |source| ReadError { segment: segment.name.clone(), source };
            let file = open(disk, history, segment).map_err(failed)?;
            Ok((segment.name.clone(), file))
        };
        Ok(Self { files: segments.map(open).collect::<Result<_, _>>()?, means })
    }

    /// Reads the entries of a window: the number of the part, the lines before, and a batch for each stretch of lines that
    /// stand one behind the other.
    pub(super) fn read(&self, window: &[EntrySpot]) -> Result<Vec<(usize, u64, Batch)>, ReadError> {
        let mut spots = window.to_vec();
        spots.sort_unstable_by_key(|spot| (spot.part, spot.offset));
        spots.chunk_by(is_next).map(|run| self.read_run(run)).collect()
    }

    fn read_run(&self, run: &[EntrySpot]) -> Result<(usize, u64, Batch), ReadError> {
        let (first, last) = (run[0], run[run.len() - 1]);
        let part = first.part as usize;
        let (name, file) = &self.files[part];
        let failed = |source| ReadError { segment: name.clone(), source };
        let length = last.offset + u64::from(last.length) - first.offset;
        let mut bytes = self.means.pool.take();
        bytes.resize(usize::try_from(length).map_err(io::Error::other).map_err(failed)?, 0);
        let count = file.read_at(&mut bytes, first.offset).map_err(failed)?;
        bytes.truncate(count);
        Ok((part, first.line - 1, self.means.batch(bytes, 0, first.offset)))
    }
}

/// Whether an entry stands on the line behind another, with nothing but a newline between them.
fn is_next(left: &EntrySpot, right: &EntrySpot) -> bool {
    let behind = left.offset + u64::from(left.length) + 1;
    (left.part, behind, left.line + 1) == (right.part, right.offset, right.line)
}

fn open(disk: &dyn Disk, history: &Path, segment: &Segment) -> io::Result<Box<dyn ReadAt>> {
    let file = disk.open(&history.join(&segment.name))?;
    match segment.packing() {
        Packing::Plain => Ok(file),
        // Whether it is packed badly was said when its lines were found; none of them stands behind that.
        Packing::Zstd => Ok(Box::new(InMemory(unpack_whole(file, segment.look.len)?.bytes))),
    }
}

struct InMemory(Vec<u8>);

impl ReadAt for InMemory {
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        let from = usize::try_from(offset).unwrap_or(usize::MAX);
        let rest = self.0.get(from..).unwrap_or_default();
        let count = rest.len().min(buffer.len());
        buffer[..count].copy_from_slice(&rest[..count]);
        Ok(count)
    }
}
