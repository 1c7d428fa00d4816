//! Writing: one whole line at a time, under an exclusive lock, each chained to the one before.
//!
//! Does not decide what is written and does not read a clock; its caller brings both.

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use super::LogError;
use super::begun::Begun;
use super::disk::{Disk, InPlace, Lock};
use super::open_files::OpenFiles;
pub use super::pen::{Appended, Pen};
use super::pen::{Last, not_synced};
use super::place::Place;
use super::position::{Extent, Position};
use super::segment::Rotation;
use super::sync::{Fate, Syncable, Syncer, Ticket};
use super::tail::Repair;
use super::taken::{Git, HistoryFiles};
use annals_kernel::id::WriterId;
use annals_kernel::time::Timestamp;

/// The history of one project, open for writing.
pub struct Log {
    pub(super) disk: Arc<dyn Disk>,
    pub(super) place: Place,
    pub(super) rotation: Rotation,
    pub(super) syncer: Syncer,
    inside: Mutex<Inside>,
    pub(super) tell: Tell,
    writes: Writes,
    pub(super) git: Option<Git>,
}

/// Whether lines may be written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Writes {
    /// They may.
    Allowed,
    /// They may not: who writes is told so.
    Refused,
}

/// What only the holder of the lock may see.
#[derive(Default)]
struct Inside {
    position: Option<Position>,
    file: Option<(String, Arc<Syncable>)>,
    open: Option<OpenFiles>,
}

/// The lock, while it is held.
enum HeldLock {
    /// For the first time, or anew.
    Taken(Box<dyn Lock>),
    /// By the file that stayed open.
    Again(OpenFiles),
}

impl HeldLock {
    fn bookmark(&self) -> Option<&dyn InPlace> {
        match self {
            Self::Taken(_) => None,
            Self::Again(open) => Some(open.bookmark()),
        }
    }
}

/// Whether a process has written before: a hook, which writes once, keeps nothing open.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Writer {
    First,
    Known,
}

impl Log {
    /// Opens the history below a `.context` folder. Nothing is read or made yet.
    pub fn open(disk: Arc<dyn Disk>, context: &Path, rotation: Rotation) -> Self {
        let (syncer, inside) = (Syncer::default(), Mutex::default());
        Self {
            disk,
            place: Place::new(context),
            rotation,
            syncer,
            inside,
            tell: Box::new(|_| {}),
            writes: Writes::Allowed,
            git: None,
        }
    }

    /// Says in which git work tree it stands: there each writer has segments of its own.
    #[must_use]
    pub fn within(self, git: Option<Git>) -> Self {
        Self { git, ..self }
    }

    /// Says whether lines may be written.
    #[must_use]
    pub fn with_writes(self, writes: Writes) -> Self {
        Self { writes, ..self }
    }

    /// Says who is told when a writer repairs what a crash left behind.
    #[must_use]
    pub fn telling(self, tell: Tell) -> Self {
        Self { tell, ..self }
    }

    /// Where things are.
    pub fn place(&self) -> &Place {
        &self.place
    }

    /// What it stands on.
    pub fn disk(&self) -> &Arc<dyn Disk> {
        &self.disk
    }

    /// Takes the lock, learns what others have written, and lends a pen.
    ///
    /// The lines are written when this returns, and on the disk when `Log::wait` has returned for the ticket.
    pub fn write<T, E: From<LogError>>(
        &self,
        chance: &mut dyn FnMut() -> u128,
        work: impl FnOnce(&mut Pen<'_>) -> Result<T, E>,
    ) -> Result<(T, Option<Ticket>), E> {
        self.write_knowing(Extent::Whole, chance, work)
    }

    /// The same for whoever only appends: where nothing has changed since this clone last wrote, no more than the
    /// bookmark is read, however many segments there are. The pen then knows neither other writers nor marks.
    pub fn write_on<T, E: From<LogError>>(
        &self,
        chance: &mut dyn FnMut() -> u128,
        work: impl FnOnce(&mut Pen<'_>) -> Result<T, E>,
    ) -> Result<(T, Option<Ticket>), E> {
        self.write_knowing(Extent::Bookmark, chance, work)
    }

    fn write_knowing<T, E: From<LogError>>(
        &self,
        extent: Extent,
        chance: &mut dyn FnMut() -> u128,
        work: impl FnOnce(&mut Pen<'_>) -> Result<T, E>,
    ) -> Result<(T, Option<Ticket>), E> {
        if self.writes == Writes::Refused {
            return Err(LogError::OnlyRead.into());
        }
        let mut inside = self.inside.lock().unwrap_or_else(PoisonError::into_inner);
        let writer = if inside.position.is_some() { Writer::Known } else { Writer::First };
        let (held, mut position) = match self.go_on(&mut inside, extent)? {
            Some(held) => held,
            None => self.begin_anew(&mut inside, extent, chance)?,
        };
        let file = &mut inside.file;
        let (began, ticket, last) = (Vec::new(), None, Last::Unnamed);
        let mut pen = Pen { log: self, position: &mut position, file, began, last, ticket, chance };
        let result = work(&mut pen).and_then(|value| Ok((value, pen.finish()?)));
        // Work that failed before its first line has changed nothing: what was learnt under the lock is kept, so that
        // a refusal does not cost the next writer a look at every segment.
        let stays = result.is_ok() || pen.began.is_empty();
        if stays {
            self.save(&mut position, &held);
        } else {
            pen.take_back();
        }
        let repairs = position.repairs().to_vec();
        inside.open = if stays {
            self.keep_open(held, writer, &position)
        } else {
            drop(held);
            None
        };
        inside.position = stays.then_some(position);
        drop(inside);
        // Told only now, outside the mutex: a teller that writes to this log would otherwise wait for itself.
        for repair in &repairs {
            (self.tell)(repair);
        }
        result
    }

    /// What stands in `local/` is a cache: where it cannot be written, the next process reads the log instead.
    fn save(&self, position: &mut Position, held: &HeldLock) {
        let saved = position.save(&*self.disk, &self.place, held.bookmark());
        // The lines are written; what git took of them meanwhile, the next writer finds, too.
        if saved.is_ok() && self.look_into_git_again(position).is_ok_and(|files| files == HistoryFiles::Changed) {
            let _ = position.save(&*self.disk, &self.place, held.bookmark());
        }
    }

    /// Takes the lock by the file that stayed open, and goes on where this process stopped, if nobody has written, changed
    /// or taken anything since.
    fn go_on(&self, inside: &mut Inside, wanted: Extent) -> Result<Option<(HeldLock, Position)>, LogError> {
        let (disk, place) = (&*self.disk, &self.place);
        // Where anything is not as it was, the files are closed, and that gives the lock back.
        let (Some(mut open), Some(position)) = (inside.open.take(), &mut inside.position) else { return Ok(None) };
        // The lock comes before the questions: between an answer and the lock another process could write.
        open.take().map_err(LogError::at("lock", place.lock()))?;
        let is_enough = wanted == Extent::Bookmark || position.extent() == Extent::Whole;
        let goes_on = is_enough
            && open.are_named(disk, place, position.written_ns().unwrap_or_default())
            && position.is_as_left(disk, place, open.bookmark()).unwrap_or(false)
            && self.may_go_on(position);
        if !goes_on {
            return Ok(None);
        }
        position.go_on();
        Ok(inside.position.take().map(|position| (HeldLock::Again(open), position)))
    }

    fn begin_anew(
        &self,
        inside: &mut Inside,
        extent: Extent,
        chance: &mut dyn FnMut() -> u128,
    ) -> Result<(HeldLock, Position), LogError> {
        let lock = self.locked(inside.position.as_ref())?;
        let known = inside.position.take();
        Ok((HeldLock::Taken(lock), self.catch_up(known, extent, chance)?))
    }

    /// Gives the lock back. Who has written before will again.
    fn keep_open(&self, held: HeldLock, writer: Writer, position: &Position) -> Option<OpenFiles> {
        match held {
            HeldLock::Again(open) => open.give_back(),
            HeldLock::Taken(_) if writer == Writer::First => None,
            // While the lock is held, nobody gives its name to another file, but by taking the folder away.
            HeldLock::Taken(_lock) => OpenFiles::open(&*self.disk, &self.place, position.written_ns()?).ok().flatten(),
        }
    }

    /// Returns when what a ticket stands for is on the disk.
    pub fn wait(&self, ticket: &Ticket) -> Result<(), LogError> {
        self.syncer.wait(ticket, &|file, start| self.take_back(file, start)).map_err(not_synced)
    }

    /// The disk refused to keep bytes: they go, unless somebody has written behind them already.
    fn take_back(&self, file: &Syncable, start: u64) -> Fate {
        // Who writes just now writes behind them, and may be waiting for the thread that is here.
        let Ok(mut inside) = self.inside.try_lock() else { return Fate::Left };
        let Ok(_lock) = self.disk.lock(&self.place.lock()) else { return Fate::Left };
        let (Some(position), Ok(look)) = (&inside.position, file.file.look()) else { return Fate::Left };
        let is_last = look.len >= start && position.is_last(&*self.disk, &self.place, look);
        if !is_last || file.file.truncate(start).is_err() {
            return Fate::Left;
        }
        // Without its bookmark the clone begins a new writer, so that no chain leads over the hole. A bookmark that
        // cannot be removed names a line that is not there, and that has the same effect.
        (inside.position, inside.open) = (None, None);
        let _ = self.disk.remove(&self.place.bookmark());
        Fate::TakenBack
    }

    /// Who has written before has found the folders; should they be gone since, they are made again.
    fn locked(&self, known: Option<&Position>) -> Result<Box<dyn Lock>, LogError> {
        if known.is_some()
            && let Ok(lock) = self.disk.lock(&self.place.lock())
        {
            return Ok(lock);
        }
        self.make_folders()?;
        self.disk.lock(&self.place.lock()).map_err(LogError::at("lock", self.place.lock()))
    }

    fn catch_up(
        &self,
        known: Option<Position>,
        wanted: Extent,
        chance: &mut dyn FnMut() -> u128,
    ) -> Result<Position, LogError> {
        let known = known.filter(|position| position.extent() == Extent::Whole);
        if wanted == Extent::Bookmark
            && known.is_none()
            && let Some(mut position) = Position::at_bookmark(&*self.disk, &self.place)?
            && self.may_go_on(&mut position)
        {
            return Ok(position);
        }
        let position = match known {
            Some(position) => position,
            None => Position::load(&*self.disk, &self.place)?,
        };
        self.bring_up_to_date(position, chance)
    }

    /// Learns what others have written, and what git took.
    pub(super) fn bring_up_to_date(
        &self,
        mut position: Position,
        chance: &mut dyn FnMut() -> u128,
    ) -> Result<Position, LogError> {
        self.read_changes(&mut position)?;
        position.sign_as(|| new_writer(chance()), || Begun::read(&*self.disk, &self.place))?;
        self.look_into_git(&mut position)?;
        self.settle_absence(&mut position);
        Ok(position)
    }
}

/// What the machine says at a moment.
#[derive(Debug, Clone, Copy)]
pub struct Machine {
    /// The time.
    pub now: Timestamp,
    /// Bits that nobody can guess.
    pub chance: u128,
}

/// Eight characters that nobody else has.
pub(super) fn new_writer(chance: u128) -> WriterId {
    // That of ids, in small letters: none is taken for another, and no two names differ in case alone.
    const ALPHABET: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";
    let letter = |place: u32| char::from(ALPHABET[(chance >> (5 * place)) as usize % ALPHABET.len()]);
    (0..8).map(letter).collect::<String>().into()
}

/// Says what was repaired.
pub type Tell = Box<dyn Fn(&Repair) + Send + Sync>;
