//! `annals task …`: the tasks of the control loop, what was said in them, and what becomes of their changes.

mod abort;
mod compare;
mod diff;
mod gist;
mod list;
mod rest;
mod settle;
mod show;
mod way_out;
mod why;

pub(super) use compare::ComparedTasks;
pub(super) use diff::TaskDiff;
pub(super) use gist::{gist, subtask_name, used};
pub(super) use list::TaskRows;
pub(super) use rest::{LeftOutRow, TaskRest, rest_of};
pub(super) use settle::AppliedTask;
pub(super) use show::{ShownTask, dollars};
pub(super) use why::{TaskReasons, parts};

use std::sync::Arc;

use crate::domain::task::Task;

use self::list::state_now;
use super::registry::{CommandRow, rows};
use super::shell::{Shell, Usage};
use crate::act::{Journal, Recorded, RunError};
use crate::engine::Engine;
use crate::kernel::id::EntryId;

/// Commands about tasks.
pub(super) const ROWS: &[CommandRow] = rows! {
    /// List tasks, the latest first
    "list" => Runs(&With(list::run)),
    /// Show a task: its plan, what was judged, what the solver said, how it ended
    "show" => Runs(&With(show::run)),
    /// Tell why a task ended so: each verdict with its evidence, each ruling with its figures
    "why" => Runs(&With(why::run)),
    /// Put tasks side by side: how each ended and what it took
    "compare" => Runs(&With(compare::run)),
    /// End a task; where it is at work, it is stopped first
    "abort" => Runs(&With(abort::run)),
    /// Show what a task changed
    "diff" => Runs(&With(diff::run)),
    /// Bring the changes of a task into the project
    "apply" => Runs(&With(settle::apply)),
    /// Keep the changes of a task as a branch, annals/TASK
    "keep" => Runs(&With(settle::keep)),
    /// Throw the changes of a task away
    "drop" => Runs(&With(settle::discard)),
};

/// A task for JSON: one that has ended waits for nothing any more.
fn told(task: &Task) -> Task {
    Task { paused: task.paused.filter(|_| task.end.is_none()), ..task.clone() }
}

/// A task, however it is named: its id, the beginning or end of it, or nothing for the latest.
pub(super) fn named(shell: &Shell, engine: &Engine, name: Option<&str>) -> anyhow::Result<String> {
    let ids = shell.ask(engine, |world| {
        let all = world.rooms.task.latest(usize::MAX);
        all.into_iter().map(|(id, _)| id.to_owned()).collect::<Vec<_>>()
    })?;
    let Some(name) = name else {
        return ids
            .into_iter()
            .next()
            .ok_or_else(|| Usage("there is no task yet; `annals run` begins one".to_owned()).into());
    };
    let is_named = |id: &&String| {
        let (id, name) = (id.to_uppercase(), name.to_uppercase());
        id == name || (name.len() >= 4 && (id.starts_with(&name) || id.ends_with(&name)))
    };
    let found: Vec<_> = ids.iter().filter(is_named).collect();
    match found[..] {
        [one] => Ok(one.clone()),
        [] => Err(Usage(format!("there is no task {name}; `annals task list` shows those there are")).into()),
        _ => Err(Usage(format!("{name} names {} tasks; `annals task list` shows them", found.len())).into()),
    }
}

/// What is on the record of a task, as it stands or stood at `--at`.
fn looked(shell: &Shell, engine: &Arc<Engine>, id: &str) -> anyhow::Result<Result<Recorded, RunError>> {
    let until = shell.until()?;
    let until = if until == EntryId::MAX { None } else { Some(engine.turn_of(until)?) };
    Ok(Journal::look_until(engine, id, until))
}

/// What becomes of a task becomes of it now.
fn require_present(shell: &Shell) -> anyhow::Result<()> {
    if shell.until()? == EntryId::MAX {
        return Ok(());
    }
    Err(Usage("--at looks at the past: nothing is ended or settled there; leave it out".to_owned()).into())
}
