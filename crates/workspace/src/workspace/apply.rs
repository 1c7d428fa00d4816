//! The end of a task in the project's files: applied, or dropped.
//!
//! Applying looks at every file first, and changes nothing where one of them was changed by somebody else meanwhile. Where the
//! disk says no on the way, what was changed is put back. Applying once more, after a crash, ends it: each file is put in its
//! place at once, and the workspace stays as it is until `forget`. Git's index and branches are left alone.

use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use super::Workspace;
use super::changes::{ChangedFile, FileChange, Modes, Side, Version, is_same};
use super::ending::{Ending, Settled};
use super::error::WorkspaceError;
use super::restore::OthersWork;
use crate::beneath::{Beneath, Content, Kind, NotReached};
use crate::name::leads_out;
use crate::walk::{Passing, walk};

impl Workspace {
    /// Brings what the task did into the project; says what was changed. In a folder without git it is there already, and the
    /// copies of before are given up with `forget`.
    pub fn apply(&self) -> Result<Vec<ChangedFile>, WorkspaceError> {
        let come = self.ending()?;
        self.require_not_dropped_in_part(come)?;
        let changes = self.changes(Passing::Ignored, Modes::Executable)?.files;
        if !self.is_clone() {
            sweep(self.root(), changes.iter().map(|change| change.path.as_path()));
        } else if come != Some(Ending::Done(Settled::Applied)) {
            require_links_inside(&changes)?;
            let project = self.open_project()?;
            sweep(&project, changes.iter().map(|change| change.path.as_path()));
            self.require_unchanged(&project, &changes)?;
            self.note_ending(Ending::Begun(Settled::Applied))?;
            self.carry_out(&project, &changes, come)?;
        }
        Ok(changes.iter().map(FileChange::shown).collect())
    }

    /// Throws away what the task did: the clone, or each change in a folder without git. What others did there stays.
    ///
    /// # Errors
    /// Nothing was thrown away, where others changed the same files or it is not known who did, unless it is laid aside.
    pub fn discard(self, others: &OthersWork) -> Result<(), WorkspaceError> {
        self.take_back(others)?;
        self.forget()
    }

    /// The same, and the workspace stays until `forget`.
    pub fn take_back(&self, others: &OthersWork) -> Result<(), WorkspaceError> {
        self.require_not_applied_in_part(self.ending()?)?;
        if self.is_clone() { Ok(()) } else { self.restore(others) }
    }

    pub(super) fn open_project(&self) -> Result<Beneath, WorkspaceError> {
        let project = Beneath::open(self.project()).map_err(|error| WorkspaceError::io(self.project(), error))?;
        Ok(project.without(&self.record.record_at))
    }

    /// Each file of the project is as it was, or as it is to be.
    fn require_unchanged(&self, project: &Beneath, changes: &[FileChange]) -> Result<(), WorkspaceError> {
        let gone: BTreeSet<&Path> =
            changes.iter().filter(|change| change.after.is_none()).map(|change| change.path.as_path()).collect();
        let removed = |path: &Path| gone.contains(path);
        let mut changed = Vec::new();
        for change in changes {
            let FileChange { path, before, after } = change;
            let now = Version::of(project, path)?;
            let now = Side { folder: project, version: now.as_ref() };
            let before = Side { folder: self.base.copies(), version: before.as_ref() };
            let wanted = Side { folder: self.root(), version: after.as_ref() };
            let is_expected =
                is_same(&before, &now, path, Modes::Executable)? || is_same(&wanted, &now, path, Modes::Executable)?;
            if !is_expected || after.is_some() && !is_free(project, path, &removed)? {
                changed.push(path.clone());
            }
        }
        if changed.is_empty() { Ok(()) } else { Err(WorkspaceError::ChangedMeanwhile { paths: changed }) }
    }

    /// Removals first, so that a folder can become a file.
    fn carry_out(&self, project: &Beneath, changes: &[FileChange], come: Option<Ending>) -> Result<(), WorkspaceError> {
        let (removed, put): (Vec<_>, Vec<_>) = changes.iter().partition(|change| change.after.is_none());
        let mut done: Vec<&FileChange> = Vec::new();
        for change in removed.into_iter().chain(put) {
            done.push(change);
            if let Err(error) = bring(self.root(), project, &change.path, change.after.as_ref(), Modes::Executable) {
                // The first error is the one that is told.
                let mut is_as_it_was = true;
                for change in done.iter().rev() {
                    let back = bring(self.base.copies(), project, &change.path, change.before.as_ref(), Modes::All);
                    is_as_it_was &= back.is_ok();
                }
                if is_as_it_was && come != Some(Ending::Begun(Settled::Applied)) {
                    self.note_none()?;
                }
                return Err(error.into());
            }
        }
        Ok(())
    }
}

/// A link to elsewhere would let the next one who writes through it leave.
pub(super) fn require_links_inside(changes: &[FileChange]) -> Result<(), WorkspaceError> {
    let is_out = |change: &&FileChange| match &change.after {
        Some(Version::Link(to)) => leads_out(change.path.components().count() - 1, to),
        Some(Version::File { .. }) | None => false,
    };
    let paths: Vec<PathBuf> = changes.iter().filter(is_out).map(|change| change.path.clone()).collect();
    if paths.is_empty() { Ok(()) } else { Err(WorkspaceError::LinksOut { paths }) }
}

/// Whether a file can be put there: no folder with anything in it that is not removed, too, and no file where a folder must be.
fn is_free(project: &Beneath, path: &Path, removed: &dyn Fn(&Path) -> bool) -> Result<bool, NotReached> {
    for folder in path.ancestors().skip(1).filter(|folder| !folder.as_os_str().is_empty()) {
        match project.about(folder) {
            Ok(about) if about.kind == Kind::Folder || removed(folder) => {}
            Ok(_) | Err(NotReached::LinkInTheWay { .. }) => return Ok(false),
            Err(error) if error.is_absent() => {}
            Err(error) => return Err(error),
        }
    }
    if !project.about(path).is_ok_and(|about| about.kind == Kind::Folder) {
        return Ok(true);
    }
    let mut is_free = true;
    walk(project, path, Passing::Nothing, "", &mut |found| {
        is_free &= found.about.kind == Kind::Folder || removed(&found.path);
        if is_free { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    })?;
    Ok(is_free)
}

/// Makes a path hold what it holds elsewhere, with the same mode or, as git does it, the one that is there or is usual, and
/// whether it can be run. Folders that get empty go, too.
pub(super) fn bring(
    from: &Beneath,
    to: &Beneath,
    path: &Path,
    wanted: Option<&Version>,
    modes: Modes,
) -> Result<(), NotReached> {
    let Some(wanted) = wanted else { return remove_with_folders(to, path) };
    let now = Version::of(to, path)?;
    if to.about(path).is_ok_and(|about| about.kind == Kind::Folder) {
        remove_empty(to, path)?;
    }
    let mode = match (wanted, modes, now) {
        (Version::Link(target), _, _) => return to.put_link_for(path, target),
        (Version::File { mode, .. }, Modes::All, _) => Some(*mode),
        (Version::File { mode, .. }, Modes::Executable, Some(Version::File { mode: own, .. })) => {
            Some(with_run(own, *mode))
        }
        (Version::File { .. }, Modes::Executable, _) => wanted.is_executable().then_some(0o755),
    };
    to.put_for_link(path, Content::Of(&mut from.own_file(path)?), mode)
}

/// What a process left that was ended while it wrote.
pub(super) fn sweep<'p>(folder: &Beneath, paths: impl Iterator<Item = &'p Path>) {
    let parent = |path: &'p Path| path.parent().filter(|parent| !parent.as_os_str().is_empty());
    let folders: BTreeSet<&Path> = paths.map(|path| parent(path).unwrap_or(Path::new("."))).collect();
    for path in folders {
        folder.sweep(path);
    }
}

/// Whoever may read it may run it, where it can be run at all.
fn with_run(own: u32, wanted: u32) -> u32 {
    if wanted & 0o100 == 0 { own & !0o111 } else { own | (own & 0o444) >> 2 }
}

fn remove_with_folders(to: &Beneath, path: &Path) -> Result<(), NotReached> {
    // A folder there, or a pipe, is what somebody put into its place.
    if Version::of(to, path)?.is_some() {
        to.remove(path)?;
    }
    for folder in path.ancestors().skip(1).filter(|folder| !folder.as_os_str().is_empty()) {
        match to.remove(folder) {
            // One that is gone was removed by a work that was ended in the middle.
            Err(error) if !error.is_absent() => break,
            Ok(()) | Err(_) => {}
        }
    }
    Ok(())
}

/// A folder in which nothing but folders is left.
fn remove_empty(to: &Beneath, path: &Path) -> Result<(), NotReached> {
    let mut folders = vec![path.to_owned()];
    walk(to, path, Passing::Nothing, "", &mut |found| {
        folders.push(found.path);
        ControlFlow::Continue(())
    })?;
    folders.iter().rev().try_for_each(|folder| to.remove(folder))
}
