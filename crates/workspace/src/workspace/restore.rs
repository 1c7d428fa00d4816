//! A folder without git as it was before the task: what the task changed is undone, and nothing else.
//!
//! Each path is looked at first. Where others changed the same, or it is not known who did, nothing is undone, unless the person
//! names a place where those files are laid aside as they are now. What others put there and the task never touched stays.

use std::collections::BTreeSet;
use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use super::Workspace;
use super::apply::{bring, sweep};
use super::changes::{Modes, Version};
use super::copy::copy;
use super::ending::{Ending, Settled};
use super::error::WorkspaceError;
use super::held::Held;
use super::journal::Known;
use super::watch::{FolderSides, paths};
use crate::beneath::{Beneath, Kind};
use crate::walk::{Passing, walk};

/// What becomes of what others changed in the same files, or of what nobody can tell apart.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OthersWork {
    /// Nothing is undone.
    Refused,
    /// It is copied into this folder, and then undone, too.
    LaidAside(PathBuf),
}

/// A path that is to be as it was.
struct Undoing {
    path: PathBuf,
    before: Held,
}

/// What is to be done.
#[derive(Default)]
struct RestorePlan {
    undoing: Vec<Undoing>,
    disputed: Vec<PathBuf>,
}

impl Workspace {
    /// A folder as it was before: files, links, modes, and no more folders.
    pub(super) fn restore(&self, others: &OthersWork) -> Result<(), WorkspaceError> {
        let Some(known) = self.base.known() else { return Ok(()) };
        let come = self.ending()?;
        sweep(self.root(), known.left.keys().chain(known.before.keys()).map(PathBuf::as_path));
        let plan = self.plan(&known, come)?;
        if !plan.disputed.is_empty() {
            match others {
                OthersWork::Refused => return Err(WorkspaceError::NotItsAlone { paths: plan.disputed }),
                OthersWork::LaidAside(folder) => self.lay_aside(&plan.disputed, folder)?,
            }
        }
        self.note_ending(Ending::Begun(Settled::Dropped))?;
        self.undo_all(&plan.undoing)
    }

    fn plan(&self, known: &Known, come: Option<Ending>) -> Result<RestorePlan, WorkspaceError> {
        let sides = FolderSides { root: self.root(), copies: self.base.copies() };
        let mut candidates = paths(known, self.root())?;
        candidates.retain(|path| known.is_of_task(path));
        let seen = self.not_ignored()?;
        let mut plan = RestorePlan::default();
        for path in candidates {
            let Some(before) = sides.before(known, &path) else { continue };
            let is = Held::found(self.root(), &path);
            if is == before {
                continue;
            }
            let is_half_undone = come.is_some() && is_between(&before, &is);
            if !is_half_undone && (known.shared.contains(&path) || known.left.get(&path) != Some(&is)) {
                if before == Held::Absent && is != Held::Absent && !seen.contains(&path) {
                    // New, and git ignores it, such as what a build of the person's made anew: it stays, and nothing is lost.
                    continue;
                }
                plan.disputed.push(path.clone());
            }
            plan.undoing.push(Undoing { path, before });
        }
        self.find_in_the_way(&mut plan)?;
        Ok(plan)
    }

    /// Where a file was, and a folder is that others put something into, that something would have to go.
    fn find_in_the_way(&self, plan: &mut RestorePlan) -> Result<(), WorkspaceError> {
        let going: BTreeSet<&Path> = plan.undoing.iter().map(|undoing| undoing.path.as_path()).collect();
        let mut found_there = Vec::new();
        for Undoing { path, before } in &plan.undoing {
            let is_folder = self.root().about(path).is_ok_and(|about| about.kind == Kind::Folder);
            if !before.is_file() || !is_folder {
                continue;
            }
            walk(self.root(), path, Passing::Nothing, "", &mut |found| {
                if !going.contains(found.path.as_path()) {
                    found_there.push(found.path);
                }
                ControlFlow::Continue(())
            })?;
        }
        for path in found_there {
            plan.disputed.push(path.clone());
            plan.undoing.push(Undoing { path, before: Held::Absent });
        }
        plan.undoing.sort_by(|one, other| one.path.cmp(&other.path));
        Ok(())
    }

    /// Copies files and links as they are now.
    fn lay_aside(&self, paths: &[PathBuf], folder: &Path) -> Result<(), WorkspaceError> {
        let at = |error| WorkspaceError::io(folder, error);
        fs::create_dir_all(folder).map_err(at)?;
        if fs::read_dir(folder).map_err(at)?.next().is_some() {
            return Err(WorkspaceError::NotEmpty { path: folder.to_owned() });
        }
        let to = Beneath::open(folder).map_err(at)?;
        for path in paths {
            if Version::of(self.root(), path)?.is_some() {
                copy(self.root(), path, &[&to])?;
            }
        }
        Ok(())
    }

    fn undo_all(&self, undoing: &[Undoing]) -> Result<(), WorkspaceError> {
        // What was closed is opened, and gets its own mode at the end.
        for Undoing { path, before } in undoing {
            if let Held::Folder(mode) = before {
                self.make_folder(path, *mode)?;
            }
        }
        for Undoing { path, .. } in undoing.iter().rev().filter(|undoing| undoing.before == Held::Absent) {
            match self.root().about(path).map(|about| about.kind) {
                Ok(Kind::File | Kind::Link) => self.root().remove(path)?,
                // A folder that is not empty holds what others put there.
                Ok(Kind::Folder | Kind::Other(_)) => drop(self.root().remove(path)),
                Err(_) => {}
            }
        }
        for Undoing { path, .. } in undoing.iter().filter(|undoing| undoing.before.is_file()) {
            let version = Version::of(self.base.copies(), path)?;
            bring(self.base.copies(), self.root(), path, version.as_ref(), Modes::All)?;
        }
        for Undoing { path, before } in undoing.iter().rev() {
            if let Held::Folder(mode) = before {
                self.root().set_mode(path, *mode)?;
            }
        }
        Ok(())
    }

    fn make_folder(&self, path: &Path, mode: u32) -> Result<(), WorkspaceError> {
        let root = self.root();
        root.put_folder(path).or_else(|_| root.remove(path).and_then(|()| root.put_folder(path)))?;
        // A folder of another's is not ours to open.
        root.set_mode(path, mode | 0o700).ok();
        Ok(())
    }
}

/// What an undoing that was interrupted leaves where it was at work: nothing yet, or a folder that has not its own mode yet.
fn is_between(before: &Held, is: &Held) -> bool {
    match (before, is) {
        (_, Held::Absent) | (Held::Folder(_), Held::Folder(_)) => true,
        (
            Held::Absent | Held::File { .. } | Held::Link { .. } | Held::Special | Held::Closed | Held::Folder(_),
            Held::File { .. } | Held::Link { .. } | Held::Special | Held::Closed | Held::Folder(_),
        ) => false,
    }
}
