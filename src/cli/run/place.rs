//! Where a run works: the project, the workspace of its task, and what stands in it.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use annals_workspace::Outside;
use annals_workspace::confine::Helper;
use annals_workspace::workspace::{Author, Workspace, WorkspaceError};
use anyhow::Context as _;

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
pub(super) fn project(shell: &Shell) -> anyhow::Result<PathBuf> {
    let context = shell.context()?;
    Ok(context.parent().map_or_else(|| shell.environment.directory.clone(), Path::to_owned))
}

/// Where workspaces are: the person's own, and outside of every project.
pub(super) fn state(shell: &Shell) -> anyhow::Result<PathBuf> {
    let state = shell.environment.state().context("there is no home for workspaces: set HOME or XDG_STATE_HOME")?;
    Ok(state.join("tasks"))
}

/// What the workspace is told of this machine.
pub(super) fn outside() -> anyhow::Result<Outside> {
    let program = std::env::current_exe().context("cannot find this program")?;
    let helper = Helper { program, words: vec![WALLED.to_owned()] };
    Ok(Outside { environment: Environment::variables(), helper })
}

/// The workspace of a task: the one it has, or a new one. What it did in one that is gone cannot be made again: the record
/// would say what no file shows.
pub(super) fn workspace(shell: &Shell, engine: &Arc<Engine>, task: &str) -> anyhow::Result<(Outside, Workspace)> {
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
    let workspace = Workspace::make(&outside, &project(shell)?, &state, task)?;
    Ok((outside, workspace))
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
