//! Files of the history that have no second name: they were there before git was, or it could not be made then.
//!
//! What git has needs none.

use super::{Known, Log};
use crate::git::Tracked;

impl Log {
    /// Gives them their second names. Recording goes on where that fails, and `doctor` looks.
    pub(super) fn shelter(&self, git: &Known, bare: &[String]) {
        let index = if bare.is_empty() { None } else { git.repository.index().ok() };
        let Some(index) = index else { return };
        for path in bare.iter().filter(|path| matches!(index.tracks(path), Tracked::No)) {
            let (first, second) = (self.place.context().join(path), git.seconds.root().join(path));
            let folder = second.parent().unwrap_or(git.seconds.root());
            let _ = self.disk.create_folder(folder).and_then(|()| self.disk.link(&first, &second));
        }
    }
}
