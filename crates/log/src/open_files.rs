//! What a writer keeps open between two lines: the file of the lock, and the bookmark.
//!
//! Opening them anew, folder by folder, took twelve calls of the sixteen that a line took. Their names are asked for with
//! every line all the same: who finds another file there must not believe to hold the lock. Does not look at the history.

use std::io;
use std::path::PathBuf;

use super::disk::{Disk, InPlace, Latch, Look, is_at_rest};
use super::place::Place;

/// The files, and what is known of their names.
pub(super) struct OpenFiles {
    latch: Box<dyn Latch>,
    bookmark: Box<dyn InPlace>,
    lock_number: u64,
    bookmark_number: u64,
    /// What `local/` looked like when the names were last asked for one by one.
    folder: Look,
    /// When that was, by the clock of the file system, or somewhat before.
    asked_ns: i64,
}

impl OpenFiles {
    /// Opens them, while their lock is held otherwise; `None` where this disk keeps none open. `now_ns` is a moment of the
    /// file system's clock that is over.
    pub(crate) fn open(disk: &dyn Disk, place: &Place, now_ns: i64) -> io::Result<Option<Self>> {
        let folder = disk.glance(place.local()).unwrap_or_default();
        let opened = disk.latch(&place.lock())?.zip(disk.open_in_place(&place.bookmark())?);
        let numbers = disk.glance(&place.lock()).zip(disk.glance(&place.bookmark()));
        let Some(((latch, bookmark), (lock_look, bookmark_look))) = opened.zip(numbers) else { return Ok(None) };
        let (lock_number, bookmark_number) = (lock_look.number, bookmark_look.number);
        let is_one = latch.number()? == lock_number && bookmark.number()? == bookmark_number;
        Ok(is_one.then_some(Self { latch, bookmark, lock_number, bookmark_number, folder, asked_ns: now_ns }))
    }

    pub(crate) fn bookmark(&self) -> &dyn InPlace {
        &*self.bookmark
    }

    /// Waits for the lock. Whether it is the right one, `are_named` says.
    pub(crate) fn take(&self) -> io::Result<()> {
        self.latch.take()
    }

    /// Gives the lock back; where that is refused, the files are closed, and that does.
    pub(crate) fn give_back(self) -> Option<Self> {
        self.latch.give_back().is_ok().then_some(self)
    }

    /// Whether the names of both still stand for them. One look at their folder tells that nothing in it came, went or was
    /// replaced, where the last change was at rest when the names were asked for; else the names are asked for again.
    pub(crate) fn are_named(&mut self, disk: &dyn Disk, place: &Place, now_ns: i64) -> bool {
        let folder = disk.glance(place.local());
        if folder == Some(self.folder) && is_at_rest(self.folder.changed_ns, self.asked_ns) {
            return true;
        }
        let is = |path: PathBuf, number| disk.glance(&path).is_some_and(|look| look.number == number);
        let are_named = is(place.lock(), self.lock_number) && is(place.bookmark(), self.bookmark_number);
        (self.folder, self.asked_ns) = (folder.unwrap_or_default(), now_ns);
        are_named && folder.is_some()
    }
}

#[cfg(test)]
mod tests;
