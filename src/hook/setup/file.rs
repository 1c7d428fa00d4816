//! A settings file of another program: read as it is, replaced at once, with its permissions and behind its links.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// The text; `None` where there is no file.
pub(super) fn read(path: &Path) -> io::Result<Option<String>> {
    match fs::read(path) {
        Ok(bytes) => String::from_utf8(bytes).map(Some).map_err(io::Error::other),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

/// Puts the text in place; a reader sees the old one or the new one, whole.
pub(super) fn write(path: &Path, text: &str) -> io::Result<()> {
    // Of a link (settings kept elsewhere) what it leads to is replaced, not the link.
    let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let folder = path.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(folder)?;
    let temporary = temporary(&path);
    let written = fill(&temporary, &path, text).and_then(|()| fs::rename(&temporary, &path));
    if written.is_err() {
        // The first error says more than this one would.
        let _ = fs::remove_file(&temporary);
    }
    written?;
    fs::File::open(folder)?.sync_all()
}

fn temporary(path: &Path) -> PathBuf {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    path.with_file_name(format!(".{name}.{}.tmp", std::process::id()))
}

fn fill(temporary: &Path, model: &Path, text: &str) -> io::Result<()> {
    let mut file = fs::File::create(temporary)?;
    if let Ok(metadata) = fs::metadata(model) {
        file.set_permissions(metadata.permissions())?;
    }
    file.write_all(text.as_bytes())?;
    file.sync_all()
}

/// Removes a file in which nothing is left.
pub(super) fn remove(path: &Path) -> io::Result<()> {
    fs::remove_file(path)
}
