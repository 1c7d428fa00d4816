//! The right to write lines while the lock is held: which segment takes one, its link, what it must follow on the disk.
//!
//! Takes no lock and reads no clock; `writer` lends it.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use super::LogError;
use super::begun::{self, Begun};
use super::disk::SeenFile;
use super::position::{Extent, IdSource, Position};
use super::read::MAX_LINE_BYTES;
use super::segment::Packing;
use super::sync::{NotKept, Syncable, Ticket};
use super::tail::Repair;
use super::writer::{Log, Machine};
use annals_kernel::annals::{FORMAT_VERSION, Head, LineHash, Link};
use annals_kernel::entry::HistoryEntry;
use annals_kernel::id::{EntryId, WriterId};
use annals_kernel::time::Timestamp;

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

/// What was seen of the file that was written to last, behind its last line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Last {
    Named,
    /// It has lost every name; or some file systems count none.
    Unnamed,
}

/// The right to write, for as long as the lock is held.
pub struct Pen<'l> {
    pub(super) log: &'l Log,
    pub(super) position: &'l mut Position,
    pub(super) file: &'l mut Option<(String, Arc<Syncable>)>,
    /// Where the segments ended that were written to, in the order of writing: there they end again if the work fails.
    pub(super) began: Vec<(Arc<Syncable>, u64)>,
    /// Whether the file that was written to last had a name behind its last line.
    pub(super) last: Last,
    pub(super) ticket: Option<Ticket>,
    pub(super) chance: &'l mut dyn FnMut() -> u128,
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
    pub fn append(&mut self, entry: &mut HistoryEntry, stamp: IdSource) -> Result<Appended, LogError> {
        let segment = self.segment_for(entry.id.time())?;
        let link = self.position.next_link();
        entry.annals.v = Some(FORMAT_VERSION);
        entry.annals.link = Some(link.clone());
        let mut line = entry.to_line();
        let bytes = line.len() as u64;
        if bytes > MAX_LINE_BYTES {
            return Err(LogError::TooLong { entry: entry.id, bytes });
        }
        line.push('\n');
        self.write_line(&segment, &line, &link, entry.id, stamp)?;
        line.pop();
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
        self.position.save(&*log.disk, &log.place, None).map_err(LogError::at("write", log.place.bookmark()))?;
        *self.position = log.bring_up_to_date(Position::load(&*log.disk, &log.place)?, self.chance)?;
        Ok(())
    }

    /// Writes a line that ends with its newline.
    fn write_line(
        &mut self,
        segment: &str,
        line: &str,
        link: &Link,
        id: EntryId,
        stamp: IdSource,
    ) -> Result<(), LogError> {
        let path = self.log.place.history().join(segment);
        // A line must not outlast, in a power cut, the one that it names as its predecessor.
        self.sync_what_it_follows(segment, link)?;
        let file = self.open(segment, &path)?;
        let start = self.position.begin(segment);
        if self.began.last().is_none_or(|(last, _)| !Arc::ptr_eq(last, &file)) {
            self.began.push((Arc::clone(&file), start));
        }
        let ticket = self.log.syncer.begin(&file, start);
        file.file.append(line.as_bytes()).map_err(LogError::at("write to", &path))?;
        let SeenFile { look, is_named } = file.file.seen().map_err(LogError::at("look at", &path))?;
        self.last = if is_named { Last::Named } else { Last::Unnamed };
        self.position.wrote(segment, look, link, LineHash::of(&line.as_bytes()[..line.len() - 1]), id, stamp);
        self.ticket = Some(ticket);
        Ok(())
    }

    /// The file of a segment. A ticket stands for one file, so another one is left behind only when it is synced.
    fn open(&mut self, segment: &str, path: &Path) -> Result<Arc<Syncable>, LogError> {
        if let Some((name, file)) = &*self.file
            && name == segment
            && (self.began.last().is_some_and(|(last, _)| Arc::ptr_eq(last, file))
                || self.position.knows_file(segment, file.number))
        {
            return Ok(Arc::clone(file));
        }
        if let Some((_, file)) = &*self.file {
            self.log.syncer.settle(file).map_err(not_synced)?;
        }
        let file = Arc::new(Syncable::open(&*self.log.disk, path).map_err(LogError::at("open", path))?);
        if !self.position.is_named(segment) {
            let begun = file.file.look().map_err(LogError::at("look at", path))?;
            let begun = begun::File { name: segment.to_owned(), number: Some(begun.number) };
            // Where `local/` cannot be written there is no bookmark either, and nothing is remembered.
            let _ = Begun::add(&*self.log.disk, &self.log.place, begun);
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
        self.require_names()?;
        if let (Some((_, file)), Some(_)) = (&*self.file, self.ticket.take()) {
            self.log.syncer.settle(file).map_err(not_synced)?;
        }
        self.began.clear();
        Ok(())
    }

    /// What there is to wait for. Lines of several segments count together, so they are synced while they can still be
    /// taken back together.
    pub(super) fn finish(&mut self) -> Result<Option<Ticket>, LogError> {
        self.require_names()?;
        if self.began.len() > 1 {
            self.keep()?;
        }
        Ok(self.ticket.take())
    }

    /// What was written to a file that has lost every name is nowhere, and does not count. Of the last file that was asked
    /// behind its last line.
    fn require_names(&self) -> Result<(), LogError> {
        let known = usize::from(self.last == Last::Named);
        let asked = &self.began[..self.began.len().saturating_sub(known)];
        asked.iter().try_for_each(|(file, _)| file.require_name(&*self.log.disk))
    }

    /// Of work that failed nothing stays. What cannot be taken back is found by the next writer: whole lines stay, a torn
    /// one is moved away; and the clone begins a new writer, so that it does not fork should they come back.
    pub(super) fn take_back(&mut self) {
        let cut = |(last, end): (Arc<Syncable>, u64)| last.file.truncate(end).and_then(|()| last.file.sync());
        let results: Vec<_> = self.began.drain(..).rev().map(cut).collect();
        if results.iter().any(Result::is_err) {
            let _ = self.log.disk.remove(&self.log.place.bookmark());
        }
    }
}

pub(super) fn not_synced(NotKept { path, source, fate }: NotKept) -> LogError {
    LogError::NotSynced { path, fate, source }
}
