//! What ended a failure: the next call of the same session by the same tool, for the same thing, that did what it was asked.
//!
//! Looks only a little way behind the failure. Does not judge whether one led to the other.

use annals_engine::query::filter::Filter;
use annals_engine::{Engine, EngineError};
use annals_kernel::call::Call;
use annals_kernel::entry::HistoryEntry;
use annals_kernel::id::{EntryId, SessionId};
use annals_log::LogError;
use annals_log::batch::Batch;
use annals_log::read::Flow;
use annals_log::segment::{Packing, Segment};

use crate::scan::{Opened, ScanTask, whole_lines};

/// So many bytes behind a failure are looked through.
const MOST_BYTES: u64 = 1 << 20;

/// Or so many entries.
const MOST_ENTRIES: usize = 400;

/// The failed call, and what is seen behind it.
struct Watch {
    failed: EntryId,
    call: Option<Call<'static>>,
    ended: Option<EntryId>,
    seen: usize,
}

impl Watch {
    fn of(failed: EntryId) -> Self {
        Self { failed, call: None, ended: None, seen: 0 }
    }

    fn see(&mut self, entry: &HistoryEntry) -> Flow {
        if entry.id == self.failed {
            self.call = Call::in_entry(entry).map(Call::into_owned);
            return if self.call.is_some() { Flow::More } else { Flow::Enough };
        }
        self.seen += 1;
        let Some(call) = &self.call else { return Flow::More };
        let is_same =
            |other: &Call<'_>| other.tool == call.tool && (other.action == call.action || other.target == call.target);
        if entry.operation.success && Call::in_entry(entry).as_ref().is_some_and(is_same) {
            self.ended = Some(entry.id);
            return Flow::Enough;
        }
        if self.seen > MOST_ENTRIES { Flow::Enough } else { Flow::More }
    }
}

/// Where a failed call stands.
pub(crate) struct FailedCall<'f> {
    pub id: EntryId,
    pub session: &'f SessionId,
    pub segment: &'f Segment,
    pub offset: u64,
}

/// By what stands behind it in its segment.
pub(crate) fn behind(engine: &Engine, failed: &FailedCall<'_>) -> Result<Option<EntryId>, EngineError> {
    let segment = failed.segment;
    if segment.packing() == Packing::Zstd {
        return Ok(None);
    }
    let to = failed.offset.saturating_add(MOST_BYTES).min(segment.look.len);
    let task = ScanTask { segment: segment.clone(), from: failed.offset, to };
    let path = engine.place().history().join(&segment.name);
    let mut opened = Opened::default();
    let read = whole_lines(opened.open(engine, &path)?, &task).map_err(LogError::at("read", &path))?;
    let mut watch = Watch::of(failed.id);
    let session = memchr::memmem::Finder::new(failed.session.as_str());
    for line in read.bytes[read.skip..].split(|byte| *byte == b'\n').filter(|line| session.find(line).is_some()) {
        let batch = Batch::decode(line.to_vec(), 0);
        for placed in batch.entries().filter(|placed| placed.envelope.session() == failed.session.as_str()) {
            let entry = std::str::from_utf8(placed.envelope.line()).ok().and_then(|line| HistoryEntry::read(line).ok());
            if entry.is_some_and(|entry| watch.see(&entry) == Flow::Enough) {
                return Ok(watch.ended);
            }
        }
    }
    Ok(watch.ended)
}

/// By the entries of its session.
pub(crate) fn in_session(
    engine: &Engine,
    session: &SessionId,
    failed: EntryId,
) -> Result<Option<EntryId>, EngineError> {
    let mut watch = Watch::of(failed);
    let filter = Filter { session: Some(session.clone()), since: failed, ..Filter::default() };
    engine.reader()?.each(&filter, &mut |found| watch.see(&found.entry))?;
    Ok(watch.ended)
}
