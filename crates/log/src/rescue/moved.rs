//! Second names that a `.context` folder left behind when it moved inside its repository: the folder takes them over.
//!
//! Those of a folder that is gone belong to the one that has the very files, or that alone has segments of the same
//! writers. Where this cannot be told nobody takes them; `doctor` and `scrub` name them. What some branch holds where the
//! folder was is left there.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::{Now, Vanished};
use crate::LogError;
use crate::disk::Safety;
use crate::folders::IGNORE_ALL;
use crate::git::path_of;
use crate::second::{Beside, Presence, SecondNames, is_rest, origins, writer_of};
use crate::taken::Known;
use crate::writer::Log;

/// Whose the second names are that a folder left behind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Heir {
    /// This folder was that one.
    Here,
    /// Another, or none that is known.
    Unknown,
}

/// A folder that is gone and left second names behind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stray {
    /// The folder.
    pub context: PathBuf,
    /// Where its second names are.
    pub root: PathBuf,
}

impl Log {
    /// The other folders of this repository that are gone.
    pub(super) fn gone(&self, git: &Known) -> Result<Vec<Beside>, LogError> {
        Ok(self.beside(git)?.into_iter().filter(|beside| beside.presence == Presence::Gone).collect())
    }

    /// The other folders of this repository of which git has moved what it tracks, and left the rest.
    pub fn halves(&self) -> Result<Vec<PathBuf>, LogError> {
        let Some(known) = self.known() else { return Ok(Vec::new()) };
        let halves = self.beside(known)?.into_iter().filter(|beside| beside.presence == Presence::Half);
        Ok(halves.map(|beside| beside.context).collect())
    }

    fn beside(&self, git: &Known) -> Result<Vec<Beside>, LogError> {
        git.seconds.beside(&*self.disk, &git.repository).map_err(LogError::at("list", git.seconds.root()))
    }

    /// Those that this folder was, and that left something behind.
    pub(super) fn moved_here(&self, git: &Known) -> Result<Vec<Beside>, LogError> {
        self.left_to(git, Heir::Here)
    }

    fn left_to(&self, git: &Known, wanted: Heir) -> Result<Vec<Beside>, LogError> {
        let mut found = Vec::new();
        for gone in self.gone(git)? {
            if !self.files_below(&gone.root)?.is_empty() && self.heir(git, &gone)? == wanted {
                found.push(gone);
            }
        }
        Ok(found)
    }

    /// Where second names of this folder still are from when it was elsewhere.
    pub fn left_behind(&self) -> Result<Vec<PathBuf>, LogError> {
        let Some(known) = self.known() else { return Ok(Vec::new()) };
        Ok(self.moved_here(known)?.into_iter().map(|gone| gone.root).collect())
    }

    /// The folders that are gone and of which nobody can tell what became.
    pub fn strays(&self) -> Result<Vec<Stray>, LogError> {
        let Some(known) = self.known() else { return Ok(Vec::new()) };
        let strays = self.left_to(known, Heir::Unknown)?;
        Ok(strays.into_iter().map(|Beside { context, root, .. }| Stray { context, root }).collect())
    }

    /// Those of them of which no branch holds everything.
    pub fn strays_at_risk(&self) -> Result<Vec<Stray>, LogError> {
        let Some(known) = self.known() else { return Ok(Vec::new()) };
        let mut strays = Vec::new();
        for gone in self.left_to(known, Heir::Unknown)? {
            if !self.is_held(&as_it_was(known, &gone))? {
                strays.push(Stray { context: gone.context, root: gone.root });
            }
        }
        Ok(strays)
    }

    /// Whether branches hold all of a history.
    fn is_held(&self, old: &Known) -> Result<bool, LogError> {
        let paths = self.history_below(old.seconds.root())?;
        let held = old.repository.held(&paths).map_err(|error| self.unasked(&error))?.blobs;
        for path in paths {
            let Some(ids) = held.get(&path) else { return Ok(false) };
            if self.behind_branches(old, &Vanished { path, now: Now::Nothing }, ids)?.is_some() {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Takes over what no branch holds where the folder was.
    pub(super) fn adopt_moved(&self, git: &Known) -> Result<(), LogError> {
        self.moved_here(git)?.iter().try_for_each(|gone| self.adopt_unless_written(git, gone))
    }

    /// Who was writing there when the folder moved has its lock: then the next command looks again.
    fn adopt_unless_written(&self, git: &Known, gone: &Beside) -> Result<(), LogError> {
        let path = gone.root.join("local/lock");
        let number = |path: &Path| {
            let look = self.disk.look(path).map_err(LogError::at("look at", path))?;
            Ok::<_, LogError>(look.map(|look| look.number))
        };
        let number_of_lock = number(&path)?;
        let is_free = number_of_lock.is_none() || number_of_lock == number(&self.place.lock())?;
        let taken = || self.disk.try_lock(&path).map_err(LogError::at("lock", &path));
        let lock = if is_free { None } else { taken()? };
        if is_free || lock.is_some() { self.adopt_one(git, gone) } else { Ok(()) }
    }

    fn adopt_one(&self, git: &Known, gone: &Beside) -> Result<(), LogError> {
        let old = as_it_was(git, gone);
        let (mut vanished, mut paths) = (Vec::new(), BTreeSet::new());
        for path in self.history_below(&gone.root)? {
            if self.has(&gone.root, &path)? {
                self.take_over(git, &gone.root, &path)?;
            } else {
                paths.insert(path.clone());
                vanished.push(Vanished { path, now: Now::Nothing });
            }
        }
        if !vanished.is_empty() {
            for one in self.left(&old, vanished, &paths)? {
                self.take_over(git, &gone.root, &one.path)?;
            }
        }
        let rest = self.files_below(&gone.root)?.into_iter().filter(|path| !path.starts_with("history/"));
        rest.into_iter().try_for_each(|path| self.take_over(git, &gone.root, &path))
    }

    fn history_below(&self, root: &Path) -> Result<BTreeSet<String>, LogError> {
        Ok(self.files_below(root)?.into_iter().filter(|path| path.starts_with("history/")).collect())
    }

    /// Whether the folder holds all of a file that was left behind, under the same name.
    fn has(&self, root: &Path, path: &str) -> Result<bool, LogError> {
        let (here, there) = (self.place.context().join(path), root.join(path));
        let look = |path: &Path| self.disk.look(path).map_err(LogError::at("look at", path));
        let (Some(first), Some(second)) = (look(&here)?, look(&there)?) else { return Ok(false) };
        // One file under two names need not be read.
        Ok(first.number == second.number || self.holds_all_of(path, &self.bytes(&here)?, &self.bytes(&there)?)?)
    }

    fn heir(&self, git: &Known, gone: &Beside) -> Result<Heir, LogError> {
        let list = |folder: &Path| self.disk.list(folder).map_err(LogError::at("list", folder));
        let here: BTreeSet<_> =
            list(self.place.history())?.into_iter().map(|file| (file.name, file.look.number)).collect();
        if list(&gone.root.join("history"))?.into_iter().any(|file| here.contains(&(file.name, file.look.number))) {
            return Ok(Heir::Here);
        }
        let wanted = self.origins(&[&gone.root])?;
        let is_of = |folders: &[&Path]| Ok::<_, LogError>(!self.origins(folders)?.is_disjoint(&wanted));
        let own = self.origins(&[self.place.context(), git.seconds.root()])?;
        if own.is_disjoint(&wanted) || self.lives_on_a_branch(git, gone, &own)? {
            return Ok(Heir::Unknown);
        }
        for other in self.beside(git)?.iter().filter(|beside| beside.presence != Presence::Gone) {
            if is_of(&[&other.context, &other.root])? {
                return Ok(Heir::Unknown);
            }
        }
        Ok(Heir::Here)
    }

    fn origins(&self, folders: &[&Path]) -> Result<BTreeSet<String>, LogError> {
        let mut found = BTreeSet::new();
        for folder in folders {
            found.extend(origins(&*self.disk, folder).map_err(LogError::at("list", folder))?);
        }
        Ok(found)
    }

    /// Whether the folder is a copy of this one that comes back with a branch: somebody who is not among our writers has
    /// segments there, and more of them than the branches hold.
    fn lives_on_a_branch(&self, git: &Known, gone: &Beside, own: &BTreeSet<String>) -> Result<bool, LogError> {
        let held = as_it_was(git, gone).repository.held_below("history").map_err(|error| self.unasked(&error))?.blobs;
        let there: BTreeSet<_> = held.keys().filter_map(|path| other_writer(path, own)).collect();
        let kept = self.history_below(&gone.root)?;
        let mut only_kept = kept.iter().filter(|path| !held.contains_key(*path));
        Ok(only_kept.any(|path| other_writer(path, own).is_some_and(|writer| there.contains(writer))))
    }

    /// Where a history begins anew, and a folder of the clone that is not whole here had nothing of its own go into git, this
    /// one may be that one: then nothing of it does, either (decision 51).
    pub(crate) fn inherit_privacy(&self) -> Result<(), LogError> {
        let Some(known) = self.known() else { return Ok(()) };
        let mark = known.seconds.private();
        let paths = known.seconds.private_paths(&*self.disk).map_err(LogError::at("list", mark))?;
        let is_here = |path: &Vec<u8>| !is_rest(&*self.disk, &known.repository.root().join(path_of(path)));
        if paths.iter().all(is_here) {
            return Ok(());
        }
        self.disk.replace(mark, IGNORE_ALL.as_bytes(), Safety::Cached).map_err(LogError::at("write", mark))
    }
}

/// The writer of a file of the history, who is not among some.
fn other_writer<'p>(path: &'p str, own: &BTreeSet<String>) -> Option<&'p str> {
    writer_of(path.strip_prefix("history/")?).filter(|writer| !own.contains(*writer))
}

/// The repository and the second names as a folder had them that is gone.
fn as_it_was(git: &Known, gone: &Beside) -> Known {
    let repository = git.repository.with_prefix(&gone.prefix);
    Known { repository, seconds: SecondNames::new(&gone.context, &gone.root) }
}
