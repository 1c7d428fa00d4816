//! Removes a folder with all in it, also what was closed to us by its modes.

use std::fs::{self, Permissions};
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use super::error::WorkspaceError;

/// Removes it; that it is not there is as good. Links in it are removed, not followed.
pub(super) fn remove(folder: &Path) -> Result<(), WorkspaceError> {
    let removed = match fs::remove_dir_all(folder) {
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => {
            open(folder);
            fs::remove_dir_all(folder)
        }
        other => other,
    };
    match removed {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(WorkspaceError::io(folder, error)),
        _ => Ok(()),
    }
}

/// Commands have ended by now, so nothing is exchanged on the way.
fn open(folder: &Path) {
    // What cannot be opened is said by the removal.
    fs::set_permissions(folder, Permissions::from_mode(0o700)).ok();
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            open(&entry.path());
        }
    }
}
