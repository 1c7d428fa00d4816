//! A settings file of another program: read as it is, replaced at once, with its permissions.
//!
//! In a project no link on the way to it is followed, because the repository may have brought it; in a person's home
//! links are the person's own. Does not know what stands in the file.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::SetupError;
use crate::log::disk::{Disk, RealDisk, Safety};

/// A settings file has at most so many bytes.
const MOST_BYTES: u64 = 1 << 20;

/// Where settings are, and whose links count on the way there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SettingsFile {
    path: PathBuf,
    links: Links,
}

/// Which links are followed.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Links {
    /// All: the person made them.
    Followed,
    /// None below this folder: a repository may have brought them.
    RefusedBelow(PathBuf),
}

impl SettingsFile {
    /// A file among a person's own settings.
    pub fn of_person(path: PathBuf) -> Self {
        Self { path, links: Links::Followed }
    }

    /// A file of a project, by its path below the project's folder.
    pub(crate) fn in_project(project: &Path, file: &Path) -> Self {
        Self { path: project.join(file), links: Links::RefusedBelow(project.to_owned()) }
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The project's folder, where it is a file of one.
    pub fn project(&self) -> Option<&Path> {
        match &self.links {
            Links::Followed => None,
            Links::RefusedBelow(project) => Some(project),
        }
    }

    fn disk(&self) -> Arc<dyn Disk> {
        let real = Arc::new(RealDisk);
        match &self.links {
            Links::Followed => real,
            Links::RefusedBelow(project) => real.below(project),
        }
    }

    /// The text; `None` where there is no file.
    pub(super) fn read(&self) -> io::Result<Option<String>> {
        let bytes = self.disk().read_at_most(&self.path, MOST_BYTES)?;
        bytes.map(String::from_utf8).transpose().map_err(io::Error::other)
    }

    /// Puts the text in place; a reader sees the old one or the new one, whole.
    pub(super) fn write(&self, text: &str) -> io::Result<()> {
        let path = self.behind_own_links();
        let disk = self.disk();
        if let Some(folder) = path.parent() {
            disk.create_folder(folder)?;
        }
        disk.replace(&path, text.as_bytes(), Safety::Synced)
    }

    /// Of a person's link (settings kept elsewhere) what it leads to is replaced, not the link.
    fn behind_own_links(&self) -> PathBuf {
        match self.links {
            Links::Followed => fs::canonicalize(&self.path).unwrap_or_else(|_| self.path.clone()),
            Links::RefusedBelow(_) => self.path.clone(),
        }
    }

    /// The text; none where there is no file.
    ///
    /// # Errors
    /// Names the file where it cannot be read.
    pub fn text(&self) -> Result<Option<String>, SetupError> {
        self.read().map_err(|problem| SetupError::Io { doing: "read", path: self.path.clone(), problem })
    }

    /// Puts a text in the place of one; of none the file is removed.
    ///
    /// # Errors
    /// Names the file where it cannot be written.
    pub fn put(&self, new: Option<&str>, old: Option<&str>) -> Result<(), SetupError> {
        let failed = |doing| move |problem| SetupError::Io { doing, path: self.path.clone(), problem };
        match new {
            _ if new == old => Ok(()),
            Some(text) => self.write(text).map_err(failed("write")),
            None => self.remove().map_err(failed("remove")),
        }
    }

    /// Removes a file in which nothing is left.
    pub(super) fn remove(&self) -> io::Result<()> {
        self.disk().remove(&self.path)
    }
}
