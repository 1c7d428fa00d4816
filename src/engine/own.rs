//! Whether what lies in a `.context` is this clone's: `local/` without its mark is set aside, `.context` as a link that
//! came with the repository is refused.
//!
//! Asked when a folder is made or opened. Does not say it; whoever opened it does.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

use super::EngineError;
use super::clock::Clock;
use crate::log::LogError;
use crate::log::clone::{self, Standing};
use crate::log::disk::Disk;
use crate::log::git::{self, GitEnvironment, GitError, IndexedAs, Repository, Staged};
use crate::log::place::Place;

/// Whether git's index has something.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tracked {
    /// It has it.
    Yes,
    /// It cannot be read.
    Unknown,
    /// It has not.
    No,
}

impl Tracked {
    /// Whether the index has anything of `local/`.
    pub fn local(context: &Path) -> Self {
        let Ok(found) = repository_of(context) else { return Self::Unknown };
        let Some(repository) = found else { return Self::No };
        let Ok(index) = repository.index() else { return Self::Unknown };
        let is_whole = matches!(index.tracks("local"), git::Tracked::Yes(_));
        let is_there = index.context().is_some() || is_whole || index.below("local").next().is_some();
        if is_there { Self::Yes } else { Self::No }
    }
}

/// The repository that a folder stands in; none where the folder is on no disk of this machine.
pub(super) fn repository_of(context: &Path) -> Result<Option<Repository>, GitError> {
    let is_nowhere =
        std::fs::symlink_metadata(context).is_err_and(|error| error.kind() == std::io::ErrorKind::NotFound);
    if is_nowhere {
        return Ok(None);
    }
    let environment = GitEnvironment { directory: PathBuf::from("."), ..GitEnvironment::default() };
    Repository::discover(context, &environment)
}

/// A `.context` that is a link may be its person's own, but not one that git brought.
pub fn require_own_folder(context: &Path) -> Result<(), EngineError> {
    if !std::fs::symlink_metadata(context).is_ok_and(|metadata| metadata.is_symlink()) {
        return Ok(());
    }
    let refused = || EngineError::LinkedContext { path: context.to_owned() };
    let Some(repository) = repository_of(context).map_err(|_| refused())? else { return Ok(()) };
    let is_brought = repository.index().map_or(true, |index| index.context() == Some(IndexedAs::Link));
    if is_brought { Err(refused()) } else { Ok(()) }
}

/// Marks a `local/` that an earlier version made, and sets one aside that is not ours; returns where that is now.
pub(super) fn own_local(disk: &dyn Disk, place: &Place, clock: &Clock) -> Result<Option<PathBuf>, EngineError> {
    let standing = clone::standing(disk, place).map_err(LogError::at("look at", place.local()))?;
    match standing {
        Standing::Missing => return Ok(None),
        Standing::Ours => return own_files(disk, place, clock),
        Standing::Unmarked if Tracked::local(place.context()) == Tracked::No => {
            // Where nothing can be written it is asked again the next time.
            let _ = clone::set(disk, place, clock.chance_beside());
            return Ok(None);
        }
        Standing::Unmarked | Standing::Anothers => {}
    }
    let aside =
        clone::set_aside(disk, place, clock.chance_beside()).map_err(LogError::at("set aside", place.local()))?;
    Ok(Some(aside))
}

/// Where git ignores `local/`, it puts what a later commit has there over what is ours, without a word: what stands there as
/// the index has it is set aside. The index is read only when it changed; returns where the files are now.
fn own_files(disk: &dyn Disk, place: &Place, clock: &Clock) -> Result<Option<PathBuf>, EngineError> {
    // Without a git that can be read, nobody can have brought anything.
    let Ok(Some(repository)) = repository_of(place.context()) else { return Ok(None) };
    let Ok(stamp) = repository.stamp() else { return Ok(None) };
    let Ok(Some(mark)) = clone::read(disk, place) else { return Ok(None) };
    if mark.has_seen(stamp.index) {
        return Ok(None);
    }
    let Ok(index) = repository.index() else { return Ok(None) };
    let is_as_it_was = |path: &Path, staged: &Staged| {
        let bytes = disk.read(path).ok().flatten();
        bytes.is_some_and(|bytes| repository.hash().blob_id(&bytes).as_ref() == Some(&staged.id))
    };
    let all = index.below("local").map(|(path, staged)| (place.context().join(OsStr::from_bytes(path)), staged));
    let brought: Vec<_> = all.filter(|(path, staged)| is_as_it_was(path, staged)).map(|(path, _)| path).collect();
    let aside = match brought.as_slice() {
        [] => None,
        files => {
            let aside = clone::set_files_aside(disk, place, clock.chance_beside(), files);
            Some(aside.map_err(LogError::at("set aside", place.local()))?)
        }
    };
    // Where nothing can be written it is asked again the next time.
    let _ = clone::set_looked_at(disk, place, mark, stamp.index);
    Ok(aside)
}
