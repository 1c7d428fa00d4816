//! The end of a task as a branch of the project.
//!
//! The commits are made in a git directory of ours: one of what was not committed when the task began, if anything was, and
//! one of what the task did. Then their objects are laid beside the project's, and the branch is set; nothing is checked out,
//! no hook runs, no setting of the project is read but where its branches are.

use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::PoisonError;

use super::changes::{FileChange, Modes, Version};
use super::error::WorkspaceError;
use super::keeper::Keeper;
use super::make::branch;
use super::patch::stage_one;
use super::{Workspace, apply};
use crate::beneath::Beneath;
use crate::git::{self, GitError};
use crate::walk::Passing;

/// In whose name a commit is made, and when.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Author {
    /// The name.
    pub name: String,
    /// The address.
    pub email: String,
    /// Seconds since 1970.
    pub at: i64,
}

/// A tree that becomes a commit.
struct Step<'k> {
    keeper: &'k Keeper<'k>,
    index: PathBuf,
    /// Where its files lie.
    files: PathBuf,
    /// The id of what is not there.
    none: String,
}

/// What a step brings.
#[derive(Default)]
struct StepPaths {
    there: Vec<PathBuf>,
    gone: Vec<PathBuf>,
}

impl Workspace {
    /// Makes a branch `annals/TASK` of what the task did, and says its commit. Nothing else of the project changes.
    pub fn keep(&self, author: &Author, message: &str) -> Result<String, WorkspaceError> {
        let Some(clone) = &self.record.clone else {
            return Err(WorkspaceError::NoBranches { project: self.project().to_owned() });
        };
        let changes = self.changes(Passing::Ignored, Modes::Executable)?.files;
        apply::require_links_inside(&changes)?;
        let author = &Author { at: self.kept_at(author.at)?, ..author.clone() };
        let _alone = self.rendering.lock().unwrap_or_else(PoisonError::into_inner);
        let keeper = self.keeper();
        let none = "0".repeat(clone.id_length);
        let index = keeper.file("keep.index");
        // None is there the first time.
        fs::remove_file(&index).ok();
        require_base(&keeper, clone.head.as_deref())?;
        self.require_no_branch_above()?;
        let tree = clone.head.as_deref().map(|head| format!("{head}^{{tree}}"));
        let empty = "--empty".to_owned();
        keeper.call("read-tree").arg(tree.as_ref().unwrap_or(&empty)).index(&index).output()?;
        let began = Step { keeper: &keeper, index: index.clone(), files: self.layout.base(), none: none.clone() };
        let parent = began.commit_begun(self, author, clone.head.as_deref())?;
        let ended = Step { keeper: &keeper, index, files: keeper.file("kept"), none: none.clone() };
        ended.stage(self, &changes)?;
        let (there, gone): (Vec<_>, Vec<_>) = changes.iter().partition(|change| change.after.is_some());
        let all = |changes: Vec<&FileChange>| changes.into_iter().map(|change| change.path.clone()).collect();
        let paths = StepPaths { there: all(there), gone: all(gone) };
        ended.require_unfiltered(&paths.there)?;
        ended.update(&paths)?;
        let commit = ended.commit(author, message, parent.as_deref())?;
        self.hand_over(&keeper, &commit, clone.head.as_deref(), &none)?;
        Ok(commit)
    }

    /// Where there is a branch `annals`, there can be none below it.
    fn require_no_branch_above(&self) -> Result<(), WorkspaceError> {
        let above = branch("");
        let above = above.trim_end_matches('/');
        let known =
            self.git.of_project(self.project(), "rev-parse").args(["--verify", "--quiet", above]).any_output()?;
        if known.status.success() { Err(WorkspaceError::BranchTaken { branch: "annals".to_owned() }) } else { Ok(()) }
    }

    /// Lays the objects beside the project's, and sets the branch.
    fn hand_over(
        &self,
        keeper: &Keeper<'_>,
        commit: &str,
        head: Option<&str>,
        none: &str,
    ) -> Result<(), WorkspaceError> {
        let branch = branch(self.task());
        let project = self.project();
        let known = self.git.of_project(project, "rev-parse").args(["--verify", "--quiet", &branch]).any_output()?;
        let known = String::from_utf8_lossy(&known.stdout).trim().to_owned();
        if known == commit {
            return Ok(());
        }
        if !known.is_empty() {
            return Err(WorkspaceError::BranchTaken { branch: format!("annals/{}", self.task()) });
        }
        let wanted = head.map_or_else(|| format!("{commit}\n"), |head| format!("{commit}\n^{head}\n"));
        let packed = keeper.call("pack-objects").args(["--revs", "--stdout", "-q"]);
        let pack = keeper.file("kept.pack");
        packed.fed_into(wanted.as_bytes(), &keeper.scratch(), &pack)?;
        let objects = self.record.objects.first().expect("BUG: a clone borrows objects");
        let laid = keeper.call("unpack-objects").arg("-q").env("GIT_OBJECT_DIRECTORY", objects);
        laid.fed_from(&pack)?;
        fs::remove_file(&pack).map_err(|error| WorkspaceError::io(&pack, error))?;
        // Only where there is none of that name yet.
        let set = self.git.of_project(project, "update-ref");
        set.args(["--no-deref", "-m", "annals: kept", &branch, commit, none]).output()?;
        Ok(())
    }
}

impl Step<'_> {
    /// What was not committed when the task began; the commit that the task's stands on.
    fn commit_begun(
        &self,
        workspace: &Workspace,
        author: &Author,
        head: Option<&str>,
    ) -> Result<Option<String>, WorkspaceError> {
        let file = workspace.layout.uncommitted();
        let text = fs::read(&file).map_err(|error| WorkspaceError::io(&file, error))?;
        let uncommitted: Vec<PathBuf> = git::parted(&text).collect();
        let copies = workspace.base.copies();
        let is_new = !uncommitted.is_empty();
        let mut paths = StepPaths::default();
        for path in uncommitted {
            let is_there = Version::of(copies, &path)?.is_some();
            if is_there { paths.there.push(path) } else { paths.gone.push(path) }
        }
        self.require_unfiltered(&paths.there)?;
        self.update(&paths)?;
        let tree = |spec: &str| self.keeper.call("rev-parse").args(["--verify", spec]).line();
        let is_new = match head {
            Some(head) => self.write_tree()? != tree(&format!("{head}^{{tree}}"))?,
            None => is_new,
        };
        if !is_new {
            return Ok(head.map(str::to_owned));
        }
        let message = format!("what was not committed when {} began", workspace.task());
        Ok(Some(self.commit(author, &message, head)?))
    }

    fn stage(&self, workspace: &Workspace, changes: &[FileChange]) -> Result<(), WorkspaceError> {
        super::remove::remove(&self.files)?;
        let at = |error| WorkspaceError::io(&self.files, error);
        fs::create_dir(&self.files).map_err(at)?;
        let staged = Beneath::open(&self.files).map_err(at)?;
        for change in changes {
            match &change.after {
                Some(Version::Link(target)) => staged.put_link(&change.path, target)?,
                Some(version @ Version::File { mode, .. }) => {
                    stage_one(workspace.root(), &change.path, version, &staged, &change.path)?;
                    staged.set_mode(&change.path, if mode & 0o100 == 0 { 0o600 } else { 0o700 })?;
                }
                None => {}
            }
        }
        Ok(())
    }

    /// What a program of the project's would store otherwise, such as large files by their names alone.
    fn require_unfiltered(&self, paths: &[PathBuf]) -> Result<(), WorkspaceError> {
        let call = self.keeper.call("check-attr").args(["-z", "--stdin", "filter"]);
        let call = call.index(&self.index).work_tree(&self.files);
        let said: Vec<PathBuf> = git::parted(&call.fed(&git::joined(paths), &self.keeper.scratch())?).collect();
        let filtered = |said: &[PathBuf]| match said {
            [path, _, value] if value != Path::new("unspecified") && value != Path::new("unset") => Some(path.clone()),
            _ => None,
        };
        let paths: Vec<PathBuf> = said.chunks(3).filter_map(filtered).collect();
        if paths.is_empty() { Ok(()) } else { Err(WorkspaceError::Filtered { paths }) }
    }

    /// Takes these paths as they lie in its files, or as gone.
    fn update(&self, paths: &StepPaths) -> Result<(), GitError> {
        let mut lines = Vec::new();
        for path in &paths.gone {
            lines.extend(format!("0 {}\t", self.none).into_bytes());
            lines.extend(path.as_os_str().as_bytes());
            lines.push(0);
        }
        let index = |args: &[&str]| self.keeper.call("update-index").args(args).index(&self.index);
        index(&["-z", "--index-info"]).fed(&lines, &self.keeper.scratch())?;
        let add = index(&["-z", "--add", "--replace", "--stdin"]).work_tree(&self.files);
        add.fed(&git::joined(&paths.there), &self.keeper.scratch())?;
        Ok(())
    }

    fn write_tree(&self) -> Result<String, GitError> {
        self.keeper.call("write-tree").arg("--missing-ok").index(&self.index).line()
    }

    fn commit(&self, author: &Author, message: &str, parent: Option<&str>) -> Result<String, GitError> {
        let tree = self.write_tree()?;
        let mut call = self.keeper.call("commit-tree").arg(tree);
        if let Some(parent) = parent {
            call = call.args(["-p", parent]);
        }
        for who in ["AUTHOR", "COMMITTER"] {
            call = call.env(&format!("GIT_{who}_NAME"), &author.name).env(&format!("GIT_{who}_EMAIL"), &author.email);
            call = call.env(&format!("GIT_{who}_DATE"), format!("@{} +0000", author.at));
        }
        let id = call.fed(message.as_bytes(), &self.keeper.scratch())?;
        Ok(String::from_utf8_lossy(&id).trim().to_owned())
    }
}

/// What it stands on may have been pruned meanwhile.
fn require_base(keeper: &Keeper<'_>, head: Option<&str>) -> Result<(), WorkspaceError> {
    let Some(head) = head else { return Ok(()) };
    let there = keeper.call("cat-file").args(["-e", &format!("{head}^{{tree}}")]).any_output()?;
    if there.status.success() { Ok(()) } else { Err(WorkspaceError::BaseGone { head: head.to_owned() }) }
}
