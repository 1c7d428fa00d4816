//! What a process leaves in `local/` for the next one, and whether everything is still as it left it.
//!
//! Does not read what others have written.

use std::io;

use super::{BookmarkState, Position};
use crate::disk::{Disk, InPlace, Look, Safety};
use crate::place::Place;
use crate::sealed::seal;

impl Position {
    /// Leaves behind what the next process wants to know; the bookmark in the file that is open, or else at its path.
    pub fn save(&mut self, disk: &dyn Disk, place: &Place, open: Option<&dyn InPlace>) -> io::Result<()> {
        let state = self.state;
        if state == BookmarkState::Changed {
            // A process may end between the two files: the edition tells the next one whether bookmark and marks were
            // written together.
            self.stored.edition += 1;
            let text = serde_json::to_string(&self.stored).map_err(io::Error::other)?;
            disk.replace(&place.marks(), seal(&text).as_bytes(), Safety::Cached)?;
        }
        if state != BookmarkState::Saved && self.holds_bookmark() {
            // A line more in the same segment changes nothing of the folder: what it looked like before is what is known.
            if state == BookmarkState::Changed {
                self.folder = disk.look(place.history())?.unwrap_or_default();
            }
            self.left = None;
            let record = self.record()?;
            match open {
                Some(file) => file.overwrite(&record)?,
                None => disk.overwrite(&place.bookmark(), &record)?,
            }
            self.left = Some(record);
        }
        self.state = BookmarkState::Saved;
        Ok(())
    }

    fn record(&mut self) -> io::Result<Vec<u8>> {
        // A look that fits no folder makes the next writer read everything, and so tell of the others' lines.
        let folder = if self.has_untold() { Look::default() } else { self.folder };
        let bookmark = self.bookmark.as_mut().expect("BUG: the bookmark was just looked at");
        (bookmark.edition, bookmark.folder) = (self.stored.edition, folder);
        bookmark.record()
    }

    /// Whether the log holds what the bookmark says. Where it does not, the bookmark stays as it is, so that the next
    /// process sees the difference, too, and begins a new writer.
    fn holds_bookmark(&self) -> bool {
        self.bookmark.as_ref().is_some_and(|bookmark| self.heads.get(&bookmark.writer) == Some(&bookmark.head))
    }

    /// Whether nobody has touched the segment that was written to last, nor the folder.
    pub(super) fn is_unchanged(&self, disk: &dyn Disk, place: &Place) -> bool {
        let Some(bookmark) = &self.bookmark else { return false };
        let known = self.stored.marks.get(&bookmark.segment).map(|mark| mark.look);
        known.is_some()
            && disk.glance(place.history()) == Some(self.folder)
            && disk.glance(&place.history().join(&bookmark.segment)) == known
    }

    /// Whether everything is as this process left it: its own last line is the last of the clone, whoever else may write.
    /// Called under the lock, with the bookmark's file.
    pub fn is_as_left(&self, disk: &dyn Disk, place: &Place, bookmark: &dyn InPlace) -> io::Result<bool> {
        let Some(left) = self.left.as_ref().filter(|_| self.state == BookmarkState::Saved && self.absent.is_none())
        else {
            return Ok(false);
        };
        let is_ours = self.bookmark.as_ref().is_some_and(|bookmark| bookmark.writer == self.writer);
        // As many bytes as were written, and no look behind them, which would be a call of its own: every record is padded.
        let mut bytes = vec![0; left.len()];
        let length = bookmark.read_at(&mut bytes, 0)?;
        Ok(is_ours && bytes[..length] == **left && self.is_unchanged(disk, place))
    }

    /// Goes on where it was left.
    pub fn go_on(&mut self) {
        self.repairs.clear();
    }

    /// When the segment that was written to last was changed, by the clock of the file system.
    pub fn written_ns(&self) -> Option<i64> {
        self.bookmark.as_ref().map(|bookmark| bookmark.look.changed_ns)
    }
}
