//! What the folders of `.context` allow: appendix D, and what is configured beyond it.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use annals_kernel::settings::{Setting, Settings, settings};

settings! {
    /// Folders of `.context` that agents may only read, beside those of appendix D and the views.
    READ_ONLY: Vec<String> = Vec::new(), "access.read_only",
        "more folders of .context that agents may only read", weakens Always;
    /// Folders of `.context` that agents may write.
    WRITABLE: Vec<String> = vec!["scratchpad".to_owned()], "access.writable",
        "folders of .context that agents may write", weakens Always;
    /// Folders of `.context` whose files agents may run.
    EXECUTABLE: Vec<String> = vec!["tools".to_owned()], "access.executable",
        "folders of .context whose files agents may read and run", weakens Always;
}

/// What is done with a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Intent {
    /// Reading.
    Read,
    /// Writing, moving, deleting.
    Write,
    /// Running.
    Execute,
}

impl fmt::Display for Intent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Read => "read",
            Self::Write => "write",
            Self::Execute => "execute",
        })
    }
}

/// What a folder allows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum FolderPolicy {
    /// Reading only.
    ReadOnly,
    /// Reading and writing.
    Writable,
    /// Reading and running.
    Executable,
    /// Nothing but Annals itself.
    Closed,
}

impl fmt::Display for FolderPolicy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::ReadOnly => "read-only",
            Self::Writable => "writable, not executable",
            Self::Executable => "executable, not writable",
            Self::Closed => "for Annals alone",
        })
    }
}

/// Folders that only Annals writes: what happened, and what is this clone's own.
pub(super) const CLOSED: [&str; 2] = ["history", "local"];

/// The first part of a path; files beside the folders belong to no folder.
pub fn folder_of(path: &str) -> &str {
    path.split_once('/').map_or("", |(folder, _)| folder)
}

/// What a folder allows. What nobody names is read-only: it holds views.
pub(super) fn policy_of(settings: &Settings, folder: &str) -> FolderPolicy {
    let names = |setting: &Setting<Vec<String>>| settings.get(setting).iter().any(|name| name == folder);
    if CLOSED.contains(&folder) {
        FolderPolicy::Closed
    } else if names(&READ_ONLY) {
        FolderPolicy::ReadOnly
    } else if names(&WRITABLE) {
        FolderPolicy::Writable
    } else if names(&EXECUTABLE) {
        FolderPolicy::Executable
    } else {
        FolderPolicy::ReadOnly
    }
}
