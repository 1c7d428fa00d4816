//! A disk on which lines, large values and what waits have a second name in the clone's git directory.
//!
//! What is made here gets one, what is removed here loses it; so a second name without a first says that somebody else
//! took the file away. Nothing fails because a second name could not be made: recording goes on, and `doctor` looks.

mod anchor;

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use self::anchor::HeldElsewhere;
use super::disk::{Append, Disk, Facts, InPlace, Latch, Listed, Lock, Look, ReadAt, Safety};
use super::second::SecondNames;

/// The file in `local/` that stands for the right to write.
const LOCK: &str = "lock";

/// A disk that gives second names; without a place for them it is the disk underneath.
pub struct Kept {
    disk: Arc<dyn Disk>,
    seconds: Option<SecondNames>,
    /// The files whose first names were seen to have their second one, by number: a process looks once at each.
    seen: Mutex<BTreeMap<PathBuf, u64>>,
}

impl Kept {
    /// A disk whose files have second names there.
    pub fn new(disk: impl Disk + 'static, seconds: Option<SecondNames>) -> Self {
        Self::on(Arc::new(disk), seconds)
    }

    fn on(disk: Arc<dyn Disk>, seconds: Option<SecondNames>) -> Self {
        Self { disk, seconds, seen: Mutex::default() }
    }

    /// What stands there of `local/` and lost its first name, as `git clean` leaves it, is put back at once: nobody but
    /// this clone ever wrote it. The lock is last: it says that the rest is there, and is no less the lock without that
    /// name (`anchor`).
    fn restore_local(&self) {
        let Some(seconds) = &self.seconds else { return };
        let (first, second) = (seconds.context().join("local"), seconds.root().join("local"));
        let has_lock = self.is_there(&first.join(LOCK)) || !self.is_there(&second.join(LOCK));
        if has_lock || !self.is_there(seconds.context()) {
            return;
        }
        for folder in ["calls", "spool", ""] {
            let names = self.disk.list(&second.join(folder)).unwrap_or_default().into_iter().map(|file| file.name);
            for name in names.filter(|name| name != LOCK) {
                self.restore(&second.join(folder).join(&name), &first.join(folder).join(&name));
            }
        }
        self.restore(&second.join(LOCK), &first.join(LOCK));
    }

    fn restore(&self, second: &Path, first: &Path) {
        if !self.is_there(first) {
            self.give(second, first);
        }
    }

    fn is_there(&self, path: &Path) -> bool {
        matches!(self.disk.look(path), Ok(Some(_)))
    }

    /// Gives a file the second name of a path, in place of an older file's. Done before the file has that path: once it
    /// has, git may take it away at any moment.
    fn keep_as(&self, file: &Path, path: &Path) {
        let Some(second) = self.second(path) else { return };
        if !self.is_one(file, &second) && matches!(self.disk.look(file), Ok(Some(_))) {
            let _ = self.disk.remove(&second);
            self.give(file, &second);
        }
    }

    /// Does what gives a file a path that is free.
    fn named(&self, file: &Path, path: &Path, name: impl FnOnce() -> io::Result<()>) -> io::Result<()> {
        if self.second(path).is_some() && self.disk.look(path)?.is_none() {
            self.keep_as(file, path);
        }
        name()
    }

    /// Gives a file its second name where it has none; whether it has it now.
    fn ensure(&self, path: &Path) -> bool {
        let Some(second) = self.second(path) else { return true };
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        let look = self.disk.look(path);
        let number = look.as_ref().ok().and_then(|look| Some(look.as_ref()?.number));
        if number.is_some() && seen.get(path).copied() == number {
            return true;
        }
        let is_kept = match (self.disk.look(&second), look) {
            (Ok(Some(kept)), Ok(Some(look))) if kept.number == look.number => true,
            // Another file had this name, and git took it: `rescue` decides what becomes of it.
            (Ok(Some(_)), Ok(Some(_))) if !is_of_clone(path) => true,
            (Ok(_), Ok(Some(_))) => {
                let _ = self.disk.remove(&second);
                self.give(path, &second);
                matches!(self.disk.look(&second), Ok(Some(_)))
            }
            (Ok(_), Ok(None)) | (Err(_), _) | (_, Err(_)) => false,
        };
        if let Some(number) = number.filter(|_| is_kept) {
            seen.insert(path.to_owned(), number);
        }
        is_kept
    }

    fn is_one(&self, file: &Path, other: &Path) -> bool {
        let number = |path| self.disk.look(path).ok().flatten().map(|look| look.number);
        number(file).is_some() && number(file) == number(other)
    }

    fn give(&self, path: &Path, second: &Path) {
        let again = || {
            self.disk.create_folder(second.parent().unwrap_or(second))?;
            self.disk.link(path, second)
        };
        let _ = self.disk.link(path, second).or_else(|_| again());
    }

    fn second(&self, path: &Path) -> Option<PathBuf> {
        self.seconds.as_ref()?.of(path)
    }
}

/// Whether a file is this clone's memory of itself, of which only the newest counts.
fn is_of_clone(path: &Path) -> bool {
    path.parent().is_some_and(|folder| folder.ends_with("local"))
}

impl Disk for Kept {
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
        const MOST_TRIES: usize = 8;
        for _ in 1..MOST_TRIES {
            let file = self.disk.append_to(path)?;
            // Where git has taken it away already, it is made again.
            if self.ensure(path) || self.disk.look(path)?.is_some() {
                return Ok(file);
            }
        }
        self.disk.append_to(path)
    }

    fn replace(&self, path: &Path, bytes: &[u8], safety: Safety) -> io::Result<()> {
        let (Some(second), None) = (self.second(path), self.disk.look(path)?) else {
            self.disk.replace(path, bytes, safety)?;
            self.keep_as(path, path);
            return Ok(());
        };
        let folder = path.parent().unwrap_or(path);
        let fresh = folder.join(format!(".{}.new.tmp", path.file_name().unwrap_or_default().to_string_lossy()));
        self.disk.replace(&fresh, bytes, safety)?;
        self.keep_as(&fresh, path);
        if self.disk.rename(&fresh, path).is_err() {
            // Another process was faster with the same, or git took it away by its first name.
            self.disk.remove(&fresh)?;
            let link = || self.disk.link(&second, path);
            self.disk.look(path)?.map_or_else(link, |_| Ok(()))?;
        }
        match safety {
            Safety::Synced => self.disk.sync_folder(folder),
            Safety::Cached => Ok(()),
        }
    }

    fn overwrite(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        self.disk.overwrite(path, bytes)?;
        let _ = self.ensure(path);
        Ok(())
    }

    fn link(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.named(from, to, || self.disk.link(from, to))
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.named(from, to, || self.disk.rename(from, to))?;
        if let Some(second) = self.second(from) {
            let _ = self.disk.remove(&second);
        }
        Ok(())
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        self.disk.remove(path)?;
        match self.second(path) {
            // Where nothing may be written, nothing has to be removed either, as long as nothing is there.
            Some(second) if self.disk.look(&second)?.is_some() => self.disk.remove(&second),
            Some(_) | None => Ok(()),
        }
    }

    fn create_folder(&self, path: &Path) -> io::Result<()> {
        self.disk.create_folder(path)
    }

    fn sync_folder(&self, path: &Path) -> io::Result<()> {
        self.disk.sync_folder(path)
    }

    fn lock(&self, path: &Path) -> io::Result<Box<dyn Lock>> {
        Ok(self.hold(path, HeldElsewhere::Wait)?.expect("BUG: who waits for a lock gets it"))
    }

    fn try_lock(&self, path: &Path) -> io::Result<Option<Box<dyn Lock>>> {
        self.hold(path, HeldElsewhere::Leave)
    }

    /// A lock with two names is more than its file (`anchor`).
    fn latch(&self, path: &Path) -> io::Result<Option<Box<dyn Latch>>> {
        if self.second(path).is_some() { Ok(None) } else { self.disk.latch(path) }
    }

    fn open_in_place(&self, path: &Path) -> io::Result<Option<Box<dyn InPlace>>> {
        if self.second(path).is_some() { Ok(None) } else { self.disk.open_in_place(path) }
    }

    fn below(self: Arc<Self>, folder: &Path) -> Arc<dyn Disk> {
        let kept = Self::on(Arc::clone(&self.disk).below(folder), self.seconds.clone());
        // Where there can be no room, nothing is lost by that: who looks for vanished lines finds them here.
        let _ = kept.seconds.as_ref().map(|seconds| seconds.make_room(&*kept.disk));
        kept.restore_local();
        Arc::new(kept)
    }
}

#[cfg(test)]
mod tests;
