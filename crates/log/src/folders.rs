//! The folders that a writer needs: made where they are not there, and on the disk before a line counts.

use std::collections::BTreeSet;
use std::path::Path;

use super::LogError;
use super::disk::Safety;
use super::git::Tracked;
use super::writer::Log;

/// The file in which git reads what it leaves alone.
pub const GITIGNORE: &str = ".gitignore";

/// What it says where git shall leave a whole folder alone, and the file itself.
pub const IGNORE_ALL: &str = "*\n";

/// No longer rule is read: ours is shorter.
const MOST_RULE_BYTES: u64 = 1 << 16;

/// The folders of which nothing goes into git where nothing of the history does: itself, and its views.
pub const PRIVATE: [&str; 6] = ["history", "issues", "canon", "hivemind", "memory", "knowledge/learnt"];

/// Which rule in the history leaves it out of git.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LeftOut {
    /// None.
    No,
    /// The one of this clone (decision 51).
    Here,
    /// One that a commit brought, for all who take it.
    ByCommit,
}

impl Log {
    pub(super) fn make_folders(&self) -> Result<(), LogError> {
        for folder in [self.place.history(), self.place.local()] {
            if self.disk.look(folder).map_err(LogError::at("look at", folder))?.is_none() {
                self.disk.create_folder(folder).map_err(LogError::at("make", folder))?;
                if folder == self.place.history() {
                    self.inherit_privacy()?;
                }
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
        if self.is_free(mark) {
            if self.left_out() != LeftOut::Here {
                return;
            }
            let _ = mark.parent().map(|folder| self.disk.create_folder(folder));
            let _ = self.disk.replace(mark, IGNORE_ALL.as_bytes(), Safety::Cached);
        }
        for folder in PRIVATE {
            self.ignore(&self.place.context().join(folder));
        }
    }

    /// Which rule in the history leaves it out of git. One that git has itself is no word of this clone.
    pub fn left_out(&self) -> LeftOut {
        let rule = self.disk.read_at_most(&self.place.history().join(GITIGNORE), MOST_RULE_BYTES);
        if !matches!(rule, Ok(Some(text)) if text == IGNORE_ALL.as_bytes()) {
            return LeftOut::No;
        }
        let index = self.known().and_then(|known| known.repository.index().ok());
        match index.map(|index| index.tracks(&format!("history/{GITIGNORE}"))) {
            None | Some(Tracked::No) => LeftOut::Here,
            Some(Tracked::Yes(_) | Tracked::Covered) => LeftOut::ByCommit,
        }
    }

    /// The filters that git puts between files of the history and what it holds of them; none where it cannot be asked.
    pub fn filters(&self) -> BTreeSet<String> {
        const OF_EACH_KIND: [&str; 3] = [
            "history/2026-11-21.k3f9x2ab.1.jsonl", "history/blobs/ab/ab12.zst", "history/archive/2026-11-21.jsonl.zst",
        ];
        let asked = self.known().map(|known| known.repository.filters(&OF_EACH_KIND));
        asked.and_then(Result::ok).unwrap_or_default()
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
        // The history, .context and the project's folder, each of which may be new.
        for folder in self.place.history().ancestors().take(3) {
            let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
            self.disk.sync_folder(folder).map_err(LogError::at("sync", folder))?;
        }
        Ok(())
    }
}
