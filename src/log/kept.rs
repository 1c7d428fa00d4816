//! A disk on which lines, large values and what waits have a second name in the clone's git directory.
//!
//! What is made here gets one, what is removed here loses it; so a second name without a first says that somebody else
//! took the file away. Nothing fails because a second name could not be made: recording goes on, and `doctor` looks.

use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use super::disk::{Append, Disk, Facts, Listed, Lock, Look, ReadAt, Safety};
use super::second::SecondNames;

/// A disk that gives second names; without a place for them it is the disk underneath.
pub struct Kept {
    disk: Arc<dyn Disk>,
    seconds: Option<SecondNames>,
    /// First names that were seen to have their second one: a process looks once.
    seen: Mutex<BTreeSet<PathBuf>>,
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
    /// this clone ever wrote it.
    fn restore_local(&self) {
        let Some(seconds) = &self.seconds else { return };
        let (first, second) = (seconds.context().join("local"), seconds.root().join("local"));
        let is_there = |path: &Path| self.disk.look(path).ok().flatten().is_some();
        if is_there(&first.join("bookmark")) || !is_there(seconds.context()) || !is_there(&second.join("bookmark")) {
            return;
        }
        for folder in ["", "calls", "spool"] {
            let names = self.disk.list(&second.join(folder)).unwrap_or_default();
            let missing = names.iter().map(|file| &file.name).filter(|name| !is_there(&first.join(folder).join(name)));
            for name in missing {
                let _ = self.disk.create_folder(&first.join(folder));
                let _ = self.disk.link(&second.join(folder).join(name), &first.join(folder).join(name));
            }
        }
    }

    /// Gives a file its second name, in place of an older file's.
    fn renew(&self, path: &Path) {
        let Some(second) = self.second(path) else { return };
        let _ = self.disk.remove(&second);
        self.link(path, &second);
    }

    /// Gives a file its second name where it has none.
    fn ensure(&self, path: &Path) {
        let Some(second) = self.second(path) else { return };
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        if !seen.insert(path.to_owned()) {
            return;
        }
        match (self.disk.look(&second), self.disk.look(path)) {
            (Ok(Some(kept)), Ok(Some(look))) if kept.number == look.number => {}
            // Another file had this name, and git took it: `rescue` decides what becomes of it.
            (Ok(Some(_)), Ok(Some(_))) if !is_of_clone(path) => {}
            (Ok(_), Ok(Some(_))) => {
                let _ = self.disk.remove(&second);
                self.link(path, &second);
            }
            (Ok(_), Ok(None)) | (Err(_), _) | (_, Err(_)) => {}
        }
    }

    fn link(&self, path: &Path, second: &Path) {
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

    fn facts(&self, path: &Path) -> io::Result<Option<Facts>> {
        self.disk.facts(path)
    }

    fn open(&self, path: &Path) -> io::Result<Box<dyn ReadAt>> {
        self.disk.open(path)
    }

    fn append_to(&self, path: &Path) -> io::Result<Arc<dyn Append>> {
        let file = self.disk.append_to(path)?;
        self.ensure(path);
        Ok(file)
    }

    fn replace(&self, path: &Path, bytes: &[u8], safety: Safety) -> io::Result<()> {
        self.disk.replace(path, bytes, safety)?;
        self.renew(path);
        Ok(())
    }

    fn overwrite(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        self.disk.overwrite(path, bytes)?;
        self.ensure(path);
        Ok(())
    }

    fn link(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.disk.link(from, to)?;
        self.renew(to);
        Ok(())
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.disk.rename(from, to)?;
        if let Some(second) = self.second(from) {
            let _ = self.disk.remove(&second);
        }
        self.renew(to);
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
        let lock = self.disk.lock(path)?;
        self.ensure(path);
        Ok(lock)
    }

    fn try_lock(&self, path: &Path) -> io::Result<Option<Box<dyn Lock>>> {
        let lock = self.disk.try_lock(path)?;
        self.ensure(path);
        Ok(lock)
    }

    fn below(self: Arc<Self>, folder: &Path) -> Arc<dyn Disk> {
        let kept = Self::on(Arc::clone(&self.disk).below(folder), self.seconds.clone());
        kept.restore_local();
        Arc::new(kept)
    }
}
