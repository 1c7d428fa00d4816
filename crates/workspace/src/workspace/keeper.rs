//! Our own git directory: its settings are ours, its objects are borrowed from the project.

use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use super::error::WorkspaceError;
use super::facts::Facts;
use crate::git::{Git, GitCall, GitError};

/// The directory, and how git is run on it.
pub(super) struct Keeper<'g> {
    pub git: &'g Git,
    pub folder: PathBuf,
}

impl Keeper<'_> {
    pub(super) fn call(&self, verb: &str) -> GitCall {
        self.git.of_keeper(&self.folder, verb)
    }

    /// A file of ours in it.
    pub(super) fn file(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    /// Where input of a call is put down.
    pub(super) fn scratch(&self) -> PathBuf {
        self.file("input")
    }

    /// Makes it for a clone.
    pub(super) fn make(&self, facts: &Facts) -> Result<(), WorkspaceError> {
        make_git_dir(self.git, &self.folder, &["--bare"], facts)?;
        self.take_index(facts)
    }

    /// The same for a folder without git: only to render diffs.
    pub(super) fn make_alone(&self) -> Result<(), WorkspaceError> {
        if !self.file("HEAD").exists() {
            self.call("init").args(["--quiet", "--bare", "--template="]).output()?;
        }
        Ok(())
    }

    /// A copy of the project's index, whole, whatever form it has there.
    fn take_index(&self, facts: &Facts) -> Result<(), WorkspaceError> {
        let at = |path: &Path, error| WorkspaceError::io(path, error);
        for entry in fs::read_dir(&facts.git_dir).map_err(|error| at(&facts.git_dir, error))?.flatten() {
            let name = entry.file_name();
            if name == "index" || name.as_bytes().starts_with(b"sharedindex.") {
                fs::copy(entry.path(), self.folder.join(&name)).map_err(|error| at(&entry.path(), error))?;
            }
        }
        let whole = ["--no-split-index", "--no-fsmonitor", "--no-untracked-cache"];
        self.call("update-index").args(whole).work_tree(&facts.top).output()?;
        Ok(())
    }
}

/// Makes a git directory with the project's way of storing files, and its objects to read.
pub(super) fn make_git_dir(git: &Git, folder: &Path, args: &[&str], facts: &Facts) -> Result<(), WorkspaceError> {
    let format = format!("--object-format={}", facts.format);
    git.of_keeper(folder, "init").args(["--quiet", "--template=", &format]).args(args).output()?;
    for setting in &facts.shape {
        git.of_keeper(folder, "config").args([&setting.name, &setting.value]).output()?;
    }
    let at = |path: PathBuf| move |error| WorkspaceError::io(&path, error);
    let (alternates, exclude) = (folder.join("objects/info/alternates"), folder.join("info/exclude"));
    for parent in [folder.join("objects/info"), folder.join("info")] {
        fs::create_dir_all(&parent).map_err(at(parent.clone()))?;
    }
    fs::write(&alternates, borrowed(&facts.objects)?).map_err(at(alternates.clone()))?;
    fs::write(&exclude, &facts.rules).map_err(at(exclude.clone()))?;
    if let Some(shallow) = &facts.shallow {
        fs::copy(shallow, folder.join("shallow")).map_err(at(shallow.clone()))?;
    }
    Ok(())
}

/// One line each; git would read a line that begins with these otherwise.
fn borrowed(objects: &[PathBuf]) -> Result<Vec<u8>, GitError> {
    let own = objects.first().map(|path| path.as_os_str().as_bytes()).unwrap_or_default();
    if own.contains(&b'\n') || own.starts_with(b"\"") || own.starts_with(b"#") {
        let said = "objects cannot be borrowed from a folder of such a name".to_owned();
        return Err(GitError::Failed { verb: "clone".to_owned(), said });
    }
    // What those borrow themselves is found by git.
    Ok([own, b"\n"].concat())
}
