//! The journal of a folder that is worked in itself: how each path was before the task, how the task left it, and of which it
//! is not known whose work lies there.
//!
//! A file of lines that end with NUL; what was not written to the end was not acted on. Decides nothing.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use super::copy::{Copied, copy};
use super::error::WorkspaceError;
use super::held::Held;
use crate::beneath::{About, Beneath, Kind};

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

/// What is known of a folder.
#[derive(Debug, Default, Clone)]
pub(super) struct Known {
    /// How paths were before the task changed them.
    pub before: BTreeMap<PathBuf, Before>,
    /// Whether all was copied: of what is not known, nothing was there.
    pub is_whole: bool,
    /// What the task changed, as it left it.
    pub left: BTreeMap<PathBuf, Held>,
    /// What the task changed, or may have, and others, too.
    pub shared: BTreeSet<PathBuf>,
    /// Whether work began of which no end is known.
    pub is_open: bool,
}

/// The file, and what stands in it.
#[derive(Debug)]
pub(super) struct Journal {
    file: File,
    path: PathBuf,
    pub(super) known: Known,
}

/// Lines without a path: all was copied; work began; it ended.
const WHOLE: &[u8] = b"w";
const BEGUN: &[u8] = b"b";
const ENDED: &[u8] = b"e";

impl Journal {
    pub(super) fn open(path: &Path) -> Result<Self, WorkspaceError> {
        let at = |error| WorkspaceError::io(path, error);
        let text = match fs::read(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
            read => read.map_err(at)?,
        };
        let end = text.iter().rposition(|byte| *byte == 0).map_or(0, |at| at + 1);
        let file = OpenOptions::new().create(true).append(true).open(path).map_err(at)?;
        if end < text.len() {
            file.set_len(end as u64).map_err(at)?;
        }
        Ok(Self { file, path: path.to_owned(), known: Known::read(&text[..end]) })
    }

    /// Copies what lies there, and then notes that it did.
    pub(super) fn secure(
        &mut self,
        root: &Beneath,
        path: &Path,
        about: About,
        to: &Beneath,
    ) -> Result<(), WorkspaceError> {
        if to.about(path).is_ok_and(|about| about.kind != Kind::Folder) {
            // An older copy, or one that was not noted: we were stopped between.
            to.remove(path)?;
        }
        if about.kind == Kind::Folder {
            return self.note_before(path, Before::Folder(about.mode));
        }
        match copy(root, path, &[to])? {
            Copied::File(_) | Copied::Link => self.note_before(path, Before::Copied),
            Copied::Nothing(_) => self.note_before(path, Before::Special),
        }
    }

    pub(super) fn note_before(&mut self, path: &Path, before: Before) -> Result<(), WorkspaceError> {
        let word = match before {
            Before::Copied => "c".to_owned(),
            Before::Absent => "a".to_owned(),
            Before::Special => "s".to_owned(),
            Before::Folder(mode) => format!("d{mode:o}"),
        };
        self.write_of(&word, path)?;
        self.known.before.insert(path.to_owned(), before);
        Ok(())
    }

    pub(super) fn note_left(&mut self, path: &Path, held: Held) -> Result<(), WorkspaceError> {
        self.write_of(&format!("l{}", held.word()), path)?;
        self.known.left.insert(path.to_owned(), held);
        Ok(())
    }

    pub(super) fn note_shared(&mut self, path: &Path) -> Result<(), WorkspaceError> {
        self.write_of("u", path)?;
        self.known.shared.insert(path.to_owned());
        Ok(())
    }

    pub(super) fn note_whole(&mut self) -> Result<(), WorkspaceError> {
        self.write(WHOLE.to_vec())?;
        self.known.is_whole = true;
        Ok(())
    }

    pub(super) fn note_begun(&mut self) -> Result<(), WorkspaceError> {
        self.write(BEGUN.to_vec())?;
        self.known.is_open = true;
        self.settle()
    }

    pub(super) fn note_ended(&mut self) -> Result<(), WorkspaceError> {
        self.write(ENDED.to_vec())?;
        self.known.is_open = false;
        self.settle()
    }

    fn write_of(&mut self, word: &str, path: &Path) -> Result<(), WorkspaceError> {
        self.write([word.as_bytes(), b" ", path.as_os_str().as_bytes()].concat())
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

impl Known {
    /// Whether the task changed it, or may have.
    pub(super) fn is_of_task(&self, path: &Path) -> bool {
        self.is_open || self.left.contains_key(path) || self.shared.contains(path)
    }

    fn read(text: &[u8]) -> Self {
        let mut known = Self::default();
        let mut has_worked = false;
        for line in text.split(|byte| *byte == 0) {
            match line {
                WHOLE => known.is_whole = true,
                BEGUN => (known.is_open, has_worked) = (true, true),
                ENDED => known.is_open = false,
                _ => drop(known.read_of(line)),
            }
        }
        // An earlier version did not note what the task left.
        known.is_open |= !has_worked && !known.before.is_empty();
        known
    }

    fn read_of(&mut self, line: &[u8]) -> Option<()> {
        let at = line.iter().position(|byte| *byte == b' ')?;
        let (word, path) = (std::str::from_utf8(&line[..at]).ok()?, PathBuf::from(OsStr::from_bytes(&line[at + 1..])));
        let before = match word {
            "c" => Before::Copied,
            "a" => Before::Absent,
            "s" => Before::Special,
            "u" => {
                self.shared.insert(path);
                return Some(());
            }
            _ if word.starts_with('l') => {
                self.left.insert(path, Held::of_word(&word[1..])?);
                return Some(());
            }
            _ => Before::Folder(u32::from_str_radix(word.strip_prefix('d')?, 8).ok()?),
        };
        self.before.insert(path, before);
        Some(())
    }
}
