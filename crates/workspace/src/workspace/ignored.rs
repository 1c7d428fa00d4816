//! New files that git ignores: they are no part of a task's diff, and stay in a clone.
//!
//! Told by what is ignored first on the way to them. Reads none of them.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use super::Workspace;
use super::error::WorkspaceError;
use super::journal::{Before, Known};
use crate::beneath::Kind;
use crate::walk::{Passing, all, walk};

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
