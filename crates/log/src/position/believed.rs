//! Which ids move the clock of this writer: those that the machine's own clock lets be true (decision 45).
//!
//! One line with a far id, merged from anywhere, would else give every later entry an id behind it, for ever. Does not
//! judge such lines: they count where they claim to be.

use super::Position;
use crate::LogError;
use crate::disk::Disk;
use crate::place::Place;
use crate::read::{Flow, Stretch, read};
use crate::segment::Segment;
use crate::watermarks::Watermark;
use annals_kernel::id::EntryId;

impl Position {
    /// The highest id that was minted, by this clone or by another one whose lines are here, and is not above a bound.
    ///
    /// A segment that holds one above it is read: its mark knows only the highest. That costs nothing where no clock was
    /// ever wrong.
    pub fn minted_within(&mut self, disk: &dyn Disk, place: &Place, bound: EntryId) -> Result<EntryId, LogError> {
        // The bound moves with the clock: an id that lay ahead yesterday may be believed today, so that a cached
        // answer holds only below the lowest of these.
        if self.minted <= bound && self.ahead > bound {
            return Ok(self.minted);
        }
        (self.minted, self.ahead) = (EntryId::MIN, EntryId::MAX);
        let marks: Vec<_> = self.stored.marks.iter().map(|(name, mark)| (name.to_owned(), mark.clone())).collect();
        for (name, mark) in marks {
            if mark.minted <= bound {
                self.minted = self.minted.max(mark.minted);
            } else {
                self.sort_minted(disk, place, name, &mark, bound)?;
            }
        }
        Ok(self.minted)
    }

    fn sort_minted(
        &mut self,
        disk: &dyn Disk,
        place: &Place,
        name: String,
        mark: &Watermark,
        bound: EntryId,
    ) -> Result<(), LogError> {
        let stretch = Stretch { segment: Segment { name, look: mark.look }, from: 0 };
        read(disk, place.history(), &[stretch], &mut |_, batch| {
            let minted = batch.entries().filter(|entry| !entry.envelope.has_source());
            for id in minted.map(|entry| entry.envelope.id()) {
                if id <= bound {
                    self.minted = self.minted.max(id);
                } else {
                    self.ahead = self.ahead.min(id);
                }
            }
            Flow::More
        })?;
        Ok(())
    }
}
