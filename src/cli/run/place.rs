//! Where a run works: the project, the workspace of its task, and what stands in it.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use annals_workspace::Outside;
use annals_workspace::confine::Helper;
use annals_workspace::workspace::{Author, WorkPlace, Workspace, WorkspaceError};
use anyhow::Context as _;

use super::at_work::TaskLock;
use crate::act::{Journal, Recorded};
use crate::cli::environment::Environment;
use crate::cli::shell::{Shell, Usage};
use crate::engine::Engine;
use crate::role::plan::PastTurn;

/// So many names of the project's folder are shown to the planner.
const MOST_NAMES: usize = 60;
/// So many earlier requests are told to R1 (artoo R1).
const MOST_TURNS: usize = 5;
/// The hidden word behind which a command is walled in.
pub(in crate::cli) const WALLED: &str = "__walled";

/// The folder that the record belongs to.
pub(in crate::cli) fn project(shell: &Shell) -> anyhow::Result<PathBuf> {
    let context = shell.context()?;
    Ok(context.parent().map_or_else(|| shell.environment.directory.clone(), Path::to_owned))
}

/// Where workspaces are: the person's own, and outside of every project.
pub(in crate::cli) fn state(shell: &Shell) -> anyhow::Result<PathBuf> {
    let state = shell.environment.state().context("there is no home for workspaces: set HOME or XDG_STATE_HOME")?;
    Ok(state.join("tasks"))
}

/// What the workspace is told of this machine.
pub(in crate::cli) fn outside() -> anyhow::Result<Outside> {
    let program = std::env::current_exe().context("cannot find this program")?;
    let helper = Helper { program, words: vec![WALLED.to_owned()] };
    Ok(Outside { environment: Environment::variables(), helper })
}

/// Where the project is whose workspace a task has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::cli) enum Whereabouts {
    /// It is this one; or the task has no workspace.
    Here,
    /// It is another one: a clone, a copy or a work tree, as these words say.
    Elsewhere(String),
    /// It is not where it was, as these words say.
    Moved(String),
}

/// Looks whose workspace a task has: what is of another project is not changed from here, whatever the record says.
pub(in crate::cli) fn whereabouts(shell: &Shell, task: &str) -> anyhow::Result<Whereabouts> {
    let there = match Workspace::whose(&state(shell)?, task) {
        Err(WorkspaceError::Missing { .. } | WorkspaceError::BadTask { .. }) => return Ok(Whereabouts::Here),
        found => found?,
    };
    let project = project(shell)?;
    let here = std::fs::canonicalize(&project).with_context(|| format!("cannot find {}", project.display()))?;
    let (here_name, there_name) = (here.display(), there.display());
    Ok(if here == there {
        Whereabouts::Here
    } else if there.join(".context").is_dir() {
        Whereabouts::Elsewhere(format!("task {task} works for {there_name}, and this is {here_name}: say it there"))
    } else {
        Whereabouts::Moved(format!(
            "task {task} works for {there_name}, where no project is any more, and this is {here_name}: if it was moved, move it \
             back for so long; or take what the task changed by `annals task diff {task} > FILE` and `git apply FILE`, and then \
             `annals task drop {task}`"
        ))
    })
}

/// The same where only this project will do.
pub(in crate::cli) fn require_here(shell: &Shell, task: &str) -> anyhow::Result<()> {
    match whereabouts(shell, task)? {
        Whereabouts::Here => Ok(()),
        Whereabouts::Elsewhere(words) | Whereabouts::Moved(words) => Err(Usage(words).into()),
    }
}

/// Looks whether a task can work here, before one begins. Where it works in the folder itself that is said, and the folder is its
/// own for as long as the lock is held: what two did at once could not be told apart.
pub(super) fn require_place(shell: &mut Shell) -> anyhow::Result<Option<TaskLock>> {
    let state = state(shell)?;
    std::fs::create_dir_all(&state).with_context(|| format!("cannot make {}", state.display()))?;
    match Workspace::where_it_would_be(&outside()?, &project(shell)?, &state)? {
        WorkPlace::Clone => Ok(None),
        WorkPlace::Folder(folder) => in_itself(shell, &folder).map(Some),
    }
}

/// What a folder without git means for whom it belongs to.
pub(super) fn in_itself(shell: &mut Shell, folder: &Path) -> anyhow::Result<TaskLock> {
    let lock = TaskLock::take_folder(shell, folder)?;
    let words =
        "the task works in the folder itself; files are copied before they change, and `annals task drop` undoes it";
    shell.out.say(format_args!("{} is not under git: {words}", folder.display()))?;
    Ok(lock)
}

/// The workspace of a task: the one it has, or a new one. What it did in one that is gone cannot be made again: the record
/// would say what no file shows.
pub(super) fn workspace(shell: &Shell, engine: &Arc<Engine>, task: &str) -> anyhow::Result<(Outside, Workspace)> {
    require_here(shell, task)?;
    let (outside, state) = (outside()?, state(shell)?);
    match Workspace::reopen(&outside, &state, task) {
        Err(WorkspaceError::Missing { .. }) if !Journal::look(engine, task)?.has_acted() => {}
        Err(error @ WorkspaceError::Missing { .. }) => {
            let words = "what it did is lost with it: `annals task abort";
            return Err(
                Usage(format!("{error} any more, and {words} {task}` ends it, and a new run does it anew")).into()
            );
        }
        found => return Ok((outside, found?)),
    }
    std::fs::create_dir_all(&state).with_context(|| format!("cannot make {}", state.display()))?;
    let made = Workspace::make(&outside, &project(shell)?, &state, task);
    let way_out = || {
        format!(
            "task {task} has begun: once that is mended, `annals run --resume {task}` goes on; `annals task abort {task}` ends it"
        )
    };
    Ok((outside, made.with_context(way_out)?))
}

/// The workspace that a task has.
pub(in crate::cli) fn reopened(shell: &Shell, task: &str) -> anyhow::Result<Workspace> {
    match Workspace::reopen(&outside()?, &state(shell)?, task) {
        Err(error @ (WorkspaceError::Missing { .. } | WorkspaceError::BadTask { .. })) => {
            Err(Usage(format!("{error}: `annals task list` shows what became of it")).into())
        }
        found => Ok(found?),
    }
}

/// In whose name a branch of a task is made.
pub(in crate::cli) fn author(engine: &Engine) -> Author {
    let at = engine.clock().now().millis() / 1000;
    Author { name: "annals".to_owned(), email: "annals@localhost".to_owned(), at }
}

/// The names in a folder, folders with a slash, and what stands right below those of them of which all fits in.
pub(super) fn listing(folder: &Path) -> String {
    let mut names = names_in(folder);
    let left_out = names.len().saturating_sub(MOST_NAMES);
    names.truncate(MOST_NAMES);
    for below in names.clone().iter().filter(|name| name.ends_with('/') && !name.starts_with('.')) {
        let inner = names_in(&folder.join(below));
        if names.len() + inner.len() <= MOST_NAMES {
            names.extend(inner.into_iter().map(|name| format!("{below}{name}")));
        }
    }
    names.sort();
    if left_out > 0 {
        names.push(format!("({left_out} more)"));
    }
    names.join("\n")
}

fn names_in(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().filter_map(Result::ok);
    let named = entries.filter_map(|entry| {
        let (name, is_folder) = (entry.file_name().into_string().ok()?, entry.file_type().ok()?.is_dir());
        let is_shown = ![".git", ".context"].contains(&name.as_str());
        is_shown.then(|| if is_folder { format!("{name}/") } else { name })
    });
    let mut names: Vec<_> = named.collect();
    names.sort();
    names
}

fn turn(recorded: &Recorded) -> PastTurn {
    let summary = recorded.result().map(|result| result.summary.clone()).unwrap_or_default();
    PastTurn { input: recorded.request.raw_input.clone(), summary }
}

/// The last requests and what came of them, the oldest first.
///
/// One whose record cannot be read is told with its title alone: what somebody else wrote keeps no task from beginning.
pub(super) fn history(engine: &Arc<Engine>) -> anyhow::Result<Vec<PastTurn>> {
    let latest = engine.ask(|world| {
        let ended = world.rooms.task.latest(4 * MOST_TURNS).into_iter().filter(|(_, task)| task.end.is_some());
        ended.take(MOST_TURNS).map(|(id, task)| (id.to_owned(), task.title.to_string())).collect::<Vec<_>>()
    })?;
    let mut turns = Vec::new();
    for (id, title) in latest.into_iter().rev() {
        turns.push(match Journal::look(engine, &id) {
            Ok(recorded) => turn(&recorded),
            Err(error) if error.is_of_record() => PastTurn { input: title, summary: String::new() },
            Err(error) => return Err(error.into()),
        });
    }
    Ok(turns)
}
