//! How far the end of a task has come: noted before the first file changes, so that an end that was interrupted is gone on with
//! and no other one begins; and the workspace is moved aside as a whole before it is removed, so that no half of it is ever read.
//!
//! Knows nothing of the record: that an end is on it is said by whom it may concern.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;

use annals_kernel::grounding::words;

use super::error::WorkspaceError;
use super::layout::{Layout, is_aside};
use super::{Workspace, remove};

words! {
    /// What becomes of the changes of a task.
    pub enum Settled {
        /// They are in the project.
        Applied = "applied",
        /// They are a branch.
        Kept = "kept",
        /// They are gone.
        Dropped = "dropped",
    }
}

/// How far it has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ending {
    /// The first file may have changed.
    Begun(Settled),
    /// The last one has.
    Done(Settled),
}

impl Ending {
    fn line(self) -> String {
        match self {
            Self::Begun(settled) => format!("begun {settled}\n"),
            Self::Done(settled) => format!("done {settled}\n"),
        }
    }

    fn of_line(line: &str) -> Option<Self> {
        let (word, settled) = line.trim_end().split_once(' ')?;
        let settled = Settled::ALL.iter().copied().find(|known| known.as_str() == settled)?;
        match word {
            "begun" => Some(Self::Begun(settled)),
            "done" => Some(Self::Done(settled)),
            _ => None,
        }
    }
}

impl Workspace {
    /// Notes that all of it has happened: only its entry is missing.
    pub fn note_done(&self, settled: Settled) -> Result<(), WorkspaceError> {
        self.note_ending(Ending::Done(settled))
    }

    pub(super) fn ending(&self) -> Result<Option<Ending>, WorkspaceError> {
        ending(&self.layout)
    }

    pub(super) fn note_ending(&self, ending: Ending) -> Result<(), WorkspaceError> {
        write_at_once(&self.layout.ending(), &ending.line())
    }

    /// Nothing has changed after all.
    pub(super) fn note_none(&self) -> Result<(), WorkspaceError> {
        let path = self.layout.ending();
        fs::remove_file(&path).map_err(|error| WorkspaceError::io(&path, error))
    }

    /// Of a clone nothing is undone in the project by a drop, so that it can still be applied.
    pub(super) fn require_not_dropped_in_part(&self, come: Option<Ending>) -> Result<(), WorkspaceError> {
        match come {
            Some(Ending::Begun(Settled::Dropped) | Ending::Done(Settled::Dropped)) if !self.is_clone() => {
                Err(WorkspaceError::Begun { settled: Settled::Dropped })
            }
            Some(Ending::Begun(_) | Ending::Done(_)) | None => Ok(()),
        }
    }

    /// What was written over in the project lies nowhere but in the workspace.
    pub(super) fn require_not_applied_in_part(&self, come: Option<Ending>) -> Result<(), WorkspaceError> {
        match come {
            Some(Ending::Begun(Settled::Applied) | Ending::Done(Settled::Applied)) if self.is_clone() => {
                Err(WorkspaceError::Begun { settled: Settled::Applied })
            }
            Some(Ending::Begun(_) | Ending::Done(_)) | None => Ok(()),
        }
    }

    /// Removes the workspace, and leaves the project as it is now.
    pub fn forget(self) -> Result<(), WorkspaceError> {
        forget(&self.layout)
    }

    /// When the commits of the task are made: once, so that they are the same after a crash.
    pub(super) fn kept_at(&self, now: i64) -> Result<i64, WorkspaceError> {
        let path = self.layout.kept_at();
        if let Some(known) = fs::read_to_string(&path).ok().and_then(|text| text.trim_end().parse().ok()) {
            return Ok(known);
        }
        write_at_once(&path, &format!("{now}\n"))?;
        Ok(now)
    }
}

/// Removes what was moved aside and not removed to its end, and workspaces whose task `is_settled` and whose end was done. What
/// cannot be removed stays until the next time.
pub fn sweep(state_dir: &Path, is_settled: &dyn Fn(&str) -> bool) {
    for entry in fs::read_dir(state_dir).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let Some(name) = name.to_str() else { continue };
        if is_aside(name) {
            remove::remove(&entry.path()).ok();
            continue;
        }
        let Ok(layout) = Layout::of(state_dir, name) else { continue };
        if matches!(ending(&layout), Ok(Some(Ending::Done(_)))) && is_settled(name) {
            forget(&layout).ok();
        }
    }
}

fn ending(layout: &Layout) -> Result<Option<Ending>, WorkspaceError> {
    let path = layout.ending();
    match fs::read_to_string(&path) {
        Ok(line) => match Ending::of_line(&line) {
            Some(ending) => Ok(Some(ending)),
            None => Err(WorkspaceError::io(&path, io::Error::other("it says nothing that is known here"))),
        },
        Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => Ok(None),
        Err(error) => Err(WorkspaceError::io(&path, error)),
    }
}

/// Aside at once, and then removed: what is left of it by a kill is no workspace any more.
fn forget(layout: &Layout) -> Result<(), WorkspaceError> {
    let aside = layout.aside();
    remove::remove(&aside)?;
    match fs::rename(layout.folder(), &aside) {
        // Somebody else removed it.
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        moved => moved.map_err(|error| WorkspaceError::io(layout.folder(), error))?,
    }
    remove::remove(&aside)
}

fn write_at_once(path: &Path, text: &str) -> Result<(), WorkspaceError> {
    let unfinished = path.with_extension("new");
    let written = File::create(&unfinished).and_then(|mut file| {
        file.write_all(text.as_bytes())?;
        file.sync_all()?;
        fs::rename(&unfinished, path)
    });
    written.map_err(|error| WorkspaceError::io(path, error))
}
