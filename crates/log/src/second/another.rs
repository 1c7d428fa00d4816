//! Whether the folder that stands at a path is another one than that whose second names are kept there: folders change
//! places, and new projects begin where others were.
//!
//! It is, where that one can be pointed at: a whole folder elsewhere in the work tree that has its lock, which goes with a
//! folder, or, where git has cleaned the lock away, lines of its writers. Without that the second names are those of whatever
//! stands there: nothing is taken from a folder on a guess. Starts no process and changes nothing.

use std::collections::{BTreeSet, VecDeque};
use std::io;
use std::path::{Path, PathBuf};

use super::RESTORED;
use crate::disk::{Disk, Facts};
use crate::segment::SegmentOwner;

/// No more folders of a work tree are looked into.
const MOST_FOLDERS: usize = 20_000;

/// What tells one history from others: its writers, and its packed segments, which are named by what is in them. What was
/// put back has a name of the repository's.
pub(crate) fn origins(disk: &dyn Disk, folder: &Path) -> io::Result<BTreeSet<String>> {
    let (history, archive) = (disk.list(&folder.join("history"))?, disk.list(&folder.join("history/archive"))?);
    let writers = history.iter().filter_map(|file| writer_of(&file.name)).map(str::to_owned);
    Ok(writers.chain(archive.into_iter().map(|file| file.name)).collect())
}

/// The writer who alone wrote a segment.
pub fn writer_of(name: &str) -> Option<&str> {
    match SegmentOwner::of(name)? {
        (stem, SegmentOwner::Writer { .. }) => {
            let writer = name.strip_prefix(stem)?.strip_prefix('.')?.split('.').next()?;
            Some(writer).filter(|writer| !writer.starts_with(RESTORED))
        }
        (_, SegmentOwner::Everybody) => None,
    }
}

/// Whether the folder at a path is not the one that these second names are of.
pub(super) fn is_anothers(disk: &dyn Disk, tree: &Path, context: &Path, root: &Path) -> io::Result<bool> {
    let Some(kept) = lock_in(disk, root)? else { return Ok(false) };
    let first = lock_in(disk, context)?;
    if first.is_some_and(|first| first.number == kept.number) {
        return Ok(false);
    }
    let (before, now) = (origins(disk, root)?, origins(disk, context)?);
    let has_lines = !before.is_disjoint(&now);
    // One name: git has cleaned the lock away, and only the second name is left of it.
    if has_lines && (first.is_none() || kept.names == 1) || before.is_empty() && kept.names == 1 {
        return Ok(false);
    }
    for other in whole_folders(disk, tree, context)? {
        let has_lock = lock_in(disk, &other)?.is_some_and(|lock| lock.number == kept.number);
        if has_lock || !has_lines && !origins(disk, &other)?.is_disjoint(&before) {
            return Ok(true);
        }
    }
    Ok(false)
}

fn lock_in(disk: &dyn Disk, folder: &Path) -> io::Result<Option<Facts>> {
    match disk.facts(&folder.join("local/lock")) {
        Err(error) if error.kind() == io::ErrorKind::NotADirectory => Ok(None),
        found => found,
    }
}

/// The other folders of a work tree that are called as this one is and are no mere rest of one, the nearest to the top first.
fn whole_folders(disk: &dyn Disk, tree: &Path, context: &Path) -> io::Result<Vec<PathBuf>> {
    let (mut found, mut left) = (Vec::new(), VecDeque::from([tree.to_owned()]));
    for _ in 0..MOST_FOLDERS {
        let Some(folder) = left.pop_front() else { break };
        for name in disk.folders(&folder)? {
            let path = folder.join(&name);
            let is_called_so = context.file_name().is_some_and(|own| own.to_str() == Some(&*name));
            if is_called_so && path != context && !is_rest(disk, &path) {
                found.push(path);
            } else if !is_called_so && name != ".git" {
                left.push_back(path);
            }
        }
    }
    Ok(found)
}

/// Whether git has taken what it tracks of a folder away, and left the rest.
pub(crate) fn is_rest(disk: &dyn Disk, folder: &Path) -> bool {
    let is_gone = |name: &str| match disk.look(&folder.join(name)) {
        Ok(None) => true,
        Err(error) => error.kind() == io::ErrorKind::NotADirectory,
        Ok(Some(_)) => false,
    };
    ["config.toml", ".gitignore"].into_iter().all(is_gone)
}
