//! Where the effects of a task happen (artoo Law 1, decision 61).
//!
//! A project under git gets a clone of its own below the state directory, with what was not committed yet; nothing of the
//! project is changed before `apply`. A folder without git is worked in itself, and each file is copied before it first
//! changes. At the end stands a diff, which is applied, kept as a branch, or dropped.
//!
//! ```text
//! STATE/TASK/tree     the clone, with a git directory that the agent may write to and that we never ask
//!            base     each file as it was when the task began; out of the agent's reach, as is all below
//!            home     its home
//!            tmp      its /tmp
//!            agents   what an agent as executor gets besides, one folder each time
//!            looking  what a check has in place of home, tmp and the agent's git directory; made anew for each one
//!            git      the agent's git directory as it was at first
//!            keeper   our own git directory: borrows the project's objects, renders diffs, makes commits
//! ```

mod agent;
mod apply;
mod base;
mod changes;
mod copy;
mod definitions;
mod ending;
mod error;
mod facts;
mod held;
mod ignored;
mod journal;
mod keep;
mod keeper;
mod layout;
mod look;
mod look_place;
mod losses;
mod make;
mod patch;
mod put_back;
mod remove;
mod restore;
mod undo;
mod watch;

use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError, RwLock};

pub use self::agent::AgentPlace;
pub(crate) use self::base::Reached;
pub use self::changes::{Change, ChangedFile};
pub use self::ending::{Settled, sweep};
pub use self::error::WorkspaceError;
pub use self::ignored::IgnoredFiles;
pub use self::keep::Author;
use self::layout::{Layout, WorkspaceRecord};
pub(crate) use self::look::Looked;
pub(crate) use self::look_place::LookPlace;
pub use self::losses::{ChangedText, GoneFile, LostLines, LostNames, LostWords};
pub use self::patch::Diff;
pub use self::restore::OthersWork;
use crate::beneath::{Beneath, NotReached};
use crate::confine::{Confinement, Reach};
use crate::git::Git;
use crate::name;
use crate::outside::Outside;

/// Something that is not in a clone, or not in a diff.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeftOut {
    /// Where.
    pub path: PathBuf,
    /// Why.
    pub why: String,
}

/// How a task works in a project.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WorkPlace {
    /// In a clone of it.
    Clone,
    /// It is not under git: in the folder itself.
    Folder(PathBuf),
}

/// The place in which a task works.
#[derive(Debug)]
pub struct Workspace {
    layout: Layout,
    record: WorkspaceRecord,
    root: Beneath,
    /// The same from the project's folder on.
    here: Beneath,
    base: base::Base,
    git: Git,
    /// One at a time renders a diff or makes commits: they put files down on the way.
    rendering: Mutex<()>,
    /// Many work at a time; a check alone.
    at_work: RwLock<()>,
    left_out: Vec<LeftOut>,
}

impl Workspace {
    /// Makes it; a place that was begun and not finished is made anew.
    pub fn make(outside: &Outside, project: &Path, state_dir: &Path, task: &str) -> Result<Self, WorkspaceError> {
        make::make(outside, project, state_dir, task)
    }

    /// How a task would work in a project.
    ///
    /// # Errors
    /// Why none can.
    pub fn where_it_would_be(outside: &Outside, project: &Path, state_dir: &Path) -> Result<WorkPlace, WorkspaceError> {
        make::look(outside, project, state_dir)
    }

    /// Whose workspace a task has: the folder of the project, as it was called when the task began.
    pub fn whose(state_dir: &Path, task: &str) -> Result<PathBuf, WorkspaceError> {
        let record = Layout::of(state_dir, task)?.record()?;
        // A folder that is the whole of it is named without a slash behind it.
        Ok(record.project.join(record.start()).components().collect())
    }

    /// The commit of the branch that a task was kept as, where the project has one; also without its workspace.
    pub fn kept(outside: &Outside, project: &Path, task: &str) -> Result<Option<String>, WorkspaceError> {
        let known = Git::new(outside).of_project(project, "rev-parse");
        let known = known.args(["--verify", "--quiet", &make::branch(task)]).any_output()?;
        let commit = String::from_utf8_lossy(&known.stdout).trim().to_owned();
        Ok(Some(commit).filter(|_| known.status.success()))
    }

    /// The one that was made for a task before.
    pub fn reopen(outside: &Outside, state_dir: &Path, task: &str) -> Result<Self, WorkspaceError> {
        let layout = Layout::of(state_dir, task)?;
        let record = layout.record()?;
        Self::opened(outside, layout, record)
    }

    fn opened(outside: &Outside, layout: Layout, record: WorkspaceRecord) -> Result<Self, WorkspaceError> {
        let root_path = if record.is_clone() { layout.tree() } else { record.project.clone() };
        let at = |path: &Path| Beneath::open(path).map_err(|error| WorkspaceError::io(path, error));
        let (root, copies) = (at(&root_path)?.without(&record.record_at), at(&layout.base())?);
        let base =
            if record.is_clone() { base::Base::of_clone(copies) } else { base::Base::of_folder(&layout, copies)? };
        let here = root.clone().starting_at(record.start());
        Ok(Self {
            layout,
            record,
            root,
            here,
            base,
            git: Git::new(outside),
            rendering: Mutex::default(),
            at_work: RwLock::default(),
            left_out: Vec::new(),
        })
    }

    /// All that is worked in.
    pub fn path(&self) -> &Path {
        self.root.path()
    }

    /// The project's folder in it: where commands begin, and relative paths. Of a project that is a folder within a work tree
    /// it is that folder.
    pub fn folder(&self) -> PathBuf {
        self.path().join(self.record.start())
    }

    /// The project; of a folder within a work tree the whole work tree.
    pub fn project(&self) -> &Path {
        &self.record.project
    }

    /// The task.
    pub fn task(&self) -> &str {
        &self.record.task
    }

    /// Whether it is a clone; else it is the project's folder itself.
    pub fn is_clone(&self) -> bool {
        self.record.is_clone()
    }

    /// What of the project is not in it, where it was just made.
    pub fn left_out(&self) -> &[LeftOut] {
        &self.left_out
    }

    /// Finds out how well commands can be kept in it on this machine, and runs them so. `more` is to be read besides, such as
    /// a toolchain in an unusual place.
    pub fn confine(&self, outside: &Outside, more: &[PathBuf]) -> io::Result<Confinement> {
        let mut reach = Reach::of_machine(outside);
        reach.read.extend(self.record.objects.iter().cloned());
        reach.read.extend(more.iter().cloned());
        reach.open(self.path(), &self.layout.home(), &self.layout.tmp());
        reach.view = self.layout.view();
        if !self.is_clone() {
            reach.hidden.push(self.path().join(&self.record.record_at));
        }
        Confinement::probe(outside, reach, &self.layout.home(), &self.folder())
    }

    pub(crate) fn root(&self) -> &Beneath {
        &self.root
    }

    /// The same, with paths from the project's folder on.
    pub(crate) fn here(&self) -> &Beneath {
        &self.here
    }

    /// Lines as of a `.gitignore` that hold besides those of the folders.
    pub(crate) fn rules(&self) -> &str {
        &self.record.rules
    }

    /// Does what can change a file, or all of them: what it can change is copied before, and what it did is noted behind it.
    pub(crate) fn working<T>(&self, reached: Reached<'_>, work: impl FnOnce() -> T) -> Result<T, WorkspaceError> {
        let _among_others = self.at_work.read().unwrap_or_else(PoisonError::into_inner);
        self.noted(reached, work)
    }

    fn noted<T>(&self, reached: Reached<'_>, work: impl FnOnce() -> T) -> Result<T, WorkspaceError> {
        if self.is_clone() {
            return Ok(work());
        }
        let plain;
        let reached = match reached {
            Reached::One(path) => {
                plain = name::joined(&name::names(path).map_err(NotReached::from)?);
                Reached::One(&plain)
            }
            Reached::All => Reached::All,
        };
        self.base.begin(&self.root, reached)?;
        let done = work();
        self.base.end(&self.root, reached)?;
        Ok(done)
    }
}
