//! Where a whole agent works that stands in for the executor: the same workspace, and a folder of its own each time.
//!
//! An agent can change its login folder, its home and the workspace. So nothing is ever written into a folder that an earlier
//! one could reach: each gets a new one, beside the others and out of their reach.

use std::fs::{self, DirBuilder, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use super::base::Reached;
use super::error::WorkspaceError;
use super::{Workspace, remove};
use crate::confine::{Cancel, CommandLimits, CommandOutcome, Confinement};

/// More agents in one task are no task.
const MOST_AGENTS: u32 = 10_000;

/// What one agent gets besides the workspace. It goes when this is dropped.
#[derive(Debug)]
pub struct AgentPlace {
    folder: PathBuf,
}

impl AgentPlace {
    /// What it keeps of itself: its settings and its login. It may change it.
    pub fn login(&self) -> PathBuf {
        self.folder.join("login")
    }

    /// What it is given, to read.
    pub fn given(&self) -> PathBuf {
        self.folder.join("given")
    }

    /// The sockets on which we listen.
    pub fn sockets(&self) -> PathBuf {
        self.folder.join("sockets")
    }

    /// Writes a file that it gets; before it is started.
    pub fn put(&self, folder: &Path, name: &str, text: &str) -> io::Result<PathBuf> {
        let path = folder.join(name);
        let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&path)?;
        file.write_all(text.as_bytes())?;
        Ok(path)
    }
}

impl Drop for AgentPlace {
    fn drop(&mut self) {
        // What cannot be removed goes with the workspace.
        remove::remove(&self.folder).ok();
    }
}

impl Workspace {
    /// A new place for an agent.
    pub fn agent_place(&self) -> Result<AgentPlace, WorkspaceError> {
        let agents = self.layout.agents();
        let make = |folder: &Path| DirBuilder::new().mode(0o700).create(folder);
        let failed = |error| WorkspaceError::io(&agents, error);
        match make(&agents) {
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(failed(error)),
            Ok(()) | Err(_) => {}
        }
        let new = |number: &u32| make(&agents.join(number.to_string())).is_ok();
        let number = (1..=MOST_AGENTS).find(new).ok_or_else(|| failed(io::ErrorKind::AlreadyExists.into()))?;
        let place = AgentPlace { folder: agents.join(number.to_string()) };
        for folder in [place.login(), place.given(), place.sockets()] {
            make(&folder).map_err(failed)?;
        }
        Ok(place)
    }

    /// Runs an agent in it, behind these walls. It can change each file, so that all are secured before.
    pub fn run_agent(
        &self,
        walls: &Confinement,
        argv: Vec<String>,
        limits: &CommandLimits,
        cancel: &Cancel,
    ) -> Result<CommandOutcome, WorkspaceError> {
        self.working(Reached::All, || walls.run(argv, limits, cancel))
    }
}

/// What an earlier run left, because it was killed.
impl Workspace {
    /// Removes the places of agents that are at work no more; to be called before the first one of a run.
    pub fn clear_agents(&self) -> Result<(), WorkspaceError> {
        let agents = self.layout.agents();
        if fs::symlink_metadata(&agents).is_ok() { remove::remove(&agents) } else { Ok(()) }
    }
}
