//! Whose a change is, in a folder that is worked in itself.
//!
//! The folder is looked at before and after each piece of work: by times, and where they say nothing by content. What a piece of
//! work changed is the task's; what changed in between is others', and is neither taken for the task's nor lost. While a
//! command runs, what others change cannot be told from what it does.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use super::base::Reached;
use super::error::WorkspaceError;
use super::held::Held;
use super::journal::{Before, Journal, Known};
use crate::beneath::{About, Beneath, Kind, NotReached};
use crate::walk::{Passing, all, walk};

/// A folder that holds more is not copied, so no command is run in it.
const MOST_BYTES: u64 = 4 << 30;
/// Nor one with more files.
const MOST_FILES: u64 = 300_000;
/// Clocks of disks stand still for as long: what changed so shortly before it was looked at is looked into.
const TICK_NS: i128 = 50_000_000;

/// Looks at a folder before and after each piece of work.
#[derive(Debug)]
pub(super) struct FolderWatch {
    journal: Journal,
    /// What lay there when it was last looked at.
    seen: BTreeMap<PathBuf, About>,
    /// The latest change that was seen then.
    seen_at: i128,
    /// So many pieces of work are on their way.
    at_work: u32,
    /// Whether an earlier process was ended in the middle of one.
    was_killed: bool,
}

/// A folder, and the copies of what was in it.
pub(super) struct FolderSides<'s> {
    pub root: &'s Beneath,
    pub copies: &'s Beneath,
}

impl FolderSides<'_> {
    /// How a path was before the task; nothing where that is not known.
    pub(super) fn before(&self, known: &Known, path: &Path) -> Option<Held> {
        match known.before.get(path) {
            Some(Before::Copied) => Held::at(self.copies, path).ok(),
            Some(Before::Absent) => Some(Held::Absent),
            Some(Before::Folder(mode)) => Some(Held::Folder(*mode)),
            Some(Before::Special) => Some(Held::Special),
            None => known.is_whole.then_some(Held::Absent),
        }
    }

    /// What should lie there, if nobody but the task changed anything.
    fn expected(&self, known: &Known, path: &Path) -> Option<Held> {
        known.left.get(path).cloned().or_else(|| self.before(known, path))
    }

    /// What lies there, if it is something else.
    fn strange(&self, known: &Known, path: &Path) -> Option<Held> {
        let expected = self.expected(known, path)?;
        Some(Held::found(self.root, path)).filter(|is| *is != expected)
    }

    /// Whether others changed it. What cannot be looked at says nothing.
    fn is_strange(&self, known: &Known, path: &Path) -> bool {
        self.strange(known, path).is_some_and(|is| is != Held::Closed)
    }
}

impl FolderWatch {
    pub(super) fn of(journal: Journal) -> Self {
        let was_killed = journal.known.is_open;
        Self { journal, seen: BTreeMap::new(), seen_at: 0, at_work: 0, was_killed }
    }

    pub(super) fn known(&self) -> &Known {
        &self.journal.known
    }

    /// To be called before a piece of work.
    pub(super) fn begin(&mut self, sides: &FolderSides<'_>, reached: Reached<'_>) -> Result<(), WorkspaceError> {
        if self.was_killed {
            self.share_what_is_strange(sides)?;
            self.was_killed = false;
        }
        match reached {
            Reached::One(path) => {
                self.secure(sides, path)?;
                if self.at_work == 0 {
                    self.take_in(sides, path)?;
                }
            }
            Reached::All => {
                self.secure_all(sides)?;
                if self.at_work == 0 {
                    self.take_in_all(sides)?;
                }
            }
        }
        if self.at_work == 0 {
            self.journal.note_begun()?;
        }
        self.at_work += 1;
        Ok(())
    }

    /// To be called behind it.
    pub(super) fn end(&mut self, sides: &FolderSides<'_>, reached: Reached<'_>) -> Result<(), WorkspaceError> {
        match reached {
            Reached::One(path) => steps(path).try_for_each(|step| self.note_changed(sides, step))?,
            Reached::All => self.note_all_changed(sides)?,
        }
        self.at_work -= 1;
        if self.at_work == 0 { self.journal.note_ended() } else { Ok(()) }
    }

    fn note_all_changed(&mut self, sides: &FolderSides<'_>) -> Result<(), WorkspaceError> {
        let now = look(sides.root)?;
        let mut paths: BTreeSet<PathBuf> = self.seen.keys().chain(now.keys()).cloned().collect();
        paths.retain(|path| !self.is_as_seen(path, &now));
        for path in paths {
            self.note_changed(sides, &path)?;
        }
        self.see(now);
        Ok(())
    }

    /// Notes how the task left a path, where that is something else than before.
    fn note_changed(&mut self, sides: &FolderSides<'_>, path: &Path) -> Result<(), WorkspaceError> {
        match sides.strange(&self.journal.known, path) {
            Some(held) => self.journal.note_left(path, held),
            None => Ok(()),
        }
    }

    fn is_as_seen(&self, path: &Path, now: &BTreeMap<PathBuf, About>) -> bool {
        let pair = self.seen.get(path).zip(now.get(path));
        pair.is_some_and(|(was, is)| is_like(was, is) && !self.is_racy(was))
    }

    /// Copies a file, before it is changed for the first time.
    fn secure(&mut self, sides: &FolderSides<'_>, path: &Path) -> Result<(), WorkspaceError> {
        if self.journal.known.is_whole {
            return Ok(());
        }
        for step in steps(path) {
            if !self.journal.known.before.contains_key(step) {
                self.secure_now(sides, step)?;
            }
        }
        Ok(())
    }

    fn secure_now(&mut self, sides: &FolderSides<'_>, path: &Path) -> Result<(), WorkspaceError> {
        match sides.root.about(path) {
            Ok(about) => self.journal.secure(sides.root, path, about, sides.copies),
            Err(error) if error.is_absent() => self.journal.note_before(path, Before::Absent),
            Err(error) => Err(error.into()),
        }
    }

    /// Copies all that was not yet.
    fn secure_all(&mut self, sides: &FolderSides<'_>) -> Result<(), WorkspaceError> {
        if self.journal.known.is_whole {
            return Ok(());
        }
        let (mut files, mut bytes) = (0, 0);
        let mut failed = None;
        let too_much = |most, what| WorkspaceError::TooMuch { path: sides.root.path().to_owned(), most, what };
        let unread = walk(sides.root, Path::new("."), Passing::Nothing, "", &mut |found| {
            (files, bytes) = (files + 1, bytes + found.about.bytes);
            let done = if files > MOST_FILES {
                Err(too_much(MOST_FILES, "files"))
            } else if bytes > MOST_BYTES {
                Err(too_much(MOST_BYTES, "bytes"))
            } else if self.journal.known.before.contains_key(&found.path) {
                Ok(())
            } else {
                let done = self.journal.secure(sides.root, &found.path, found.about, sides.copies);
                self.seen.insert(found.path, found.about);
                done
            };
            failed = done.err();
            if failed.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        })?;
        self.seen_at = latest(&self.seen);
        match failed {
            Some(error) => Err(error),
            None if unread > 0 => Err(too_much(0, "folders that cannot be read")),
            None => self.journal.note_whole(),
        }
    }

    /// Looks what others did since the task last worked.
    fn take_in_all(&mut self, sides: &FolderSides<'_>) -> Result<(), WorkspaceError> {
        let now = look(sides.root)?;
        let known = &self.journal.known;
        let mut paths: BTreeSet<PathBuf> = known.before.keys().chain(known.left.keys()).cloned().collect();
        paths.extend(self.seen.keys().chain(now.keys()).cloned());
        paths.retain(|path| !self.is_as_seen(path, &now));
        for path in paths {
            self.take_in(sides, &path)?;
        }
        self.see(now);
        Ok(())
    }

    /// What others did with a path that the task did not change is how it was before. Where the task did, both did.
    fn take_in(&mut self, sides: &FolderSides<'_>, path: &Path) -> Result<(), WorkspaceError> {
        let known = &self.journal.known;
        if known.shared.contains(path) || !sides.is_strange(known, path) {
            return Ok(());
        }
        let is_folder = |side: &Beneath| side.about(path).is_ok_and(|about| about.kind == Kind::Folder);
        // A file in the place of a folder would be in the way of what was copied of that.
        let is_in_the_way = is_folder(sides.copies) && sides.root.about(path).is_ok() && !is_folder(sides.root);
        if known.left.contains_key(path) || is_in_the_way {
            return self.journal.note_shared(path);
        }
        self.secure_now(sides, path)
    }

    /// An earlier process was ended in the middle of its work: whose all this is cannot be told.
    fn share_what_is_strange(&mut self, sides: &FolderSides<'_>) -> Result<(), WorkspaceError> {
        for path in paths(&self.journal.known, sides.root)? {
            if !self.journal.known.shared.contains(&path) && sides.is_strange(&self.journal.known, &path) {
                self.journal.note_shared(&path)?;
            }
        }
        Ok(())
    }

    fn see(&mut self, now: BTreeMap<PathBuf, About>) {
        self.seen_at = latest(&now);
        self.seen = now;
    }

    /// Whether it could change once more without a later time.
    fn is_racy(&self, was: &About) -> bool {
        was.kind != Kind::Folder && was.changed + TICK_NS >= self.seen_at
    }
}

/// All paths of which something is known, or that are there now.
pub(super) fn paths(known: &Known, root: &Beneath) -> Result<BTreeSet<PathBuf>, WorkspaceError> {
    let mut paths: BTreeSet<PathBuf> = known.before.keys().chain(known.left.keys()).cloned().collect();
    if known.is_whole {
        paths.extend(look(root)?.into_keys());
    }
    Ok(paths)
}

/// All that lies in a folder.
fn look(root: &Beneath) -> Result<BTreeMap<PathBuf, About>, NotReached> {
    all(root, Passing::Nothing, "")
}

/// A folder changes with each name in it: only its mode counts.
fn is_like(was: &About, is: &About) -> bool {
    match (was.kind, is.kind) {
        (Kind::Folder, Kind::Folder) => was.mode == is.mode,
        _ => was == is,
    }
}

fn latest(seen: &BTreeMap<PathBuf, About>) -> i128 {
    seen.values().map(|about| about.changed).max().unwrap_or_default()
}

/// The folders on the way to a file, and the file.
fn steps(path: &Path) -> impl Iterator<Item = &Path> {
    path.ancestors().filter(|step| !step.as_os_str().is_empty())
}
