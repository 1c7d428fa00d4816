//! Real git repositories in temporary folders, with a `.context` as `annals init` makes it.
//!
//! No configuration of the machine, no network: a clone is another folder.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::support::Project;

/// A clone.
pub struct Repo {
    /// Its `.context` and what is in it.
    pub project: Project,
}

/// How a merge ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Merge {
    /// By itself.
    Clean,
    /// Somebody must look at it.
    Conflict,
}

impl Repo {
    /// A repository with an empty history, committed.
    pub fn new() -> Self {
        let repo = Self { project: Project::new() };
        repo.git(&["init", "-q", "-b", "main"]);
        let template = Path::new(env!("CARGO_MANIFEST_DIR")).join(".context-template");
        for name in ["gitattributes", "gitignore"] {
            let to = repo.project.context().join(format!(".{name}"));
            fs::copy(template.join(name), to).expect("copied");
        }
        repo.commit("init");
        repo
    }

    /// A clone of it as it was last committed.
    pub fn cloned(&self) -> Self {
        let repo = Self { project: Project::new() };
        fs::remove_dir_all(repo.project.context()).expect("removed");
        let from = self.project.folder().to_string_lossy().into_owned();
        repo.git(&["clone", "-q", "--no-hardlinks", &from, "."]);
        fs::create_dir_all(repo.project.context().join("history")).expect("made");
        repo
    }

    /// Runs git, which must succeed.
    pub fn git(&self, arguments: &[&str]) -> String {
        let (is_done, text) = self.try_git(arguments);
        assert!(is_done, "git {arguments:?}: {text}");
        text
    }

    fn try_git(&self, arguments: &[&str]) -> (bool, String) {
        let mut command = Command::new("git");
        command.current_dir(self.project.folder()).args(arguments);
        command.env_clear().env("HOME", self.project.folder()).env("GIT_CONFIG_NOSYSTEM", "1");
        command.env("GIT_AUTHOR_DATE", "2026-11-21T00:00:00Z").env("GIT_COMMITTER_DATE", "2026-11-21T00:00:00Z");
        for person in ["AUTHOR", "COMMITTER"] {
            command.env(format!("GIT_{person}_NAME"), "A").env(format!("GIT_{person}_EMAIL"), "a@example.org");
        }
        let path = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";
        let output = command.env("PATH", path).output().expect("git runs");
        let text = [output.stdout, output.stderr].concat();
        (output.status.success(), String::from_utf8_lossy(&text).into_owned())
    }

    /// Commits everything.
    pub fn commit(&self, message: &str) {
        self.git(&["add", "--all"]);
        self.git(&["commit", "-q", "--allow-empty", "-m", message]);
    }

    /// Fetches what another clone has committed.
    pub fn fetch(&self, other: &Self, name: &str) {
        let from = other.project.folder().to_string_lossy().into_owned();
        self.git(&["fetch", "-q", &from, &format!("+HEAD:refs/heads/{name}")]);
    }

    /// Merges a branch.
    pub fn merge(&self, branch: &str) -> Merge {
        let (is_clean, _) = self.try_git(&["merge", "-q", "--no-edit", branch]);
        if is_clean { Merge::Clean } else { Merge::Conflict }
    }
}
