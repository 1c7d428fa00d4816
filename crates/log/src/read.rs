//! Reads stretches of segments, decoded by as many threads as there are cores and handed over in order.
//!
//! Memory stays bounded: the threads wait when they are too far ahead. Does not order entries across segments.

use std::io;
use std::path::Path;
use std::sync::Arc;

use super::batch::Batch;
use super::disk::{Disk, ReadAt};
use super::mending::Mending;
use super::pool::Pool;
use super::prefilter::Prefilter;
use super::prepare::Prepare;
use super::queue::Queue;
use super::segment::{Packing, Segment};
use super::unpack::Unpacker;

/// Bytes that one thread decodes at a time.
pub(super) const CHUNK_BYTES: u64 = 2 << 20;

/// What is read beyond a chunk at first, to find the end of its last line.
// Most lines are shorter, so that one read is enough for a chunk and the end of its last line.
const READ_ON_BYTES: u64 = 32 << 10;

/// A line longer than this is named and left out, so that memory stays bounded.
pub(super) const MAX_LINE_BYTES: u64 = 64 << 20;

/// A stretch of a segment: from an offset where a line begins, to the end that it had when it was listed.
#[derive(Debug, Clone)]
pub struct Stretch {
    /// The segment.
    pub segment: Segment,
    /// Where to begin; 0 for a packed segment.
    pub from: u64,
}

/// Why a segment cannot be read.
#[derive(Debug, thiserror::Error)]
#[error("cannot read history/{segment}")]
pub struct ReadError {
    /// Its name.
    pub segment: String,
    /// What the system said.
    pub source: io::Error,
}

/// What the reader wants of a caller: more, or no more.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Flow {
    /// Go on.
    More,
    /// Stop reading.
    Enough,
}

struct Task<'s> {
    stretch: usize,
    segment: &'s Segment,
    start: u64,
    end: u64,
}

/// What the threads share.
#[derive(Default)]
pub(super) struct Means<'m> {
    pub(super) pool: Arc<Pool>,
    /// Lines that it passes over are left out.
    pub(super) prefilter: Option<&'m Prefilter<'m>>,
    /// Which clocks were wrong.
    pub(super) mending: Option<&'m Mending>,
    /// What is made of each entry beside.
    pub(super) prepare: Option<&'m Prepare<'m>>,
}

impl Means<'_> {
    pub(super) fn batch(&self, bytes: Vec<u8>, from: usize, base: u64) -> Batch {
        let batch = Batch::decode_from(bytes, from, base, &self.pool, self.prefilter);
        let batch = match self.mending {
            Some(mending) => batch.mended(mending),
            None => batch,
        };
        match self.prepare {
            Some(prepare) => batch.prepared(prepare),
            None => batch,
        }
    }
}

/// Reads stretches one after the other and calls `take` with the number of the stretch and each batch, in order.
pub fn read(
    disk: &dyn Disk,
    history: &Path,
    stretches: &[Stretch],
    take: &mut dyn FnMut(usize, Batch) -> Flow,
) -> Result<(), ReadError> {
    read_by(disk, history, stretches, &Means::default(), take)
}

/// The same, with means of one's own.
pub(super) fn read_by(
    disk: &dyn Disk,
    history: &Path,
    stretches: &[Stretch],
    means: &Means<'_>,
    take: &mut dyn FnMut(usize, Batch) -> Flow,
) -> Result<(), ReadError> {
    let mut failed = None;
    read_with(disk, history, stretches, means, &|_, batch| batch, &mut |stretch, batch| match batch {
        Ok(batch) => take(stretch, batch),
        Err(error) => {
            failed = Some(error);
            Flow::Enough
        }
    });
    failed.map_or(Ok(()), Err)
}

/// Reads like `read`; what `make` makes of a batch is made by the thread that decoded it. A segment that cannot be read
/// to its end does not keep the others from being read.
pub fn read_as<T: Send>(
    disk: &dyn Disk,
    history: &Path,
    stretches: &[Stretch],
    make: &(dyn Fn(usize, Batch) -> T + Sync),
    take: &mut dyn FnMut(usize, Result<T, ReadError>) -> Flow,
) {
    read_with(disk, history, stretches, &Means::default(), make, take);
}

fn read_with<T: Send>(
    disk: &dyn Disk,
    history: &Path,
    stretches: &[Stretch],
    means: &Means<'_>,
    make: &(dyn Fn(usize, Batch) -> T + Sync),
    take: &mut dyn FnMut(usize, Result<T, ReadError>) -> Flow,
) {
    let tasks = plan(stretches);
    // How many cores there are is read from files, where the program runs in a container.
    let cores = || std::thread::available_parallelism().map_or(1, usize::from);
    let threads = if tasks.len() > 1 { cores().min(tasks.len()) - 1 } else { 0 };
    let queue = Queue::new(tasks.len());
    let run = |index: usize| decode(disk, history, &tasks[index], means, &|batch| make(tasks[index].stretch, batch));
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| queue.work(&run));
        }
        queue.consume(&run, &mut |index, made| {
            let task = &tasks[index];
            made.consume(&mut |one| take(task.stretch, one), &|batch| make(task.stretch, batch), task, means)
        });
        queue.close();
    });
}

fn plan(stretches: &[Stretch]) -> Vec<Task<'_>> {
    let mut tasks = Vec::new();
    for (stretch, Stretch { segment, from }) in stretches.iter().enumerate() {
        let step = match segment.packing() {
            Packing::Plain => CHUNK_BYTES,
            // A packed stream cannot be entered in its middle.
            Packing::Zstd => segment.look.len.max(1),
        };
        let mut start = *from;
        while start < segment.look.len {
            let end = (start + step).min(segment.look.len);
            tasks.push(Task { stretch, segment, start, end });
            start = end;
        }
    }
    tasks
}

/// What is made of the batches of a task, and at the end perhaps why there are no more.
struct Made<T> {
    parts: Vec<Result<T, ReadError>>,
    /// What is left of a packed segment that is too long to be unpacked ahead.
    rest: Option<Unpacker>,
}

impl<T> Made<T> {
    fn consume(
        self,
        take: &mut dyn FnMut(Result<T, ReadError>) -> Flow,
        make: &dyn Fn(Batch) -> T,
        task: &Task<'_>,
        means: &Means<'_>,
    ) -> Option<Flow> {
        let enough = self.parts.into_iter().map(&mut *take).find(|flow| *flow == Flow::Enough);
        if enough.is_some() {
            return enough;
        }
        let mut rest = self.rest?;
        loop {
            let part = match rest.next(means) {
                Ok(Some(batch)) => Ok(make(batch)),
                Ok(None) => return None,
                Err(source) => return Some(take(Err(task.failed(source)))).filter(|flow| *flow == Flow::Enough),
            };
            if take(part) == Flow::Enough {
                return Some(Flow::Enough);
            }
        }
    }
}

impl Task<'_> {
    fn failed(&self, source: io::Error) -> ReadError {
        ReadError { segment: self.segment.name.clone(), source }
    }
}

/// Of a packed segment so much is unpacked before it is its turn, and no more: else the longest would be in memory whole.
const AHEAD_BYTES: u64 = 32 << 20;

fn decode<T>(
    disk: &dyn Disk,
    history: &Path,
    task: &Task<'_>,
    means: &Means<'_>,
    make: &dyn Fn(Batch) -> T,
) -> Made<T> {
    let mut made = Made { parts: Vec::new(), rest: None };
    let done = match disk.open(&history.join(&task.segment.name)) {
        Ok(file) => match task.segment.packing() {
            Packing::Plain => read_chunk(&*file, task, means)
                .map(|batches| made.parts.extend(batches.into_iter().map(|batch| Ok(make(batch))))),
            Packing::Zstd => unpack_ahead(file, task, means, make, &mut made),
        },
        // Git may take a segment away between the listing and this; the next look says so.
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(error),
    };
    made.parts.extend(done.err().map(|source| Err(task.failed(source))));
    made
}

fn unpack_ahead<T>(
    file: Box<dyn ReadAt>,
    task: &Task<'_>,
    means: &Means<'_>,
    make: &dyn Fn(Batch) -> T,
    made: &mut Made<T>,
) -> io::Result<()> {
    let mut unpacker = Unpacker::new(file, task.segment.look.len)?;
    while unpacker.done_bytes() < AHEAD_BYTES {
        let Some(batch) = unpacker.next(means)? else { return Ok(()) };
        made.parts.push(Ok(make(batch)));
    }
    made.rest = Some(unpacker);
    Ok(())
}

/// The lines that begin in a chunk. A line that begins before it belongs to the chunk before.
fn read_chunk(file: &dyn ReadAt, task: &Task<'_>, means: &Means<'_>) -> io::Result<Vec<Batch>> {
    let limit = task.segment.look.len;
    // The byte before the chunk tells whether a line begins at its start.
    let base = task.start.saturating_sub(1);
    let mut bytes = means.pool.take();
    let mut end = (task.end + READ_ON_BYTES).min(limit);
    fill(file, &mut bytes, base, end)?;
    let Some(start) = first_line(&bytes, base, task) else {
        means.pool.give(bytes);
        return Ok(Vec::new());
    };
    loop {
        if let Some(stop) = last_newline_needed(&bytes, base, task.end).or_else(|| whole_if(end, limit, &bytes)) {
            bytes.truncate(stop);
            return Ok(vec![means.batch(bytes, start, base)]);
        }
        if end - task.end > MAX_LINE_BYTES {
            return too_long(file, bytes, start, base, task, means);
        }
        end = (task.end + 4 * (end - task.end)).min(limit);
        fill(file, &mut bytes, base, end)?;
    }
}

/// Reads a range; whatever the buffer held before is overwritten.
fn fill(file: &dyn ReadAt, bytes: &mut Vec<u8>, from: u64, to: u64) -> io::Result<()> {
    let length = usize::try_from(to - from).map_err(io::Error::other)?;
    if bytes.len() < length {
        bytes.resize(length, 0);
    }
    let count = file.read_at(&mut bytes[..length], from)?;
    bytes.truncate(count);
    Ok(())
}

/// The place in the buffer where the first line of the chunk begins.
fn first_line(bytes: &[u8], base: u64, task: &Task<'_>) -> Option<usize> {
    if task.start == 0 {
        return Some(0);
    }
    let within = &bytes[..bytes.len().min(usize::try_from(task.end - base).unwrap_or(usize::MAX) - 1)];
    memchr::memchr(b'\n', within).map(|newline| newline + 1)
}

/// The place in the buffer behind the newline that ends the last line that begins in the chunk.
fn last_newline_needed(bytes: &[u8], base: u64, end: u64) -> Option<usize> {
    let last_byte = usize::try_from(end - base).ok()? - 1;
    memchr::memchr(b'\n', bytes.get(last_byte..)?).map(|newline| last_byte + newline + 1)
}

/// At the end of the segment the last line may lack its newline.
fn whole_if(end: u64, limit: u64, bytes: &[u8]) -> Option<usize> {
    (end == limit).then_some(bytes.len())
}

/// The last line of the chunk is too long: what comes before it is decoded, it is named.
fn too_long(
    file: &dyn ReadAt,
    mut bytes: Vec<u8>,
    start: usize,
    base: u64,
    task: &Task<'_>,
    means: &Means<'_>,
) -> io::Result<Vec<Batch>> {
    let chunk = usize::try_from(task.end - base).map_err(io::Error::other)?;
    let last = memchr::memrchr(b'\n', &bytes[start..chunk - 1]).map_or(start, |newline| start + newline + 1);
    let end = find_newline(file, base + bytes.len() as u64, task.segment.look.len)?;
    bytes.truncate(last);
    let long = Batch::too_long(base + last as u64, end);
    Ok(vec![means.batch(bytes, start, base), long])
}

/// The offset behind the next newline, or the end.
fn find_newline(file: &dyn ReadAt, mut offset: u64, limit: u64) -> io::Result<u64> {
    let mut buffer = vec![0; 1 << 20];
    while offset < limit {
        let count = file.read_at(&mut buffer, offset)?;
        if let Some(at) = memchr::memchr(b'\n', &buffer[..count]) {
            return Ok(offset + at as u64 + 1);
        }
        if count == 0 {
            break;
        }
        offset += count as u64;
    }
    Ok(limit)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::batch::TroubleKind;
    use crate::disk::RealDisk;
    use crate::testing::line;

    fn read_all(history: &Path) -> (Vec<String>, Vec<TroubleKind>) {
        let segments = Segment::list(&RealDisk, history).expect("the folder can be listed");
        let stretches: Vec<_> = segments.into_iter().map(|segment| Stretch { segment, from: 0 }).collect();
        let (mut lines, mut troubles) = (Vec::new(), Vec::new());
        let done = read(&RealDisk, history, &stretches, &mut |_, batch| {
            lines.extend(batch.entries().map(|entry| String::from_utf8_lossy(entry.original).into_owned()));
            troubles.extend(batch.troubles.iter().map(|trouble| trouble.kind.clone()));
            Flow::More
        });
        done.expect("the folder can be read");
        (lines, troubles)
    }

    #[test]
    fn lines_arrive_once_and_in_order_whatever_their_length() {
        let folder = tempfile::tempdir().expect("a folder");
        let lengths = [0, 100, 3 << 20, 7, 2 << 20, 40_000, 1];
        let lines: Vec<_> = (0..200).map(|number| line(number, lengths[number % lengths.len()])).collect();
        let (first, second) = lines.split_at(77);
        std::fs::write(folder.path().join("2026-11-20.jsonl"), first.join("\n") + "\n").expect("written");
        std::fs::write(folder.path().join("2026-11-21.jsonl"), second.join("\n") + "\n").expect("written");
        let (read, troubles) = read_all(folder.path());
        assert!(read == lines, "{} of {} lines", read.len(), lines.len());
        assert_eq!(troubles, []);
    }

    #[test]
    fn a_line_of_half_a_gigabyte_is_named_and_its_neighbours_are_read() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("2026-11-21.jsonl");
        std::fs::write(&path, line(1, 5) + "\n").expect("written");
        let file = std::fs::OpenOptions::new().append(true).open(&path).expect("opened");
        file.set_len(500 << 20).expect("half a gigabyte of NUL bytes, not one of them on the disk");
        RealDisk.append_to(&path).expect("opened").append(format!("\n{}\n", line(2, 5)).as_bytes()).expect("written");
        let (read, troubles) = read_all(folder.path());
        assert_eq!((read, troubles), (vec![line(1, 5), line(2, 5)], vec![TroubleKind::TooLong]));
    }
}
