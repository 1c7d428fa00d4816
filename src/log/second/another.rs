//! Whether the folder that stands at a path is another one than that whose second names are kept there: folders change
//! places, and new projects begin where others were.
//!
//! Looks at files and into git's index; starts no process and changes nothing. Where nothing tells two folders apart, they
//! are one.

use std::collections::BTreeSet;
use std::io;
use std::path::Path;

use super::RESTORED;
use crate::log::disk::{Disk, Facts};
use crate::log::git::Repository;
use crate::log::segment::Owner;

/// What tells one history from others: its writers, and its packed segments, which are named by what is in them. What was
/// put back has a name of the repository's.
pub fn origins(disk: &dyn Disk, folder: &Path) -> io::Result<BTreeSet<String>> {
    let (history, archive) = (disk.list(&folder.join("history"))?, disk.list(&folder.join("history/archive"))?);
    let writers = history.iter().filter_map(|file| writer_of(&file.name)).map(str::to_owned);
    Ok(writers.chain(archive.into_iter().map(|file| file.name)).collect())
}

/// The writer who alone wrote a segment.
pub fn writer_of(name: &str) -> Option<&str> {
    match Owner::of(name)? {
        (stem, Owner::Writer { .. }) => {
            let writer = name.strip_prefix(stem)?.strip_prefix('.')?.split('.').next()?;
            Some(writer).filter(|writer| !writer.starts_with(RESTORED))
        }
        (_, Owner::Everybody) => None,
    }
}

/// Whether the folder at a path is not the one that these second names are of. The lock is the one file that a folder
/// takes along wherever it goes; where git has cleaned that away, too, the writers tell.
pub(super) fn is_anothers(disk: &dyn Disk, repository: &Repository, context: &Path, root: &Path) -> io::Result<bool> {
    let Some(kept) = lock_in(disk, root)? else { return Ok(false) };
    let first = lock_in(disk, context)?;
    if first.is_some_and(|first| first.number == kept.number) {
        return Ok(false);
    }
    // It has another name than this one: some folder took it along.
    let is_elsewhere = kept.names > 1;
    if first.is_some() && is_elsewhere {
        return Ok(true);
    }
    let (before, now) = (origins(disk, root)?, origins(disk, context)?);
    Ok(before.is_disjoint(&now) && (is_elsewhere || has_moved(repository, &before)?))
}

fn lock_in(disk: &dyn Disk, folder: &Path) -> io::Result<Option<Facts>> {
    match disk.facts(&folder.join("local/lock")) {
        Err(error) if error.kind() == io::ErrorKind::NotADirectory => Ok(None),
        found => found,
    }
}

/// Whether git's index has segments of these writers, and only in other folders.
fn has_moved(repository: &Repository, writers: &BTreeSet<String>) -> io::Result<bool> {
    let is_of = |name: &str| writer_of(name).is_some_and(|writer| writers.contains(writer));
    let places = repository.places(is_of).map_err(io::Error::other)?;
    Ok(!places.is_empty() && !places.contains(repository.prefix()))
}
