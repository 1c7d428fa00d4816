//! Small projects below a temporary folder, with a secret beside them that nobody is to see.

use std::borrow::Borrow;
use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use serde_json::Value;
use tempfile::TempDir;

use crate::Outside;
use crate::confine::{Cancel, CommandLimits, Confinement, Helper};
use crate::tool::{ToolEnd, ToolKind, Toolbox, Unconfined};
use crate::workspace::Workspace;

/// What stands in the file that is nobody's business.
pub(super) const SECRET: &str = "the-key-of-the-person";

/// A machine.
pub(super) struct World {
    pub dir: TempDir,
    pub outside: Outside,
}

impl World {
    /// Without a project.
    pub(super) fn empty() -> Self {
        let dir = tempfile::tempdir().unwrap();
        for folder in ["project", "person", "secret"] {
            fs::create_dir(dir.path().join(folder)).unwrap();
        }
        fs::write(dir.path().join("secret/key"), SECRET).unwrap();
        let known: BTreeMap<String, String> = std::env::vars().collect();
        let mut environment = known.clone();
        environment.retain(|name, _| matches!(name.as_str(), "PATH" | "LANG" | "PYENV_ROOT"));
        // Where Python is a person's own, it is found below their real folder.
        let pyenv = known.get("HOME").map(|home| format!("{home}/.pyenv"));
        environment.extend(pyenv.filter(|folder| Path::new(folder).is_dir()).map(|own| ("PYENV_ROOT".to_owned(), own)));
        environment.insert("HOME".to_owned(), dir.path().join("person").to_str().unwrap().to_owned());
        Self { outside: Outside { environment, helper: helper() }, dir }
    }

    /// With a project under git that holds these files.
    pub(super) fn of(files: &[(&str, &str)]) -> Self {
        let world = Self::folder_of(files);
        world.git(&["init", "--quiet", "--initial-branch=main"]);
        world.commit("begin");
        world
    }

    /// With a folder without git.
    pub(super) fn folder_of(files: &[(&str, &str)]) -> Self {
        let world = Self::empty();
        for (path, content) in files {
            world.put(path, content);
        }
        world
    }

    pub(super) fn project(&self) -> PathBuf {
        self.dir.path().join("project").canonicalize().unwrap()
    }

    pub(super) fn state(&self) -> PathBuf {
        self.dir.path().join("state")
    }

    pub(super) fn secret(&self) -> PathBuf {
        self.dir.path().join("secret/key")
    }

    pub(super) fn put(&self, path: &str, content: &str) {
        put(&self.project(), path, content);
    }

    pub(super) fn commit(&self, message: &str) {
        self.git(&["add", "--all"]);
        self.git(&["commit", "--quiet", "--allow-empty", "--message", message]);
    }

    pub(super) fn git(&self, args: &[&str]) -> String {
        git(&self.project(), args)
    }

    pub(super) fn workspace(&self) -> Workspace {
        Workspace::make(&self.outside, &self.project(), &self.state(), "t1").unwrap()
    }

    /// All that there is: paths, modes and contents.
    pub(super) fn all_of_project(&self) -> BTreeMap<PathBuf, (u32, Vec<u8>)> {
        all_of(&self.project())
    }
}

/// The example of this crate, which `cargo test` builds beside its tests.
fn helper() -> Helper {
    let tests = std::env::current_exe().unwrap();
    let program = tests.parent().unwrap().parent().unwrap().join("examples/confine");
    assert!(program.exists(), "the helper is missing: cargo build --examples");
    Helper { program, words: Vec::new() }
}

pub(super) fn git(folder: &Path, args: &[&str]) -> String {
    let mut command = Command::new("git");
    command.current_dir(folder).args(["-c", "user.name=p", "-c", "user.email=p@example.org"]).args(args);
    command.env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_CONFIG_NOSYSTEM", "1").env("GIT_ALLOW_PROTOCOL", "file");
    let output = command.output().unwrap();
    assert!(output.status.success(), "git {args:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).trim_end().to_owned()
}

pub(super) fn put(folder: &Path, path: &str, content: &str) {
    let path = folder.join(path);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, content).unwrap();
}

pub(super) fn all_of(folder: &Path) -> BTreeMap<PathBuf, (u32, Vec<u8>)> {
    let mut all = BTreeMap::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let about = fs::symlink_metadata(&path).unwrap();
        let content = if about.is_symlink() {
            fs::read_link(&path).unwrap().into_os_string().into_encoded_bytes()
        } else if about.is_file() {
            fs::read(&path).unwrap()
        } else {
            Vec::new()
        };
        if about.is_dir() {
            all.extend(all_of(&path));
        }
        all.insert(path, (about.permissions().mode(), content));
    }
    all
}

/// The tools in a workspace.
pub(super) struct Tools<'w> {
    pub workspace: &'w Workspace,
    pub confinement: Confinement,
    pub limits: CommandLimits,
}

impl<'w> Tools<'w> {
    pub(super) fn of(world: &World, workspace: &'w Workspace) -> Self {
        let confinement = workspace.confine(&world.outside, &[]).unwrap();
        let limits = CommandLimits { deadline: Duration::from_secs(30), ..CommandLimits::default() };
        Self { workspace, confinement, limits }
    }

    /// Nothing, with a printed word, where this machine cannot keep commands in.
    pub(super) fn walled(world: &World, workspace: &'w Workspace) -> Option<Self> {
        let tools = Self::of(world, workspace);
        if tools.confinement.status().is_full() {
            return Some(tools);
        }
        #[expect(clippy::print_stdout, reason = "a test that is passed over says so")]
        {
            println!("passed over: {:?}", tools.confinement.status());
        }
        None
    }

    pub(super) fn toolbox(&self) -> Toolbox<'_> {
        Toolbox {
            workspace: self.workspace,
            confinement: &self.confinement,
            unconfined: Unconfined::Refused,
            limits: self.limits.clone(),
            cancel: Cancel::default(),
            fetcher: None,
        }
    }

    pub(super) fn run(&self, kind: ToolKind, input: impl Borrow<Value>) -> ToolEnd {
        self.toolbox().run(kind, input.borrow())
    }

    pub(super) fn shell(&self, line: &str) -> ToolEnd {
        self.run(ToolKind::Shell, serde_json::json!({ "command": line }))
    }
}
