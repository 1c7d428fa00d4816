//! What the program that runs us knows of the machine: its environment, and how to start it as a helper.
//!
//! The environment is read at the edge, once, and handed in. Of it a command gets only what `variables` names.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::confine::Helper;

/// What is outside of a workspace.
#[derive(Debug, Clone)]
pub struct Outside {
    /// The environment of the person; values that are no text are left out.
    pub environment: BTreeMap<String, String>,
    /// The program itself, as a helper.
    pub helper: Helper,
}

impl Outside {
    /// The folder of the person.
    pub(crate) fn home(&self) -> Option<&Path> {
        self.variable("HOME").map(Path::new).filter(|home| home.is_absolute())
    }

    /// The folders in which programs are looked for. One that is relative would lead into the workspace.
    pub(crate) fn search_path(&self) -> Vec<PathBuf> {
        const USUAL: &str = "/usr/local/bin:/usr/bin:/bin";
        let path = self.variable("PATH").unwrap_or(USUAL);
        path.split(':').map(PathBuf::from).filter(|folder| folder.is_absolute()).collect()
    }

    /// A variable that is set to something.
    pub(crate) fn variable(&self, name: &str) -> Option<&str> {
        self.environment.get(name).map(String::as_str).filter(|value| !value.is_empty())
    }
}
