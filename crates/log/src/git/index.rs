//! What git's index has of the files below `.context`.
//!
//! Read once, asked often. Keeps only what is below `.context`; does not look at the work tree.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::path::Path;

use gix_index::entry::{Flags, Mode, Stage};
use gix_index::{Entry, File, decode};

use super::object::BlobId;
use super::{GitError, Repository};

/// A larger index is not read: everything counts as tracked.
const MOST_BYTES: u64 = 1 << 30;

/// Whether the index has a path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Tracked {
    /// It does not.
    No,
    /// It does.
    Yes(Staged),
    /// It has something in the way: a sparse directory, a link or a submodule that stands for the folder.
    Covered,
}

/// What the index has at a path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Staged {
    /// How long the staged content is. `None` where the index does not tell: git writes 0 for what changed while it was added,
    /// and an unmerged path has several contents.
    pub length: Option<u64>,
    /// The staged content; of an unmerged path ours, or the first.
    pub id: BlobId,
    /// What it stands there as.
    pub indexed_as: IndexedAs,
}

/// What an entry of the index is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IndexedAs {
    /// A file, with or without the right to run it.
    File,
    /// A symbolic link.
    Link,
    /// Another repository.
    Submodule,
    /// A folder that sparse checkout leaves out whole.
    SparseFolder,
}

/// What the index has below `.context`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Index {
    staged: BTreeMap<Vec<u8>, Staged>,
    /// Folders, without a slash at the end, that something else stands for; the empty one is `.context`.
    covered: Vec<Vec<u8>>,
    context: Option<IndexedAs>,
    /// Files and folders that a sparse checkout leaves out; the empty one is `.context`.
    left_out: BTreeSet<Vec<u8>>,
}

impl Repository {
    /// Reads the index of the work tree, and the one that the environment names; one that is not there is empty.
    // 93 to 109 ms for 100,000 entries, so that it is read only where `stamp` (0.05 ms) says that something changed.
    pub fn index(&self) -> Result<Index, GitError> {
        let mut index = Index::default();
        for path in self.indexes() {
            index.read(&path, self)?;
        }
        Ok(index)
    }
}

impl Index {
    /// Whether the index has a path below `.context`, as in `history/2026-11-21.k3f9x2ab.1.jsonl`.
    pub fn tracks(&self, path: &str) -> Tracked {
        if let Some(staged) = self.staged.get(path.as_bytes()) {
            return Tracked::Yes(staged.clone());
        }
        let is_covered = self.covered.iter().any(|folder| is_in(path.as_bytes(), folder));
        if is_covered { Tracked::Covered } else { Tracked::No }
    }

    /// Every tracked path below a folder of `.context`, as seen from `.context`; the empty folder is `.context` itself.
    pub fn below(&self, folder: &str) -> impl Iterator<Item = (&[u8], &Staged)> {
        let folder = folder.trim_end_matches('/').as_bytes().to_vec();
        let from = self.staged.range(folder.clone()..);
        let same_start = from.take_while({
            let folder = folder.clone();
            move |(path, _)| path.starts_with(&folder)
        });
        same_start.filter(move |(path, _)| is_in(path, &folder)).map(|(path, staged)| (path.as_slice(), staged))
    }

    /// Whether a sparse checkout leaves something of a folder of `.context` out of the work tree, or may.
    pub fn leaves_out(&self, folder: &str) -> bool {
        let folder = folder.as_bytes();
        self.left_out.iter().any(|path| path == folder || is_in(path, folder) || is_in(folder, path))
    }

    /// What `.context` itself is in the index, where it is no plain folder.
    pub fn context(&self) -> Option<IndexedAs> {
        self.context
    }

    fn read(&mut self, path: &Path, repository: &Repository) -> Result<(), GitError> {
        match fs::metadata(path) {
            Ok(metadata) if metadata.len() > MOST_BYTES => {
                let why = format!("{} bytes are more than is read", metadata.len());
                return Err(GitError::Unreadable { path: path.to_owned(), why });
            }
            Ok(_) => {}
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
            Err(error) => return Err(GitError::at("look at", path)(error)),
        }
        let file = decoded(path, repository)?;
        for entry in file.entries() {
            self.take(entry.path(&file), entry, &repository.prefix);
        }
        Ok(())
    }

    fn take(&mut self, path: &[u8], entry: &Entry, prefix: &[u8]) {
        let path = path.strip_suffix(b"/").unwrap_or(path);
        let kind = kind_of(entry.mode);
        if is_in(path, prefix) {
            let below = if prefix.is_empty() { path } else { &path[prefix.len() + 1..] };
            if kind != IndexedAs::File {
                self.covered.push(below.to_owned());
            }
            if kind == IndexedAs::SparseFolder || entry.flags.contains(Flags::SKIP_WORKTREE) {
                self.left_out.insert(below.to_owned());
            }
            if kind != IndexedAs::SparseFolder {
                self.add(below, entry, kind);
            }
        } else if path == prefix || is_in(prefix, path) {
            self.covered.push(Vec::new());
            if kind == IndexedAs::SparseFolder {
                self.left_out.insert(Vec::new());
            }
            self.context = self.context.or(Some(kind));
        }
    }

    /// Of several entries for one path the one whose content is longest: what stands before its end is git's.
    fn add(&mut self, path: &[u8], entry: &Entry, indexed_as: IndexedAs) {
        let stage = entry.flags.stage();
        let id = BlobId::of(entry.id.as_bytes());
        let new = Staged { length: length(entry), id, indexed_as };
        let Some(old) = self.staged.get_mut(path) else {
            self.staged.insert(path.to_owned(), new);
            return;
        };
        let length = old.length.zip(new.length).map(|(old, new)| old.max(new));
        if stage == Stage::Ours || (stage == Stage::Unconflicted && length == new.length) {
            *old = new;
        }
        old.length = length;
    }
}

/// With the hash checked: an index that lost its end may look like one that tracks less.
fn decoded(path: &Path, repository: &Repository) -> Result<File, GitError> {
    let limit = usize::try_from(MOST_BYTES).ok();
    // One thread: a hook reads the index before each call, and starting more takes longer than decoding does.
    let options = decode::Options { thread_limit: Some(1), alloc_limit_bytes: limit, ..decode::Options::default() };
    let unreadable = |why: String| GitError::Unreadable { path: path.to_owned(), why };
    File::at(path, repository.hash.kind(), false, options).map_err(|error| unreadable(error.to_string()))
}

/// The length of a staged content, where it is certain.
fn length(entry: &Entry) -> Option<u64> {
    let is_empty = entry.flags.contains(Flags::INTENT_TO_ADD) || entry.id.is_empty_blob();
    match (entry.flags.stage(), entry.stat.size) {
        (Stage::Base | Stage::Ours | Stage::Theirs, _) => None,
        (Stage::Unconflicted, 0) => is_empty.then_some(0),
        (Stage::Unconflicted, size) => Some(u64::from(size)),
    }
}

fn kind_of(mode: Mode) -> IndexedAs {
    if mode.is_sparse() {
        IndexedAs::SparseFolder
    } else if mode.is_submodule() {
        IndexedAs::Submodule
    } else if mode == Mode::SYMLINK {
        IndexedAs::Link
    } else {
        IndexedAs::File
    }
}

/// Whether a path is below a folder; everything is below the empty one.
fn is_in(path: &[u8], folder: &[u8]) -> bool {
    folder.is_empty() || path.strip_prefix(folder).is_some_and(|rest| rest.first() == Some(&b'/'))
}
