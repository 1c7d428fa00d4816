//! Where the parts of a workspace lie, and the record that says it was made to the end.

use std::fs::{self, DirBuilder, File};
use std::io::{self, Write};
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::error::WorkspaceError;
use crate::git;

/// Before the name of a task whose workspace is being removed.
const ASIDE: &str = ".gone-";

/// Whether it is the name of one.
pub(super) fn is_aside(name: &str) -> bool {
    name.starts_with(ASIDE)
}

/// The folder of one workspace.
#[derive(Debug, Clone)]
pub(super) struct Layout {
    folder: PathBuf,
    task: String,
}

/// What a workspace was made from.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct WorkspaceRecord {
    pub task: String,
    pub project: PathBuf,
    /// Where the record of the project lies, from there; it is no part of a workspace.
    pub record_at: PathBuf,
    /// Of a clone.
    pub clone: Option<CloneRecord>,
    /// Where the objects lie that are borrowed.
    #[serde(default)]
    pub objects: Vec<PathBuf>,
    /// What the person ignores everywhere.
    #[serde(default)]
    pub rules: String,
}

/// What a clone stands on.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct CloneRecord {
    /// The commit; none where there was none yet.
    pub head: Option<String>,
    /// How long the ids of its objects are.
    pub id_length: usize,
}

impl WorkspaceRecord {
    pub(super) fn is_clone(&self) -> bool {
        self.clone.is_some()
    }

    /// The folder to which the record of the project belongs.
    pub(super) fn start(&self) -> &Path {
        self.record_at.parent().unwrap_or(Path::new(""))
    }
}

impl Layout {
    /// A task is named by letters, digits, `-`, `_` and `.`, as a folder and a branch can be.
    pub(super) fn of(state_dir: &Path, task: &str) -> Result<Self, WorkspaceError> {
        let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.');
        let is_name = !task.is_empty() && task.len() <= 64 && task.bytes().all(is_plain);
        let is_refused = task.starts_with(['.', '-']) || task.ends_with(['.']) || task.contains("..");
        if !is_name || is_refused || task.to_ascii_lowercase().ends_with(".lock") {
            return Err(WorkspaceError::BadTask { task: task.to_owned() });
        }
        Ok(Self { folder: state_dir.join(task), task: task.to_owned() })
    }

    pub(super) fn folder(&self) -> &Path {
        &self.folder
    }

    pub(super) fn tree(&self) -> PathBuf {
        self.folder.join("tree")
    }

    pub(super) fn base(&self) -> PathBuf {
        self.folder.join("base")
    }

    pub(super) fn home(&self) -> PathBuf {
        self.folder.join("home")
    }

    pub(super) fn tmp(&self) -> PathBuf {
        self.folder.join("tmp")
    }

    /// What agents that work here get, one folder each time; out of reach but for its own.
    pub(super) fn agents(&self) -> PathBuf {
        self.folder.join("agents")
    }

    /// What a check gets in place of what the task could write to, and reads of itself.
    pub(super) fn looking(&self) -> PathBuf {
        self.folder.join("looking")
    }

    /// The agent's git directory as it was at first.
    pub(super) fn first_git(&self) -> PathBuf {
        self.folder.join("git")
    }

    /// Command lines that changed files of a folder where they were only to look, each with a NUL behind it.
    pub(super) fn changing(&self) -> PathBuf {
        self.folder.join("changing")
    }

    pub(super) fn view(&self) -> PathBuf {
        self.folder.join("view")
    }

    pub(super) fn keeper(&self) -> PathBuf {
        self.folder.join("keeper")
    }

    /// What was not committed when the task began, parted by NULs.
    pub(super) fn uncommitted(&self) -> PathBuf {
        self.folder.join("uncommitted")
    }

    /// Repositories within the clone, which are none of the task's.
    pub(super) fn nested(&self) -> Result<Vec<PathBuf>, WorkspaceError> {
        let path = self.nested_file();
        match fs::read(&path) {
            Ok(text) => Ok(git::parted(&text).collect()),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
            Err(error) => Err(WorkspaceError::io(&path, error)),
        }
    }

    pub(super) fn nested_file(&self) -> PathBuf {
        self.folder.join("nested")
    }

    /// What is known of a folder without git.
    pub(super) fn journal(&self) -> PathBuf {
        self.folder.join("journal")
    }

    /// How far the end of the task has come.
    pub(super) fn ending(&self) -> PathBuf {
        self.folder.join("ending")
    }

    /// When the commits of a kept task are made.
    pub(super) fn kept_at(&self) -> PathBuf {
        self.folder.join("kept_at")
    }

    /// Where it is moved before it is removed; no task has such a name.
    pub(super) fn aside(&self) -> PathBuf {
        self.folder.with_file_name(format!("{ASIDE}{}", self.task))
    }

    fn record_file(&self) -> PathBuf {
        self.folder.join("workspace.json")
    }

    /// Nobody but the person may look into it.
    pub(super) fn build(&self, state_dir: &Path) -> Result<(), WorkspaceError> {
        if self.record_file().exists() {
            return Err(WorkspaceError::Taken { task: self.task.clone() });
        }
        super::remove::remove(&self.folder)?;
        let mut builder = DirBuilder::new();
        builder.mode(0o700).recursive(true);
        for folder in [state_dir, &self.folder, &self.base(), &self.home(), &self.tmp(), &self.view()] {
            builder.create(folder).map_err(|error| WorkspaceError::io(folder, error))?;
        }
        Ok(())
    }

    /// Written last: with it a workspace is made.
    pub(super) fn write_record(&self, record: &WorkspaceRecord) -> Result<(), WorkspaceError> {
        let path = self.record_file();
        let text = serde_json::to_vec(record).map_err(io::Error::from);
        let written = text.and_then(|text| {
            let unfinished = path.with_extension("new");
            let mut file = File::create(&unfinished)?;
            file.write_all(&text)?;
            file.sync_all()?;
            fs::rename(&unfinished, &path)
        });
        written.map_err(|error| WorkspaceError::io(&path, error))
    }

    pub(super) fn record(&self) -> Result<WorkspaceRecord, WorkspaceError> {
        let path = self.record_file();
        match fs::read(&path) {
            Ok(text) => serde_json::from_slice(&text).map_err(|error| WorkspaceError::io(&path, error.into())),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                Err(WorkspaceError::Missing { task: self.task.clone() })
            }
            Err(error) => Err(WorkspaceError::io(&path, error)),
        }
    }
}
