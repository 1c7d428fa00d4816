//! Which entries are in the log already: by id, by what a hook recorded of the same session as it happened, and by the
//! same record in another session, from which this one was forked.
//!
//! Looks only at segments and sessions that an import touches. Does not write.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;

use super::first::{HookRecords, Reported};
use super::seen::key;
use annals_engine::{Engine, EngineError};
use annals_kernel::entry::HistoryEntry;
use annals_kernel::envelope::Envelope;
use annals_kernel::id::{EntryId, SessionId};
use annals_log::LogError;
use annals_log::read::{Flow, Stretch, read};
use annals_log::segment::Segment;
use annals_log::watermarks::Watermarks;

/// What the log says of a draft.
pub(super) enum DraftStanding {
    /// Nothing.
    New,
    /// All of it, under the same id.
    Known,
    /// All of it, in the session from which this one was forked.
    Elsewhere,
    /// That it happened: a hook has reported it.
    Reported(Box<HookRecords>),
}

/// What is known to be in the log.
pub(super) struct Known {
    marks: Watermarks,
    segments: BTreeMap<String, Contents>,
    added: BTreeSet<EntryId>,
    /// What this import added: a file may be a fork of one before it.
    copied: BTreeSet<(u64, i64)>,
    reported: BTreeMap<SessionId, Reported>,
}

/// What one segment holds.
#[derive(Default)]
struct Contents {
    /// Ids, sorted.
    ids: Vec<EntryId>,
    /// Records that forks repeat, and when they were written; sorted.
    records: Vec<(u64, i64)>,
    /// Calls that hooks have recorded, and when; sorted.
    calls: Vec<(u64, i64)>,
}

/// Tools that give each record an id that is the same in a fork, and no other record has.
const FORKING: [&str; 2] = ["claude-code", "codex"];

/// A hook records a call at most so long after the transcript's time of it.
const HOOK_MS: i64 = 10 * 60 * 1000;

impl Known {
    pub(super) fn new(engine: &Engine) -> Result<Self, EngineError> {
        let marks = engine.marks()?;
        let (segments, added, copied, reported) = Default::default();
        Ok(Self { marks, segments, added, copied, reported })
    }

    /// Notes what was added.
    pub(super) fn add(&mut self, entry: &HistoryEntry) {
        self.added.insert(entry.id);
        self.copied.extend(fork_key(entry).map(|key| (key, entry.timestamp.millis())));
    }

    /// What is in the log of an entry to be; `as_recorded` says how it would stand there.
    pub(super) fn standing(
        &mut self,
        engine: &Engine,
        entry: &HistoryEntry,
        as_recorded: impl Fn(&HistoryEntry) -> Result<HistoryEntry, EngineError>,
    ) -> Result<DraftStanding, EngineError> {
        let id = entry.id;
        if self.added.contains(&id)
            || self.holds(engine, id..=id, |contents| contents.ids.binary_search(&id).is_ok())?
        {
            return Ok(DraftStanding::Known);
        }
        let reported = self.reported(engine, &entry.session_id)?;
        if reported.has_end(entry) {
            return Ok(DraftStanding::Known);
        }
        if !reported.is_empty()
            && let Some(first) = reported.take(&as_recorded(entry)?)
        {
            return Ok(DraftStanding::Reported(Box::new(first)));
        }
        Ok(if self.is_elsewhere(engine, entry)? { DraftStanding::Elsewhere } else { DraftStanding::New })
    }

    /// Whether the record stands in another session: a transcript's at the very same time, a hook's soon after it.
    fn is_elsewhere(&mut self, engine: &Engine, entry: &HistoryEntry) -> Result<bool, EngineError> {
        let Some(key) = fork_key(entry) else { return Ok(false) };
        let at = entry.timestamp.millis();
        if self.copied.contains(&(key, at)) {
            return Ok(true);
        }
        let near = |millis| EntryId::new(entry.timestamp.plus_millis(millis), if millis < 0 { 0 } else { u128::MAX });
        self.holds(engine, near(-HOOK_MS)..=near(HOOK_MS), |contents| {
            let start = contents.calls.partition_point(|found| *found < (key, at - HOOK_MS));
            let is_hooked = contents.calls.get(start).is_some_and(|found| *found <= (key, at + HOOK_MS));
            is_hooked || contents.records.binary_search(&(key, at)).is_ok()
        })
    }

    /// Whether a segment that may hold ids of a range is as asked.
    fn holds(
        &mut self,
        engine: &Engine,
        range: RangeInclusive<EntryId>,
        is: impl Fn(&Contents) -> bool,
    ) -> Result<bool, EngineError> {
        let in_range = self.marks.iter().filter(|(_, mark)| mark.first <= *range.end() && *range.start() <= mark.last);
        let names: Vec<String> = in_range.map(|(name, _)| name.to_owned()).collect();
        for name in names {
            if !self.segments.contains_key(&name) {
                let contents = self.read(engine, &name)?;
                self.segments.insert(name.clone(), contents);
            }
            if self.segments.get(&name).is_some_and(&is) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn read(&self, engine: &Engine, name: &str) -> Result<Contents, EngineError> {
        let mut contents = Contents::default();
        each_entry(engine, &self.marks, name, &mut |entry| contents.take(entry))?;
        contents.ids.sort_unstable();
        contents.records.sort_unstable();
        contents.calls.sort_unstable();
        Ok(contents)
    }

    /// What hooks recorded of a session. Asked before anything of it is added.
    fn reported(&mut self, engine: &Engine, session: &SessionId) -> Result<&mut Reported, EngineError> {
        // When it comes: an import after each turn once brought the rows of every session into memory.
        if !self.reported.contains_key(session) {
            let reported = self.read_reported(engine, session)?;
            self.reported.insert(session.clone(), reported);
        }
        Ok(self.reported.get_mut(session).expect("BUG: the session was just looked at"))
    }

    fn read_reported(&self, engine: &Engine, session: &SessionId) -> Result<Reported, EngineError> {
        let mut reported = Reported::default();
        // Of before the import: its own lines are none of a hook's, and many belong before those that are folded.
        let span =
            engine.ask_of_last_fold(|world| world.rooms.session.session(session).map(|row| (row.first, row.last)))?;
        let Some((first, last)) = span else { return Ok(reported) };
        let overlapping = self.marks.iter().filter(|(_, mark)| mark.first <= last && first <= mark.last);
        for name in overlapping.map(|(name, _)| name.to_owned()).collect::<Vec<_>>() {
            each_entry(engine, &self.marks, &name, &mut |entry| {
                if entry.session() == session.as_str() {
                    reported.see(entry);
                }
            })?;
        }
        Ok(reported.settled())
    }
}

impl Contents {
    fn take(&mut self, entry: &Envelope<'_>) {
        self.ids.push(entry.id());
        let Some(source) = entry.source().filter(|source| FORKING.contains(&&*source.kind)) else { return };
        if is_repeated(&entry.kind_text(), &entry.name()) {
            let told = (key(&[&source.kind, &source.record]), entry.at().millis());
            if source.file.is_some() { &mut self.records } else { &mut self.calls }.push(told);
        }
    }
}

/// The record of an entry to be, where a fork repeats it under the same name.
fn fork_key(entry: &HistoryEntry) -> Option<u64> {
    let source = entry.annals.source.as_ref().filter(|source| FORKING.contains(&&*source.kind))?;
    let is_told = is_repeated(entry.operation.kind.as_str(), &entry.operation.name);
    is_told.then(|| key(&[&source.kind, &source.record]))
}

/// Whether an entry is made from a record with a name of its own, and not from what a file is as a whole.
fn is_repeated(kind: &str, name: &str) -> bool {
    kind != "system_event" || matches!(name, "usage" | "denial" | "compaction" | "api_error" | "completion")
}

fn each_entry(
    engine: &Engine,
    marks: &Watermarks,
    name: &str,
    take: &mut dyn FnMut(&Envelope<'_>),
) -> Result<(), EngineError> {
    let Some(mark) = marks.get(name) else { return Ok(()) };
    let path = engine.place().history().join(name);
    let look = engine.disk().look(&path).map_err(LogError::at("look at", &path))?;
    let segment = Segment { name: name.to_owned(), look: look.unwrap_or(mark.look) };
    read(&**engine.disk(), engine.place().history(), &[Stretch { segment, from: 0 }], &mut |_, batch| {
        batch.entries().for_each(|entry| take(&entry.envelope));
        Flow::More
    })?;
    Ok(())
}
