//! What git took: a file that git's index knows is never written again (decision 41).
//!
//! Looks into git where its index or HEAD changed, closes this writer's segments, and brings lines that git did not take
//! out of a file that it did take into another one. Starts no process; `rescue` asks branches.

use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::LogError;
use super::begun::Begun;
use super::disk::{Disk, Safety};
use super::git::{GitEnvironment, GitStamp, HashKind, Index, Repository, Staged, Tracked};
use super::position::{Naming, Position};
use super::second::SecondNames;
use super::segment::{Packing, SegmentOwner};
use super::writer::Log;

/// The git work tree that a history stands in.
#[derive(Debug, Clone)]
pub struct Git {
    /// Its repository; `None` where it cannot be read: then every file there was before counts as tracked.
    pub known: Option<Known>,
    /// Whether branches may be asked.
    pub asks: Asks,
}

/// A repository that can be read.
#[derive(Debug, Clone)]
pub struct Known {
    /// The repository.
    pub repository: Repository,
    /// Where second names are.
    pub seconds: SecondNames,
}

/// Whether branches may be asked what they hold, which takes a process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Asks {
    /// A command may.
    Branches,
    /// A hook may not.
    Nobody,
}

/// Whether what git takes away can be put back.
#[derive(Debug)]
pub enum Protection {
    /// It can.
    Given,
    /// Not while git holds its index.
    Waiting,
    /// Not where the repository cannot be read.
    Unreadable,
    /// Not where its directory cannot be written.
    Refused(io::Error),
}

/// Whether files of the history were changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum HistoryFiles {
    AsTheyWere,
    Changed,
}

/// How often a git that holds its index is looked at again before it is left to the next writer, and how long between.
const LOOKS: u32 = 25;
const PAUSE: Duration = Duration::from_millis(2);

/// Where the index does not tell how long a staged segment is, so many lengths are tried, the longest first.
const LENGTHS: usize = 64;

/// What git's index has of `.context`: whoever replaces a file of which it has these bytes takes nothing away.
#[derive(Debug)]
pub struct InGit(Option<(Index, HashKind)>);

impl InGit {
    /// Whether the index has exactly these bytes at a path below `.context`.
    pub fn has(&self, path: &str, bytes: &[u8]) -> bool {
        let Some((index, hash)) = &self.0 else { return false };
        matches!(index.tracks(path), Tracked::Yes(staged) if hash.blob_id(bytes).is_some_and(|id| id == staged.id))
    }
}

impl Log {
    /// What git's index has of `.context` now; nothing where there is none, or it cannot be read.
    pub fn in_git(&self) -> InGit {
        let index = self.known().and_then(|known| Some((known.repository.index().ok()?, known.repository.hash())));
        InGit(index)
    }

    /// The repository that the history stands in, where it can be read.
    pub(super) fn known(&self) -> Option<&Known> {
        self.git.as_ref()?.known.as_ref()
    }

    /// The folder in which second names are.
    pub fn second_names(&self) -> Option<&Path> {
        self.known().map(|known| known.seconds.root())
    }

    /// Where other work trees of the clone, and other folders, have theirs, by the names of these.
    pub fn other_second_names(&self) -> Vec<(String, PathBuf)> {
        self.known().map(|known| known.seconds.others(&*self.disk)).unwrap_or_default()
    }

    /// Whether what git takes away can be put back; `None` where there is no git.
    pub fn protection(&self) -> Option<Protection> {
        let Some(known) = &self.git.as_ref()?.known else { return Some(Protection::Unreadable) };
        let (folder, probe) = (known.seconds.history(), known.seconds.root().join(".probe"));
        let made = self.disk.create_folder(&folder).and_then(|()| self.disk.replace(&probe, b"", Safety::Cached));
        Some(match made.and_then(|()| self.disk.remove(&probe)) {
            Ok(()) if self.is_git_at_work() => Protection::Waiting,
            Ok(()) => Protection::Given,
            Err(error) => Protection::Refused(error),
        })
    }

    /// How segments are named.
    pub(super) fn naming(&self) -> Naming {
        if self.git.is_some() { Naming::Own } else { Naming::Shared }
    }

    /// A name for a segment that no segment of this writer ever had, be it on another branch.
    pub(super) fn new_segment(&self, position: &mut Position, stem: &str) -> String {
        let is_used = |path: &Path| self.disk.look(path).ok().flatten().is_some();
        loop {
            let name = position.new_segment(stem);
            let second = self.known().map(|known| known.seconds.history().join(&name));
            if !is_used(&self.place.history().join(&name)) && !second.is_some_and(|path| is_used(&path)) {
                return name;
            }
        }
    }

    /// Whether what the bookmark tells is enough to go on: git looks as it did, or took nothing that is written to.
    pub(super) fn may_go_on(&self, position: &mut Position) -> bool {
        let Some(git) = &self.git else { return position.git().is_none() };
        let stamp = git.stamp();
        if position.is_looked_into(&stamp) {
            return true;
        }
        let Some(segment) = position.only_open_segment().filter(|_| position.has_head(&stamp)) else {
            return false;
        };
        let goes_on = git.index().is_some_and(|index| index.tracks(&below(segment)) == Tracked::No);
        if goes_on {
            position.looked_into_git(stamp);
        }
        goes_on
    }

    /// Reads what is new. The torn tail of what git knows stays as it is.
    pub(super) fn read_changes(&self, position: &mut Position) -> Result<(), LogError> {
        let may_write = |segment: &str| match &self.git {
            // An index that cannot be read may know the file, and what git knows is never written.
            Some(git) => git.index().is_some_and(|index| index.tracks(&below(segment)) == Tracked::No),
            None => true,
        };
        position.catch_up(&*self.disk, &self.place, &may_write)
    }

    /// Closes what git took, where it changed since somebody looked.
    pub(super) fn look_into_git(&self, position: &mut Position) -> Result<HistoryFiles, LogError> {
        let Some(git) = &self.git else { return Ok(HistoryFiles::AsTheyWere) };
        let stamp = git.stamp();
        if position.is_looked_into(&stamp) {
            return Ok(HistoryFiles::AsTheyWere);
        }
        let index = git.index();
        // What cannot be read may know every file; and where HEAD moved, a commit may have come and gone again.
        if !position.has_head(&stamp) || index.as_ref().is_none_or(|index| takes_open(position, index)) {
            position.close_segments();
        }
        let files = match (&git.known, &index) {
            (Some(known), Some(index)) => self.cut_taken(known, position, index)?,
            (Some(_) | None, _) => HistoryFiles::AsTheyWere,
        };
        if files == HistoryFiles::Changed {
            self.read_changes(position)?;
        }
        position.looked_into_git(stamp);
        Ok(files)
    }

    /// The same after writing: git may have read a segment before the last lines came to it. A git that is at work is
    /// waited for a moment; what it leaves behind later, the next writer finds.
    pub(super) fn look_into_git_again(&self, position: &mut Position) -> Result<HistoryFiles, LogError> {
        let Some(git) = &self.git else { return Ok(HistoryFiles::AsTheyWere) };
        for _ in 0..LOOKS {
            if !git.stamp().locked {
                break;
            }
            // 50 ms in all: no writer is held up longer by a git that was killed and left its lock behind.
            std::thread::sleep(PAUSE);
        }
        self.look_into_git(position)
    }

    /// Cuts every segment that has grown since git took it.
    fn cut_taken(&self, git: &Known, position: &mut Position, index: &Index) -> Result<HistoryFiles, LogError> {
        let plain = position.marks().iter().filter(|(name, _)| Packing::of(name) == Packing::Plain);
        let tracked = plain.map(|(name, mark)| (name.to_owned(), mark.look.len, index.tracks(&below(name))));
        let grown: Vec<_> = tracked.filter(|(_, length, tracked)| may_be_longer(tracked, *length)).collect();
        let mut files = HistoryFiles::AsTheyWere;
        for (name, _, tracked) in grown {
            if self.move_rest(git, position, &name, &tracked)? == HistoryFiles::Changed {
                files = HistoryFiles::Changed;
            }
        }
        Ok(files)
    }

    /// What lies behind what git took of a segment is first written to a new one, then cut off.
    fn move_rest(
        &self,
        git: &Known,
        position: &mut Position,
        name: &str,
        tracked: &Tracked,
    ) -> Result<HistoryFiles, LogError> {
        let path = self.place.history().join(name);
        let bytes = self.disk.read(&path).map_err(LogError::at("read", &path))?.unwrap_or_default();
        let length = staged_length(&git.repository, tracked, &bytes).filter(|length| *length < bytes.len());
        let (Some(length), Some((stem, _))) = (length, SegmentOwner::of(name)) else {
            return Ok(HistoryFiles::AsTheyWere);
        };
        let segment = self.new_segment(position, stem);
        let rest = self.place.history().join(&segment);
        Begun::around(&*self.disk, &self.place, &segment, || {
            append_synced(&*self.disk, &rest, &bytes[length..]).map_err(LogError::at("write", &rest))
        })?;
        self.disk.sync_folder(self.place.history()).map_err(LogError::at("sync", self.place.history()))?;
        // Cut only when the rest is on the disk under its new name: a crash in between leaves lines in both files,
        // and equal lines count once.
        cut(&*self.disk, &path, length as u64).map_err(LogError::at("cut", &path))?;
        Ok(HistoryFiles::Changed)
    }
}

/// Whether git took one of the segments that this writer adds to.
fn takes_open(position: &Position, index: &Index) -> bool {
    position.open_segments().any(|(_, name)| index.tracks(&below(name)) != Tracked::No)
}

/// Whether a file may be longer than what git took of it.
fn may_be_longer(tracked: &Tracked, length: u64) -> bool {
    match tracked {
        Tracked::Yes(staged) => staged.length.is_none_or(|staged| staged < length),
        Tracked::No | Tracked::Covered => false,
    }
}

/// How much of a file git took; `None` where what it took is no beginning of the file, as after a scrub, or does not end
/// with a line.
fn staged_length(repository: &Repository, tracked: &Tracked, bytes: &[u8]) -> Option<usize> {
    let Tracked::Yes(Staged { length, id, .. }) = tracked else { return None };
    let ends = memchr::memrchr_iter(b'\n', bytes).map(|at| at + 1).chain([0]);
    // The length alone would take a rewritten file of the same size for what git has.
    let is_staged = |end: &usize| repository.hash().blob_id(&bytes[..*end]).as_ref() == Some(id);
    match length {
        Some(length) => {
            ends.take_while(|end| *end as u64 >= *length).find(|end| *end as u64 == *length).filter(is_staged)
        }
        None => ends.take(LENGTHS).find(is_staged),
    }
}

fn append_synced(disk: &dyn Disk, path: &Path, bytes: &[u8]) -> io::Result<()> {
    let file = disk.append_to(path)?;
    file.append(bytes)?;
    file.sync()
}

fn cut(disk: &dyn Disk, path: &Path, length: u64) -> io::Result<()> {
    let file = disk.append_to(path)?;
    file.truncate(length)?;
    file.sync()
}

impl Git {
    /// Finds the work tree that a `.context` folder stands in.
    pub fn find(context: &Path, environment: &GitEnvironment, asks: Asks) -> Option<Self> {
        let known = match Repository::discover(context, environment) {
            Ok(None) => return None,
            Ok(Some(repository)) => {
                let seconds = SecondNames::within(context, &repository);
                Some(Known { repository, seconds })
            }
            Err(_) => None,
        };
        Some(Self { known, asks })
    }

    /// Where second names are.
    pub fn seconds(&self) -> Option<&SecondNames> {
        self.known.as_ref().map(|known| &known.seconds)
    }

    /// What git looks like; one that cannot be looked at looks like nothing, and its index cannot be read either.
    pub(super) fn stamp(&self) -> GitStamp {
        self.known.as_ref().and_then(|known| known.repository.stamp().ok()).unwrap_or_default()
    }

    fn index(&self) -> Option<Index> {
        self.known.as_ref()?.repository.index().ok()
    }
}

/// A segment's path below `.context`.
pub(super) fn below(segment: &str) -> String {
    format!("history/{segment}")
}
