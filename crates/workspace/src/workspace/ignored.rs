//! New files that git ignores, and what lies under names that no tool works in: they are no part of a task's diff, and stay
//! in a clone.
//!
//! Told by what is ignored first on the way to them. Reads none of them.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use super::error::WorkspaceError;
use super::journal::{Before, Known};
use super::{LeftOut, Workspace};
use crate::beneath::Kind;
use crate::walk::{Passing, all, kept, walk};

/// New files below one thing that git ignores.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IgnoredFiles {
    /// The outermost folder that is ignored, or the file itself.
    pub path: PathBuf,
    /// How many there are.
    pub files: usize,
    /// The first of them.
    pub names: Vec<PathBuf>,
}

/// So many are named.
const MOST_NAMES: usize = 5;
/// Why something is kept back.
const KEPT: &str = "kept by its name, which is git's, the record's or ours";

impl Workspace {
    /// What the task made and git ignores, so that no diff shows it and nothing brings it into the project.
    pub fn ignored(&self) -> Result<Vec<IgnoredFiles>, WorkspaceError> {
        let seen = self.not_ignored()?;
        let (known, nested) = (self.base.known(), self.layout.nested()?);
        let mut groups: BTreeMap<PathBuf, IgnoredFiles> = BTreeMap::new();
        walk(self.root(), Path::new("."), Passing::Nothing, "", &mut |found| {
            let is_ignored = found.about.kind != Kind::Folder && !seen.contains(&found.path);
            let is_nested = || nested.iter().any(|folder| found.path.starts_with(folder));
            if is_ignored && !is_nested() && self.is_new(known.as_ref(), &found.path) {
                let path = outermost(&found.path, &seen);
                let empty = || IgnoredFiles { path: path.clone(), files: 0, names: Vec::new() };
                let group = groups.entry(path.clone()).or_insert_with(empty);
                group.files += 1;
                if group.names.len() < MOST_NAMES {
                    group.names.push(found.path);
                }
            }
            ControlFlow::Continue(())
        })?;
        Ok(groups.into_values().collect())
    }

    /// What the task made under names that are kept: a repository within, or what some file system takes for one. Of a clone
    /// alone, which has none of them in the beginning but its own.
    pub fn kept_back(&self) -> Result<Vec<LeftOut>, WorkspaceError> {
        if !self.is_clone() {
            return Ok(Vec::new());
        }
        let is_own = |path: &PathBuf| path == Path::new(".git");
        let kept = kept(self.root())?.into_iter().filter(|path| !is_own(path));
        Ok(kept.map(|path| LeftOut { path, why: KEPT.to_owned() }).collect())
    }

    /// What lies there and git does not ignore.
    pub(super) fn not_ignored(&self) -> Result<BTreeSet<PathBuf>, WorkspaceError> {
        Ok(all(self.root(), Passing::Ignored, self.rules())?.into_keys().collect())
    }

    fn is_new(&self, known: Option<&Known>, path: &Path) -> bool {
        match known {
            None => self.base.copies().about(path).is_err(),
            Some(known) => {
                let before = known.before.get(path);
                known.is_of_task(path) && before.map_or(known.is_whole, |before| *before == Before::Absent)
            }
        }
    }
}

/// The first step on the way to it that is not seen.
fn outermost(path: &Path, seen: &BTreeSet<PathBuf>) -> PathBuf {
    let hidden = path.ancestors().take_while(|step| !step.as_os_str().is_empty() && !seen.contains(*step));
    hidden.last().unwrap_or(path).to_owned()
}
