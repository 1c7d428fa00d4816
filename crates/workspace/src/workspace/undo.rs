//! A clone as it was when it was made, so that another approach is not in the way of one that failed.
//!
//! What git ignores stays: it is no part of the task, and dear to make again. So does the agent's own git directory. The folder
//! of a person is not undone on the way: what they changed in it meanwhile would be lost.

use super::Workspace;
use std::slice;

use super::apply::bring;
use super::changes::{ChangedFile, FileChange, Modes};
use super::error::WorkspaceError;
use crate::walk::Passing;

/// So many files that say what git ignores are put back one by one.
const MOST_LOOKS: usize = 64;

impl Workspace {
    /// Undoes what was changed, added and removed in a clone since it was made. Says what that was.
    ///
    /// # Errors
    /// What could not be undone; a part may be.
    pub fn undo(&self) -> Result<Vec<ChangedFile>, WorkspaceError> {
        if !self.is_clone() {
            return Err(WorkspaceError::NotAClone { project: self.project().to_owned() });
        }
        let mut undone = Vec::new();
        for _ in 0..MOST_LOOKS {
            let changes = self.changes(Passing::IgnoredButRules, Modes::Executable)?.files;
            // What such a file hides is seen when it is as it was; the outermost first, for a link may stand above the others.
            let rules = changes.iter().filter(|change| change.path.ends_with(".gitignore"));
            let outermost = rules.min_by_key(|change| change.path.components().count());
            let now = outermost.map_or(changes.as_slice(), slice::from_ref);
            self.put_back(now)?;
            undone.extend(now.iter().map(FileChange::shown));
            if outermost.is_none() {
                break;
            }
        }
        self.put_start()?;
        undone.sort_by(|one, other| one.path.cmp(&other.path));
        Ok(undone)
    }

    /// Commands begin there, whether any file is in it or not.
    pub(super) fn put_start(&self) -> Result<(), WorkspaceError> {
        let start = self.record.start();
        if start.as_os_str().is_empty() { Ok(()) } else { Ok(self.root().put_folder(start)?) }
    }

    /// Additions go first: a link or a file may stand where a folder was.
    fn put_back(&self, changes: &[FileChange]) -> Result<(), WorkspaceError> {
        let (added, had): (Vec<_>, Vec<_>) = changes.iter().partition(|change| change.before.is_none());
        for change in added.into_iter().chain(had) {
            bring(self.base.copies(), self.root(), &change.path, change.before.as_ref(), Modes::All)?;
        }
        Ok(())
    }
}
