//! What git knows of files of ours: where its repository is, what its index has, whether `HEAD` moved, what its refs hold.
//!
//! Reads the files of the git directory itself, so that a hook starts no process; only `tips`, `past` and `versions`, which commands ask, run git.
//! Writes nothing, and decides nothing about segments. Whoever gets a `GitError` treats every file as tracked.

mod attributes;
mod config;
mod discovery;
pub(crate) mod index;
pub(crate) mod object;
mod past;
mod program;
mod sparse;
pub(crate) mod stamp;
pub(crate) mod tips;
mod tree;
mod versions;

#[cfg(test)]
mod tests;

use std::ffi::{OsStr, OsString};
use std::io;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

pub use index::{Index, IndexedAs, Staged, Tracked};
pub use object::{BlobId, HashKind};
pub use program::git_in;
pub use stamp::GitStamp;
pub use tips::HeldPaths;
pub use versions::{FileVersion, FileVersions};

/// What the environment says to git, as far as the log must know it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct GitEnvironment {
    /// Where the program was started: relative paths below start here.
    pub directory: PathBuf,
    /// `GIT_DIR`.
    pub git_dir: Option<OsString>,
    /// `GIT_WORK_TREE`.
    pub work_tree: Option<OsString>,
    /// `GIT_INDEX_FILE`: hooks of `git commit` see another index than the one in the git directory.
    pub index_file: Option<OsString>,
}

impl GitEnvironment {
    fn work_tree(&self) -> Option<PathBuf> {
        self.work_tree.as_ref().map(|path| self.directory.join(path))
    }
}

/// Why git's files do not say what they hold. Until they do, everything counts as tracked.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum GitError {
    /// The system refused something.
    #[error("cannot {doing} {}", path.display())]
    Io {
        /// What was tried.
        doing: &'static str,
        /// On what.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The repository is not one that git would open.
    #[error("{} is no git repository that can be read: {why}", path.display())]
    Broken {
        /// Its `.git`.
        path: PathBuf,
        /// What is wrong.
        why: String,
    },
    /// The index has a form that is not known, or damage.
    #[error("cannot read the index {}: {why}", path.display())]
    Unreadable {
        /// The index.
        path: PathBuf,
        /// What is wrong.
        why: String,
    },
    /// There is no program `git` on this machine.
    #[error("git is not installed, so nobody can say what its branches hold")]
    NoProgram,
    /// The program `git` failed.
    #[error("git {command} failed: {says}")]
    Failed {
        /// Which command.
        command: &'static str,
        /// What it said.
        says: String,
    },
}

impl GitError {
    /// Says what was tried on which path.
    fn at(doing: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        move |source| Self::Io { doing, path, source }
    }
}

/// The git repository that a `.context` folder stands in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Repository {
    root: PathBuf,
    git_dir: PathBuf,
    common_dir: PathBuf,
    prefix: Vec<u8>,
    other_index: Option<PathBuf>,
    hash: HashKind,
    is_partial: bool,
}

impl Repository {
    /// The top of the work tree.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The git directory of this work tree: for a linked one, its own below `worktrees/` of the repository's.
    pub fn git_dir(&self) -> &Path {
        &self.git_dir
    }

    /// The git directory that all work trees share.
    pub(crate) fn common_dir(&self) -> &Path {
        &self.common_dir
    }

    /// `.context` as seen from the top, with `/`; empty where it is the top itself.
    pub fn prefix(&self) -> &[u8] {
        &self.prefix
    }

    /// The same repository, as a `.context` elsewhere in its work tree sees it.
    #[must_use]
    pub(crate) fn with_prefix(&self, prefix: &[u8]) -> Self {
        Self { prefix: prefix.to_owned(), ..self.clone() }
    }

    /// Where a path below `.context` is in the work tree; `None` where that is no text.
    fn path_in_tree(&self, path: &str) -> Option<String> {
        let prefix = std::str::from_utf8(&self.prefix).ok()?;
        Some(if prefix.is_empty() { path.to_owned() } else { format!("{prefix}/{path}") })
    }

    /// Whether it is a partial clone: contents that were not fetched are missing, and nothing is wrong. Its own `config` says
    /// so, which no repository can bring.
    pub(crate) fn is_partial(&self) -> bool {
        self.is_partial
    }

    /// Whether the past was not fetched with the clone.
    pub(crate) fn is_shallow(&self) -> bool {
        self.common_dir.join("shallow").exists()
    }

    /// How objects are named.
    pub fn hash(&self) -> HashKind {
        self.hash
    }

    /// The indexes that count: the work tree's, and one that the environment names.
    fn indexes(&self) -> impl Iterator<Item = PathBuf> {
        std::iter::once(self.git_dir.join("index")).chain(self.other_index.clone())
    }
}

/// A path from bytes of a file of git's.
pub(crate) fn path_of(bytes: &[u8]) -> PathBuf {
    PathBuf::from(OsStr::from_bytes(bytes))
}
