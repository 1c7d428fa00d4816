//! Writing: one whole line at a time, under an exclusive lock, each chained to the one before.
//!
//! Does not decide what is written and does not read a clock; its caller brings both.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use super::disk::{Append, Disk};
use super::place::Place;
use super::position::{Extent, Position, Stamp};
use super::segment::Rotation;
use super::sync::{Refused, Syncer, Ticket};
use super::tail::Repair;
use crate::kernel::annals::{FORMAT_VERSION, Head, LineHash, Link};
use crate::kernel::entry::HistoryEntry;
use crate::kernel::id::{EntryId, WriterId};
use crate::kernel::time::Timestamp;

use super::LogError;

/// The history of one project, open for writing.
pub struct Log {
    disk: Arc<dyn Disk>,
    place: Place,
    rotation: Rotation,
    syncer: Syncer,
    inside: Mutex<Inside>,
}

/// What only the holder of the lock may see.
#[derive(Default)]
struct Inside {
    position: Option<Position>,
    file: Option<(String, Arc<dyn Append>)>,
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
        Self { disk, place: Place::new(context), rotation, syncer: Syncer::default(), inside: Mutex::default() }
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
        let mut inside = self.inside.lock().unwrap_or_else(PoisonError::into_inner);
        self.make_folders()?;
        let lock = self.disk.lock(&self.place.lock()).map_err(LogError::at("lock", self.place.lock()))?;
        let known = inside.position.take();
        let mut position = self.catch_up(known, extent, chance)?;
        let mut pen = Pen { log: self, position: &mut position, file: &mut inside.file, ticket: None, chance };
        let result = work(&mut pen);
        let ticket = pen.ticket.take();
        let saved = position.save(&*self.disk, &self.place);
        inside.position = Some(position);
        drop(lock);
        let value = result?;
        saved.map_err(LogError::at("write", self.place.bookmark()))?;
        Ok((value, ticket))
    }

    /// Returns when what a ticket stands for is on the disk.
    pub fn wait(&self, ticket: &Ticket) -> Result<(), LogError> {
        let take_back = |file: &Arc<dyn Append>, refused| self.take_back(&**file, refused);
        self.syncer.wait(ticket, &take_back).map_err(|source| LogError::NotSynced { source })
    }

    /// The disk refused to keep bytes: they go, unless somebody has written behind them already.
    fn take_back(&self, file: &dyn Append, refused: Refused) {
        // Who writes just now writes behind them, and may be waiting for the thread that is here.
        let Ok(mut inside) = self.inside.try_lock() else { return };
        let Ok(_lock) = self.disk.lock(&self.place.lock()) else { return };
        if file.look().is_ok_and(|look| look.len == refused.end) && file.truncate(refused.start).is_ok() {
            // Without its bookmark the clone begins a new writer, so that no chain leads over the hole. A bookmark that
            // cannot be removed names a line that is not there, and that has the same effect.
            inside.position = None;
            let _ = self.disk.remove(&self.place.bookmark());
        }
    }

    /// How many lines were known when somebody of this process last held the lock.
    pub fn known_lines(&self) -> u64 {
        let inside = self.inside.lock().unwrap_or_else(PoisonError::into_inner);
        inside.position.as_ref().map_or(0, |position| position.marks().lines())
    }

    fn make_folders(&self) -> Result<(), LogError> {
        for folder in [self.place.history(), self.place.local()] {
            if self.disk.look(folder).map_err(LogError::at("look at", folder))?.is_none() {
                self.disk.create_folder(folder).map_err(LogError::at("make", folder))?;
                let parent = folder.parent().unwrap_or(folder);
                self.disk.sync_folder(parent).map_err(LogError::at("sync", parent))?;
            }
        }
        Ok(())
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
            && let Some(position) = Position::at_bookmark(&*self.disk, &self.place)?
        {
            return Ok(position);
        }
        let mut position = match known {
            Some(position) => position,
            None => Position::load(&*self.disk, &self.place)?,
        };
        position.catch_up(&*self.disk, &self.place)?;
        position.sign_as(|| new_writer(chance()));
        Ok(position)
    }
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
    file: &'l mut Option<(String, Arc<dyn Append>)>,
    ticket: Option<Ticket>,
    chance: &'l mut dyn FnMut() -> u128,
}

impl Pen<'_> {
    /// An id of this time, after every id that was minted before.
    pub fn mint(&self, at: Timestamp, chance: u128) -> EntryId {
        EntryId::new(at, chance).max(self.position.minted().next())
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
    pub fn append(&mut self, mut entry: HistoryEntry, stamp: Stamp) -> Result<Appended, LogError> {
        let segment = self.log.rotation.file_for(entry.id.time());
        self.reach(&segment)?;
        let link = self.position.next_link();
        entry.annals.v = Some(FORMAT_VERSION);
        entry.annals.link = Some(link.clone());
        let line = entry.to_line();
        self.write_line(&segment, &line, &link, (entry.id, stamp))?;
        Ok(Appended { id: entry.id, segment, line })
    }

    /// Another segment than that of the bookmark: everything must be known.
    fn reach(&mut self, segment: &str) -> Result<(), LogError> {
        if self.position.reaches(segment) {
            return Ok(());
        }
        let log = self.log;
        self.position.save(&*log.disk, &log.place).map_err(LogError::at("write", log.place.bookmark()))?;
        *self.position = Position::load(&*log.disk, &log.place)?;
        self.position.catch_up(&*log.disk, &log.place)?;
        self.position.sign_as(|| new_writer((self.chance)()));
        Ok(())
    }

    fn write_line(&mut self, segment: &str, line: &str, link: &Link, id: (EntryId, Stamp)) -> Result<(), LogError> {
        let path = self.log.place.history().join(segment);
        let file = self.open(segment, &path)?;
        let start = self.position.begin(segment);
        let bytes = format!("{line}\n");
        if let Err(source) = file.append(bytes.as_bytes()) {
            // What was written of it goes again; if that fails too, the next writer finds a torn tail and moves it.
            let _ = file.truncate(start);
            return Err(LogError::at("write to", path)(source));
        }
        let look = file.look().map_err(LogError::at("look at", &path))?;
        self.position.wrote(segment, look, link, LineHash::of(line.as_bytes()), id);
        self.ticket = Some(self.log.syncer.wrote(&file, start, look.len));
        Ok(())
    }

    /// The file of a segment. Before another one is opened the last one is synced: a ticket stands for one file.
    fn open(&mut self, segment: &str, path: &Path) -> Result<Arc<dyn Append>, LogError> {
        if let Some((name, file)) = &*self.file {
            if name == segment && self.position.knows_file(segment, &**file) {
                return Ok(Arc::clone(file));
            }
            self.log.syncer.settle(file).map_err(|source| LogError::NotSynced { source })?;
        }
        let disk = &self.log.disk;
        let file = disk.append_to(path).map_err(LogError::at("open", path))?;
        if !self.position.is_named(segment) {
            let history = self.log.place.history();
            disk.sync_folder(history).map_err(LogError::at("sync", history))?;
        }
        *self.file = Some((segment.to_owned(), Arc::clone(&file)));
        Ok(file)
    }
}
