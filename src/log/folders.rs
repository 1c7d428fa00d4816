//! The folders that a writer needs: made where they are not there, and on the disk before a line counts.

use std::path::Path;

use super::LogError;
use super::disk::Safety;
use super::writer::Log;

/// The file in which git reads what it leaves alone.
pub const GITIGNORE: &str = ".gitignore";

/// What it says where git shall leave a whole folder alone, and the file itself.
pub const IGNORE_ALL: &str = "*\n";

/// The folders of which nothing goes into git where nothing of the history does: itself, and its views.
pub const PRIVATE: [&str; 6] = ["history", "issues", "canon", "hivemind", "memory", "knowledge/learnt"];

impl Log {
    pub(super) fn make_folders(&self) -> Result<(), LogError> {
        for folder in [self.place.history(), self.place.local()] {
            if self.disk.look(folder).map_err(LogError::at("look at", folder))?.is_none() {
                self.disk.create_folder(folder).map_err(LogError::at("make", folder))?;
            }
        }
        self.keep_ignored();
        Ok(())
    }

    /// Git takes `.gitignore` of `.context` away with a branch, a stash or a reset. So that it never takes `local/`, or a
    /// history that shall not go into it, the rule stands there once more, where it ignores itself. Where that cannot be
    /// written, recording goes on: git asks before it takes anything.
    pub fn keep_ignored(&self) {
        self.ignore(self.place.local());
        let Some(mark) = self.known().map(|known| known.seconds.private()) else { return };
        let is_private = !self.is_free(&self.place.history().join(GITIGNORE));
        if self.is_free(mark) {
            if !is_private {
                return;
            }
            let _ = mark.parent().map(|folder| self.disk.create_folder(folder));
            let _ = self.disk.replace(mark, IGNORE_ALL.as_bytes(), Safety::Cached);
        }
        for folder in PRIVATE {
            self.ignore(&self.place.context().join(folder));
        }
    }

    /// Has git leave a folder alone, if it is there.
    fn ignore(&self, folder: &Path) {
        let rule = folder.join(GITIGNORE);
        if !self.is_free(folder) && self.is_free(&rule) {
            let _ = self.disk.replace(&rule, IGNORE_ALL.as_bytes(), Safety::Cached);
        }
    }

    fn is_free(&self, path: &Path) -> bool {
        matches!(self.disk.look(path), Ok(None))
    }

    /// Returns when the names of new segments are on the disk, and those of the folders above them: whoever made these
    /// may have ended before they were.
    pub(super) fn sync_names(&self) -> Result<(), LogError> {
        for folder in self.place.history().ancestors().take(3) {
            let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
            self.disk.sync_folder(folder).map_err(LogError::at("sync", folder))?;
        }
        Ok(())
    }
}
