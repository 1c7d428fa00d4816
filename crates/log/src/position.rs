//! What this clone knows of its log: every writer's head, the last id, how far each segment was read.
//!
//! Kept in memory by a process, and in `local/` for the next one: `marks` whole, and the record of `bookmark` on
//! top of it, which is all that an append changes. Both are caches; where they do not fit the files, the files win.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::LogError;
use super::bookmark::Bookmark;
use super::disk::{Disk, Look};
use super::place::Place;
use super::read::{Flow, Stretch, read};
use super::sealed::unseal;
use super::segment::{Packing, Segment};
use super::tail::{Repair, repair};
use super::watermarks::{Change, Watermarks};
use annals_kernel::annals::{Head, LineHash, Link};
use annals_kernel::id::{EntryId, WriterId};

mod believed;
mod former;
mod own;
mod saved;
mod sign;

pub use former::Former;
pub use own::Naming;
use own::OwnSegments;
pub use sign::{Absence, AbsenceFate};

/// What is kept in `marks`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Stored {
    edition: u64,
    marks: Watermarks,
    /// Other writers' heads, as our own chain has told them.
    told: BTreeMap<WriterId, Head>,
    /// The last lines of the writers that this clone was before.
    #[serde(default)]
    former: BTreeMap<WriterId, Former>,
}

/// What this clone knows of its log.
#[derive(Debug)]
pub struct Position {
    stored: Stored,
    heads: BTreeMap<WriterId, Head>,
    minted: EntryId,
    /// The lowest id that was not believed when `minted` was asked for.
    ahead: EntryId,
    bookmark: Option<Bookmark>,
    writer: WriterId,
    own: OwnSegments,
    absent: Option<Absence>,
    lock: u64,
    folder: Look,
    extent: Extent,
    state: BookmarkState,
    /// The bookmark as this process left it in its file, where it did.
    left: Option<Vec<u8>>,
    repairs: Vec<Repair>,
}

/// Where the id of an entry comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IdSource {
    /// From the clock, when it is written: it moves the clock of the log.
    Minted,
    /// From elsewhere: an imported record keeps its own time and moves nothing.
    AsGiven,
}

/// What must be written to `local/` before the lock is given back.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum BookmarkState {
    Saved,
    Appended,
    Changed,
}

/// How much of it is in memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Extent {
    /// What the bookmark says: enough to go on where this clone stopped, in the same segment.
    Bookmark,
    /// Everything.
    Whole,
}

impl Position {
    /// What the last process left behind.
    pub fn load(disk: &dyn Disk, place: &Place) -> Result<Self, LogError> {
        let bookmark = Bookmark::read(disk, &place.bookmark()).map_err(LogError::at("read", place.bookmark()))?;
        let bytes = disk.read(&place.marks()).map_err(LogError::at("read", place.marks()))?;
        let stored = bytes.and_then(|bytes| serde_json::from_str::<Stored>(unseal(&bytes)?).ok()).unwrap_or_default();
        let mut position = Self::of(stored, Extent::Whole);
        if let Some(bookmark) = bookmark {
            position.turn_to(bookmark);
        }
        Ok(position)
    }

    fn of(stored: Stored, extent: Extent) -> Self {
        let mut position = Self {
            stored,
            heads: BTreeMap::new(),
            minted: EntryId::MIN,
            ahead: EntryId::MAX,
            bookmark: None,
            writer: WriterId::default(),
            own: OwnSegments::default(),
            absent: None,
            lock: 0,
            folder: Look::default(),
            extent,
            state: BookmarkState::Saved,
            left: None,
            repairs: Vec::new(),
        };
        position.recount();
        position
    }

    /// What the bookmark says, if nobody has written or changed anything since: the cost does not grow with the number
    /// of segments. Other writers' heads are not needed then, because our last line has told of them. Called under the
    /// lock. (A line that somebody puts into an older segment by hand, in place, is noticed by the next full look.)
    pub fn at_bookmark(disk: &dyn Disk, place: &Place) -> Result<Option<Self>, LogError> {
        let bookmark = Bookmark::read(disk, &place.bookmark()).map_err(LogError::at("read", place.bookmark()))?;
        let Some(bookmark) = bookmark else { return Ok(None) };
        let mut position = Self::of(Stored { edition: bookmark.edition, ..Stored::default() }, Extent::Bookmark);
        (position.lock, position.folder) = (lock_number(disk, place)?, bookmark.folder);
        // Whole and in its place: after a power cut a file may be as long as it was, without what stood in it.
        let is_ours = bookmark.lock == position.lock && bookmark.has_last_line(disk, place);
        position.turn_to(bookmark);
        Ok(if is_ours && position.is_unchanged(disk, place) { Some(position) } else { None })
    }

    /// How much of it is in memory.
    pub fn extent(&self) -> Extent {
        self.extent
    }

    fn recount(&mut self) {
        self.heads = self.stored.marks.heads();
        self.minted = self.stored.marks.last_minted();
    }

    /// Takes over what a bookmark says of the segment that was written to last.
    ///
    /// Only on top of the marks that it was written with: a process may have ended between the two, and then the marks
    /// know more than the bookmark, or the files do.
    fn turn_to(&mut self, bookmark: Bookmark) {
        if bookmark.edition == self.stored.edition {
            let mark = self.stored.marks.entry(&bookmark.segment);
            if mark.end <= bookmark.look.len {
                (mark.end, mark.look, mark.lines) = (bookmark.look.len, bookmark.look, bookmark.lines);
                mark.minted = mark.minted.max(bookmark.minted);
                mark.last = mark.last.max(bookmark.minted);
                mark.first = mark.first.min(bookmark.minted);
                mark.is_named = true;
                mark.last_line = Some((bookmark.last, bookmark.head.hash));
                mark.see_head(bookmark.writer.as_str(), bookmark.head);
                self.heads.insert(bookmark.writer.clone(), bookmark.head);
            }
            self.minted = self.minted.max(bookmark.minted);
        }
        self.writer = bookmark.writer.clone();
        self.own = OwnSegments::of(&bookmark);
        self.bookmark = Some(bookmark);
        self.left = None;
    }

    /// Learns what has changed since. Called under the lock. A torn tail is repaired where the segment may be written to.
    pub fn catch_up(
        &mut self,
        disk: &dyn Disk,
        place: &Place,
        may_write: &dyn Fn(&str) -> bool,
    ) -> Result<(), LogError> {
        self.repairs.clear();
        self.lock = lock_number(disk, place)?;
        let bookmark = Bookmark::read(disk, &place.bookmark()).map_err(LogError::at("read", place.bookmark()))?;
        match bookmark {
            same if same == self.bookmark => {}
            Some(bookmark) if bookmark.edition == self.stored.edition => self.turn_to(bookmark),
            Some(_) | None => *self = Self { lock: self.lock, ..Self::load(disk, place)? },
        }
        if self.is_unchanged(disk, place) { Ok(()) } else { self.read_changes(disk, place, may_write) }
    }

    fn read_changes(
        &mut self,
        disk: &dyn Disk,
        place: &Place,
        may_write: &dyn Fn(&str) -> bool,
    ) -> Result<(), LogError> {
        let history = place.history();
        // Before the list, so that what comes in between makes the next look differ.
        let folder = disk.look(history).map_err(LogError::at("look at", history))?;
        let segments = Segment::list(disk, history).map_err(LogError::at("list", history))?;
        let was_there = |segment: &Segment, offset, hash| line_at(disk, place, segment, offset) == Some(hash);
        let changes = self.stored.marks.changes(&segments, was_there);
        for (name, change) in &changes {
            match change {
                Change::Grown { .. } | Change::New => {}
                Change::Replaced | Change::Gone => self.stored.marks.forget(name),
            }
        }
        let changed = segments.iter().filter(|segment| changes.contains_key(&segment.name));
        self.read_segments(disk, place, &changed.cloned().collect::<Vec<_>>())?;
        self.repair_tails(disk, place, &segments, may_write)?;
        if !changes.is_empty() {
            self.state = BookmarkState::Changed;
            self.recount();
        }
        self.folder = folder.unwrap_or_default();
        Ok(())
    }

    fn read_segments(&mut self, disk: &dyn Disk, place: &Place, changed: &[Segment]) -> Result<(), LogError> {
        let from = |segment: &Segment| self.stored.marks.get(&segment.name).map_or(0, |mark| mark.end);
        let stretches: Vec<_> =
            changed.iter().map(|segment| Stretch { segment: segment.clone(), from: from(segment) }).collect();
        for segment in changed {
            self.stored.marks.entry(&segment.name).look = segment.look;
        }
        read(disk, place.history(), &stretches, &mut |index, batch| {
            self.stored.marks.entry(&stretches[index].segment.name).see(&batch);
            Flow::More
        })?;
        Ok(())
    }

    fn repair_tails(
        &mut self,
        disk: &dyn Disk,
        place: &Place,
        segments: &[Segment],
        may_write: &dyn Fn(&str) -> bool,
    ) -> Result<(), LogError> {
        for segment in segments.iter().filter(|segment| segment.packing() == Packing::Plain) {
            let mark = self.stored.marks.entry(&segment.name);
            if mark.end >= segment.look.len || !may_write(&segment.name) {
                continue;
            }
            let path = place.history().join(&segment.name);
            let file = disk.append_to(&path).map_err(LogError::at("open", &path))?;
            let done = repair(disk, place.history(), &segment.name, &*file, mark);
            self.repairs.extend(done.map_err(LogError::at("repair", &path))?);
            mark.look = file.look().map_err(LogError::at("look at", &path))?;
            self.state = BookmarkState::Changed;
        }
        Ok(())
    }

    /// Whether a segment looks as our last write left it, and nobody of this clone has written since, to whichever.
    pub fn is_last(&self, disk: &dyn Disk, place: &Place, look: Look) -> bool {
        let kept = Bookmark::read(disk, &place.bookmark()).ok().flatten();
        kept.is_some() && kept == self.bookmark && kept.is_some_and(|bookmark| bookmark.look == look)
    }

    /// The segment that this clone wrote to last.
    pub fn last_segment(&self) -> Option<&str> {
        self.bookmark.as_ref().map(|bookmark| bookmark.segment.as_str())
    }

    /// Whether an open file of this number is still the one that a segment's name stands for.
    pub fn knows_file(&self, segment: &str, number: u64) -> bool {
        self.stored.marks.get(segment).is_some_and(|mark| mark.look.number == number)
    }

    /// Whether the name of a segment is known to be on the disk.
    pub fn is_named(&self, segment: &str) -> bool {
        self.stored.marks.get(segment).is_some_and(|mark| mark.is_named)
    }

    /// Where the next line of a segment begins.
    pub fn begin(&mut self, segment: &str) -> u64 {
        // The bookmark tells of one segment alone: the marks must say what it said of the other.
        if self.bookmark.as_ref().is_none_or(|bookmark| bookmark.segment != segment) {
            self.state = BookmarkState::Changed;
        }
        self.stored.marks.entry(segment).end
    }

    /// A line of ours was written.
    pub fn wrote(&mut self, segment: &str, look: Look, link: &Link, hash: LineHash, id: EntryId, stamp: IdSource) {
        let head = Head { count: link.count, hash };
        let mark = self.stored.marks.entry(segment);
        mark.last_line = Some((mark.end, hash));
        (mark.end, mark.look, mark.lines, mark.is_named) = (look.len, look, mark.lines + 1, true);
        mark.first = mark.first.min(id);
        mark.last = mark.last.max(id);
        if stamp == IdSource::Minted {
            mark.minted = mark.minted.max(id);
            self.minted = self.minted.max(id);
        }
        mark.see_head(link.writer.as_str(), head);
        let bookmark = Bookmark {
            writer: link.writer.clone(),
            head,
            minted: self.minted,
            segment: segment.to_owned(),
            look,
            lines: mark.lines,
            last: mark.last_line.map_or(0, |(offset, _)| offset),
            edition: self.stored.edition,
            lock: self.lock,
            folder: self.folder,
            made: self.own.made,
            closed: self.own.closed,
            git: self.own.git,
        };
        self.bookmark = Some(bookmark);
        self.absent = None;
        self.heads.insert(link.writer.clone(), head);
        self.state = self.state.max(BookmarkState::Appended);
        // What was told of other writers stands in the marks alone.
        if !link.seen.is_empty() {
            self.stored.told.extend(link.seen.iter().map(|(writer, head)| (writer.clone(), *head)));
            self.state = BookmarkState::Changed;
        }
    }

    /// The highest id that any clone whose lines are here has minted.
    pub fn minted(&self) -> EntryId {
        self.minted
    }

    /// Every writer's last line.
    pub fn heads(&self) -> &BTreeMap<WriterId, Head> {
        &self.heads
    }

    /// How far each segment was read.
    pub fn marks(&self) -> &Watermarks {
        &self.stored.marks
    }

    /// What was repaired when the lock was taken.
    pub fn repairs(&self) -> &[Repair] {
        &self.repairs
    }
}

fn lock_number(disk: &dyn Disk, place: &Place) -> Result<u64, LogError> {
    let lock = disk.look(&place.lock()).map_err(LogError::at("look at", place.lock()))?;
    Ok(lock.map_or(0, |look| look.number))
}

/// The hash of the line at an offset of a segment.
pub fn line_at(disk: &dyn Disk, place: &Place, segment: &Segment, offset: u64) -> Option<LineHash> {
    let file = disk.open(&place.history().join(&segment.name)).ok()?;
    let mut bytes = vec![0; 64 << 10];
    loop {
        let count = file.read_at(&mut bytes, offset).ok()?;
        if let Some(newline) = memchr::memchr(b'\n', &bytes[..count]) {
            return Some(LineHash::of(&bytes[..newline]));
        }
        if count < bytes.len() {
            return None;
        }
        bytes.resize(bytes.len() * 8, 0);
    }
}

#[cfg(test)]
mod tests;
