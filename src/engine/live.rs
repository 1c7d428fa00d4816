//! The world of a log, kept current: begins at the checkpoint, reads what is new, brings rows that are asked for.
//!
//! Does not write the log. Late lines (an import, a merge) send it back to the newest state before them.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::EngineError;
use super::checkpoint::Checkpoint;
use crate::domain::Rooms;
use crate::kernel::annals::LineHash;
use crate::kernel::id::EntryId;
use crate::kernel::rows::Notes;
use crate::log::LogError;
use crate::log::disk::Disk;
use crate::log::marks::{Change, Marks};
use crate::log::order::{Notices, Ordered, Part, Scrubbed};
use crate::log::place::Place;
use crate::log::position::line_at;
use crate::log::read::Flow;
use crate::log::segment::{Packing, Segment};
use crate::world::{World, prepared};

/// More bytes than this are folded onto all rows at once, not onto the rows that they turn out to need.
const PART_BYTES: u64 = 16 << 20;

/// More new bytes than this are not held in memory together: everything is folded anew, day by day.
const TAIL_BYTES: u64 = 256 << 20;

/// So many new lines make a new layer of the checkpoint worth its while.
const STORE_LINES: u64 = 2000;

/// And so do so many rows that are not as they are stored: whoever reads those lines needs all of them.
const STORE_ROWS: usize = 96;

/// The world of a log.
pub struct Live {
    disk: Arc<dyn Disk>,
    place: Place,
    until: EntryId,
    cache: Cache,
    checkpoint: Checkpoint,
    world: World,
    marks: Marks,
    stored_lines: u64,
    /// Hashes of lines that do not count, as far as they were known when the fold began.
    scrubbed: Scrubbed,
    /// What was noticed while reading.
    pub notices: Notices,
}

/// Whether the checkpoint is used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cache {
    /// It is read, and written now and then.
    Used,
    /// Everything is folded anew, and nothing is stored.
    Ignored,
}

/// Rows that a run of the core asked for and did not find, by table.
type Wanted = BTreeMap<&'static str, Notes<String>>;

/// What came of folding new lines onto a world.
enum Folded {
    Yes,
    /// One of them belongs before entries that are folded already.
    Late(EntryId),
}

impl Live {
    /// Folds what there is, up to and with an entry (`EntryId::MAX`: everything).
    pub fn open(disk: Arc<dyn Disk>, place: Place, until: EntryId, cache: Cache) -> Result<Self, EngineError> {
        let mut checkpoint = match cache {
            Cache::Used => Checkpoint::open(&*disk, place.local()),
            Cache::Ignored => Checkpoint::none(place.local()),
        };
        if until != EntryId::MAX {
            checkpoint.go_before(until.next());
        }
        let (world, marks) = checkpoint.newest_state();
        let (stored_lines, scrubbed) = (marks.lines(), world.rooms.erasure.gone());
        let notices = Notices::default();
        let mut live = Self { disk, place, until, cache, checkpoint, world, marks, stored_lines, scrubbed, notices };
        if until == EntryId::MAX {
            live.catch_up()?;
        } else {
            live.fold_behind()?;
        }
        Ok(live)
    }

    /// The world as far as it is in memory; rows that nobody asked for may be missing. See `ask`.
    pub fn world(&self) -> &World {
        &self.world
    }

    /// How far the segments were read.
    pub fn marks(&self) -> &Marks {
        &self.marks
    }

    /// Asks the world something, and brings the rows that the answer needs.
    pub fn ask<T>(&mut self, mut question: impl FnMut(&World) -> T) -> Result<T, EngineError> {
        loop {
            let answer = question(&self.world);
            let wanted = take_notes(&self.world);
            if wanted.is_empty() {
                return Ok(answer);
            }
            self.bring(&wanted)?;
        }
    }

    /// A block that is damaged costs a fold of everything, and then nothing is missing.
    fn bring(&mut self, wanted: &Wanted) -> Result<(), EngineError> {
        if self.checkpoint.bring(wanted, &mut self.world).is_ok() { Ok(()) } else { self.rebuild(EntryId::MIN) }
    }

    /// Reads what is new.
    pub fn catch_up(&mut self) -> Result<(), EngineError> {
        let segments = self.segments()?;
        let changes = self.changes(&segments);
        let is_other = |change: &Change| matches!(change, Change::Replaced | Change::Gone);
        let others = changes.iter().filter(|(_, change)| is_other(change));
        let late = others.filter_map(|(name, _)| self.marks.get(name)).map(|mark| mark.first).min();
        if let Some(late) = late {
            return self.rebuild(late);
        }
        let changed = segments.into_iter().filter(|segment| changes.contains_key(&segment.name));
        let parts: Vec<_> = changed.map(|segment| self.rest_of(segment)).collect();
        let bytes: u64 = parts.iter().map(Part::bytes).sum();
        if self.world.last == EntryId::MIN || bytes > TAIL_BYTES {
            return self.rebuild(EntryId::MIN);
        }
        match self.fold_tail(parts)? {
            Folded::Yes => self.settle_scrubs(),
            Folded::Late(entry) => self.rebuild(entry),
        }
    }

    fn segments(&self) -> Result<Vec<Segment>, EngineError> {
        let history = self.place.history();
        Ok(Segment::list(&*self.disk, history).map_err(LogError::at("list", history))?)
    }

    fn changes(&self, segments: &[Segment]) -> BTreeMap<String, Change> {
        let line_is = |segment: &Segment, offset, hash: LineHash| {
            line_at(&*self.disk, &self.place, segment, offset) == Some(hash)
        };
        self.marks.changes(segments, line_is)
    }

    fn rest_of(&self, segment: Segment) -> Part {
        match self.marks.get(&segment.name) {
            Some(mark) => Part::rest(segment, mark.clone()),
            None => Part::whole(segment),
        }
    }

    /// Folds new lines onto the world, unless one of them comes before its last entry.
    fn fold_tail(&mut self, parts: Vec<Part>) -> Result<Folded, EngineError> {
        if parts.is_empty() {
            return Ok(Folded::Yes);
        }
        self.bring_rows_for(&parts)?;
        let (mut world, mut late) = (std::mem::take(&mut self.world), None);
        let mut ordered = Ordered::new(&*self.disk, self.place.history(), &self.scrubbed);
        let read = ordered.together(parts, &mut |placed, _| {
            if placed.envelope.id() <= world.last {
                late = Some(placed.envelope.id());
                return Flow::Enough;
            }
            world.apply_prepared(&placed.envelope, placed.prepared);
            Flow::More
        });
        let (notices, marks) = (ordered.notices, ordered.marks);
        self.world = world;
        read?;
        self.notices.add(notices);
        self.take_over(&marks);
        if let Some(entry) = late {
            return Ok(Folded::Late(entry));
        }
        if take_notes(&self.world).is_empty() {
            return Ok(Folded::Yes);
        }
        // What an entry changed depended on a row that only its own fold could name.
        self.fold_everything_again().map(|()| Folded::Yes)
    }

    fn take_over(&mut self, marks: &Marks) {
        for (name, mark) in marks.iter() {
            *self.marks.entry(name) = mark.clone();
        }
    }

    /// Brings the rows that entries ask for. Which one is next may stand in the one before: so it asks again with those
    /// that it has, a few times.
    fn bring_rows_for(&mut self, parts: &[Part]) -> Result<(), EngineError> {
        const ROUNDS: usize = 6;
        if self.world.rooms.tables().iter().all(|(_, table)| table.is_whole()) {
            return Ok(());
        }
        if parts.iter().map(Part::bytes).sum::<u64>() > PART_BYTES {
            return self.bring(&everything());
        }
        let mut known = self.world.rooms.sketch();
        for _ in 0..ROUNDS {
            let run = self.rehearse(&known, parts)?;
            // Taking the notes of a copy leaves those that say what to lend.
            let wanted = take_notes(&run.clone());
            if wanted.is_empty() {
                break;
            }
            self.bring(&wanted)?;
            known.bring_asked(&run.rooms, &self.world.rooms);
        }
        Ok(())
    }

    /// Folds the entries onto rooms that have few rows, to hear which others they ask for.
    fn rehearse(&self, known: &Rooms, parts: &[Part]) -> Result<World, EngineError> {
        let (last, until) = (self.world.last, self.until);
        let mut world = World { rooms: known.clone(), last, ..World::default() };
        let mut ordered = Ordered::new(&*self.disk, self.place.history(), &self.scrubbed);
        ordered.together(parts.to_vec(), &mut |placed, _| {
            if placed.envelope.id() > last && placed.envelope.id() <= until {
                world.apply(&placed.envelope);
            }
            Flow::More
        })?;
        Ok(world)
    }

    /// Goes back to the newest state before an entry and folds everything behind it.
    fn rebuild(&mut self, before: EntryId) -> Result<(), EngineError> {
        self.checkpoint.go_before(before);
        (self.world, self.marks) = self.checkpoint.newest_state();
        self.stored_lines = self.marks.lines();
        self.notices = Notices::default();
        self.fold_behind()
    }

    fn fold_everything_again(&mut self) -> Result<(), EngineError> {
        self.rebuild(EntryId::MIN)
    }

    /// Folds every entry behind the newest stored state, up to the last one that is wanted.
    fn fold_behind(&mut self) -> Result<(), EngineError> {
        let parts = self.parts_behind()?;
        self.bring_rows_for(&parts)?;
        let (start, until) = (self.world.last, self.until);
        let world = std::cell::RefCell::new(std::mem::take(&mut self.world));
        let mut ordered = Ordered::new(&*self.disk, self.place.history(), &self.scrubbed).preparing(&prepared);
        let (checkpoint, mut failed) = (&mut self.checkpoint, false);
        let mut begin_again = || {
            let mut state = checkpoint.newest_state().0;
            failed |= checkpoint.bring(&everything(), &mut state).is_err();
            *world.borrow_mut() = state;
        };
        let read = ordered.each(parts, &mut begin_again, &mut |placed, _| {
            let id = placed.envelope.id();
            if id > start && id <= until {
                world.borrow_mut().apply_prepared(&placed.envelope, placed.prepared);
            }
            if id < until { Flow::More } else { Flow::Enough }
        });
        let (notices, marks) = (ordered.notices, ordered.marks);
        self.world = world.into_inner();
        read?;
        self.notices.add(notices);
        self.take_over(&marks);
        if start != EntryId::MIN && (failed || !take_notes(&self.world).is_empty()) {
            return self.fold_everything_again();
        }
        self.settle_scrubs()
    }

    /// Segments that may hold entries behind the stored state, whole.
    fn parts_behind(&mut self) -> Result<Vec<Part>, EngineError> {
        let segments = self.segments()?;
        let changes = self.changes(&segments);
        let last = self.world.last;
        let is_folded = |segment: &Segment| {
            let mark = self.marks.get(&segment.name).filter(|_| !changes.contains_key(&segment.name));
            mark.is_some_and(|mark| mark.last <= last)
        };
        let behind = segments.into_iter().filter(|segment| !is_folded(segment)).collect::<Vec<_>>();
        for name in changes.keys() {
            self.marks.forget(name);
        }
        Ok(behind.into_iter().map(Part::whole).collect())
    }

    /// A scrub that was not known when the fold began may name lines that were folded although they do not count.
    fn settle_scrubs(&mut self) -> Result<(), EngineError> {
        let gone = self.world.rooms.erasure.gone();
        let news = gone.iter().filter(|(entry, hashes)| self.scrubbed.get(*entry) != Some(hashes));
        let first = news.map(|(entry, _)| *entry).min();
        self.scrubbed.clone_from(&gone);
        first.map_or(Ok(()), |entry| self.rebuild(entry))
    }

    /// Stores the state for the next command, if enough has happened since the last time.
    ///
    /// Only a state of whole lines is stored, and only by one process at a time; whoever comes too late leaves it.
    ///
    /// It is a cache, so a folder that cannot be written is no error: the next command folds again.
    pub fn store_if_due(&mut self) {
        let is_due = || self.marks.lines() >= self.stored_lines + STORE_LINES || self.changed_rows() >= STORE_ROWS;
        if self.cache == Cache::Used && is_due() {
            let _ = self.store();
        }
    }

    fn changed_rows(&self) -> usize {
        self.world.rooms.tables().iter().map(|(_, table)| table.changed_count()).sum()
    }

    fn is_finished(&self) -> bool {
        self.marks.iter().all(|(name, mark)| mark.end == mark.look.len || Packing::of(name) == Packing::Zstd)
    }

    /// Stores the state for the next command, if it is one of whole lines.
    pub fn store(&mut self) -> Result<(), EngineError> {
        if self.until != EntryId::MAX || !self.is_finished() {
            return Ok(());
        }
        let local = self.place.local();
        self.disk.create_folder(local).map_err(LogError::at("make", local))?;
        let path = local.join("checkpoint.lock");
        let failed = LogError::at("store the checkpoint in", self.place.local());
        let lock = self.disk.try_lock(&path).map_err(LogError::at("lock", &path))?;
        let on_disk = Checkpoint::open(&*self.disk, self.place.local());
        if lock.is_none() || !self.checkpoint.is_below(&on_disk) {
            return Ok(());
        }
        let stored = self.checkpoint.store(&*self.disk, &self.world, &self.marks).map_err(failed);
        if stored.is_err() {
            // What was joined in memory is in no layer any more: from here on everything is in memory.
            self.rebuild(EntryId::MIN)?;
            self.stored_lines = self.marks.lines();
        }
        stored?;
        for (_, table) in self.world.rooms.tables_mut() {
            table.stored();
        }
        self.stored_lines = self.marks.lines();
        Ok(())
    }
}

fn everything() -> Wanted {
    let all = || Notes { all: true, ..Notes::default() };
    Rooms::default().tables().iter().map(|(name, _)| (*name, all())).collect()
}

fn take_notes(world: &World) -> Wanted {
    let notes = world.rooms.tables().into_iter().map(|(name, table)| (name, table.take_text_notes()));
    notes.into_iter().filter(|(_, notes)| !notes.is_empty()).collect()
}
