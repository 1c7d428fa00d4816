//! Writing: one whole line at a time, under an exclusive lock, each chained to the one before.
//!
//! Does not decide what is written and does not read a clock; its caller brings both.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use super::disk::{Disk, Lock};
use super::place::Place;
use super::position::{Extent, Position, Stamp};
use super::segment::{Packing, Rotation};
use super::sync::{Fate, NotKept, Syncable, Syncer, Ticket};
use super::tail::Repair;
use super::taken::{Files, Git};
use crate::kernel::annals::{FORMAT_VERSION, Head, LineHash, Link};
use crate::kernel::entry::HistoryEntry;
use crate::kernel::id::{EntryId, WriterId};
use crate::kernel::time::Timestamp;

use super::LogError;

/// The history of one project, open for writing.
pub struct Log {
    pub(super) disk: Arc<dyn Disk>,
    pub(super) place: Place,
    rotation: Rotation,
    syncer: Syncer,
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
}

/// What a new line was and where it went.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Appended {
    /// Its id.
    pub id: EntryId,
    /// Its segment.
    pub segment: String,
    /// The line, without its newline.
    pub line: String,
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
        let lock = self.locked(inside.position.as_ref())?;
        let known = inside.position.take();
        let mut position = self.catch_up(known, extent, chance)?;
        let file = &mut inside.file;
        let mut pen = Pen { log: self, position: &mut position, file, began: Vec::new(), ticket: None, chance };
        let result = work(&mut pen).and_then(|value| Ok((value, pen.finish()?)));
        let stays = result.is_ok() || pen.began.is_empty();
        let has_written = !pen.began.is_empty();
        if stays {
            // What stands in `local/` is a cache: where it cannot be written, the next process reads the log instead.
            let saved = position.save(&*self.disk, &self.place);
            // The lines are written; what git took of them meanwhile, the next writer finds, too.
            if saved.is_ok()
                && has_written
                && self.look_into_git_again(&mut position).is_ok_and(|files| files == Files::Changed)
            {
                let _ = position.save(&*self.disk, &self.place);
            }
        } else {
            pen.take_back();
        }
        let repairs = position.repairs().to_vec();
        inside.position = stays.then_some(position);
        drop(lock);
        drop(inside);
        for repair in &repairs {
            (self.tell)(repair);
        }
        result
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
        inside.position = None;
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
            && self.may_go_on(&mut position)?
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
    fn bring_up_to_date(&self, mut position: Position, chance: &mut dyn FnMut() -> u128) -> Result<Position, LogError> {
        self.read_changes(&mut position)?;
        position.sign_as(|| new_writer(chance()));
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
fn new_writer(chance: u128) -> WriterId {
    const ALPHABET: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";
    let letter = |place: u32| char::from(ALPHABET[(chance >> (5 * place)) as usize % ALPHABET.len()]);
    (0..8).map(letter).collect::<String>().into()
}

/// The right to write, for as long as the lock is held.
pub struct Pen<'l> {
    log: &'l Log,
    position: &'l mut Position,
    file: &'l mut Option<(String, Arc<Syncable>)>,
    /// Where the segments ended that were written to, in the order of writing: there they end again if the work fails.
    began: Vec<(Arc<Syncable>, u64)>,
    ticket: Option<Ticket>,
    chance: &'l mut dyn FnMut() -> u128,
}

impl Pen<'_> {
    /// An id of this time, after every id that was minted before, as far as the machine's clock lets those be true.
    pub fn mint(&mut self, at: Timestamp, machine: Machine) -> Result<EntryId, LogError> {
        let Machine { now, chance } = machine;
        let bound = EntryId::last_believed(now);
        if self.position.minted() > bound {
            self.know_everything()?;
        }
        let (disk, place) = (&*self.log.disk, &self.log.place);
        let last = self.position.minted_within(disk, place, bound)?;
        // A record may come with its own time; the machine has reached none that is later than its own.
        let from_clock = EntryId::at(at.min(now), chance);
        let id = from_clock.zip(last.next()).map(|(from_clock, next)| from_clock.max(next));
        id.ok_or(LogError::NoIdLeft { at })
    }

    /// The highest id that any clone whose lines are here has minted.
    pub fn last_minted(&self) -> EntryId {
        self.position.minted()
    }

    /// What was repaired when the lock was taken.
    pub fn repairs(&self) -> &[Repair] {
        self.position.repairs()
    }

    /// Other writers' heads, as this clone knows them.
    pub fn heads(&self) -> BTreeMap<WriterId, Head> {
        self.position.heads().clone()
    }

    /// What is known of the segments.
    pub fn position(&self) -> &Position {
        self.position
    }

    /// Writes one entry. Whatever chain it had is replaced by its place in ours.
    pub fn append(&mut self, entry: &mut HistoryEntry, stamp: Stamp) -> Result<Appended, LogError> {
        let segment = self.segment_for(entry.id.time())?;
        let link = self.position.next_link();
        entry.annals.v = Some(FORMAT_VERSION);
        entry.annals.link = Some(link.clone());
        let line = entry.to_line();
        self.write_line(&segment, &line, &link, (entry.id, stamp))?;
        Ok(Appended { id: entry.id, segment, line })
    }

    /// The segment that takes an entry of this time.
    fn segment_for(&mut self, at: Timestamp) -> Result<String, LogError> {
        let (stem, naming) = (self.log.rotation.stem_for(at), self.log.naming());
        if let Some(segment) = self.position.open_segment(&stem, naming) {
            return Ok(segment);
        }
        self.know_everything()?;
        Ok(self.position.open_segment(&stem, naming).unwrap_or_else(|| self.log.new_segment(self.position, &stem)))
    }

    /// Another segment than that of the bookmark: everything must be known.
    fn know_everything(&mut self) -> Result<(), LogError> {
        if self.position.extent() == Extent::Whole {
            return Ok(());
        }
        let log = self.log;
        self.position.save(&*log.disk, &log.place).map_err(LogError::at("write", log.place.bookmark()))?;
        *self.position = log.bring_up_to_date(Position::load(&*log.disk, &log.place)?, self.chance)?;
        Ok(())
    }

    fn write_line(&mut self, segment: &str, line: &str, link: &Link, id: (EntryId, Stamp)) -> Result<(), LogError> {
        let path = self.log.place.history().join(segment);
        self.sync_what_it_follows(segment, link)?;
        let file = self.open(segment, &path)?;
        let start = self.position.begin(segment);
        if self.began.last().is_none_or(|(last, _)| !Arc::ptr_eq(last, &file)) {
            self.began.push((Arc::clone(&file), start));
        }
        let bytes = format!("{line}\n");
        let ticket = self.log.syncer.begin(&file, start);
        file.file.append(bytes.as_bytes()).map_err(LogError::at("write to", &path))?;
        let look = file.file.look().map_err(LogError::at("look at", &path))?;
        self.position.wrote(segment, look, link, LineHash::of(line.as_bytes()), id);
        self.ticket = Some(ticket);
        Ok(())
    }

    /// The file of a segment. A ticket stands for one file, so another one is left behind only when it is synced.
    fn open(&mut self, segment: &str, path: &Path) -> Result<Arc<Syncable>, LogError> {
        if let Some((name, file)) = &*self.file
            && name == segment
            && (self.began.last().is_some_and(|(last, _)| Arc::ptr_eq(last, file))
                || self.position.knows_file(segment, &*file.file))
        {
            return Ok(Arc::clone(file));
        }
        if let Some((_, file)) = &*self.file {
            self.log.syncer.settle(file).map_err(not_synced)?;
        }
        let file = Arc::new(Syncable::open(&*self.log.disk, path).map_err(LogError::at("open", path))?);
        if !self.position.is_named(segment) {
            self.log.sync_names()?;
        }
        *self.file = Some((segment.to_owned(), Arc::clone(&file)));
        Ok(file)
    }

    /// Brings to the disk what the next line follows or tells of and what stands in other segments: others may be waiting
    /// for it still, or have ended before it was there. Else a power cut could take it and leave the line that names it.
    fn sync_what_it_follows(&self, segment: &str, link: &Link) -> Result<(), LogError> {
        let last = self.position.last_segment().filter(|_| self.began.is_empty());
        let names = last.into_iter().chain(self.position.segments_of(&link.seen));
        for name in names.filter(|name| *name != segment && Packing::of(name) == Packing::Plain) {
            let (disk, path) = (&self.log.disk, self.log.place.history().join(name));
            if disk.look(&path).map_err(LogError::at("look at", &path))?.is_some() {
                let file = disk.append_to(&path).map_err(LogError::at("open", &path))?;
                file.sync().map_err(LogError::at("sync", path))?;
            }
        }
        Ok(())
    }

    /// What was written so far stays, whatever becomes of the rest, and is on the disk when this returns.
    pub fn keep(&mut self) -> Result<(), LogError> {
        if let (Some((_, file)), Some(_)) = (&*self.file, self.ticket.take()) {
            self.log.syncer.settle(file).map_err(not_synced)?;
        }
        self.began.clear();
        Ok(())
    }

    /// What there is to wait for. Lines of several segments count together, so they are synced while they can still be
    /// taken back together.
    fn finish(&mut self) -> Result<Option<Ticket>, LogError> {
        if self.began.len() > 1 {
            self.keep()?;
        }
        Ok(self.ticket.take())
    }

    /// Of work that failed nothing stays. What cannot be taken back is found by the next writer: whole lines stay, a torn
    /// one is moved away; and the clone begins a new writer, so that it does not fork should they come back.
    fn take_back(&mut self) {
        let cut = |(last, end): (Arc<Syncable>, u64)| last.file.truncate(end).and_then(|()| last.file.sync());
        let results: Vec<_> = self.began.drain(..).rev().map(cut).collect();
        if results.iter().any(Result::is_err) {
            let _ = self.log.disk.remove(&self.log.place.bookmark());
        }
    }
}

fn not_synced(NotKept { path, source, fate }: NotKept) -> LogError {
    LogError::NotSynced { path, fate, source }
}

/// Says what was repaired.
pub type Tell = Box<dyn Fn(&Repair) + Send + Sync>;
