//! `annals task diff|apply|keep|drop`: what a task changed, and what becomes of it (decision 61).

use std::path::PathBuf;
use std::sync::Arc;

use annals_workspace::workspace::{ChangedFile, OthersWork, WorkspaceError};
use serde::Serialize;

use super::named;
use super::rest::{LeftOutRow, OwnCheck, TaskRest};
use crate::cli::run::{author, lines, reopened};
use crate::cli::shell::{CommandOutcome, Done, Shell};
use crate::domain::task;
use crate::domain::task::command::{Settle, Settlement};
use crate::engine::Engine;
use crate::kernel::json::Json;

/// Arguments of each of them.
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// Its id, or the beginning or end of it [default: the latest]
    task: Option<String>,
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
}

/// What a task changed, in JSON.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(in crate::cli) struct TaskDiff {
    task: String,
    files: Vec<String>,
    patch: String,
    /// What is not in it, such as new files that git ignores.
    left_out: Vec<LeftOutRow>,
    /// What the task changed and one of its own checks names.
    own_checks: Vec<OwnCheck>,
    /// Files that the task changed though the person's words forbade it.
    forbidden: Vec<String>,
}

pub(super) fn diff(shell: &mut Shell, arguments: &Arguments) -> Done {
    let engine = Arc::new(shell.engine()?);
    let task = named(&engine, arguments.task.as_deref())?;
    let workspace = reopened(shell, &task)?;
    let diff = workspace.diff()?;
    let mut rest = TaskRest::of(&engine, &task, &workspace, &diff.files)?;
    rest.left_out.extend(diff.left_out.iter().map(LeftOutRow::of));
    let (files, patch) = (diff.files.iter().map(path).collect(), diff.text());
    if shell.wants_json() {
        let TaskRest { left_out, own_checks, forbidden } = rest;
        shell.out.answer(&TaskDiff { task, files, patch, left_out, own_checks, forbidden })?;
        return Ok(CommandOutcome::Done);
    }
    lines(shell, &patch)?;
    rest.say(shell)?;
    Ok(CommandOutcome::Done)
}

pub(super) fn apply(shell: &mut Shell, arguments: &Arguments) -> Done {
    settle(shell, arguments.task.as_deref(), Settling::Applied)
}

pub(super) fn keep(shell: &mut Shell, arguments: &Arguments) -> Done {
    settle(shell, arguments.task.as_deref(), Settling::Kept)
}

pub(super) fn discard(shell: &mut Shell, arguments: &DropArguments) -> Done {
    let aside = arguments.copy_to.as_ref().map(|folder| shell.environment.directory.join(folder));
    let others = aside.map_or(OthersWork::Refused, OthersWork::LaidAside);
    settle(shell, arguments.task.as_deref(), Settling::Dropped(others))
}

/// The change comes first and its entry behind it: what an entry says has happened.
fn settle(shell: &mut Shell, task: Option<&str>, settling: Settling) -> Done {
    let engine = Arc::new(shell.engine()?);
    let task = named(&engine, task)?;
    let (by, settlement) = (shell.by_now(), settling.settlement());
    let settle = || task::Command::from(Settle { task: task.as_str().into(), settlement });
    // What a rule refuses must not have happened already.
    let rehearsed = engine.rehearse(settle(), &Json::empty_object(), &by)?;
    if rehearsed.decided.refusal.is_some() {
        return shell.decide(&engine, settle(), &Json::empty_object(), |_, _| Ok(()));
    }
    let said = carry_out(shell, &engine, &task, settling)?;
    shell.decide(&engine, settle(), &Json::empty_object(), |out, _| out.line(said))
}

fn carry_out(shell: &mut Shell, engine: &Arc<Engine>, task: &str, settling: Settling) -> anyhow::Result<String> {
    let workspace = reopened(shell, task)?;
    Ok(match settling {
        Settling::Applied => {
            let changed = workspace.apply()?;
            TaskRest::of(engine, task, &workspace, &changed)?.say(shell)?;
            workspace.forget()?;
            format!("applied: {}", changed.iter().map(path).collect::<Vec<_>>().join(", "))
        }
        Settling::Kept => {
            let title = engine.ask(|world| world.rooms.task.task(task).map(|row| row.title.to_string()))?;
            let commit = workspace.keep(&author(engine), &title.unwrap_or_default())?;
            workspace.forget()?;
            format!("kept: branch annals/{task}, commit {commit}")
        }
        Settling::Dropped(others) => {
            workspace.discard(&others).map_err(|error| with_way_out(error, task))?;
            "dropped".to_owned()
        }
    })
}

/// What can be done where a folder holds more than the task's own work.
fn with_way_out(error: WorkspaceError, task: &str) -> anyhow::Error {
    if !matches!(error, WorkspaceError::NotItsAlone { .. }) {
        return error.into();
    }
    anyhow::anyhow!(
        "{error}; nothing was dropped: `annals task apply {task}` leaves all as it is, `annals task drop {task} --copy-to \
         FOLDER` copies these files into FOLDER and then undoes them, too"
    )
}

fn path(file: &ChangedFile) -> String {
    file.path.display().to_string()
}
