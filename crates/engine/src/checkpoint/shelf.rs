//! The checkpoint as the store from which tables load their rows.
//!
//! A damaged block is told to whoever holds the shelf: what was answered with it counts for nothing. Does not fold.

use std::fmt;
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::{BadLayer, Checkpoint};
use annals_kernel::id::EntryId;
use annals_kernel::rows::Store;
use annals_log::disk::Disk;
use annals_log::watermarks::Watermarks;
use annals_rules::world::World;

/// A checkpoint that tables load their rows from.
pub(crate) struct Shelf {
    checkpoint: Mutex<Checkpoint>,
    damaged: AtomicBool,
}

impl Shelf {
    /// Opens it to tables.
    pub(crate) fn new(checkpoint: Checkpoint) -> Arc<Self> {
        Arc::new(Self { checkpoint: Mutex::new(checkpoint), damaged: AtomicBool::new(false) })
    }

    fn lock(&self) -> MutexGuard<'_, Checkpoint> {
        self.checkpoint.lock().unwrap_or_else(PoisonError::into_inner)
    }

    #[cfg(test)]
    pub(super) fn with<T>(&self, look: impl FnOnce(&Checkpoint) -> T) -> T {
        look(&self.lock())
    }

    /// Whether a damaged block was met since the last time.
    pub(crate) fn take_damage(&self) -> bool {
        self.damaged.swap(false, Ordering::Relaxed)
    }

    fn sound<T: Default>(&self, read: Result<T, BadLayer>) -> T {
        read.unwrap_or_else(|_| {
            self.damaged.store(true, Ordering::Relaxed);
            T::default()
        })
    }

    /// The newest state, with no row in memory yet, and how far the segments were read for it.
    ///
    /// A damaged one is dropped, and the one below it is the newest.
    pub(crate) fn newest_state(self: &Arc<Self>) -> (World, Watermarks) {
        self.lock().newest_state(&self.store())
    }

    /// The newest state without what is known of the segments. A damaged one is dropped.
    pub(crate) fn newest_world(self: &Arc<Self>) -> World {
        self.lock().newest_world(&self.store())
    }

    fn store(self: &Arc<Self>) -> Arc<dyn Store> {
        Arc::clone(self) as _
    }

    /// How far the segments were read for the newest state.
    pub(crate) fn marks(&self) -> Result<Watermarks, BadLayer> {
        self.lock().marks()
    }

    /// Goes back to the newest state before an entry.
    pub(crate) fn go_before(&self, entry: EntryId) {
        self.lock().go_before(entry);
    }

    /// The file of the newest state: another one after each that is stored.
    pub(crate) fn newest_file(&self) -> Option<String> {
        self.lock().newest_file().map(str::to_owned)
    }

    /// Whether another opened checkpoint has all of these states, and perhaps newer ones.
    pub(crate) fn is_below(&self, other: &Checkpoint) -> bool {
        self.lock().is_below(other)
    }

    /// Stores a state on top of the layers that it began from.
    pub(crate) fn put(&self, disk: &dyn Disk, world: &World, marks: &Watermarks) -> io::Result<()> {
        self.lock().store(disk, world, marks)
    }
}

impl fmt::Debug for Shelf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Shelf").finish_non_exhaustive()
    }
}

impl Store for Shelf {
    fn row(&self, table: &'static str, key: &str) -> Option<String> {
        self.sound(self.lock().row(table, key))
    }

    fn first_by_rank(&self, table: &'static str, count: usize) -> Vec<String> {
        self.sound(self.lock().first_by_rank(table, count))
    }

    fn each(&self, table: &'static str, take: &mut dyn FnMut(&str, &str)) {
        let rows = self.sound(self.lock().all_rows(table));
        for (key, row) in &rows {
            take(key, row);
        }
    }

    fn reject(&self, _: &'static str, _: &str) {
        self.damaged.store(true, Ordering::Relaxed);
    }
}

/// Stands below tables that a fold left out: whoever asks for one of their rows is heard.
#[derive(Debug, Default)]
pub(crate) struct LeftOut(AtomicBool);

impl LeftOut {
    /// Whether somebody asked since the last time.
    pub(crate) fn take_asked(&self) -> bool {
        self.0.swap(false, Ordering::Relaxed)
    }

    fn hear<T: Default>(&self) -> T {
        self.0.store(true, Ordering::Relaxed);
        T::default()
    }
}

impl Store for LeftOut {
    fn row(&self, _: &'static str, _: &str) -> Option<String> {
        self.hear()
    }

    fn first_by_rank(&self, _: &'static str, _: usize) -> Vec<String> {
        self.hear()
    }

    fn each(&self, _: &'static str, _: &mut dyn FnMut(&str, &str)) {
        self.hear::<()>();
    }

    fn reject(&self, _: &'static str, _: &str) {}
}
