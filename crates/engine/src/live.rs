//! The world of a log, kept current: begins at the checkpoint, whose rows it loads as it needs them, and reads what is new.
//!
//! Does not write the log. Late lines (an import, a merge) send it back to the newest state before them.

mod amend;
mod effort;
mod known;
mod own_line;
mod store;
mod survey;

use std::sync::Arc;

pub use self::amend::Said;
pub use self::effort::Effort;
use self::known::KnownSegments;
use self::own_line::{Pace, UnfoldedNews};
use super::EngineError;
use super::checkpoint::{Checkpoint, LeftOut, Shelf};
use annals_kernel::envelope::Envelope;
use annals_kernel::id::EntryId;
use annals_kernel::rows::Store;
use annals_log::amend::Amendments;
use annals_log::batch::Placed;
use annals_log::disk::Disk;
use annals_log::order::{Notices, Ordered, UnreadPart, behind};
use annals_log::place::Place;
use annals_log::read::Flow;
use annals_log::watermarks::Watermarks;
use annals_rules::world::{Depth, World, prepared};

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
    shelf: Arc<Shelf>,
    /// Stands for the minds where they are not folded.
    left_out: Arc<LeftOut>,
    world: World,
    known: KnownSegments,
    /// What is said about lines, as far as it was known when the fold began.
    amendments: Amendments,
    said: Said,
    /// How often in a row the fold began anew because that had changed.
    rounds: usize,
    pace: Pace,
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

/// What came of folding new lines onto a world.
enum FoldOutcome {
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
        cache: Cache,
        effort: Effort,
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
            // Minds take half of the time of a fold (1 M entries: 0.83 s without, 1.28 s with them and stored), and no
            // other room asks for them.
            depth: if is_stored { Depth::Whole } else { Depth::WithoutMinds },
            shelf: Shelf::new(checkpoint),
            left_out: Arc::default(),
            world: World::default(),
            known: KnownSegments::default(),
            amendments: Amendments::default(),
            said,
            rounds: 0,
            pace: Pace::KeepsUp,
            notices: Notices::default(),
        };
        if until != EntryId::MAX {
            live.shelf.go_before(until.next().unwrap_or(EntryId::MAX));
        }
        live.begin();
        if until == EntryId::MAX {
            live.catch_up()?;
        } else {
            live.fold_behind()?;
        }
        Ok(live)
    }

    /// The world, without regard to minds that were left out, and to damage of what is stored. See `ask`.
    pub fn world(&self) -> &World {
        &self.world
    }

    /// Asks the world something.
    pub fn ask<T>(&mut self, mut question: impl FnMut(&World) -> T) -> Result<T, EngineError> {
        self.attempt(|world| question(world))
    }

    /// Tries something out that leaves the world as it is, as a decision does.
    ///
    /// What was answered without the minds, or from a damaged block, counts for nothing: it is asked again, after a fold in
    /// which nothing is missing.
    pub fn attempt<T>(&mut self, mut attempt: impl FnMut(&mut World) -> T) -> Result<T, EngineError> {
        loop {
            let answer = attempt(&mut self.world);
            if self.left_out.take_asked() {
                self.fold_minds()?;
            // A damaged block was answered as a row that is not there, and lines were folded onto that: nothing of it
            // may stay.
            } else if self.shelf.take_damage() {
                self.rebuild(EntryId::MIN)?;
            } else {
                return Ok(answer);
            }
        }
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
        if self.is_current() {
            return Ok(());
        }
        let parts = self.bounded_news()?;
        let bytes: u64 = parts.iter().map(UnreadPart::bytes).sum();
        if self.world.last == EntryId::MIN || bytes > TAIL_BYTES {
            return self.rebuild(EntryId::MAX);
        }
        if parts.is_empty() { self.amend() } else { self.fold_news(UnfoldedNews::Parts(parts)) }
    }

    fn fold_news(&mut self, news: UnfoldedNews<'_>) -> Result<(), EngineError> {
        match self.fold_tail(news)? {
            FoldOutcome::Yes => self.amend(),
            FoldOutcome::Late(entry) => self.rebuild(entry),
        }
    }

    /// Folds new lines onto the world, unless one of them comes before its last entry.
    fn fold_tail(&mut self, news: UnfoldedNews<'_>) -> Result<FoldOutcome, EngineError> {
        self.enter_world();
        // Folded in place: the world is kilobytes long, and was moved six times for every line.
        let (world, mut late) = (&mut self.world, None);
        let start = world.last;
        let mut ordered = Ordered::new(&*self.disk, self.place.history(), &self.amendments);
        let read = news.read(&mut ordered, &mut |placed, _| {
            late = lateness(&self.amendments, &self.known.marks, placed, world.last);
            if late.is_some() {
                return Flow::Enough;
            }
            world.apply(&placed.envelope);
            Flow::More
        });
        let (notices, marks) = (ordered.notices, ordered.marks);
        self.leave_world();
        read?;
        let late = self.earlier(late, &notices, start);
        self.hear(notices);
        self.known.take_over(&marks);
        if let Some(entry) = late {
            return Ok(FoldOutcome::Late(entry));
        }
        if self.shelf.take_damage() {
            self.rebuild(EntryId::MIN)?;
        }
        Ok(FoldOutcome::Yes)
    }

    /// Makes the world ready to be folded onto.
    fn enter_world(&mut self) {
        self.world.depth = self.depth;
        match self.depth {
            Depth::Whole => {}
            Depth::WithoutMinds => self.world.rooms.forget_minds(),
        }
    }

    /// Of minds that took in only a part, nothing is kept.
    fn leave_world(&mut self) {
        match self.depth {
            Depth::Whole => {}
            Depth::WithoutMinds => self.world.rooms.leave_minds_to(&(Arc::clone(&self.left_out) as Arc<dyn Store>)),
        }
    }

    /// Goes back to the newest state before an entry and folds everything behind it.
    fn rebuild(&mut self, before: EntryId) -> Result<(), EngineError> {
        self.go_before(before);
        self.fold_behind()
    }

    fn go_before(&mut self, entry: EntryId) {
        self.shelf.go_before(entry);
        self.shelf.take_damage();
        let (world, marks) = self.shelf.newest_state();
        (self.world, self.known) = (world, KnownSegments::of(marks));
        self.notices = Notices::default();
    }

    /// Folds everything behind the newest stored state, up to the last entry that is wanted.
    fn fold_behind(&mut self) -> Result<(), EngineError> {
        let parts = self.bounded_news()?;
        let (start, until, depth) = (self.world.last, self.until, self.depth);
        self.enter_world();
        let (world, mut late) = (std::cell::RefCell::new(&mut self.world), None);
        let prepare = |entry: &Envelope<'_>| prepared(entry, depth);
        let mut ordered = Ordered::new(&*self.disk, self.place.history(), &self.amendments).preparing(&prepare);
        let (shelf, amendments, seen) = (&self.shelf, &self.amendments, &self.known.marks);
        let mut begin_again = || **world.borrow_mut() = World { depth, ..shelf.newest_world() };
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
        self.leave_world();
        read?;
        let late = self.earlier(late, &notices, start);
        self.hear(notices);
        self.known.take_over(&marks);
        if let Some(entry) = late {
            return self.rebuild(entry);
        }
        if start != EntryId::MIN && self.shelf.take_damage() {
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
