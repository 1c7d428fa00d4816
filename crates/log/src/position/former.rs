//! What this clone has written itself: as the writer that it is, and as those that it was.
//!
//! A line in the name of one of them, behind its last one, was made by somebody else. Does not look for such lines.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{Position, lock_number};
use crate::LogError;
use crate::begun::{self, Begun};
use crate::bookmark::Bookmark;
use crate::disk::Disk;
use crate::place::Place;
use crate::read::{Flow, Stretch, read};
use crate::segment::Segment;
use annals_kernel::annals::{Head, LineHash};
use annals_kernel::id::WriterId;

/// The last line of a writer that this clone is or was.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Former {
    /// The last that counts.
    pub head: Head,
    /// The last that it wrote: a crash or somebody else may have taken it, and it may come back.
    pub wrote: Head,
}

impl Position {
    /// The last line that this clone has written as each writer that it is or was, given what its bookmark says.
    ///
    /// In a copied folder the bookmark is another clone's, which may have written on.
    pub fn own_heads(
        &self,
        disk: &dyn Disk,
        place: &Place,
        bookmark: Option<&Bookmark>,
    ) -> Result<BTreeMap<WriterId, Former>, LogError> {
        let mut heads = self.stored.former.clone();
        if let Some(bookmark) = bookmark.filter(|_| disk.look(&place.lock()).is_ok_and(|lock| lock.is_some()))
            && bookmark.lock == lock_number(disk, place)?
        {
            let head = self.written_behind(disk, place, bookmark)?;
            heads.insert(bookmark.writer.clone(), Former { head, wrote: head });
        }
        Ok(heads)
    }

    /// Remembers the writer that this clone was until now, with what a crash left of it in files that it had begun.
    pub(super) fn remember_former(&mut self, begun: &Begun) {
        let Some(bookmark) = self.bookmark.as_ref().filter(|bookmark| bookmark.lock == self.lock) else { return };
        let marks = &self.stored.marks;
        let its_own = |file: &begun::File| marks.get(&file.name).filter(|mark| file.is(&mark.look));
        let grown = its_own(&last_file(bookmark));
        let files = begun.files().iter().filter_map(its_own);
        let heads = grown.into_iter().chain(files).filter_map(|mark| mark.heads.get(&bookmark.writer));
        let head = heads.copied().chain([bookmark.head]).max_by_key(|head| head.count).unwrap_or(bookmark.head);
        let held = self.heads.get(&bookmark.writer).copied();
        // What a crash took before it counted is not remembered; what git took is.
        let is_crash = bookmark.git.is_none() || grown.is_some();
        let wrote = head;
        let head = if is_crash && held.is_none_or(|held| held.count < head.count) { held } else { Some(head) };
        if let Some(head) = head {
            self.stored.former.insert(bookmark.writer.clone(), Former { head, wrote });
        }
    }

    /// What a crash may have left between lines and the bookmark: the rest of the very file that it names, and files that
    /// were begun since. What git brings are other files.
    fn written_behind(&self, disk: &dyn Disk, place: &Place, bookmark: &Bookmark) -> Result<Head, LogError> {
        let last = last_file(bookmark);
        let begun = Begun::read(disk, place)?;
        let (mut stretches, mut head) = (BTreeMap::new(), bookmark.head);
        for file in begun.files().iter().chain([&last]) {
            let path = place.history().join(&file.name);
            let look = disk.look(&path).map_err(LogError::at("look at", &path))?;
            let Some(look) = look.filter(|look| file.is(look)) else { continue };
            let known = self.stored.marks.get(&file.name).filter(|mark| mark.look.number == look.number);
            let seen = known.and_then(|mark| mark.heads.get(&bookmark.writer)).copied();
            head = seen.filter(|seen| seen.count > head.count).unwrap_or(head);
            let from = known.map_or(0, |mark| mark.end);
            if look.len > from {
                stretches.insert(&file.name, Stretch { segment: Segment { name: file.name.clone(), look }, from });
            }
        }
        let (stretches, mut behind) = (stretches.into_values().collect::<Vec<_>>(), BTreeMap::new());
        read(disk, place.history(), &stretches, &mut |_, batch| {
            for entry in batch.entries() {
                if let Some(link) = entry.envelope.link().filter(|link| link.writer == bookmark.writer) {
                    behind.insert(link.count, (link.previous, LineHash::of(entry.original)));
                }
            }
            Flow::More
        })?;
        Ok(follow(head, &behind))
    }
}

/// The file that was written to last.
fn last_file(bookmark: &Bookmark) -> begun::File {
    begun::File { name: bookmark.segment.clone(), number: Some(bookmark.look.number) }
}

/// The last line that a head leads to, each by the hash of the one before it.
fn follow(mut head: Head, behind: &BTreeMap<u64, (LineHash, LineHash)>) -> Head {
    while let Some((_, hash)) = behind.get(&(head.count + 1)).filter(|(previous, _)| *previous == head.hash) {
        head = Head { count: head.count + 1, hash: *hash };
    }
    head
}
