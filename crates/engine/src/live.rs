//! The world of a log, kept current: begins at the checkpoint, reads what is new, brings rows that are asked for.
//!
//! Does not write the log. Late lines (an import, a merge) send it back to the newest state before them.

mod amend;
mod effort;
mod known;
mod store;
mod survey;

use std::collections::BTreeMap;
use std::sync::Arc;

pub use self::amend::Said;
pub use self::effort::Effort;
use self::known::Known;
use super::EngineError;
use super::checkpoint::Checkpoint;
use annals_kernel::envelope::Envelope;
use annals_kernel::id::EntryId;
use annals_kernel::rows::Notes;
use annals_log::amend::Amendments;
use annals_log::batch::Placed;
use annals_log::disk::Disk;
use annals_log::order::{Notices, Ordered, Part, behind};
use annals_log::place::Place;
use annals_log::read::Flow;
use annals_log::watermarks::Watermarks;
use annals_rules::domain::Rooms;
use annals_rules::world::{Depth, World, prepared};

/// More bytes than this are folded onto all rows at once, not onto the rows that they turn out to need.
const PART_BYTES: u64 = 16 << 20;

/// More new bytes than this are not held in memory together: everything is folded anew, day by day.
const TAIL_BYTES: u64 = 256 << 20;

/// The world of a log.
pub struct Live {
    disk: Arc<dyn Disk>,
    place: Place,
    until: EntryId,
    cache: Cache,
    effort: Effort,
    /// What is folded: what is not stored is folded without the minds, until somebody asks for one. The world has the same
    /// while something is folded onto it.
    depth: Depth,
    checkpoint: Checkpoint,
    world: World,
    known: Known,
    /// What is said about lines, as far as it was known when the fold began.
    amendments: Amendments,
    said: Said,
    /// How often in a row the fold began anew because that had changed.
    rounds: usize,
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
    pub fn open(
        disk: Arc<dyn Disk>,
        place: Place,
        until: EntryId,
        (cache, effort): (Cache, Effort),
        said: Said,
    ) -> Result<Self, EngineError> {
        let checkpoint = match cache {
            Cache::Used => Checkpoint::open(&*disk, place.local()),
            Cache::Ignored => Checkpoint::none(place.local()),
        };
        let is_stored = cache == Cache::Used && until == EntryId::MAX;
        let mut live = Self {
            disk,
            place,
            until,
            cache,
            effort,
            depth: if is_stored { Depth::Whole } else { Depth::WithoutMinds },
            checkpoint,
            world: World::default(),
            known: Known::default(),
            amendments: Amendments::default(),
            said,
            rounds: 0,
            notices: Notices::default(),
        };
        if until != EntryId::MAX {
            live.checkpoint.go_before(until.next().unwrap_or(EntryId::MAX));
        }
        live.begin();
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
        let asks_minds = || Rooms::MINDS.iter().any(|table| wanted.contains_key(table));
        if self.depth == Depth::WithoutMinds && asks_minds() {
            return self.fold_minds();
        }
        if self.checkpoint.bring(wanted, &mut self.world).is_ok() { Ok(()) } else { self.rebuild(EntryId::MIN) }
    }

    /// Folds once more where the minds were left out.
    fn fold_minds(&mut self) -> Result<(), EngineError> {
        match std::mem::take(&mut self.depth) {
            Depth::Whole => Ok(()),
            Depth::WithoutMinds => self.rebuild(EntryId::MAX),
        }
    }

    /// Reads what is new.
    pub fn catch_up(&mut self) -> Result<(), EngineError> {
        let parts = self.bounded_news()?;
        let bytes: u64 = parts.iter().map(Part::bytes).sum();
        if self.world.last == EntryId::MIN || bytes > TAIL_BYTES {
            return self.rebuild(EntryId::MAX);
        }
        match self.fold_tail(parts)? {
            Folded::Yes => self.amend(),
            Folded::Late(entry) => self.rebuild(entry),
        }
    }

    /// Folds new lines onto the world, unless one of them comes before its last entry.
    fn fold_tail(&mut self, parts: Vec<Part>) -> Result<Folded, EngineError> {
        if parts.is_empty() {
            return Ok(Folded::Yes);
        }
        self.bring_rows_for(&parts)?;
        let (mut world, mut late) = (self.take_world(), None);
        let start = world.last;
        let mut ordered = Ordered::new(&*self.disk, self.place.history(), &self.amendments);
        let read = ordered.together(parts, &mut |placed, _| {
            late = lateness(&self.amendments, &self.known.marks, placed, world.last);
            if late.is_some() {
                return Flow::Enough;
            }
            world.apply(&placed.envelope);
            Flow::More
        });
        let (notices, marks) = (ordered.notices, ordered.marks);
        self.put_back(world);
        read?;
        let late = self.earlier(late, &notices, start);
        self.hear(notices);
        self.known.take_over(&marks);
        if let Some(entry) = late {
            return Ok(Folded::Late(entry));
        }
        if take_notes(&self.world).is_empty() {
            return Ok(Folded::Yes);
        }
        // What an entry changed depended on a row that only its own fold could name.
        self.rebuild(EntryId::MIN).map(|()| Folded::Yes)
    }

    /// Takes the world, to fold onto it.
    fn take_world(&mut self) -> World {
        World { depth: self.depth, ..std::mem::take(&mut self.world) }
    }

    /// Puts it back; of minds that took in only a part, nothing is kept.
    fn put_back(&mut self, world: World) {
        self.world = world;
        match self.depth {
            Depth::Whole => {}
            Depth::WithoutMinds => self.world.rooms.forget_minds(),
        }
    }

    /// Whether a fold takes in what changes a table.
    fn folds(&self, table: &str) -> bool {
        self.depth == Depth::Whole || !Rooms::MINDS.contains(&table)
    }

    /// Of what is wanted, what a fold takes in.
    fn folded(&self, mut wanted: Wanted) -> Wanted {
        wanted.retain(|table, _| self.folds(table));
        wanted
    }

    /// Brings the rows that entries ask for. Which one is next may stand in the one before: so it asks again with those
    /// that it has, a few times.
    fn bring_rows_for(&mut self, parts: &[Part]) -> Result<(), EngineError> {
        const ROUNDS: usize = 6;
        if self.world.rooms.tables().iter().all(|(name, table)| table.is_whole() || !self.folds(name)) {
            return Ok(());
        }
        if parts.iter().map(Part::bytes).sum::<u64>() > PART_BYTES {
            return self.bring(&self.folded(everything()));
        }
        let mut known = self.world.rooms.overlay();
        for _ in 0..ROUNDS {
            let run = self.rehearse(&known, parts)?;
            // Taking the notes of a copy leaves those that say what to lend.
            let wanted = self.folded(take_notes(&run.clone()));
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
        let (last, until, depth) = (self.world.last, self.until, self.depth);
        let mut world = World { rooms: known.clone(), last, depth, ..World::default() };
        let mut ordered = Ordered::new(&*self.disk, self.place.history(), &self.amendments);
        ordered.together(parts.to_vec(), &mut |placed, _| {
            if placed.turn > last && placed.turn <= until {
                world.apply(&placed.envelope);
            }
            Flow::More
        })?;
        Ok(world)
    }

    /// Goes back to the newest state before an entry and folds everything behind it.
    fn rebuild(&mut self, before: EntryId) -> Result<(), EngineError> {
        self.go_before(before);
        self.fold_behind()
    }

    fn go_before(&mut self, entry: EntryId) {
        self.checkpoint.go_before(entry);
        let (world, marks) = self.checkpoint.newest_state();
        (self.world, self.known) = (world, Known::of(marks));
        self.notices = Notices::default();
    }

    /// Folds everything behind the newest stored state, up to the last entry that is wanted.
    fn fold_behind(&mut self) -> Result<(), EngineError> {
        let parts = self.bounded_news()?;
        self.bring_rows_for(&parts)?;
        let (start, until, depth) = (self.world.last, self.until, self.depth);
        let (world, mut late) = (std::cell::RefCell::new(self.take_world()), None);
        let prepare = |entry: &Envelope<'_>| prepared(entry, depth);
        let mut ordered = Ordered::new(&*self.disk, self.place.history(), &self.amendments).preparing(&prepare);
        let (checkpoint, amendments, seen, mut failed) =
            (&mut self.checkpoint, &self.amendments, &self.known.marks, false);
        let is_bounded = self.effort != Effort::Any;
        let mut begin_again = || {
            let mut state = checkpoint.newest_world();
            // All rows of a large state are too much for whoever has a bound; it hears so from the fold of everything.
            failed |= is_bounded || checkpoint.bring(&everything(), &mut state).is_err();
            *world.borrow_mut() = World { depth, ..state };
        };
        let read = ordered.each(parts, &mut begin_again, &mut |placed, segment| {
            late = if start == EntryId::MIN { None } else { lateness(amendments, seen, placed, start) };
            if late.is_some() {
                return Flow::Enough;
            }
            if placed.turn > until {
                return behind(placed.turn, segment);
            }
            world.borrow_mut().apply_prepared(&placed.envelope, placed.prepared);
            Flow::More
        });
        let (notices, marks) = (ordered.notices, ordered.marks);
        self.put_back(world.into_inner());
        read?;
        let late = self.earlier(late, &notices, start);
        self.hear(notices);
        self.known.take_over(&marks);
        if let Some(entry) = late {
            return self.rebuild(entry);
        }
        if start != EntryId::MIN && (failed || !take_notes(&self.world).is_empty()) {
            return self.rebuild(EntryId::MIN);
        }
        self.amend()
    }
}

/// Before which entry a new line belongs, if that is not behind all that are folded.
fn lateness(amendments: &Amendments, seen: &Watermarks, placed: &Placed<'_>, last: EntryId) -> Option<EntryId> {
    if placed.turn <= last {
        return Some(placed.turn);
    }
    // Another line with its id may be folded at another turn, where a clock was mended.
    let id = placed.envelope.id();
    let is_mended = || placed.turn != id || placed.envelope.shift() != 0;
    let is_among = || seen.iter().any(|(_, mark)| (mark.first..=mark.last).contains(&id));
    (!amendments.mending.is_empty() && (is_mended() || is_among())).then_some(EntryId::MIN)
}

fn everything() -> Wanted {
    let all = || Notes { all: true, ..Notes::default() };
    Rooms::default().tables().iter().map(|(name, _)| (*name, all())).collect()
}

fn take_notes(world: &World) -> Wanted {
    let notes = world.rooms.tables().into_iter().map(|(name, table)| (name, table.take_text_notes()));
    notes.into_iter().filter(|(_, notes)| !notes.is_empty()).collect()
}
