//! Why a workspace could not be made, or its end not be carried out.

use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

use super::ending::Settled;
use crate::beneath::NotReached;
use crate::git::GitError;

/// What went wrong; where it was refused, nothing was changed.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum WorkspaceError {
    /// The name of a task becomes the name of a folder and of a branch.
    #[error("a workspace cannot be named {task:?}")]
    BadTask {
        /// The name.
        task: String,
    },
    /// There is one already.
    #[error("task {task} has a workspace already")]
    Taken {
        /// Whose.
        task: String,
    },
    /// There is none, or it was not made to the end.
    #[error("task {task} has no workspace")]
    Missing {
        /// Whose.
        task: String,
    },
    /// The state would be part of the project, or the project part of the state.
    #[error("the state directory {state_dir:?} and the project {project:?} lie within each other")]
    Nested {
        /// The one.
        state_dir: PathBuf,
        /// The other.
        project: PathBuf,
    },
    /// A task in it could change all that the person has.
    #[error("{project:?} is no project, but holds all of the person's files")]
    Everything {
        /// Which.
        project: PathBuf,
    },
    /// A repository without files.
    #[error("{project:?} has no files: it is a bare repository")]
    Bare {
        /// Which.
        project: PathBuf,
    },
    /// It is meant to be under git, and cannot be cloned: it is not worked in itself unasked.
    #[error(
        "{path:?} is there, but git cannot use it ({said}): mend it, or move it away where this is to be no project under git"
    )]
    BrokenGit {
        /// What git cannot use.
        path: PathBuf,
        /// What it said.
        said: String,
    },
    /// The commit that a task stands on is not in the project any more.
    #[error("the commit {head} that the task began from is not in the project any more")]
    BaseGone {
        /// Its id.
        head: String,
    },
    /// Only a project under git has branches.
    #[error("{project:?} is not under git: it has no branches")]
    NoBranches {
        /// Which.
        project: PathBuf,
    },
    /// It is the person's own folder.
    #[error("{project:?} is worked in itself: what was changed in it by others would be undone, too")]
    NotAClone {
        /// Which.
        project: PathBuf,
    },
    /// The branch is there, and holds something else.
    #[error("the project has a branch {branch} of its own")]
    BranchTaken {
        /// Its name.
        branch: String,
    },
    /// Somebody else changed the same files meanwhile.
    #[error("changed in the project meanwhile: {}", list(paths))]
    ChangedMeanwhile {
        /// Which.
        paths: Vec<PathBuf>,
    },
    /// In a folder that is worked in itself: the task changed them, or may have, and others did, too.
    #[error("not the task's alone, for they changed since it worked, or it was ended in the middle: {}", list(paths))]
    NotItsAlone {
        /// Which.
        paths: Vec<PathBuf>,
    },
    /// What is laid aside is laid where nothing lies yet.
    #[error("{path:?} is not empty: nothing is laid over what is there")]
    NotEmpty {
        /// Where.
        path: PathBuf,
    },
    /// Another end of the task began, and was interrupted.
    #[error("it was {settled} in part, and that was interrupted")]
    Begun {
        /// Which one.
        settled: Settled,
    },
    /// Links that the task made, and that would lead out of the project.
    #[error("these links lead out of the project: {}", list(paths))]
    LinksOut {
        /// Which.
        paths: Vec<PathBuf>,
    },
    /// What git stores of these is made by a program of the project's, which is not run.
    #[error("a filter of the project's stands between git and {}: apply the diff instead", list(paths))]
    Filtered {
        /// Which.
        paths: Vec<PathBuf>,
    },
    /// More than can be copied or compared.
    #[error("{path:?} holds more than {most} {what}")]
    TooMuch {
        /// Where.
        path: PathBuf,
        /// The most.
        most: u64,
        /// Files, or bytes.
        what: &'static str,
    },
    /// Git said no.
    #[error(transparent)]
    Git(#[from] GitError),
    /// A file was not reached.
    #[error(transparent)]
    NotReached(#[from] NotReached),
    /// The disk said no.
    #[error("{path:?}: {said}")]
    Io {
        /// Where.
        path: PathBuf,
        /// What it said; it stands in the words already, so it is no source of its own.
        said: io::Error,
    },
}

impl WorkspaceError {
    pub(super) fn io(path: &Path, said: io::Error) -> Self {
        Self::Io { path: path.to_owned(), said }
    }
}

fn list(paths: &[PathBuf]) -> String {
    const SHOWN: usize = 20;
    let mut names: Vec<String> = paths.iter().take(SHOWN).map(|path| path.display().to_string()).collect();
    if paths.len() > SHOWN {
        names.push(format!("{} more", paths.len() - SHOWN));
    }
    names.join(", ")
}
