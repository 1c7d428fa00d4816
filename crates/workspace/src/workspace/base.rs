//! Each file as it was when the task began.
//!
//! Of a clone all of them, copied when it was made. Of a folder that is worked in itself each before its first change: one by
//! one before tools of ours, all of them before the first command, for a command can change any. A journal says what is known.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::ops::ControlFlow;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use super::copy::{Copied, copy};
use super::error::WorkspaceError;
use super::layout::Layout;
use crate::beneath::{About, Beneath, Kind};
use crate::walk::{Passing, walk};

/// A folder that holds more is not copied, so no command is run in it.
const MOST_BYTES: u64 = 4 << 30;
/// Nor one with more files.
const MOST_FILES: u64 = 300_000;

/// What is known of how a path was.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Before {
    /// It lies in the base.
    Copied,
    /// Nothing was there.
    Absent,
    /// A folder was there, with this mode.
    Folder(u32),
    /// A pipe, a socket or a device was there; it is not copied.
    Special,
}

/// The copies, and what is known.
#[derive(Debug)]
pub(super) struct Base {
    copies: Beneath,
    journal: Option<Mutex<Journal>>,
}

#[derive(Debug)]
struct Journal {
    file: File,
    path: PathBuf,
    known: BTreeMap<PathBuf, Before>,
    /// Whether all was copied: of what is not known, nothing was there.
    is_whole: bool,
}

/// The line that says so.
const WHOLE: &[u8] = b"w";

impl Base {
    /// That of a clone: all was copied.
    pub(super) fn of_clone(copies: Beneath) -> Self {
        Self { copies, journal: None }
    }

    /// That of a folder that is worked in itself: what is changed is copied before.
    pub(super) fn of_folder(layout: &Layout, copies: Beneath) -> Result<Self, WorkspaceError> {
        Ok(Self { copies, journal: Some(Mutex::new(Journal::open(&layout.journal())?)) })
    }

    pub(super) fn copies(&self) -> &Beneath {
        &self.copies
    }

    /// What is known; nothing, where all of it lies in the base.
    pub(super) fn known(&self) -> Option<BTreeMap<PathBuf, Before>> {
        let journal = self.journal.as_ref()?.lock().unwrap_or_else(PoisonError::into_inner);
        Some(journal.known.clone())
    }

    /// Whether what is not known was not there.
    pub(super) fn is_whole(&self) -> bool {
        let whole = |journal: &Mutex<Journal>| journal.lock().unwrap_or_else(PoisonError::into_inner).is_whole;
        self.journal.as_ref().is_none_or(whole)
    }

    /// Copies a file, before it is changed for the first time.
    pub(super) fn secure(&self, root: &Beneath, path: &Path) -> Result<(), WorkspaceError> {
        let Some(journal) = &self.journal else { return Ok(()) };
        let mut journal = journal.lock().unwrap_or_else(PoisonError::into_inner);
        if journal.is_whole {
            return Ok(());
        }
        // Also the folders that are made on the way.
        for step in path.ancestors().filter(|step| !step.as_os_str().is_empty()) {
            if journal.known.contains_key(step) {
                continue;
            }
            match root.about(step) {
                Ok(about) => journal.secure(root, step, about, &self.copies)?,
                Err(error) if error.is_absent() => journal.note(step, Before::Absent)?,
                Err(error) => return Err(error.into()),
            }
        }
        journal.settle()
    }

    /// Copies all that was not yet.
    pub(super) fn secure_all(&self, root: &Beneath) -> Result<(), WorkspaceError> {
        let Some(journal) = &self.journal else { return Ok(()) };
        let mut journal = journal.lock().unwrap_or_else(PoisonError::into_inner);
        if journal.is_whole {
            return Ok(());
        }
        let (mut files, mut bytes) = (0, 0);
        let mut failed = None;
        let too_much = |most, what| WorkspaceError::TooMuch { path: root.path().to_owned(), most, what };
        let unread = walk(root, Path::new("."), Passing::Nothing, "", &mut |found| {
            (files, bytes) = (files + 1, bytes + found.about.bytes);
            let done = if files > MOST_FILES {
                Err(too_much(MOST_FILES, "files"))
            } else if bytes > MOST_BYTES {
                Err(too_much(MOST_BYTES, "bytes"))
            } else if journal.known.contains_key(&found.path) {
                Ok(())
            } else {
                journal.secure(root, &found.path, found.about, &self.copies)
            };
            failed = done.err();
            if failed.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        })?;
        match failed {
            Some(error) => Err(error),
            None if unread > 0 => Err(too_much(0, "folders that cannot be read")),
            None => journal.note_whole(),
        }
    }
}

impl Journal {
    fn open(path: &Path) -> Result<Self, WorkspaceError> {
        let at = |error| WorkspaceError::io(path, error);
        let text = match fs::read(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
            read => read.map_err(at)?,
        };
        let mut known = BTreeMap::new();
        let mut is_whole = false;
        // A line that was not written to the end was not acted on.
        let end = text.iter().rposition(|byte| *byte == 0).map_or(0, |at| at + 1);
        for line in text[..end].split(|byte| *byte == 0) {
            is_whole |= line == WHOLE;
            known.extend(read(line));
        }
        let file = OpenOptions::new().create(true).append(true).open(path).map_err(at)?;
        file.set_len(end as u64).map_err(at)?;
        Ok(Self { file, path: path.to_owned(), known, is_whole })
    }

    /// Copies, and then notes that it did.
    fn secure(&mut self, root: &Beneath, path: &Path, about: About, to: &Beneath) -> Result<(), WorkspaceError> {
        if about.kind == Kind::Folder {
            return self.note(path, Before::Folder(about.mode));
        }
        if to.about(path).is_ok() {
            // A copy that was not noted: we were stopped between.
            to.remove(path)?;
        }
        match copy(root, path, &[to])? {
            Copied::File(_) | Copied::Link => self.note(path, Before::Copied),
            Copied::Nothing(_) => self.note(path, Before::Special),
        }
    }

    fn note(&mut self, path: &Path, before: Before) -> Result<(), WorkspaceError> {
        let mut line = match before {
            Before::Copied => b"c ".to_vec(),
            Before::Absent => b"a ".to_vec(),
            Before::Special => b"s ".to_vec(),
            Before::Folder(mode) => format!("d{mode:o} ").into_bytes(),
        };
        line.extend(path.as_os_str().as_bytes());
        self.write(line)?;
        self.known.insert(path.to_owned(), before);
        Ok(())
    }

    fn note_whole(&mut self) -> Result<(), WorkspaceError> {
        self.write(WHOLE.to_vec())?;
        self.is_whole = true;
        self.settle()
    }

    fn write(&mut self, mut line: Vec<u8>) -> Result<(), WorkspaceError> {
        line.push(0);
        self.file.write_all(&line).map_err(|error| WorkspaceError::io(&self.path, error))
    }

    /// What is noted is on the disk before anything is changed.
    fn settle(&self) -> Result<(), WorkspaceError> {
        self.file.sync_all().map_err(|error| WorkspaceError::io(&self.path, error))
    }
}

fn read(line: &[u8]) -> Option<(PathBuf, Before)> {
    let at = line.iter().position(|byte| *byte == b' ')?;
    let (kind, path) = (std::str::from_utf8(&line[..at]).ok()?, &line[at + 1..]);
    let before = match kind {
        "c" => Before::Copied,
        "a" => Before::Absent,
        "s" => Before::Special,
        _ => Before::Folder(u32::from_str_radix(kind.strip_prefix('d')?, 8).ok()?),
    };
    Some((PathBuf::from(OsStr::from_bytes(path)), before))
}
