//! The diff of a task, as git writes it.
//!
//! Rendered in a git directory of ours from copies of ours, so that nothing an agent wrote is read as a setting.

use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::PoisonError;

use super::changes::{ChangedFile, Changes, FileChange, Modes, Version};
use super::error::WorkspaceError;
use super::keeper::Keeper;
use super::{LeftOut, Workspace};
use crate::beneath::{Beneath, Content, NotReached};
use crate::git::GitError;
use crate::walk::Passing;

/// What a task did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diff {
    /// The files, in the order of their paths.
    pub files: Vec<ChangedFile>,
    /// As git writes it, binary files included; not each file is a text.
    pub patch: Vec<u8>,
    /// What is not in it, and why.
    pub left_out: Vec<LeftOut>,
}

impl Diff {
    /// As a text; what is no UTF-8 is shown as such.
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.patch).into_owned()
    }
}

/// A larger file is named, and not shown.
const MOST_SHOWN: u64 = 16 << 20;

/// One of both trees of the diff.
struct DiffTree<'s> {
    name: &'static str,
    from: &'s Beneath,
    version: fn(&FileChange) -> Option<&Version>,
}

impl Workspace {
    /// What the task did so far.
    pub fn diff(&self) -> Result<Diff, WorkspaceError> {
        let Changes { files: changed, mut left_out } = self.changes(Passing::Ignored, Modes::Executable)?;
        let files = changed.iter().map(FileChange::shown).collect();
        let is_large = |change: &&FileChange| {
            let large =
                |version: &Option<Version>| matches!(version, Some(Version::File { bytes, .. }) if *bytes > MOST_SHOWN);
            large(&change.before) || large(&change.after)
        };
        let (large, shown): (Vec<_>, Vec<_>) = changed.iter().partition(is_large);
        let why = format!("changed, but not shown: more than {MOST_SHOWN} bytes");
        left_out.extend(large.iter().map(|change| LeftOut { path: change.path.clone(), why: why.clone() }));
        let patch = if shown.is_empty() { Vec::new() } else { self.patch(&shown)? };
        Ok(Diff { files, patch, left_out })
    }

    fn patch(&self, changed: &[&FileChange]) -> Result<Vec<u8>, WorkspaceError> {
        let _alone = self.rendering.lock().unwrap_or_else(PoisonError::into_inner);
        let keeper = self.keeper();
        keeper.make_alone()?;
        let before = DiffTree { name: "before", from: self.base.copies(), version: |change| change.before.as_ref() };
        let after = DiffTree { name: "after", from: self.root(), version: |change| change.after.as_ref() };
        let trees = [before.write(&keeper, changed)?, after.write(&keeper, changed)?];
        let how = ["-r", "-p", "--binary", "--full-index", "--no-ext-diff", "--no-textconv", "--no-renames"];
        let prefixes = ["--no-color", "--src-prefix=a/", "--dst-prefix=b/"];
        Ok(keeper.call("diff-tree").args(how).args(prefixes).args(trees).output()?)
    }

    pub(super) fn keeper(&self) -> Keeper<'_> {
        Keeper { git: &self.git, folder: self.layout.keeper() }
    }
}

impl DiffTree<'_> {
    /// A tree of the changed files alone.
    fn write(&self, keeper: &Keeper<'_>, changed: &[&FileChange]) -> Result<String, WorkspaceError> {
        let versions: Vec<(&Path, &Version)> =
            changed.iter().filter_map(|change| Some((change.path.as_path(), (self.version)(change)?))).collect();
        let stage = keeper.file(self.name);
        super::remove::remove(&stage)?;
        fs::create_dir(&stage).map_err(|error| WorkspaceError::io(&stage, error))?;
        let staged = Beneath::open(&stage).map_err(|error| WorkspaceError::io(&stage, error))?;
        let mut names = Vec::new();
        for (number, (path, version)) in versions.iter().enumerate() {
            let name = number.to_string();
            stage_one(self.from, path, version, &staged, Path::new(&name))?;
            names.push(name);
        }
        let ids = hash(keeper, &stage, &names)?;
        super::remove::remove(&stage)?;
        let mut lines = Vec::new();
        for ((path, version), id) in versions.iter().zip(ids.lines()) {
            lines.extend(format!("{} {id}\t", mode(version)).into_bytes());
            lines.extend(path.as_os_str().as_bytes());
            lines.push(0);
        }
        Ok(tree_of(keeper, &lines)?)
    }
}

/// Puts what a version holds down where git can read it: nothing of the agent's is read by git where it lies.
pub(super) fn stage_one(
    from: &Beneath,
    path: &Path,
    version: &Version,
    to: &Beneath,
    name: &Path,
) -> Result<(), NotReached> {
    match version {
        Version::File { .. } => to.put(name, Content::Of(&mut from.own_file(path)?), None),
        Version::Link(target) => to.put(name, Content::Bytes(target.as_os_str().as_bytes()), None),
    }
}

/// As git counts modes.
pub(super) fn mode(version: &Version) -> &'static str {
    match version {
        Version::Link(_) => "120000",
        Version::File { .. } if version.is_executable() => "100755",
        Version::File { .. } => "100644",
    }
}

fn hash(keeper: &Keeper<'_>, folder: &Path, names: &[String]) -> Result<String, GitError> {
    let lines: Vec<String> = names.iter().map(|name| folder.join(name).display().to_string()).collect();
    let input = lines.join("\n");
    let call = keeper.call("hash-object").args(["-w", "--no-filters", "--stdin-paths"]);
    Ok(String::from_utf8_lossy(&call.fed(input.as_bytes(), &keeper.scratch())?).into_owned())
}

fn tree_of(keeper: &Keeper<'_>, lines: &[u8]) -> Result<String, GitError> {
    let index: PathBuf = keeper.file("diff.index");
    // None is there the first time.
    fs::remove_file(&index).ok();
    let call = keeper.call("update-index").args(["-z", "--index-info"]).index(&index);
    call.fed(lines, &keeper.scratch())?;
    keeper.call("write-tree").arg("--missing-ok").index(&index).line()
}
