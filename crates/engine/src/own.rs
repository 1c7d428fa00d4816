//! Whether what lies in a `.context` is this clone's: `local/` without its mark is set aside, `.context` as a link that
//! came with the repository is refused.
//!
//! Asked when a folder is made or opened. Does not say it; whoever opened it does.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

use super::EngineError;
use super::clock::Clock;
use annals_log::LogError;
use annals_log::clone::{self, CloneStanding};
use annals_log::disk::Disk;
use annals_log::git::{self, GitEnvironment, GitError, IndexedAs, Repository};
use annals_log::place::Place;
use annals_log::second::SecondNames;

/// Whether git's index has something.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tracked {
    /// It has it.
    Yes,
    /// It cannot be read, or does not tell.
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
        match index.context() {
            // It stands for all that is tracked in there, and names none of it.
            Some(IndexedAs::SparseFolder) => Self::Unknown,
            Some(IndexedAs::File | IndexedAs::Link | IndexedAs::Submodule) => Self::Yes,
            None if is_whole || index.below("local").next().is_some() => Self::Yes,
            None => Self::No,
        }
    }
}

/// Whether git changes the work tree just now. It writes the files first and its index when all are there: until then
/// nobody knows which of them it has brought.
pub fn is_git_at_work(context: &Path) -> bool {
    let repository = repository_of(context).ok().flatten();
    repository.and_then(|repository| repository.stamp().ok()).is_some_and(|stamp| stamp.locked)
}

/// The repository that a folder stands in; none where the folder is on no disk of this machine.
pub(super) fn repository_of(context: &Path) -> Result<Option<Repository>, GitError> {
    let is_nowhere =
        std::fs::symlink_metadata(context).is_err_and(|error| error.kind() == std::io::ErrorKind::NotFound);
    if is_nowhere {
        return Ok(None);
    }
    // The caller's environment is passed over: a GIT_DIR of another project's hook took a project from its own
    // repository.
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
    // An index that cannot be read counts as having everything.
    let is_brought = repository.index().map_or(true, |index| index.context() == Some(IndexedAs::Link));
    if is_brought { Err(refused()) } else { Ok(()) }
}

/// Marks a `local/` that an earlier version made, and sets one aside that is not ours; returns where that is now.
pub(super) fn own_local(disk: &dyn Disk, place: &Place, clock: &Clock) -> Result<Option<PathBuf>, EngineError> {
    let standing = clone::standing(disk, place).map_err(LogError::at("look at", place.local()))?;
    match standing {
        CloneStanding::Missing => return Ok(None),
        CloneStanding::Ours => return own_files(disk, place, clock),
        // An earlier version made it: what waits in it is adopted rather than lost.
        CloneStanding::Unmarked if Tracked::local(place.context()) == Tracked::No => {
            // Where nothing can be written it is asked again the next time.
            let _ = clone::set(disk, place, clock.chance_beside());
            return Ok(None);
        }
        CloneStanding::Unmarked | CloneStanding::Anothers => {}
    }
    let aside =
        clone::set_aside(disk, place, clock.chance_beside()).map_err(LogError::at("set aside", place.local()))?;
    Ok(Some(aside))
}

/// Where git ignores `local/`, it puts what a later commit has there over what is ours, without a word. So whatever the
/// index has there is set aside but for what is known to be ours: filters and line ends make a file that git wrote another
/// one than it has staged, so that what stands in it tells nothing. The index is read only when it changed; returns where
/// the files are now.
fn own_files(disk: &dyn Disk, place: &Place, clock: &Clock) -> Result<Option<PathBuf>, EngineError> {
    // Without a git that can be read, nobody can have brought anything.
    let Ok(Some(repository)) = repository_of(place.context()) else { return Ok(None) };
    let Ok(stamp) = repository.stamp() else { return Ok(None) };
    let Ok(Some(mark)) = clone::read(disk, place) else { return Ok(None) };
    if mark.has_seen(stamp.index) {
        return Ok(None);
    }
    let mut files = match repository.index() {
        Ok(index) => index.below("local").map(|(path, _)| place.context().join(OsStr::from_bytes(path))).collect(),
        // Then everything counts as tracked.
        Err(_) => clone::files(disk, place.local()).map_err(LogError::at("list", place.local()))?,
    };
    let seconds = SecondNames::within(place.context(), &repository);
    files.retain(|file| may_be_brought(disk, place, &seconds, file));
    let aside = match files.as_slice() {
        [] => None,
        files => {
            // Linked before the files are set aside: afterwards nothing tells any more which of them git has
            // replaced.
            let spared = spare(disk, &seconds, files);
            let aside = clone::set_files_aside(disk, place, clock.chance_beside(), files);
            for (spare, file) in spared {
                let _ = disk.rename(&spare, file);
            }
            Some(aside.map_err(LogError::at("set aside", place.local()))?)
        }
    };
    // Where nothing can be written it is asked again the next time.
    let _ = clone::set_looked_at(disk, place, mark, stamp.index);
    Ok(aside)
}

/// Whether a file of `local/` that git has may be somebody else's, and says anything. Git makes files of its own; only
/// this program gives one a second name in the git directory.
fn may_be_brought(disk: &dyn Disk, place: &Place, seconds: &SecondNames, file: &Path) -> bool {
    let second = seconds.of(file).and_then(|second| disk.look(&second).ok().flatten());
    match (disk.look(file), second) {
        (Ok(None), _) => false,
        (Ok(Some(look)), Some(second)) => look.number != second.number,
        (Ok(Some(_)) | Err(_), _) => !clone::is_harmless(disk, place, file),
    }
}

/// What git put another file in the place of is still there by its second name, and gets one in `local/` again: else
/// whoever brings a bookmark could make this clone forget which writer it is.
fn spare<'f>(disk: &dyn Disk, seconds: &SecondNames, files: &'f [PathBuf]) -> Vec<(PathBuf, &'f Path)> {
    let linked = files.iter().filter_map(|file| {
        let spare = file.with_file_name(format!(".{}.own", file.file_name()?.to_string_lossy()));
        disk.link(&seconds.of(file)?, &spare).is_ok().then_some((spare, file.as_path()))
    });
    linked.collect()
}
