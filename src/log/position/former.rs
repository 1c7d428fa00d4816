//! What this clone has written itself: as the writer that it is, and as those that it was.
//!
//! A line in the name of one of them, behind its last one, was made by somebody else. Does not look for such lines.

use std::collections::BTreeMap;

use super::{Position, lock_number};
use crate::kernel::annals::{Head, LineHash};
use crate::kernel::id::WriterId;
use crate::log::LogError;
use crate::log::bookmark::Bookmark;
use crate::log::disk::Disk;
use crate::log::place::Place;
use crate::log::read::{Flow, Stretch, read};
use crate::log::segment::Segment;

impl Position {
    /// The last line that this clone has written as each writer that it is or was, given what its bookmark says.
    ///
    /// In a copied folder the bookmark is another clone's, which may have written on.
    pub fn own_heads(
        &self,
        disk: &dyn Disk,
        place: &Place,
        bookmark: Option<&Bookmark>,
    ) -> Result<BTreeMap<WriterId, Head>, LogError> {
        let mut heads = self.stored.former.clone();
        if let Some(bookmark) = bookmark.filter(|_| disk.look(&place.lock()).is_ok_and(|lock| lock.is_some()))
            && bookmark.lock == lock_number(disk, place)?
        {
            heads.insert(bookmark.writer.clone(), written_behind(disk, place, bookmark)?);
        }
        Ok(heads)
    }

    /// Remembers the writer that this clone was until now.
    pub(super) fn remember_former(&mut self) {
        let Some(bookmark) = self.bookmark.as_ref().filter(|bookmark| bookmark.lock == self.lock) else { return };
        let grown = self.stored.marks.get(&bookmark.segment).filter(|mark| mark.look.number == bookmark.look.number);
        let head =
            grown.and_then(|mark| mark.heads.get(&bookmark.writer)).filter(|head| head.count > bookmark.head.count);
        let head = head.copied().unwrap_or(bookmark.head);
        let held = self.heads.get(&bookmark.writer).copied();
        // What a crash took before it counted is not remembered; what git took is.
        let is_crash = bookmark.git.is_none() || grown.is_some();
        let head = if is_crash && held.is_none_or(|held| held.count < head.count) { held } else { Some(head) };
        if let Some(head) = head {
            self.stored.former.insert(bookmark.writer.clone(), head);
        }
    }
}

/// A crash may have come between a line and the bookmark: then the line stands behind the bookmark's end, in the very
/// file that it names. What git brings is another file.
fn written_behind(disk: &dyn Disk, place: &Place, bookmark: &Bookmark) -> Result<Head, LogError> {
    let mut head = bookmark.head;
    let path = place.history().join(&bookmark.segment);
    let look = disk.look(&path).map_err(LogError::at("look at", &path))?;
    let Some(look) = look.filter(|look| look.number == bookmark.look.number && look.len > bookmark.look.len) else {
        return Ok(head);
    };
    let stretch = Stretch { segment: Segment { name: bookmark.segment.clone(), look }, from: bookmark.look.len };
    read(disk, place.history(), &[stretch], &mut |_, batch| {
        for entry in batch.entries() {
            let link = entry.envelope.link().filter(|link| link.writer == bookmark.writer);
            if link.is_some_and(|link| link.count == head.count + 1 && link.previous == head.hash) {
                head = Head { count: head.count + 1, hash: LineHash::of(entry.original) };
            }
        }
        Flow::More
    })?;
    Ok(head)
}
