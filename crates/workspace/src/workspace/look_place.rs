//! Where a check runs: a home, a `/tmp` and a git directory that nothing of the task was ever in.
//!
//! What a task leaves in its own home (a start file of an interpreter, settings of git) stands in no diff and would decide what a
//! check finds. Made anew for each check, and gone behind it. The files that are checked are those of the workspace.

use std::fs::{self, DirBuilder};
use std::io;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};

use super::error::WorkspaceError;
use super::layout::{Layout, WorkspaceRecord};
use super::remove;
use crate::confine::{Confinement, Mapped, Opening, OwnPlace};

/// The place of one check. It goes when this is dropped.
#[derive(Debug)]
pub(crate) struct LookPlace {
    folder: PathBuf,
    /// What a command of the task has in its place.
    of_task: OwnPlace,
    tree: PathBuf,
    start: PathBuf,
}

impl LookPlace {
    /// One at a time is made: what a killed one left goes first.
    pub(super) fn make(layout: &Layout, record: &WorkspaceRecord) -> Result<Self, WorkspaceError> {
        let folder = layout.looking();
        remove::remove(&folder)?;
        let of_task = OwnPlace { home: layout.home(), scratch: layout.tmp() };
        let place = Self { folder, of_task, tree: layout.tree(), start: record.start().to_owned() };
        let OwnPlace { home, scratch } = place.own();
        for folder in [&place.folder, &home, &scratch, &place.aside()] {
            let made = DirBuilder::new().mode(0o700).create(folder);
            made.map_err(|error| WorkspaceError::io(folder, error))?;
        }
        if layout.first_git().is_dir() {
            let git = place.tree.join(".git");
            copy_folder(&layout.first_git(), &place.git()).map_err(|error| WorkspaceError::io(&place.git(), error))?;
            make_folder_of(&git).map_err(|error| WorkspaceError::io(&git, error))?;
        }
        Ok(place)
    }

    /// The walls of the task's commands, with this place in the place of the task's own.
    pub(crate) fn walls(&self, walls: &Confinement) -> Confinement {
        let mut opening = Opening::default();
        let tree = self.tree.canonicalize();
        if let (true, true, Ok(tree)) = (walls.hides(), self.git().is_dir(), tree) {
            let folders = self.start.ancestors().filter(|folder| !folder.as_os_str().is_empty());
            // Of the folders on the way only the topmost is a repository's, unless the task made another one.
            opening.hidden = folders.map(|folder| tree.join(folder).join(".git")).collect();
            opening.mapped.push(Mapped { from: self.git(), at: tree.join(".git") });
        }
        walls.moved(&self.of_task, &self.own()).widened(&opening)
    }

    /// Where files are laid aside while the check runs.
    pub(super) fn aside(&self) -> PathBuf {
        self.folder.join("aside")
    }

    fn own(&self) -> OwnPlace {
        OwnPlace { home: self.folder.join("home"), scratch: self.folder.join("tmp") }
    }

    fn git(&self) -> PathBuf {
        self.folder.join("git")
    }
}

impl Drop for LookPlace {
    fn drop(&mut self) {
        // What cannot be removed goes with the workspace.
        remove::remove(&self.folder).ok();
    }
}

/// A folder of ours, with all in it.
pub(super) fn copy_folder(from: &Path, to: &Path) -> io::Result<()> {
    fs::create_dir(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let to = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy_folder(&entry.path(), &to)?;
        } else {
            fs::copy(entry.path(), to)?;
        }
    }
    Ok(())
}

/// A task can put a link or a file there, and nothing is shown over one.
fn make_folder_of(git: &Path) -> io::Result<()> {
    match fs::symlink_metadata(git) {
        Ok(about) if about.is_dir() => return Ok(()),
        Ok(_) => fs::remove_file(git)?,
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        Err(error) => return Err(error),
    }
    fs::create_dir(git)
}
