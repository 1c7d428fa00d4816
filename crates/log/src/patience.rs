//! A disk whose lock is waited for only so long: for programs that must not make an agent wait.
//!
//! Everything but the lock is the disk underneath. Does not say what to do without the lock; `hook::spool` does.

use std::io;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use super::disk::{Append, Disk, Facts, InPlace, Latch, Listed, Lock, Look, ReadAt, Safety};

/// How long the lock is tried for, unless told otherwise.
const WAIT_MS: u64 = 500;

/// The longest pause between two tries.
const PAUSE_MS: u64 = 50;

/// A disk that gives up on a lock; the error is `TimedOut`.
pub struct Patient {
    disk: Arc<dyn Disk>,
    /// One for all that are made of one another.
    wait_ms: Arc<AtomicU64>,
}

impl Patient {
    /// A disk that waits half a second for its lock.
    pub fn new(disk: impl Disk + 'static) -> Self {
        Self { disk: Arc::new(disk), wait_ms: Arc::new(AtomicU64::new(WAIT_MS)) }
    }

    /// Waits so long from now on.
    pub fn wait_at_most(&self, millis: u64) {
        self.wait_ms.store(millis, Ordering::Relaxed);
    }
}

/// Tries, with pauses that grow; the time that trying takes itself is not counted.
fn poll<T>(wait_ms: u64, mut attempt: impl FnMut() -> io::Result<Option<T>>) -> io::Result<T> {
    let (mut waited, mut pause) = (0, 1);
    loop {
        if let Some(value) = attempt()? {
            return Ok(value);
        }
        if waited >= wait_ms {
            return Err(io::Error::new(io::ErrorKind::TimedOut, format!("somebody else held it for {wait_ms} ms")));
        }
        let next = pause.min(wait_ms - waited);
        std::thread::sleep(Duration::from_millis(next));
        (waited, pause) = (waited + next, (pause * 2).min(PAUSE_MS));
    }
}

/// The file of a lock that is waited for only so long.
struct PatientLatch {
    latch: Box<dyn Latch>,
    wait_ms: Arc<AtomicU64>,
}

impl Latch for PatientLatch {
    fn number(&self) -> io::Result<u64> {
        self.latch.number()
    }

    fn take(&self) -> io::Result<()> {
        poll(self.wait_ms.load(Ordering::Relaxed), || Ok(self.latch.try_take()?.then_some(())))
    }

    fn try_take(&self) -> io::Result<bool> {
        self.latch.try_take()
    }

    fn give_back(&self) -> io::Result<()> {
        self.latch.give_back()
    }
}

impl Disk for Patient {
    fn list(&self, folder: &Path) -> io::Result<Vec<Listed>> {
        self.disk.list(folder)
    }

    fn folders(&self, folder: &Path) -> io::Result<Vec<String>> {
        self.disk.folders(folder)
    }

    fn look(&self, path: &Path) -> io::Result<Option<Look>> {
        self.disk.look(path)
    }

    fn glance(&self, path: &Path) -> Option<Look> {
        self.disk.glance(path)
    }

    fn facts(&self, path: &Path) -> io::Result<Option<Facts>> {
        self.disk.facts(path)
    }

    fn open(&self, path: &Path) -> io::Result<Box<dyn ReadAt>> {
        self.disk.open(path)
    }

    fn append_to(&self, path: &Path) -> io::Result<Arc<dyn Append>> {
        self.disk.append_to(path)
    }

    fn replace(&self, path: &Path, bytes: &[u8], safety: Safety) -> io::Result<()> {
        self.disk.replace(path, bytes, safety)
    }

    fn overwrite(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        self.disk.overwrite(path, bytes)
    }

    fn link(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.disk.link(from, to)
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.disk.rename(from, to)
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        self.disk.remove(path)
    }

    fn create_folder(&self, path: &Path) -> io::Result<()> {
        self.disk.create_folder(path)
    }

    fn sync_folder(&self, path: &Path) -> io::Result<()> {
        self.disk.sync_folder(path)
    }

    fn lock(&self, path: &Path) -> io::Result<Box<dyn Lock>> {
        poll(self.wait_ms.load(Ordering::Relaxed), || self.disk.try_lock(path))
    }

    fn try_lock(&self, path: &Path) -> io::Result<Option<Box<dyn Lock>>> {
        self.disk.try_lock(path)
    }

    fn latch(&self, path: &Path) -> io::Result<Option<Box<dyn Latch>>> {
        let latch = self.disk.latch(path)?;
        let wait_ms = || Arc::clone(&self.wait_ms);
        Ok(latch.map(|latch| Box::new(PatientLatch { latch, wait_ms: wait_ms() }) as Box<dyn Latch>))
    }

    fn open_in_place(&self, path: &Path) -> io::Result<Option<Box<dyn InPlace>>> {
        self.disk.open_in_place(path)
    }

    fn below(self: Arc<Self>, folder: &Path) -> Arc<dyn Disk> {
        let disk = Arc::clone(&self.disk).below(folder);
        Arc::new(Self { disk, wait_ms: Arc::clone(&self.wait_ms) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::disk::RealDisk;

    #[test]
    fn a_lock_that_somebody_holds_is_given_up() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("lock");
        let patient = Patient::new(RealDisk);
        patient.wait_at_most(5);
        let held = RealDisk.lock(&path).expect("free");
        let error = patient.lock(&path).map(drop).expect_err("it is held");
        assert_eq!(error.kind(), io::ErrorKind::TimedOut);
        drop(held);
        patient.lock(&path).expect("free again");
    }

    #[test]
    fn it_is_tried_until_the_time_is_over_and_not_once_more_than_needed() {
        let mut tries = 0;
        let got = poll(100, || {
            tries += 1;
            Ok((tries == 3).then_some("lock"))
        });
        assert_eq!((got.expect("on the third try"), tries), ("lock", 3));
    }
}
