//! What a task changed: the files as they were beside the files as they are.
//!
//! Compares bytes, reads nothing that git or the record keeps, and asks no git directory. What a `.gitignore` names is no
//! change, unless it was there before.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{self, Read};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use annals_kernel::grounding::words;

use super::error::WorkspaceError;
use super::journal::{Before, Known};
use super::{LeftOut, Workspace};
use crate::beneath::{Beneath, Kind, NotReached};
use crate::walk::{Passing, walk};

words! {
    /// What became of a file.
    pub enum Change {
        /// It was not there.
        Added = "added",
        /// It holds something else, or is run otherwise.
        Changed = "changed",
        /// It is not there any more.
        Removed = "removed",
    }
}

/// A file that a task changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChangedFile {
    /// Which.
    pub path: PathBuf,
    /// What became of it.
    pub change: Change,
}

/// What lies at a path, as far as a diff knows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Version {
    File { mode: u32, bytes: u64 },
    Link(PathBuf),
}

impl Version {
    pub(super) fn of(root: &Beneath, path: &Path) -> Result<Option<Self>, NotReached> {
        let about = match root.about(path) {
            Ok(about) => about,
            // A folder on the way that is a link now: nothing is behind it, for us.
            Err(NotReached::LinkInTheWay { .. }) => return Ok(None),
            Err(error) if error.is_absent() => return Ok(None),
            Err(error) => return Err(error),
        };
        Ok(match about.kind {
            Kind::File => Some(Self::File { mode: about.mode, bytes: about.bytes }),
            Kind::Link => Some(Self::Link(root.link(path)?)),
            Kind::Folder | Kind::Other(_) => None,
        })
    }

    /// As git counts it.
    pub(super) fn is_executable(&self) -> bool {
        matches!(self, Self::File { mode, .. } if mode & 0o100 != 0)
    }

    fn is_like(&self, other: &Self, modes: Modes) -> bool {
        match (self, other) {
            (Self::File { mode, bytes }, Self::File { mode: other_mode, bytes: other_bytes }) => {
                let has_same_mode = match modes {
                    Modes::Executable => self.is_executable() == other.is_executable(),
                    Modes::All => mode == other_mode,
                };
                bytes == other_bytes && has_same_mode
            }
            (Self::Link(to), Self::Link(other)) => to == other,
            (Self::File { .. }, Self::Link(_)) | (Self::Link(_), Self::File { .. }) => false,
        }
    }
}

/// Which modes count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Modes {
    /// Whether a file can be run.
    Executable,
    /// All.
    All,
}

/// One path, before and after; one of both is there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct FileChange {
    pub path: PathBuf,
    pub before: Option<Version>,
    pub after: Option<Version>,
}

impl FileChange {
    pub(super) fn shown(&self) -> ChangedFile {
        let change = match (&self.before, &self.after) {
            (None, _) => Change::Added,
            (Some(_), None) => Change::Removed,
            (Some(_), Some(_)) => Change::Changed,
        };
        ChangedFile { path: self.path.clone(), change }
    }
}

/// All changes, in the order of paths.
#[derive(Debug, Default)]
pub(super) struct Changes {
    pub files: Vec<FileChange>,
    pub left_out: Vec<LeftOut>,
}

/// More new files are no work of a task.
const MOST_NEW: usize = 100_000;

impl Workspace {
    /// What the task changed so far.
    pub fn changed(&self) -> Result<Vec<ChangedFile>, WorkspaceError> {
        Ok(self.changes(Passing::Ignored, Modes::Executable)?.files.iter().map(FileChange::shown).collect())
    }

    pub(super) fn changes(&self, passing: Passing, modes: Modes) -> Result<Changes, WorkspaceError> {
        let mut changes = Changes::default();
        let known = self.base.known();
        let mut paths = self.known_files(known.as_ref())?;
        if known.as_ref().is_none_or(|known| known.is_whole) {
            self.find_new(passing, &mut paths, &mut changes.left_out)?;
        }
        // What others did in a folder is none of the task's.
        paths.retain(|path| known.as_ref().is_none_or(|known| known.is_of_task(path)));
        for path in paths {
            let is_known = known.as_ref().is_none_or(|known| known.before.get(&path) == Some(&Before::Copied));
            let before = if is_known { Version::of(self.base.copies(), &path)? } else { None };
            let after = match Version::of(&self.root, &path) {
                Ok(after) => after,
                Err(error) => {
                    changes.left_out.push(LeftOut { path, why: error.to_string() });
                    continue;
                }
            };
            let was = Side { folder: self.base.copies(), version: before.as_ref() };
            let is = Side { folder: &self.root, version: after.as_ref() };
            match is_same(&was, &is, &path, modes) {
                Ok(true) => {}
                Ok(false) => changes.files.push(FileChange { path, before, after }),
                Err(error) => changes.left_out.push(LeftOut { path, why: error.to_string() }),
            }
        }
        Ok(changes)
    }

    /// What was there, as far as it is known, and what a tool of ours made.
    fn known_files(&self, known: Option<&Known>) -> Result<BTreeSet<PathBuf>, WorkspaceError> {
        if let Some(known) = known {
            let is_file = |before: &Before| matches!(before, Before::Copied | Before::Absent);
            return Ok(known
                .before
                .iter()
                .filter(|(_, before)| is_file(before))
                .map(|(path, _)| path.clone())
                .collect());
        }
        let mut paths = BTreeSet::new();
        walk(self.base.copies(), Path::new("."), Passing::Nothing, "", &mut |found| {
            if found.about.kind != Kind::Folder {
                paths.insert(found.path);
            }
            ControlFlow::Continue(())
        })?;
        Ok(paths)
    }

    fn find_new(
        &self,
        passing: Passing,
        paths: &mut BTreeSet<PathBuf>,
        left_out: &mut Vec<LeftOut>,
    ) -> Result<(), WorkspaceError> {
        let nested = self.layout.nested()?;
        let mut new = 0;
        let unread = walk(&self.root, Path::new("."), passing, self.rules(), &mut |found| {
            let mut leave_out = |why: &str| left_out.push(LeftOut { path: found.path.clone(), why: why.to_owned() });
            match found.about.kind {
                Kind::Folder => {}
                Kind::Other(name) => leave_out(&format!("no plain file, but a {name}")),
                Kind::File | Kind::Link if nested.iter().any(|folder| found.path.starts_with(folder)) => {
                    leave_out("in a repository of its own");
                }
                Kind::File | Kind::Link => new += usize::from(paths.insert(found.path)),
            }
            if new > MOST_NEW { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        })?;
        if new > MOST_NEW {
            let most = MOST_NEW as u64;
            return Err(WorkspaceError::TooMuch { path: self.path().to_owned(), most, what: "new files" });
        }
        if unread > 0 {
            left_out.push(LeftOut { path: PathBuf::from("."), why: format!("{unread} folders could not be read") });
        }
        Ok(())
    }
}

/// A folder, and what lies in it at the path that is looked at.
pub(super) struct Side<'s> {
    pub folder: &'s Beneath,
    pub version: Option<&'s Version>,
}

/// Whether the same lies at a path in two folders.
pub(super) fn is_same(one: &Side<'_>, other: &Side<'_>, path: &Path, modes: Modes) -> Result<bool, NotReached> {
    let (Some(version), Some(other_version)) = (one.version, other.version) else {
        return Ok(one.version.is_none() && other.version.is_none());
    };
    if !version.is_like(other_version, modes) {
        return Ok(false);
    }
    if matches!(version, Version::Link(_)) {
        return Ok(true);
    }
    let same = is_same_content(one.folder.own_file(path)?, other.folder.own_file(path)?);
    same.map_err(|error| NotReached::io(path, error))
}

fn is_same_content(mut one: File, mut other: File) -> io::Result<bool> {
    let (mut left, mut right) = (vec![0; 64 << 10], vec![0; 64 << 10]);
    loop {
        let length = fill(&mut one, &mut left)?;
        if fill(&mut other, &mut right)? != length || left[..length] != right[..length] {
            return Ok(false);
        }
        if length == 0 {
            return Ok(true);
        }
    }
}

/// As much as there is, up to all of it.
fn fill(file: &mut File, to: &mut [u8]) -> io::Result<usize> {
    let mut length = 0;
    while length < to.len() {
        match file.read(&mut to[length..]) {
            Ok(0) => break,
            Ok(more) => length += more,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(length)
}
