//! Second names that a work tree left behind which is gone: another one takes them over.
//!
//! Puts nothing back: what is taken over has vanished here, like anything else without a first name.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::of_history;
use crate::LogError;
use crate::taken::Known;
use crate::writer::Log;

impl Log {
    pub(super) fn orphans(&self, git: &Known) -> Result<Vec<PathBuf>, LogError> {
        git.seconds.orphans(&*self.disk, &git.repository).map_err(LogError::at("list", git.seconds.root()))
    }

    /// Takes over the second names of work trees that are gone.
    pub(super) fn adopt(&self, git: &Known) -> Result<(), LogError> {
        for orphan in self.orphans(git)? {
            // In the work tree that is gone another folder stood here.
            if git.seconds.are_anothers(&*self.disk, &orphan).map_err(LogError::at("look at", &orphan))? {
                continue;
            }
            for path in self.files_below(&orphan)? {
                self.take_over(git, &orphan, &path)?;
            }
        }
        Ok(())
    }

    /// Takes over one file of another folder of second names; of what a clone remembers of itself, nothing.
    pub(super) fn take_over(&self, git: &Known, root: &Path, path: &str) -> Result<(), LogError> {
        let (from, to) = (root.join(path), git.seconds.root().join(path));
        let to = if is_waiting(path) { self.place.context().join(path) } else { to };
        let to = self.adopted_as(git, path, &from, to)?;
        let has_it = self.disk.look(&to).map_err(LogError::at("look at", &to))?.is_some();
        if !has_it && (path.starts_with("history/") || is_waiting(path)) {
            let folder = to.parent().unwrap_or(git.seconds.root());
            self.disk.create_folder(folder).map_err(LogError::at("make", folder))?;
            self.disk.link(&from, &to).map_err(LogError::at("link", &to))?;
        }
        self.disk.remove(&from).map_err(LogError::at("remove", &from))
    }

    /// Under which name a file is taken over: two work trees may have put different lines back under one name.
    fn adopted_as(&self, git: &Known, path: &str, from: &Path, to: PathBuf) -> Result<PathBuf, LogError> {
        let is_there = self.disk.look(&to).map_err(LogError::at("look at", &to))?.is_some();
        if !is_there || self.holds_all_of(path, &self.bytes(&to)?, &self.bytes(from)?)? {
            return Ok(to);
        }
        let mut names = self.names(git, &BTreeSet::new())?;
        names.advance();
        self.keep_names(&names)?;
        Ok(git.seconds.root().join(names.of(path)))
    }

    pub(super) fn files_below(&self, root: &Path) -> Result<Vec<String>, LogError> {
        let local = ["local", "local/calls", "local/spool"].map(str::to_owned);
        let mut files = Vec::new();
        for folder in of_history().chain(local) {
            let path = root.join(&folder);
            let names = self.disk.list(&path).map_err(LogError::at("list", path))?;
            files.extend(names.into_iter().map(|file| format!("{folder}/{}", file.name)));
        }
        Ok(files)
    }
}

/// Whether a file is a payload or a call that waits.
fn is_waiting(path: &str) -> bool {
    path.starts_with("local/spool/") || path.starts_with("local/calls/")
}
