//! Makes a workspace: the clone of a project, or the journal of a folder.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use super::copy::{Copied, copy};
use super::error::WorkspaceError;
use super::facts::{self, Facts};
use super::keeper::{Keeper, make_git_dir};
use super::layout::{CloneRecord, Layout, WorkspaceRecord};
use super::look_place::copy_folder;
use super::{LeftOut, WorkPlace, Workspace};
use crate::beneath::{Beneath, Kind, Making, NotReached};
use crate::git::{self, Git, GitError};
use crate::name::{self, RECORD};
use crate::outside::Outside;

/// More are not copied.
const MOST_FILES: u64 = 300_000;
/// Nor more than this.
const MOST_BYTES: u64 = 8 << 30;

pub(super) fn make(
    outside: &Outside,
    project: &Path,
    state_dir: &Path,
    task: &str,
) -> Result<Workspace, WorkspaceError> {
    let layout = Layout::of(state_dir, task)?;
    let project = fs::canonicalize(project).map_err(|error| WorkspaceError::io(project, error))?;
    let git = Git::new(outside);
    let facts = facts::of(&git, &project)?;
    let top = facts.as_ref().map_or_else(|| project.clone(), |facts| facts.top.clone());
    require_a_part(&top, outside)?;
    let record_at = project.strip_prefix(&top).unwrap_or(Path::new("")).join(RECORD);
    layout.build(state_dir)?;
    if let Err(error) = require_apart(state_dir, &top) {
        super::remove::remove(layout.folder())?;
        return Err(error);
    }
    let mut record = WorkspaceRecord {
        task: task.to_owned(),
        project: top,
        record_at,
        clone: None,
        objects: Vec::new(),
        rules: String::new(),
    };
    let mut left_out = Vec::new();
    if let Some(facts) = facts {
        left_out = CloneMaker { layout: &layout, git: &git, facts: &facts, record_at: &record.record_at }.make(task)?;
        let id_length = if facts.format == "sha256" { 64 } else { 40 };
        record.clone = Some(CloneRecord { head: facts.head, id_length });
        (record.objects, record.rules) = (facts.objects, facts.rules);
    }
    layout.write_record(&record)?;
    let mut workspace = Workspace::opened(outside, layout, record)?;
    workspace.left_out = left_out;
    workspace.put_start()?;
    Ok(workspace)
}

/// How a task would work in a project, where one can: what keeps it from being made is said before anything begins.
pub(super) fn look(outside: &Outside, project: &Path, state_dir: &Path) -> Result<WorkPlace, WorkspaceError> {
    let project = fs::canonicalize(project).map_err(|error| WorkspaceError::io(project, error))?;
    let facts = facts::of(&Git::new(outside), &project)?;
    let is_clone = facts.is_some();
    let top = facts.map_or_else(|| project.clone(), |facts| facts.top);
    require_a_part(&top, outside)?;
    require_apart(state_dir, &top)?;
    Ok(if is_clone { WorkPlace::Clone } else { WorkPlace::Folder(project) })
}

/// The folder of the person, or one that holds it, holds their keys, too.
fn require_a_part(project: &Path, outside: &Outside) -> Result<(), WorkspaceError> {
    let home = outside.home().map(|home| home.canonicalize().unwrap_or_else(|_| home.to_owned()));
    let holds_all = project == Path::new("/") || home.is_some_and(|home| home.starts_with(project));
    if holds_all { Err(WorkspaceError::Everything { project: project.to_owned() }) } else { Ok(()) }
}

/// A clone within its project would be copied into itself, and a command that may write to one could write to the other.
fn require_apart(state_dir: &Path, project: &Path) -> Result<(), WorkspaceError> {
    let state_dir = fs::canonicalize(state_dir).map_err(|error| WorkspaceError::io(state_dir, error))?;
    if state_dir.starts_with(project) || project.starts_with(&state_dir) {
        return Err(WorkspaceError::Nested { state_dir, project: project.to_owned() });
    }
    Ok(())
}

/// A clone that is being made.
struct CloneMaker<'m> {
    layout: &'m Layout,
    git: &'m Git,
    facts: &'m Facts,
    record_at: &'m Path,
}

/// A folder of the project, and the same in the clone and in the base.
struct Folder {
    path: PathBuf,
    sides: [Beneath; 3],
}

impl Folder {
    fn of(project: &Beneath, tree: &Beneath, base: &Beneath, path: &Path) -> Result<Self, NotReached> {
        let from = project.below(path, Making::Nothing)?;
        let sides = [from, tree.below(path, Making::Folders)?, base.below(path, Making::Folders)?];
        Ok(Self { path: path.to_owned(), sides })
    }

    fn copied(&mut self, project: &Beneath, tree: &Beneath, base: &Beneath, path: &Path) -> Result<Copied, NotReached> {
        // As a whole: what it leads to is looked at by its last name alone.
        name::names(path)?;
        let (folder, name) = (path.parent().unwrap_or(Path::new("")), path.file_name().unwrap_or_default());
        if folder != self.path {
            *self = Self::of(project, tree, base, folder)?;
        }
        let [from, tree, base] = &self.sides;
        copy(from, Path::new(name), &[tree, base])
    }
}

/// The files of a project.
#[derive(Default)]
struct Listed {
    /// Known to git, also where they are gone.
    tracked: Vec<PathBuf>,
    /// Not known to git, and not ignored.
    untracked: Vec<PathBuf>,
    /// What git ignores; of a folder that is ignored as a whole, the folder.
    ignored: Vec<PathBuf>,
}

impl CloneMaker<'_> {
    fn make(&self, task: &str) -> Result<Vec<LeftOut>, WorkspaceError> {
        let keeper = Keeper { git: self.git, folder: self.layout.keeper() };
        keeper.make(self.facts)?;
        let listed = self.list(&keeper)?;
        let (left_out, nested) = self.copy(&listed)?;
        note(&self.layout.nested_file(), &nested)?;
        let uncommitted = self.uncommitted(&keeper, &listed)?;
        note(&self.layout.uncommitted(), &uncommitted)?;
        self.make_git_dir(&keeper, task, &listed)?;
        Ok(left_out)
    }

    fn list(&self, keeper: &Keeper<'_>) -> Result<Listed, GitError> {
        let files = |which: &[&str]| {
            let call = keeper.call("ls-files").arg("-z").args(which).work_tree(&self.facts.top);
            Ok::<_, GitError>(git::parted(&call.output()?).collect::<Vec<_>>())
        };
        let mut tracked = files(&["--cached"])?;
        // A file in a conflict is listed once for each side.
        tracked.dedup();
        let ignored = ["--others", "--ignored", "--exclude-standard", "--directory", "--no-empty-directory"];
        Ok(Listed { tracked, untracked: files(&["--others", "--exclude-standard"])?, ignored: files(&ignored)? })
    }

    /// The files as they are, into the clone and into the base.
    fn copy(&self, listed: &Listed) -> Result<(Vec<LeftOut>, Vec<PathBuf>), WorkspaceError> {
        let open = |path: &Path| Beneath::open(path).map_err(|error| WorkspaceError::io(path, error));
        let tree = self.layout.tree();
        fs::create_dir(&tree).map_err(|error| WorkspaceError::io(&tree, error))?;
        let project = open(&self.facts.top)?.without(self.record_at);
        let (tree, base) = (open(&tree)?, open(&self.layout.base())?);
        // Files of one folder come one after the other: it is looked up once.
        let mut folder = Folder::of(&project, &tree, &base, Path::new(""))?;
        let (mut left_out, mut nested) = (Vec::new(), Vec::new());
        let (mut files, mut bytes) = (0, 0);
        for path in listed.tracked.iter().chain(&listed.untracked).filter(|path| !self.is_of_record(path)) {
            match folder.copied(&project, &tree, &base, path) {
                Ok(Copied::File(length)) => (files, bytes) = (files + 1, bytes + length),
                Ok(Copied::Link) => files += 1,
                Ok(Copied::Nothing(kind)) => {
                    if kind == Kind::Folder {
                        tree.put_folder(path)?;
                        nested.push(path.clone());
                    }
                    let why = if kind == Kind::Folder { "a repository of its own" } else { "no plain file" };
                    left_out.push(LeftOut { path: path.clone(), why: why.to_owned() });
                }
                // Removed, and the removal not committed; or not checked out here.
                Err(error) if error.is_absent() => {}
                Err(error) => left_out.push(LeftOut { path: path.clone(), why: error.to_string() }),
            }
            let most = |most, what| WorkspaceError::TooMuch { path: self.facts.top.clone(), most, what };
            if files > MOST_FILES {
                return Err(most(MOST_FILES, "files"));
            }
            if bytes > MOST_BYTES {
                return Err(most(MOST_BYTES, "bytes"));
            }
        }
        let ignored = listed.ignored.iter().filter(|path| !self.is_of_record(path));
        left_out.extend(ignored.map(|path| LeftOut { path: path.clone(), why: "git ignores it".to_owned() }));
        Ok((left_out, nested))
    }

    /// The record of the project's, not the task's.
    fn is_of_record(&self, path: &Path) -> bool {
        path.starts_with(self.record_at)
    }

    /// What differs from the commit, in the index or in the files. Submodules are not asked, for that would run git in them.
    fn uncommitted(&self, keeper: &Keeper<'_>, listed: &Listed) -> Result<BTreeSet<PathBuf>, GitError> {
        // A file that was written anew with what it held is no change: git looks into those whose times differ. It says by its
        // exit code that others are left.
        let refresh = keeper.call("update-index").args(["-q", "--ignore-submodules", "--really-refresh"]);
        refresh.work_tree(&self.facts.top).any_output()?;
        let quiet = ["-z", "--name-only", "--ignore-submodules=all"];
        let files = keeper.call("diff-files").args(quiet).work_tree(&self.facts.top).output()?;
        let mut found: BTreeSet<PathBuf> = git::parted(&files).collect();
        match &self.facts.head {
            Some(head) => {
                let index = keeper.call("diff-index").args(quiet).args(["--cached", head]);
                found.extend(git::parted(&index.work_tree(&self.facts.top).output()?));
            }
            None => found.extend(listed.tracked.iter().cloned()),
        }
        found.extend(listed.untracked.iter().cloned());
        found.retain(|path| !self.is_of_record(path));
        Ok(found)
    }

    /// The git directory of the agent: on a branch of its own, with the project's index. After this it is not asked any more.
    fn make_git_dir(&self, keeper: &Keeper<'_>, task: &str, listed: &Listed) -> Result<(), WorkspaceError> {
        let tree = self.layout.tree();
        let folder = tree.join(".git");
        make_git_dir(self.git, &folder, &[], self.facts)?;
        let call = |verb: &str| self.git.of_keeper(&folder, verb);
        let branch = branch(task);
        call("symbolic-ref").args(["HEAD", &branch]).output()?;
        if let Some(head) = &self.facts.head {
            call("update-ref").args([&branch, head]).output()?;
        }
        for (name, value) in [("core.bare", "false"), ("user.name", "annals"), ("user.email", "annals@localhost")] {
            call("config").args([name, value]).output()?;
        }
        let (from, to) = (keeper.file("index"), folder.join("index"));
        if from.exists() {
            fs::copy(&from, &to).map_err(|error| WorkspaceError::io(&to, error))?;
            let record: Vec<PathBuf> = listed.tracked.iter().filter(|path| self.is_of_record(path)).cloned().collect();
            let absent = call("update-index").args(["-z", "--skip-worktree", "--stdin"]).work_tree(&tree);
            absent.fed(&git::joined(&record), &keeper.scratch())?;
        }
        let first = self.layout.first_git();
        copy_folder(&folder, &first).map_err(|error| WorkspaceError::io(&first, error))?;
        Ok(())
    }
}

fn note<'p>(file: &Path, paths: impl IntoIterator<Item = &'p PathBuf>) -> Result<(), WorkspaceError> {
    fs::write(file, git::joined(paths)).map_err(|error| WorkspaceError::io(file, error))
}

/// The branch of a task.
pub(super) fn branch(task: &str) -> String {
    format!("refs/heads/annals/{task}")
}
