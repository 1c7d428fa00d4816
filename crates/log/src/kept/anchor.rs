//! The lock of a `.context` folder, whose first name git may take away at any moment.
//!
//! Its second name is the anchor: git does not remove it, and nobody gives it to another file. **Whoever writes holds the
//! file that the anchor names**, so two never write at once, whatever becomes of the first name and at whichever step:
//!
//! * where the anchor is there, it is locked, and by it the first name is made again where that is gone;
//! * where it is not, the first name is locked and linked to it; the lock counts only if the anchor then names the locked
//!   file, else it is let go, and the anchor is locked;
//! * where the first name is another file (a copied folder, a git directory on another file system), that one is locked,
//!   too, for those who cannot reach the anchor. Nobody waits for one who holds the other: where two folders have changed
//!   places, the anchor of each is the first name of the other.
//!
//! Where there can be no anchor (no git, or a git directory that nobody may write), the first name alone is the lock, and a
//! line in a file that has lost every name does not count (`Pen`). Does not say what is done under the lock.

use std::io;
use std::path::Path;
use std::time::Duration;

use super::{Kept, Lock};

/// What to do about a lock that somebody holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum HeldElsewhere {
    /// Wait.
    Wait,
    /// Go without it.
    Leave,
}

/// How long to wait before a first name that is another file is tried again, and the anchor with it. It is not waited for:
/// it may become a name of the anchor meanwhile, or be the anchor of a folder that has changed places with this one, whose
/// writer waits for ours.
const PAUSE: Duration = Duration::from_millis(2);

/// The anchor, and the other file that has its first name.
struct Both {
    anchor: Box<dyn Lock>,
    _first: Box<dyn Lock>,
}

impl Lock for Both {
    fn number(&self) -> io::Result<u64> {
        self.anchor.number()
    }
}

impl Kept {
    /// Takes the lock of a path.
    pub(super) fn hold(&self, path: &Path, held: HeldElsewhere) -> io::Result<Option<Box<dyn Lock>>> {
        let Some(second) = self.second(path) else { return self.take(path, held) };
        loop {
            let lock = self.hold_both(path, &second, held)?;
            if lock.is_some() || held == HeldElsewhere::Leave {
                return Ok(lock);
            }
            std::thread::sleep(PAUSE);
        }
    }

    /// One try. Where somebody has one of the files, the others are free again.
    fn hold_both(&self, path: &Path, second: &Path, held: HeldElsewhere) -> io::Result<Option<Box<dyn Lock>>> {
        while !self.is_there(second) {
            let Some(first) = self.take(path, held)? else { return Ok(None) };
            self.give(path, second);
            // Where no anchor can be made, the first name must do, if it is still the locked file's.
            if self.is_of(&*first, second)? || !self.is_there(second) && self.is_of(&*first, path)? {
                return Ok(Some(first));
            }
        }
        match self.take(second, held) {
            Ok(Some(anchor)) => self.hold_first(path, second, anchor),
            Ok(None) => Ok(None),
            // Somebody else's, whom we may not even read.
            Err(_) => self.take(path, held),
        }
    }

    /// Sees to the first name, while the anchor is held.
    fn hold_first(&self, path: &Path, second: &Path, anchor: Box<dyn Lock>) -> io::Result<Option<Box<dyn Lock>>> {
        if self.disk.look(path)?.is_none() {
            self.restore_local();
            self.give(second, path);
        }
        let number = anchor.number()?;
        if self.disk.look(path)?.is_none_or(|look| look.number == number) {
            return Ok(Some(anchor));
        }
        let first = self.disk.try_lock(path)?;
        Ok(first.map(|first| Box::new(Both { anchor, _first: first }) as Box<dyn Lock>))
    }

    fn take(&self, path: &Path, held: HeldElsewhere) -> io::Result<Option<Box<dyn Lock>>> {
        match held {
            HeldElsewhere::Wait => self.disk.lock(path).map(Some),
            HeldElsewhere::Leave => self.disk.try_lock(path),
        }
    }

    fn is_of(&self, lock: &dyn Lock, path: &Path) -> io::Result<bool> {
        let number = lock.number()?;
        Ok(self.disk.look(path).ok().flatten().is_some_and(|look| look.number == number))
    }
}

#[cfg(test)]
mod tests;
