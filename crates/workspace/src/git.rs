//! Git as a tool of ours, which runs nothing that a project or an agent configured.
//!
//! Two doors. `of_project` asks the project's own git directory, with every setting that could run something switched off; it
//! only looks, and once, at the very end, sets a branch. `of_keeper` works with a git directory of ours, whose settings are
//! ours, and borrows the project's objects. The git directory in the workspace, which an agent can write to, is never asked.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use thiserror::Error;

use crate::outside::Outside;

/// Git said no.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum GitError {
    /// It is not there, or cannot be run.
    #[error("git could not be run: {why}")]
    NotRun {
        /// Why; it stands in the words already.
        why: io::Error,
    },
    /// It ended with an error.
    #[error("git {verb}: {said}")]
    Failed {
        /// What it was to do.
        verb: String,
        /// What it said.
        said: String,
    },
}

impl From<io::Error> for GitError {
    fn from(why: io::Error) -> Self {
        Self::NotRun { why }
    }
}

/// What would let the project's settings run a program, or reach out.
const SWITCHED_OFF: [&str; 13] = [
    "core.fsmonitor=false", "core.hooksPath=/dev/null", "core.untrackedCache=false", "core.alternateRefsCommand=true",
    "core.sshCommand=false", "core.gitProxy=", "core.askPass=", "core.pager=cat", "credential.helper=", "gc.auto=0",
    "maintenance.auto=false", "protocol.allow=never", "submodule.recurse=false",
];

/// How git is run.
#[derive(Debug, Clone)]
pub(crate) struct Git {
    path: OsString,
    home: Option<PathBuf>,
    settings_home: Option<String>,
}

/// A call of git that is being put together.
pub(crate) struct GitCall {
    command: Command,
    verb: String,
}

impl Git {
    pub(crate) fn new(outside: &Outside) -> Self {
        let path = std::env::join_paths(outside.search_path()).unwrap_or_default();
        let settings_home = outside.variable("XDG_CONFIG_HOME").map(str::to_owned);
        Self { path, home: outside.home().map(Path::to_owned), settings_home }
    }

    /// The person's list of what is ignored, where they named no other.
    pub(crate) fn usual_rules(&self) -> Option<PathBuf> {
        let settings = self.settings_home.as_ref().map(PathBuf::from);
        Some(settings.or_else(|| Some(self.home.as_ref()?.join(".config")))?.join("git/ignore"))
    }

    fn bare(&self, verb: &str) -> Command {
        let mut command = Command::new("git");
        command.env_clear().env("PATH", &self.path).env("LC_ALL", "C").stdin(Stdio::null());
        for (name, value) in [
            ("GIT_TERMINAL_PROMPT", "0"),
            ("GIT_OPTIONAL_LOCKS", "0"),
            ("GIT_NO_LAZY_FETCH", "1"),
            ("GIT_ATTR_NOSYSTEM", "1"),
            ("GIT_ALLOW_PROTOCOL", "none"),
        ] {
            command.env(name, value);
        }
        let settings = SWITCHED_OFF.iter().flat_map(|setting| ["-c", setting]);
        command.args(settings).args(["--no-pager", "--literal-pathspecs", verb]);
        command
    }

    /// Asks the project. The person's own settings hold, for they say what is ignored, and which folders are trusted.
    pub(crate) fn of_project(&self, project: &Path, verb: &str) -> GitCall {
        let mut command = self.bare(verb);
        command.current_dir(project);
        if let Some(home) = &self.home {
            command.env("HOME", home);
        }
        if let Some(home) = &self.settings_home {
            command.env("XDG_CONFIG_HOME", home);
        }
        GitCall { command, verb: verb.to_owned() }
    }

    /// Works with a git directory of ours, with no settings but those in it.
    pub(crate) fn of_keeper(&self, git_dir: &Path, verb: &str) -> GitCall {
        let mut command = self.bare(verb);
        command.env("GIT_DIR", git_dir).env("GIT_CONFIG_NOSYSTEM", "1").env("GIT_CONFIG_GLOBAL", "/dev/null");
        command.env("HOME", git_dir).current_dir(git_dir.parent().unwrap_or(git_dir));
        GitCall { command, verb: verb.to_owned() }
    }
}

impl GitCall {
    pub(crate) fn arg(mut self, arg: impl AsRef<OsStr>) -> Self {
        self.command.arg(arg);
        self
    }

    pub(crate) fn args<A: AsRef<OsStr>>(mut self, args: impl IntoIterator<Item = A>) -> Self {
        self.command.args(args);
        self
    }

    /// Whose files it looks at.
    pub(crate) fn work_tree(mut self, folder: &Path) -> Self {
        self.command.env("GIT_WORK_TREE", folder).current_dir(folder);
        self
    }

    pub(crate) fn index(self, file: &Path) -> Self {
        self.env("GIT_INDEX_FILE", file)
    }

    pub(crate) fn env(mut self, name: &str, value: impl AsRef<OsStr>) -> Self {
        self.command.env(name, value);
        self
    }

    /// Reads this, and says what it wrote. The input goes by a file, so that neither waits for the other.
    pub(crate) fn fed(self, input: &[u8], scratch: &Path) -> Result<Vec<u8>, GitError> {
        fs::write(scratch, input)?;
        self.fed_from(scratch)
    }

    /// The same with what a file holds.
    pub(crate) fn fed_from(mut self, file: &Path) -> Result<Vec<u8>, GitError> {
        self.command.stdin(File::open(file)?);
        self.output()
    }

    /// The same, with what it writes in a file.
    pub(crate) fn fed_into(mut self, input: &[u8], scratch: &Path, to: &Path) -> Result<(), GitError> {
        self.command.stdout(File::create(to)?);
        self.fed(input, scratch).map(drop)
    }

    pub(crate) fn output(self) -> Result<Vec<u8>, GitError> {
        let verb = self.verb.clone();
        let output = self.any_output()?;
        if output.status.success() {
            return Ok(output.stdout);
        }
        let said = String::from_utf8_lossy(&output.stderr).trim().to_owned();
        let said = if said.is_empty() { output.status.to_string() } else { said };
        Err(GitError::Failed { verb, said })
    }

    /// Also where it says no.
    pub(crate) fn any_output(mut self) -> Result<Output, GitError> {
        Ok(self.command.output()?)
    }

    /// The first line.
    pub(crate) fn line(self) -> Result<String, GitError> {
        let output = self.output()?;
        Ok(String::from_utf8_lossy(&output).lines().next().unwrap_or_default().to_owned())
    }
}

/// What stands between NULs.
pub(crate) fn parted(bytes: &[u8]) -> impl Iterator<Item = PathBuf> {
    bytes.split(|byte| *byte == 0).filter(|part| !part.is_empty()).map(|part| PathBuf::from(OsStr::from_bytes(part)))
}

/// The same the other way round.
pub(crate) fn joined<'p>(paths: impl IntoIterator<Item = &'p PathBuf>) -> Vec<u8> {
    let mut bytes = Vec::new();
    for path in paths {
        bytes.extend(path.as_os_str().as_bytes());
        bytes.push(0);
    }
    bytes
}
