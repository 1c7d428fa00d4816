//! `annals task list`: tasks, the latest first.

use serde::Serialize;

use super::told;
use crate::cli::run::TaskLock;
use crate::cli::shell::{CommandOutcome, Done, Shell};
use crate::cli::table::Column::{Goes, Key, Text};
use crate::domain::task::command::PauseReason;
use crate::domain::task::{Task, TaskPhase};
use crate::engine::Engine;
use crate::kernel::id::EntryId;

/// Arguments of `annals task list`.
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// How many
    #[arg(long, default_value_t = 20)]
    limit: usize,
}

/// A task, as it is listed.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct TaskRow {
    id: String,
    /// How it stands, in a word or two.
    state: String,
    #[serde(flatten)]
    task: Task,
}

/// The answer in JSON.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(in crate::cli) struct TaskRows {
    tasks: Vec<TaskRow>,
}

pub(super) fn run(shell: &mut Shell, arguments: &Arguments) -> Done {
    let engine = shell.engine()?;
    let tasks = shell.ask(&engine, |world| {
        let rows = world.rooms.task.latest(arguments.limit).into_iter();
        rows.map(|(id, task)| (id.to_owned(), told(task))).collect::<Vec<_>>()
    })?;
    let row = |(id, task): (String, Task)| {
        let state = state_now(shell, &engine, &id, &task)?;
        Ok(TaskRow { id, state, task })
    };
    let tasks = tasks.into_iter().map(row).collect::<anyhow::Result<Vec<_>>>()?;
    if shell.wants_json() {
        shell.out.answer(&TaskRows { tasks })?;
        return Ok(CommandOutcome::Done);
    }
    let rows: Vec<_> = tasks.iter().map(cells).collect();
    let columns =
        [Key("task"), Text("state"), Goes(3, "replans"), Goes(4, "messages"), Goes(2, "begun"), Text("request")];
    shell.out.table(&columns, &rows)?;
    for row in tasks.iter().filter(|row| row.state == STOPPED) {
        let id = &row.id;
        shell.out.say(format_args!(
            "task {id} stopped in the middle: annals run --resume {id} goes on, annals task abort {id} ends it"
        ))?;
    }
    if rows.is_empty() {
        shell.out.say("there is no task yet; `annals run \"…\"` begins one, `annals run --demo` shows one")?;
    }
    Ok(CommandOutcome::Done)
}

fn cells(row: &TaskRow) -> Vec<String> {
    let task = &row.task;
    vec![
        row.id.clone(),
        row.state.clone(),
        task.replans.to_string(),
        task.messages.to_string(),
        task.begun_at.to_string(),
        task.title.to_string(),
    ]
}

const RUNNING: &str = "running";
/// What a task is that goes on, and on which no process is at work.
const STOPPED: &str = "stopped";

/// Where a task stands, in a word or two: also whether a process of this machine is at work on it. Of a task of another clone,
/// and of the past, only the record is known.
pub(super) fn state_now(shell: &Shell, engine: &Engine, id: &str, task: &Task) -> anyhow::Result<String> {
    let state = state(task);
    let is_known = state == RUNNING && shell.until()? == EntryId::MAX && engine.own_entries()?.wrote(&task.own_line());
    let has_stopped = is_known && !TaskLock::is_held(shell, id)?;
    Ok(if has_stopped { STOPPED.to_owned() } else { state })
}

/// Where it stands on the record.
fn state(task: &Task) -> String {
    let settled = task.settlement.map(|settlement| format!(", {settlement}")).unwrap_or_default();
    match (task.phase, task.end) {
        (_, Some(end)) => format!("{end}{settled}"),
        (TaskPhase::Paused, None) => {
            format!("paused: {}", task.paused.map(PauseReason::as_str).unwrap_or_default())
        }
        (TaskPhase::Running | TaskPhase::Ended, None) => RUNNING.to_owned(),
    }
}
