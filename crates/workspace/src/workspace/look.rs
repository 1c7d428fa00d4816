//! A check that only looks: what it changes in a clone is put back, and said.
//!
//! Nothing else of the task works meanwhile, so that what changed is the check's. What git ignores and caches are left as the
//! check leaves them: builds would begin anew each time. In a folder without git nothing is put back, for others may have changed
//! the same; there it is only said.

use std::collections::BTreeMap;
use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::PoisonError;

use super::Workspace;
use super::base::Reached;
use super::error::WorkspaceError;
use super::look_place::LookPlace;
use super::put_back::{Snapshot, is_as_it_was};
use crate::beneath::{About, Kind};
use crate::cache::is_by_product;
use crate::walk::{Passing, all};

/// What came of a check, and which files it changed, made or removed that are no by-products.
pub(crate) struct Looked<T> {
    pub ran: T,
    pub changed: Vec<PathBuf>,
}

impl Workspace {
    /// Runs a check while nothing else works.
    pub(crate) fn look<T>(&self, run: impl FnOnce(&LookPlace) -> T) -> Result<Looked<T>, WorkspaceError> {
        let _alone = self.at_work.write().unwrap_or_else(PoisonError::into_inner);
        let place = LookPlace::make(&self.layout, &self.record)?;
        if !self.is_clone() {
            return self.look_in_folder(|| run(&place));
        }
        let before = Snapshot::of(self, &place.aside())?;
        let ran = run(&place);
        Ok(Looked { ran, changed: before.put_back()? })
    }

    fn look_in_folder<T>(&self, run: impl FnOnce() -> T) -> Result<Looked<T>, WorkspaceError> {
        let files = || all(self.root(), Passing::IgnoredButRules, self.rules());
        let was = files()?;
        let ran = self.noted(Reached::All, run)?;
        Ok(Looked { ran, changed: different(&was, &files()?) })
    }

    /// Notes that a command line changed files where it was only to look, and could not be put back.
    pub(crate) fn note_changing(&self, line: &str) -> Result<(), WorkspaceError> {
        if self.is_clone() {
            return Ok(());
        }
        let path = self.layout.changing();
        let file = OpenOptions::new().create(true).append(true).open(&path);
        let noted = file.and_then(|mut file| file.write_all(&[line.as_bytes(), b"\0"].concat()));
        noted.map_err(|error| WorkspaceError::io(&path, error))
    }

    /// Whether it did so before.
    pub(crate) fn was_changing(&self, line: &str) -> Result<bool, WorkspaceError> {
        let path = self.layout.changing();
        match fs::read(&path) {
            Ok(text) => Ok(text.split(|byte| *byte == 0).any(|noted| noted == line.as_bytes())),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
            Err(error) => Err(WorkspaceError::io(&path, error)),
        }
    }
}

fn different(was: &BTreeMap<PathBuf, About>, now: &BTreeMap<PathBuf, About>) -> Vec<PathBuf> {
    let is_like = |path: &Path| is_as_it_was(was.get(path), now.get(path));
    let is_new = |path: &&PathBuf| !was.contains_key(*path) && now[*path].kind != Kind::Folder;
    let new = now.keys().filter(is_new);
    let had = was.keys().filter(|path| !is_like(path));
    had.chain(new).filter(|path| !is_by_product(path)).cloned().collect()
}
