//! The folders that a writer needs: made where they are not there, and on the disk before a line counts.

use std::path::Path;

use super::LogError;
use super::writer::Log;

impl Log {
    pub(super) fn make_folders(&self) -> Result<(), LogError> {
        for folder in [self.place.history(), self.place.local()] {
            if self.disk.look(folder).map_err(LogError::at("look at", folder))?.is_none() {
                self.disk.create_folder(folder).map_err(LogError::at("make", folder))?;
            }
        }
        Ok(())
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
