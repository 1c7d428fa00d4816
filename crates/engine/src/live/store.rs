//! When and how the state is stored for the next command. Does not fold.

use super::{Cache, Live};
use crate::EngineError;
use crate::checkpoint::Checkpoint;
use annals_kernel::id::EntryId;
use annals_log::LogError;
use annals_log::segment::Packing;

/// So many new lines make a new layer of the checkpoint worth its while.
const STORE_LINES: u64 = 2000;

/// And so do so many rows that are not as they are stored: whoever reads those lines needs all of them.
// At 64 rows a process that stays joined layers for 115,000 instructions of each decision that makes a row; at 256 it
// is 62,000. A reader behind it folds up to 2,000 lines in any case.
const STORE_ROWS: usize = 256;

/// A hook that tells an agent something folds what is not stored: of 500 lines, failed calls among them, that took 13 ms of
/// CPU.
const AHEAD_LINES: u64 = 32;

impl Live {
    /// Stores the state for the next command, if enough has happened since the last time.
    ///
    /// Only a state of whole lines is stored, and only by one process at a time; whoever comes too late leaves it.
    ///
    /// It is a cache, so a folder that cannot be written is no error: the next command folds again.
    pub fn store_if_due(&mut self) {
        let is_due = || self.known.is_much(STORE_LINES) || self.changed_rows() >= STORE_ROWS;
        if self.cache == Cache::Used && is_due() {
            let _ = self.store();
        }
        self.leave_survey();
    }

    /// The same for a process for which nobody waits: hooks that come after it fold fewer lines.
    pub fn store_ahead(&mut self) {
        if self.cache == Cache::Used && self.known.is_much(AHEAD_LINES) {
            let _ = self.store();
        }
    }

    fn changed_rows(&self) -> usize {
        self.world.rooms.tables().iter().map(|(_, table)| table.changed_count()).sum()
    }

    fn is_finished(&self) -> bool {
        self.known.marks.iter().all(|(name, mark)| mark.end == mark.look.len || Packing::of(name) == Packing::Zstd)
    }

    /// Stores the state for the next command, if it is one of whole lines.
    pub fn store(&mut self) -> Result<(), EngineError> {
        if self.until != EntryId::MAX {
            return Ok(());
        }
        let local = self.place.local().to_owned();
        self.disk.create_folder(&local).map_err(LogError::at("make", &local))?;
        let path = local.join("checkpoint.lock");
        // Never waited for: whoever holds it is storing the same cache.
        let lock = self.disk.try_lock(&path).map_err(LogError::at("lock", &path))?;
        let on_disk = Checkpoint::open(&*self.disk, &local);
        if lock.is_none() || !self.shelf.is_below(&on_disk) {
            return Ok(());
        }
        self.fold_minds()?;
        self.marks()?;
        if !self.is_finished() {
            return Ok(());
        }
        let failed = LogError::at("store the checkpoint in", &local);
        let stored = self.shelf.put(&*self.disk, &self.world, &self.known.marks).map_err(failed);
        if stored.is_err() {
            // What was joined in memory is in no layer any more: from here on everything is in memory, and stays there.
            self.rebuild(EntryId::MIN)?;
            self.cache = Cache::Ignored;
        }
        stored?;
        for (_, table) in self.world.rooms.tables_mut() {
            table.stored();
        }
        self.known.stored();
        Ok(())
    }
}
