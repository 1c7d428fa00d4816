//! Entries as they are written: by this process or others, into the day's file or a new one.
//!
//! The folder is watched; at each wake-up everything new is read, and once a second without one, for file systems that
//! do not tell. Entries come in the order of their lines, not in that of the fold. Does not print.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::Duration;

use notify::{RecommendedWatcher, RecursiveMode, Watcher};

use super::filter::Filter;
use super::{Found, Raw, Reader};
use crate::{Engine, EngineError};
use annals_kernel::id::EntryId;
use annals_log::LogError;
use annals_log::batch::{Batch, Placed};
use annals_log::blob::BlobRef;
use annals_log::disk::ReadAt;
use annals_log::mending::Mending;
use annals_log::read::Flow;
use annals_log::segment::{Packing, Segment};

/// How long it waits for a wake-up before it looks by itself.
const LOOK_EVERY: Duration = Duration::from_secs(1);

/// What is read at a time, unless a line is longer.
const PIECE_BYTES: usize = 1 << 20;

/// A line longer than this is passed over.
const MAX_LINE_BYTES: usize = 64 << 20;

/// How many of the entries that were handed over last are remembered: none comes twice.
const REMEMBERED: usize = 100_000;

/// Follows a log.
pub struct Follower<'e> {
    engine: &'e Engine,
    filter: Filter,
    /// As it was when following began.
    mending: Mending,
    ends: BTreeMap<String, ReadEnd>,
    /// The highest id so far.
    last: EntryId,
    handed_over: BTreeSet<EntryId>,
    wakes: Receiver<Wake>,
    /// Keeps the channel open where nothing can be watched.
    _sender: Sender<Wake>,
    _watcher: Option<RecommendedWatcher>,
}

/// How far a segment was read.
#[derive(Debug, Clone, Copy)]
struct ReadEnd {
    /// The number of the file.
    number: u64,
    offset: u64,
    lines: u64,
    /// A file that was put in the place of another one brings its old entries again: they are passed over up to here.
    floor: EntryId,
}

/// Something happened in the folder.
enum Wake {
    /// To this file.
    File(String),
    /// To we do not know what.
    Anything,
}

impl<'e> Reader<'e> {
    /// Hands over what comes behind what this reader has seen.
    pub fn follow(&self, filter: Filter) -> Follower<'e> {
        let end = |mark: &annals_log::watermarks::Watermark| ReadEnd {
            number: mark.look.number,
            offset: mark.end,
            lines: mark.lines,
            floor: EntryId::MIN,
        };
        let plain = self.marks.iter().filter(|(name, _)| Packing::of(name) == Packing::Plain);
        let ends = plain.map(|(name, mark)| (name.to_owned(), end(mark))).collect();
        let last = self.marks.iter().map(|(_, mark)| mark.last).max().unwrap_or_default();
        let (sender, wakes) = channel();
        let watcher = watch(self.engine.place().history(), sender.clone());
        Follower {
            engine: self.engine,
            filter,
            mending: self.amendments.mending.clone(),
            ends,
            last,
            handed_over: BTreeSet::new(),
            wakes,
            _sender: sender,
            _watcher: watcher,
        }
    }
}

/// `None` where the folder cannot be watched: looking once a second must do.
fn watch(history: &Path, sender: Sender<Wake>) -> Option<RecommendedWatcher> {
    let tell = move |event: notify::Result<notify::Event>| {
        for wake in wakes_of(event) {
            // The follower is gone when nobody listens; then nobody misses it.
            let _ = sender.send(wake);
        }
    };
    let mut watcher = notify::recommended_watcher(tell).ok()?;
    watcher.watch(history, RecursiveMode::NonRecursive).ok()?;
    Some(watcher)
}

fn wakes_of(event: notify::Result<notify::Event>) -> Vec<Wake> {
    let Ok(event) = event else { return vec![Wake::Anything] };
    if event.need_rescan() {
        return vec![Wake::Anything];
    }
    // Each reading of a segment would otherwise wake the follower up again.
    if event.kind.is_access() {
        return Vec::new();
    }
    let names = event.paths.iter().filter_map(|path| path.file_name()?.to_str());
    names.filter(|name| is_segment(name)).map(|name| Wake::File(name.to_owned())).collect()
}

fn is_segment(name: &str) -> bool {
    name.strip_suffix(".jsonl").is_some_and(|stem| !stem.starts_with('.'))
}

impl Follower<'_> {
    /// Hands over entries as they come, until the taker has enough.
    pub fn run(&mut self, take: &mut dyn FnMut(Found) -> Flow) -> Result<(), EngineError> {
        let mut flow = self.read_all(take)?;
        while flow == Flow::More {
            flow = match self.wakes.recv_timeout(LOOK_EVERY) {
                Ok(wake) => self.wake(wake, take)?,
                Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => self.look_around(take)?,
            };
        }
        Ok(())
    }

    /// In a burst one reading answers all wake-ups that wait.
    fn wake(&mut self, first: Wake, take: &mut dyn FnMut(Found) -> Flow) -> Result<Flow, EngineError> {
        let mut names = BTreeSet::new();
        for wake in std::iter::once(first).chain(self.wakes.try_iter()) {
            match wake {
                Wake::File(name) => drop(names.insert(name)),
                Wake::Anything => return self.read_all(take),
            }
        }
        names.iter().try_fold(
            Flow::More,
            |flow, name| {
                if flow == Flow::More { self.read_segment(name, take) } else { Ok(flow) }
            },
        )
    }

    /// A second without news: whatever was put in place of another file is there by now.
    fn look_around(&mut self, take: &mut dyn FnMut(Found) -> Flow) -> Result<Flow, EngineError> {
        let flow = self.read_all(take)?;
        for end in self.ends.values_mut() {
            end.floor = EntryId::MIN;
        }
        Ok(flow)
    }

    fn read_all(&mut self, take: &mut dyn FnMut(Found) -> Flow) -> Result<Flow, EngineError> {
        let history = self.engine.place().history();
        let segments = Segment::list(&**self.engine.disk(), history).map_err(LogError::at("list", history))?;
        for segment in segments.iter().filter(|segment| segment.packing() == Packing::Plain) {
            if self.read_segment(&segment.name, take)? == Flow::Enough {
                return Ok(Flow::Enough);
            }
        }
        Ok(Flow::More)
    }

    fn read_segment(&mut self, name: &str, take: &mut dyn FnMut(Found) -> Flow) -> Result<Flow, EngineError> {
        let path = self.engine.place().history().join(name);
        let disk = self.engine.disk();
        let Some(look) = disk.look(&path).map_err(LogError::at("look at", &path))? else {
            self.ends.remove(name);
            return Ok(Flow::More);
        };
        let new = ReadEnd { number: look.number, offset: 0, lines: 0, floor: EntryId::MIN };
        let mut end = self.ends.get(name).copied().unwrap_or(new);
        if end.number != look.number || look.len < end.offset {
            end = ReadEnd { floor: self.last, ..new };
        }
        let mut flow = Flow::More;
        if look.len > end.offset {
            let file = disk.open(&path).map_err(LogError::at("open", &path))?;
            while flow == Flow::More
                && let Some(batch) = next_batch(&*file, end.offset).map_err(LogError::at("read", &path))?
            {
                let batch = batch.mended(&self.mending);
                flow = self.hand_over(name, &batch, end, take);
                (end.offset, end.lines) = (batch.end, end.lines + batch.line_count);
            }
        }
        self.ends.insert(name.to_owned(), end);
        Ok(flow)
    }

    fn hand_over(&mut self, name: &str, batch: &Batch, end: ReadEnd, take: &mut dyn FnMut(Found) -> Flow) -> Flow {
        let blobs = |blob: &BlobRef| self.engine.blob(blob).ok();
        for placed in batch.entries() {
            let id = placed.envelope.id();
            self.last = self.last.max(id);
            if id <= end.floor || !self.filter.fits(&placed.envelope, &blobs) || !self.handed_over.insert(id) {
                continue;
            }
            if self.handed_over.len() > REMEMBERED {
                self.handed_over.pop_first();
            }
            let raw = Raw::of(&Placed { line: end.lines + placed.line, ..placed }, name);
            if raw.found().map(&mut *take) == Some(Flow::Enough) {
                return Flow::Enough;
            }
        }
        Flow::More
    }
}

/// Whole lines from an offset on; `None` where there is none yet.
fn next_batch(file: &dyn ReadAt, offset: u64) -> std::io::Result<Option<Batch>> {
    let mut bytes = vec![0; PIECE_BYTES];
    loop {
        let count = file.read_at(&mut bytes, offset)?;
        if let Some(newline) = memchr::memrchr(b'\n', &bytes[..count]) {
            bytes.truncate(newline + 1);
            return Ok(Some(Batch::decode(bytes, offset)));
        }
        if count < bytes.len() {
            return Ok(None);
        }
        if bytes.len() > MAX_LINE_BYTES {
            return Ok(Some(Batch::too_long(offset, offset + count as u64)));
        }
        bytes.resize(bytes.len() * 4, 0);
    }
}
