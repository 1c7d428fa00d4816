//! With the real git of the machine: each form of repository, index and ref that it makes is read as it reads them.

mod discovery;
mod index;
mod program;
mod stamp;
mod tips;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::{GitEnvironment, HashKind, Index, Repository, Staged, Tracked};

const SEGMENT: &str = "history/2026-11-21.k3f9x2ab.1.jsonl";

/// A repository in a temporary folder, with a `.context` of one segment.
struct Scene {
    folder: tempfile::TempDir,
}

impl Scene {
    fn new() -> Self {
        Self::with(&[])
    }

    /// Made by `git init` with some options.
    fn with(options: &[&str]) -> Self {
        let scene = Self { folder: tempfile::tempdir().expect("a folder") };
        scene.write(SEGMENT, "one\n");
        scene.git(&[&["init", "-q", "-b", "main"], options, &["."]].concat());
        scene
    }

    fn root(&self) -> PathBuf {
        self.folder.path().canonicalize().expect("a path").join("p")
    }

    fn context(&self) -> PathBuf {
        self.root().join(".context")
    }

    fn write(&self, path: &str, text: &str) {
        write(&self.context().join(path), text);
    }

    fn git(&self, arguments: &[&str]) -> String {
        git(&self.root(), arguments)
    }

    fn commit(&self) {
        self.git(&["add", "-A"]);
        self.git(&["commit", "-qm", "a commit"]);
    }

    fn repository(&self) -> Repository {
        discover(&self.context()).expect("a repository")
    }

    fn index(&self) -> Index {
        self.repository().index().expect("an index")
    }

    fn tracks(&self, path: &str) -> Tracked {
        self.index().tracks(path)
    }

    /// What is tracked at a path, which must be.
    fn staged(&self, path: &str) -> Staged {
        let Tracked::Yes(staged) = self.tracks(path) else { panic!("{path} is not tracked") };
        staged
    }
}

fn write(path: &Path, text: &str) {
    fs::create_dir_all(path.parent().expect("a parent")).expect("made");
    fs::write(path, text).expect("written");
}

fn discover(context: &Path) -> Option<Repository> {
    Repository::discover(context, &GitEnvironment::default()).expect("readable")
}

fn git(folder: &Path, arguments: &[&str]) -> String {
    git_with(folder, arguments, &[])
}

fn git_with(folder: &Path, arguments: &[&str], environment: &[(&str, &str)]) -> String {
    let mut git = Command::new("git");
    git.current_dir(folder).args(["-c", "user.name=A", "-c", "user.email=a@b", "-c", "protocol.file.allow=always"]);
    git.env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_CONFIG_SYSTEM", "/dev/null").args(arguments);
    let output = git.envs(environment.iter().copied()).output().expect("git runs");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "git {arguments:?}: {said}");
    String::from_utf8(output.stdout).expect("text").trim_end().to_owned()
}
