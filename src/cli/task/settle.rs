//! `annals task apply|keep|drop`: what becomes of what a task changed (decision 61).
//!
//! Each can be interrupted at any time and said again. Shows no change; `diff` does.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;

use serde::Serialize;

use annals_workspace::workspace::{ChangedFile, OthersWork, Settled, WorkPlace, Workspace, WorkspaceError, sweep};

use super::require_present;
use super::rest::TaskRest;
use super::way_out::with_way_out;
use crate::cli::run::{TaskLock, Whereabouts, author, outside, own_task, project, require_here, state, whereabouts};
use crate::cli::shell::{CommandOutcome, Done, Shell, Usage};
use crate::domain::task;
use crate::domain::task::command::{Settle, Settlement};
use crate::domain::task::state::TaskEnd;
use crate::engine::Engine;
use crate::kernel::id::EntryId;
use crate::kernel::json::Json;

/// What was applied, in JSON.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(in crate::cli) struct AppliedTask {
    /// The entry that records it.
    entry: Option<EntryId>,
    task: String,
    /// How it ended: that what was given up does what was asked for is shown by nothing.
    end: Option<TaskEnd>,
    /// What it changed in the project.
    files: Vec<String>,
    #[serde(flatten)]
    rest: TaskRest,
}

/// Arguments of `annals task apply` and `keep`, and of `diff`.
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// Its id, or the beginning or end of it [default: the latest]
    pub(super) task: Option<String>,
}

/// Arguments of `annals task drop`.
#[derive(Debug, clap::Args)]
pub(super) struct DropArguments {
    /// Its id, or the beginning or end of it [default: the latest]
    task: Option<String>,
    /// In a folder without git: undo also what others changed in the same files, and lay these as they are now into FOLDER
    #[arg(long, value_name = "FOLDER")]
    copy_to: Option<PathBuf>,
}

/// What becomes of what a task changed.
enum Settling {
    Applied,
    Kept,
    Dropped(OthersWork),
}

impl Settling {
    fn settlement(&self) -> Settlement {
        match self {
            Self::Applied => Settlement::Applied,
            Self::Kept => Settlement::Kept,
            Self::Dropped(_) => Settlement::Dropped,
        }
    }

    /// Says where what stays is the work of a task that was given up.
    fn say_of(&self, end: Option<TaskEnd>, shell: &mut Shell) -> std::io::Result<()> {
        match (self, end) {
            (Self::Applied | Self::Kept, Some(TaskEnd::Abandon)) => {
                shell.out.say("the task was given up: nothing shows that this is what you asked for")
            }
            (Self::Dropped(_), _) | (_, Some(TaskEnd::Accept | TaskEnd::Success) | None) => Ok(()),
        }
    }

    fn settled(&self) -> Settled {
        match self {
            Self::Applied => Settled::Applied,
            Self::Kept => Settled::Kept,
            Self::Dropped(_) => Settled::Dropped,
        }
    }
}

pub(super) fn apply(shell: &mut Shell, arguments: &Arguments) -> Done {
    settle(shell, arguments.task.as_deref(), &Settling::Applied)
}

pub(super) fn keep(shell: &mut Shell, arguments: &Arguments) -> Done {
    settle(shell, arguments.task.as_deref(), &Settling::Kept)
}

pub(super) fn discard(shell: &mut Shell, arguments: &DropArguments) -> Done {
    let aside = arguments.copy_to.as_ref().map(|folder| shell.environment.directory.join(folder));
    let others = aside.map_or(OthersWork::Refused, OthersWork::LaidAside);
    settle(shell, arguments.task.as_deref(), &Settling::Dropped(others))
}

/// The change comes first and its entry behind it: what an entry says has happened. The workspace stays until the entry is there,
/// so that whatever is interrupted can be said again.
fn settle(shell: &mut Shell, task: Option<&str>, settling: &Settling) -> Done {
    require_present(shell)?;
    let engine = Arc::new(shell.engine()?);
    let task = own_task(shell, &engine, task)?;
    let whereabouts = whereabouts(shell, &task)?;
    let _lock = TaskLock::take(shell, &task)?;
    let settlement = settling.settlement();
    let settle = || task::Command::from(Settle { task: task.as_str().into(), settlement });
    // What a rule refuses must not have happened already.
    let rehearsed = engine.rehearse(settle(), &Json::empty_object(), &shell.by_now())?;
    if rehearsed.decided.refusal.is_some() {
        sweep_settled(shell, &engine)?;
        return shell.decide(&engine, settle(), &Json::empty_object(), |_, _| Ok(()));
    }
    let CarriedOut { said, applied, workspace, _folder } = carry_out(shell, &engine, &task, settling, &whereabouts)?;
    if let Some(workspace) = &workspace {
        workspace.note_done(settling.settled())?;
    }
    let end = engine.ask(|world| world.rooms.task.task(&task).and_then(|row| row.end))?;
    let outcome = match applied.filter(|_| shell.wants_json()) {
        None => shell.decide(&engine, settle(), &Json::empty_object(), |out, _| out.line(said))?,
        Some((files, rest)) => {
            tell_applied(shell, &engine, settle(), AppliedTask { entry: None, task, end, files, rest })?
        }
    };
    if outcome == CommandOutcome::Done {
        settling.say_of(end, shell)?;
    }
    if outcome == CommandOutcome::Done
        && let Some(Err(error)) = workspace.map(Workspace::forget)
    {
        shell.out.say(format_args!("the workspace could not be removed, and is of no use any more: {error}"))?;
    }
    sweep_settled(shell, &engine)?;
    Ok(outcome)
}

/// Removes workspaces that a kill left behind whose tasks this clone has settled.
fn sweep_settled(shell: &Shell, engine: &Engine) -> anyhow::Result<()> {
    let own = engine.own_entries()?;
    let settled = engine.ask(|world| {
        let all = world.rooms.task.latest(usize::MAX).into_iter();
        let own = all.filter(|(_, task)| task.settlement.is_some() && own.wrote(&task.own_line()));
        own.map(|(id, _)| id.to_owned()).collect::<BTreeSet<_>>()
    })?;
    sweep(&state(shell)?, &|task| settled.contains(task) && require_here(shell, task).is_ok());
    Ok(())
}

/// Records that it was applied, and answers with what that changed.
fn tell_applied(shell: &mut Shell, engine: &Engine, settle: task::Command, applied: AppliedTask) -> Done {
    let answer = engine.decide(settle, &Json::empty_object(), &shell.by_now())?;
    if answer.refusal.is_some() || answer.trouble.is_some() {
        return shell.report(&answer, |_| Ok(()));
    }
    shell.out.answer(&AppliedTask { entry: answer.entry, ..applied })?;
    Ok(CommandOutcome::Done)
}

/// What became of the changes.
struct CarriedOut {
    said: String,
    /// The files that the project has now, and what is to be known besides.
    applied: Option<(Vec<String>, TaskRest)>,
    /// Of a task that has none any more there is none.
    workspace: Option<Workspace>,
    /// No task may work in the folder meanwhile, where that is worked in itself.
    _folder: Option<TaskLock>,
}

fn carry_out(
    shell: &mut Shell,
    engine: &Arc<Engine>,
    task: &str,
    settling: &Settling,
    whereabouts: &Whereabouts,
) -> anyhow::Result<CarriedOut> {
    match (whereabouts, settling) {
        (Whereabouts::Elsewhere(words), _) | (Whereabouts::Moved(words), Settling::Applied | Settling::Kept) => {
            return Err(Usage(words.clone()).into());
        }
        (Whereabouts::Here, _) | (Whereabouts::Moved(_), Settling::Dropped(_)) => {}
    }
    let workspace = match (Workspace::reopen(&outside()?, &state(shell)?, task), whereabouts) {
        (Err(WorkspaceError::Missing { .. }), _) => {
            let said = without_workspace(shell, task, settling)?;
            return Ok(CarriedOut { said, applied: None, workspace: None, _folder: None });
        }
        // A folder that it worked in was moved, and what is there now is none of the task's.
        (found, Whereabouts::Moved(words)) => {
            let clone = found.ok().filter(Workspace::is_clone);
            clone.ok_or_else(|| Usage(words.clone()))?
        }
        (found, Whereabouts::Here | Whereabouts::Elsewhere(_)) => found?,
    };
    let folder = (!workspace.is_clone()).then(|| TaskLock::take_folder(shell, workspace.path())).transpose()?;
    let way_out = |error| with_way_out(error, task);
    let mut applied = None;
    let said = match settling {
        Settling::Applied => {
            let changed = workspace.apply().map_err(way_out)?;
            let rest = TaskRest::of(engine, task, &workspace, &changed)?;
            rest.say(shell)?;
            let files: Vec<_> = changed.iter().map(path).collect();
            let said = format!("applied: {}", files.join(", "));
            applied = Some((files, rest));
            said
        }
        Settling::Kept => {
            let title = engine.ask(|world| world.rooms.task.task(task).map(|row| row.title.to_string()))?;
            let commit = workspace.keep(&author(engine), &title.unwrap_or_default()).map_err(way_out)?;
            kept(task, &commit)
        }
        Settling::Dropped(others) => {
            workspace.take_back(others).map_err(way_out)?;
            "dropped".to_owned()
        }
    };
    Ok(CarriedOut { said, applied, workspace: Some(workspace), _folder: folder })
}

/// An earlier version removed the workspace first, and could be interrupted before its entry: what holds already is noted.
fn without_workspace(shell: &Shell, task: &str, settling: &Settling) -> anyhow::Result<String> {
    let (outside, project) = (outside()?, project(shell)?);
    let place = Workspace::where_it_would_be(&outside, &project, &state(shell)?);
    match settling {
        Settling::Dropped(_) => return Ok("dropped: its workspace was gone already".to_owned()),
        Settling::Applied if matches!(place, Ok(WorkPlace::Folder(_))) => {
            return Ok("applied: what the task changed is in the folder".to_owned());
        }
        Settling::Kept => {
            if let Some(commit) = Workspace::kept(&outside, &project, task)? {
                return Ok(kept(task, &commit));
            }
        }
        Settling::Applied => {}
    }
    let words = format!(
        "task {task} has no workspace any more: nothing is there to be applied or kept; `annals task drop {task}` notes that"
    );
    Err(Usage(words).into())
}

fn kept(task: &str, commit: &str) -> String {
    format!("kept: branch annals/{task}, commit {commit}")
}

pub(super) fn path(file: &ChangedFile) -> String {
    file.path.display().to_string()
}
