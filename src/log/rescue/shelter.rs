//! Files of the history that have no second name: they were there before git was, or it could not be made then.
//!
//! What git has needs none.

use std::collections::BTreeSet;

use super::{Known, Log, LogError};
use crate::log::git::Tracked;

impl Log {
    /// Gives them their second names.
    pub(super) fn shelter(&self, git: &Known) -> Result<(), LogError> {
        let bare = self.bare(git)?;
        if bare.is_empty() {
            return Ok(());
        }
        let Ok(index) = git.repository.index() else { return Ok(()) };
        for path in bare.iter().filter(|path| matches!(index.tracks(path), Tracked::No)) {
            let (first, second) = (self.place.context().join(path), git.seconds.root().join(path));
            let folder = second.parent().unwrap_or(git.seconds.root());
            // Recording goes on without it, and `doctor` looks.
            let _ = self.disk.create_folder(folder).and_then(|()| self.disk.link(&first, &second));
        }
        Ok(())
    }

    /// The files of the history without a second name, by their paths below `.context`.
    fn bare(&self, git: &Known) -> Result<Vec<String>, LogError> {
        let mut bare = Vec::new();
        for (folder, firsts) in self.folders()? {
            if firsts.is_empty() {
                continue;
            }
            let second = git.seconds.root().join(&folder);
            let seconds = self.disk.list(&second).map_err(LogError::at("list", &second))?;
            let seconds: BTreeSet<_> = seconds.into_iter().map(|file| file.name).collect();
            let without = firsts.into_iter().filter(|first| !seconds.contains(&first.name));
            let paths = without.map(|first| format!("{folder}/{}", first.name));
            bare.extend(paths.filter(|path| git.seconds.of(&self.place.context().join(path)).is_some()));
        }
        Ok(bare)
    }
}
