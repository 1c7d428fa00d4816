//! Reads stretches of segments, the newest first, on as many threads as there are cores, until enough was found.
//!
//! Reads no stretch that an index has ruled out: who asks says which are left. Which of several lines with one id counts is
//! `confirm`'s to say.

use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

use annals_engine::query::filter::Filter;
use annals_engine::{Engine, EngineError};
use annals_kernel::envelope::Span;
use annals_kernel::id::EntryId;
use annals_kernel::json::sha256_hex;
use annals_log::LogError;
use annals_log::batch::{Batch, Placed};
use annals_log::blob::BlobRef;
use annals_log::disk::ReadAt;
use annals_log::read::{self, Flow};
use annals_log::segment::{Packing, Segment};

use crate::facts::EntryFacts;
use crate::judge::{Judged, judge};
use crate::needle::Needles;
use crate::query::Pattern;

/// What is read of a segment at a time where nothing is ruled out.
const STEP_BYTES: u64 = 1 << 20;

/// What is read on behind a stretch at first, to find the end of its last line.
const READ_ON_BYTES: usize = 32 << 10;

/// No line of ours is longer than this.
const LONGEST_LINE: usize = 64 << 20;

/// A larger value beside a line is not unpacked: of a build's output of 16 MiB its beginning must do.
const MOST_BLOB_BYTES: u64 = 16 << 20;

/// So many stretches are read before it is asked again whether there are enough.
const MOST_AT_ONCE: usize = 64;

/// Lines that begin in a stretch of a segment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ScanTask {
    pub segment: Segment,
    pub from: u64,
    pub to: u64,
}

impl ScanTask {
    /// A stretch in steps, the last one first. A packed one cannot be entered in its middle.
    pub(crate) fn steps(segment: &Segment, from: u64, to: u64) -> Vec<Self> {
        let task = |from, to| Self { segment: segment.clone(), from, to };
        if segment.packing() == Packing::Zstd {
            return vec![task(0, segment.look.len)];
        }
        let mut steps = Vec::new();
        let mut end = to;
        while end > from {
            let start = end.saturating_sub(STEP_BYTES).max(from);
            steps.push(task(start, end));
            end = start;
        }
        steps
    }
}

/// An entry that holds what is looked for, as it stands in one of its lines.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct EntryHit {
    pub facts: EntryFacts,
    pub judged: Judged,
    /// In which segment.
    pub segment: Segment,
    /// Where its line begins there.
    pub offset: u64,
    /// Of the line, so that others with the same id are told from it.
    pub hash: Box<str>,
    /// Whether other lines of its stretch have its id.
    pub is_doubled: bool,
}

/// What came of a scan.
#[derive(Debug, Default)]
pub(crate) struct Scanned {
    pub hits: Vec<EntryHit>,
    /// How many bytes of lines were read.
    pub bytes: u64,
    /// Whether older stretches were left unread because there were enough.
    pub is_cut: bool,
}

/// What is looked for, and where.
pub(crate) struct Scan<'s> {
    pub engine: &'s Engine,
    pub pattern: &'s Pattern,
    pub filter: &'s Filter,
    pub needles: Needles,
}

/// Does the same with some stretches, on as many threads as there are cores; what came of them in their order.
pub(crate) fn side_by_side<T: Send>(
    tasks: &[ScanTask],
    work: impl Fn(&ScanTask, &mut Opened) -> Result<T, EngineError> + Sync,
) -> Result<Vec<T>, EngineError> {
    let threads = std::thread::available_parallelism().map_or(1, usize::from).min(tasks.len());
    let next = AtomicUsize::new(0);
    let take = || {
        let (mut done, mut opened) = (Vec::new(), Opened::default());
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            let Some(task) = tasks.get(number) else { return done };
            done.push((number, work(task, &mut opened)));
        }
    };
    let mut done: Vec<_> = std::thread::scope(|scope| {
        let beside: Vec<_> = (1..threads).map(|_| scope.spawn(take)).collect();
        let mut done = take();
        for thread in beside {
            done.extend(thread.join().expect("BUG: a thread that searches panicked"));
        }
        done
    });
    done.sort_by_key(|(number, _)| *number);
    done.into_iter().map(|(_, done)| done).collect()
}

impl Scan<'_> {
    /// Reads tasks in turn until there are enough hits.
    pub(crate) fn run(&self, tasks: &[ScanTask], enough: usize) -> Result<Scanned, EngineError> {
        let mut scanned = Scanned::default();
        let (mut rest, mut at_once) = (tasks, 4);
        while !rest.is_empty() {
            if scanned.hits.len() >= enough {
                scanned.is_cut = true;
                break;
            }
            let (now, later) = rest.split_at(at_once.min(rest.len()));
            for (hits, bytes) in side_by_side(now, |task, opened| self.read(task, opened))? {
                scanned.hits.extend(hits);
                scanned.bytes += bytes;
            }
            (rest, at_once) = (later, (at_once * 2).min(MOST_AT_ONCE));
        }
        Ok(scanned)
    }

    fn read(&self, task: &ScanTask, opened: &mut Opened) -> Result<(Vec<EntryHit>, u64), EngineError> {
        match task.segment.packing() {
            Packing::Plain => self.read_plain(task, opened),
            Packing::Zstd => self.read_packed(task),
        }
    }

    fn read_plain(&self, task: &ScanTask, opened: &mut Opened) -> Result<(Vec<EntryHit>, u64), EngineError> {
        let path = self.engine.place().history().join(&task.segment.name);
        let file = opened.open(self.engine, &path)?;
        let read = whole_lines(file, task).map_err(LogError::at("read", &path))?;
        let bytes = &read.bytes[read.skip..];
        let mut hits = Vec::new();
        for line in self.needles.lines(bytes) {
            let offset = read.base + (read.skip + line.start) as u64;
            let batch = Batch::decode(bytes[line].to_vec(), offset);
            for placed in batch.entries() {
                hits.extend(self.hit(&placed, &task.segment));
            }
        }
        if !hits.is_empty() {
            let ids = ids_of(bytes);
            for hit in &mut hits {
                let first = ids.partition_point(|id| *id < hit.facts.id);
                hit.is_doubled = ids.get(first + 1) == Some(&hit.facts.id);
            }
        }
        hits.reverse();
        Ok((hits, bytes.len() as u64))
    }

    fn read_packed(&self, task: &ScanTask) -> Result<(Vec<EntryHit>, u64), EngineError> {
        let (mut hits, mut bytes) = (Vec::new(), 0);
        let stretch = read::Stretch { segment: task.segment.clone(), from: 0 };
        read::read(&**self.engine.disk(), self.engine.place().history(), &[stretch], &mut |_, batch| {
            bytes += batch.end - batch.start;
            for placed in batch.entries() {
                if self.needles.lines(placed.original).next().is_some() {
                    hits.extend(self.hit(&placed, &task.segment));
                }
            }
            Flow::More
        })?;
        hits.reverse();
        Ok((hits, bytes))
    }

    fn hit(&self, placed: &Placed<'_>, segment: &Segment) -> Option<EntryHit> {
        let entry = &placed.envelope;
        let blobs = |blob: &BlobRef| large_text(self.engine, blob);
        if !self.filter.fits(entry, &blobs) {
            return None;
        }
        let judged = judge(self.pattern, entry, &blobs)?;
        let (facts, hash) = (EntryFacts::of(entry), sha256_hex(placed.original).into());
        Some(EntryHit { facts, judged, segment: segment.clone(), offset: placed.offset, hash, is_doubled: false })
    }
}

/// The text of a large value, where it is not too large to be looked through.
pub(crate) fn large_text(engine: &Engine, blob: &BlobRef) -> Option<String> {
    (blob.bytes <= MOST_BLOB_BYTES).then(|| engine.blob(blob).ok()).flatten()
}

/// The file that was read last: the next stretch is mostly of it.
#[derive(Default)]
pub(crate) struct Opened(Option<(std::path::PathBuf, Box<dyn ReadAt>)>);

impl Opened {
    pub(crate) fn open(&mut self, engine: &Engine, path: &Path) -> Result<&dyn ReadAt, EngineError> {
        if self.0.as_ref().is_none_or(|(opened, _)| opened != path) {
            let file = engine.disk().open(path).map_err(LogError::at("open", path))?;
            self.0 = Some((path.to_owned(), file));
        }
        Ok(&*self.0.as_ref().expect("BUG: it was just opened").1)
    }
}

/// Bytes of a segment, and from where on its lines begin in the stretch.
pub(crate) struct ReadLines {
    pub bytes: Vec<u8>,
    pub skip: usize,
    pub base: u64,
}

/// All of the lines that begin in a stretch.
pub(crate) fn whole_lines(file: &dyn ReadAt, task: &ScanTask) -> std::io::Result<ReadLines> {
    let end = task.segment.look.len;
    // The byte before says whether a line begins where the stretch does.
    let base = task.from.saturating_sub(1);
    let length = usize::try_from(task.to.min(end).saturating_sub(base)).map_err(std::io::Error::other)?;
    let mut bytes = vec![0; length];
    let count = file.read_at(&mut bytes, base)?;
    bytes.truncate(count);
    let begins = if task.from == 0 { Some(0) } else { memchr::memchr(b'\n', &bytes).map(|newline| newline + 1) };
    let skip = begins.filter(|skip| *skip < bytes.len()).unwrap_or(bytes.len());
    if skip == bytes.len() {
        return Ok(ReadLines { bytes, skip, base });
    }
    let mut more = READ_ON_BYTES;
    while bytes.last() != Some(&b'\n') && base + (bytes.len() as u64) < end && bytes.len() < LONGEST_LINE {
        let old = bytes.len();
        bytes.resize(old + more, 0);
        let count = file.read_at(&mut bytes[old..], base + old as u64)?;
        bytes.truncate(old + count);
        if count == 0 {
            break;
        }
        if let Some(newline) = memchr::memchr(b'\n', &bytes[old..]) {
            bytes.truncate(old + newline + 1);
        }
        more *= 4;
    }
    Ok(ReadLines { bytes, skip, base })
}

/// The ids of all lines, sorted.
fn ids_of(bytes: &[u8]) -> Vec<EntryId> {
    let mut start = 0;
    let mut ids = Vec::new();
    for newline in memchr::memchr_iter(b'\n', bytes).chain([bytes.len()]) {
        ids.extend(Span::scan_id(&bytes[start..newline]));
        start = (newline + 1).min(bytes.len());
    }
    ids.sort_unstable();
    ids
}

#[cfg(test)]
mod tests {
    use annals_log::disk::{Disk, Look, RealDisk};

    use super::*;

    #[test]
    fn each_line_begins_in_one_stretch() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.jsonl");
        let text: String = (0..200).flat_map(|number| ["x".repeat(number * 37 % 400), "\n".to_owned()]).collect();
        std::fs::write(&path, &text).expect("written");
        let file = RealDisk.open(&path).expect("opened");
        let look = Look { len: text.len() as u64, ..Look::default() };
        let segment = Segment { name: "a.jsonl".to_owned(), look };
        for step in [1, 7, 400, 1000, 1 << 20] {
            let (mut from, mut all) = (0, String::new());
            while from < look.len {
                let task = ScanTask { segment: segment.clone(), from, to: from + step };
                let read = whole_lines(&*file, &task).expect("read");
                all.push_str(std::str::from_utf8(&read.bytes[read.skip..]).expect("text"));
                from += step;
            }
            assert_eq!(all, text, "{step}");
        }
    }

    #[test]
    fn a_stretch_is_read_from_its_end() {
        let look = Look { len: 5 << 19, ..Look::default() };
        let segment = Segment { name: "a.jsonl".to_owned(), look };
        let steps = ScanTask::steps(&segment, 100, look.len);
        let spans: Vec<_> = steps.iter().map(|task| (task.from, task.to)).collect();
        assert_eq!(spans, [(3 << 19, 5 << 19), (1 << 19, 3 << 19), (100, 1 << 19)]);
    }
}
