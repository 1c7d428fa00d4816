//! The files of a clone before a check, and the same put back behind it.
//!
//! What is as it was when the task began lies in the base already; what the task changed is copied aside. Nothing is read
//! where times and sizes say enough.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use super::Workspace;
use super::apply::bring;
use super::changes::{Modes, Side, Version, is_same};
use super::copy::copy;
use super::error::WorkspaceError;
use crate::beneath::{About, Beneath, Kind};
use crate::cache::{is_by_product, is_cache};
use crate::walk::{Passing, all};

/// So many files that say what git ignores are put back one by one.
const MOST_LOOKS: usize = 64;

/// What lay there before.
pub(super) struct Snapshot<'w> {
    workspace: &'w Workspace,
    was: BTreeMap<PathBuf, About>,
    aside: Beneath,
}

/// What lies there now.
struct Now {
    all: BTreeMap<PathBuf, About>,
    /// What git does not ignore.
    seen: BTreeSet<PathBuf>,
}

impl<'w> Snapshot<'w> {
    /// As it is now; what is in no other place is copied into a folder.
    pub(super) fn of(workspace: &'w Workspace, aside: &Path) -> Result<Self, WorkspaceError> {
        let aside = Beneath::open(aside).map_err(|error| WorkspaceError::io(aside, error))?;
        let (root, Now { all: was, seen }) = (workspace.root(), Now::of(workspace)?);
        let first = all(workspace.base.copies(), Passing::Nothing, "")?;
        for (path, about) in &was {
            let known = first.get(path);
            let is_kept = known.is_some() || seen.contains(path) || is_rules(path);
            let is_file = matches!(about.kind, Kind::File | Kind::Link);
            if is_file && is_kept && !is_cache(path) && !known.is_some_and(|first| is_untouched(about, first)) {
                copy(root, path, &[&aside])?;
            }
        }
        Ok(Self { workspace, was, aside })
    }

    /// Puts back what is not as it was; says which that was, without by-products of builds and tests.
    pub(super) fn put_back(&self) -> Result<Vec<PathBuf>, WorkspaceError> {
        if self.is_all_there(&all(self.workspace.root(), Passing::Nothing, "")?) {
            return Ok(Vec::new());
        }
        let mut changed = BTreeSet::new();
        let now = self.with_old_rules(&mut changed)?;
        let strange = self.strange(&now);
        let (had, new): (Vec<_>, Vec<_>) = strange.into_iter().partition(|path| self.was.contains_key(path));
        for path in new.iter().rev() {
            self.put_one(path, &mut changed)?;
        }
        self.remove_new_folders(&now);
        self.put_folders(&now, &mut changed)?;
        for path in &had {
            self.put_one(path, &mut changed)?;
        }
        changed.retain(|path| !is_by_product(path));
        Ok(changed.into_iter().collect())
    }

    fn is_all_there(&self, now: &BTreeMap<PathBuf, About>) -> bool {
        now.len() == self.was.len() && self.was.iter().all(|(path, was)| is_as_it_was(Some(was), now.get(path)))
    }

    /// What says what git ignores comes first, the outermost before the others: what it hides is seen then.
    fn with_old_rules(&self, changed: &mut BTreeSet<PathBuf>) -> Result<Now, WorkspaceError> {
        let mut done = BTreeSet::new();
        loop {
            self.open_folders()?;
            let now = Now::of(self.workspace)?;
            let strange = self.strange(&now);
            let rules = strange.into_iter().filter(|path| is_rules(path) && !done.contains(path));
            match rules.min_by_key(|path| path.components().count()) {
                Some(path) if done.len() < MOST_LOOKS => {
                    self.put_one(&path, changed)?;
                    done.insert(path);
                }
                Some(_) | None => return Ok(now),
            }
        }
    }

    /// What was closed cannot be looked into.
    fn open_folders(&self) -> Result<(), WorkspaceError> {
        let root = self.workspace.root();
        for (path, was) in self.was.iter().filter(|(_, was)| was.kind == Kind::Folder) {
            let is_other = |is: &About| is.kind == Kind::Folder && is.mode != was.mode;
            if root.about(path).is_ok_and(|is| is_other(&is)) {
                root.set_mode(path, was.mode)?;
            }
        }
        Ok(())
    }

    /// Files and links that are not as they were, and can be put back.
    fn strange(&self, now: &Now) -> BTreeSet<PathBuf> {
        let is_new = |(path, is): &(&PathBuf, &About)| {
            is.kind != Kind::Folder && !self.was.contains_key(*path) && now.seen.contains(*path)
        };
        let had = self.was.iter().filter(|(path, was)| {
            let is_file = matches!(was.kind, Kind::File | Kind::Link);
            is_file && !is_as_it_was(Some(was), now.all.get(*path)) && self.source(path).is_some()
        });
        let new = now.all.iter().filter(is_new);
        had.chain(new).map(|(path, _)| path.clone()).collect()
    }

    /// Where it lies as it was; nowhere, where git ignores it, and of a cache.
    fn source(&self, path: &Path) -> Option<&Beneath> {
        let base = self.workspace.base.copies();
        [&self.aside, base].into_iter().find(|side| !is_cache(path) && side.about(path).is_ok_and(is_plain))
    }

    fn put_one(&self, path: &Path, changed: &mut BTreeSet<PathBuf>) -> Result<(), WorkspaceError> {
        let root = self.workspace.root();
        let Some(source) = self.source(path).filter(|_| self.was.contains_key(path)) else {
            root.remove(path)?;
            changed.insert(path.to_owned());
            return Ok(());
        };
        let (was, is) = (Version::of(source, path)?, Version::of(root, path)?);
        let (before, now) = (side(source, was.as_ref()), side(root, is.as_ref()));
        // It was only touched.
        if !is_same(&before, &now, path, Modes::All)? {
            bring(source, root, path, was.as_ref(), Modes::All)?;
            changed.insert(path.to_owned());
        }
        Ok(())
    }

    /// Those in which nothing is left but what git ignores stay.
    fn remove_new_folders(&self, now: &Now) {
        let folders = now.all.iter().rev().filter(|(_, is)| is.kind == Kind::Folder).map(|(path, _)| path);
        for path in folders.filter(|path| !self.was.contains_key(*path) && now.seen.contains(*path)) {
            self.workspace.root().remove(path).ok();
        }
    }

    fn put_folders(&self, now: &Now, changed: &mut BTreeSet<PathBuf>) -> Result<(), WorkspaceError> {
        let root = self.workspace.root();
        for (path, was) in self.was.iter().filter(|(path, was)| was.kind == Kind::Folder && !is_cache(path)) {
            match now.all.get(path) {
                Some(is) if is.kind == Kind::Folder => continue,
                Some(_) => root.remove(path)?,
                None => {}
            }
            root.put_folder(path)?;
            root.set_mode(path, was.mode)?;
            changed.insert(path.clone());
        }
        Ok(())
    }
}

impl Now {
    fn of(workspace: &Workspace) -> Result<Self, WorkspaceError> {
        let seen = all(workspace.root(), Passing::IgnoredButRules, workspace.rules())?;
        Ok(Self { all: all(workspace.root(), Passing::Nothing, "")?, seen: seen.into_keys().collect() })
    }
}

/// A folder changes with each name in it: only its mode counts.
pub(super) fn is_as_it_was(was: Option<&About>, is: Option<&About>) -> bool {
    match (was, is) {
        (Some(was), Some(is)) if was.kind == Kind::Folder && is.kind == Kind::Folder => was.mode == is.mode,
        (was, is) => was == is,
    }
}

/// A copy of the base is made behind that of the clone: what was not changed since is older, or as old.
fn is_untouched(is: &About, first: &About) -> bool {
    (is.kind, is.mode, is.bytes) == (first.kind, first.mode, first.bytes) && is.changed <= first.changed
}

fn is_plain(about: About) -> bool {
    matches!(about.kind, Kind::File | Kind::Link)
}

fn is_rules(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name == ".gitignore")
}

fn side<'s>(folder: &'s Beneath, version: Option<&'s Version>) -> Side<'s> {
    Side { folder, version }
}
