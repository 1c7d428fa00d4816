//! `annals task list`: tasks, the latest first.

use serde::Serialize;

use crate::cli::shell::{CommandOutcome, Done, Shell};
use crate::cli::table::Column::{Goes, Key, Text};
use crate::domain::task::command::PauseReason;
use crate::domain::task::{Task, TaskPhase};

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
        rows.map(|(id, task)| TaskRow { id: id.to_owned(), task: task.clone() }).collect::<Vec<_>>()
    })?;
    if shell.wants_json() {
        shell.out.answer(&TaskRows { tasks })?;
        return Ok(CommandOutcome::Done);
    }
    let rows: Vec<_> = tasks.iter().map(cells).collect();
    let columns =
        [Key("task"), Text("state"), Goes(3, "replans"), Goes(4, "messages"), Goes(2, "begun"), Text("request")];
    shell.out.table(&columns, &rows)?;
    if rows.is_empty() {
        shell.out.say("there is no task yet; `annals run \"…\"` begins one, `annals run --demo` shows one")?;
    }
    Ok(CommandOutcome::Done)
}

fn cells(row: &TaskRow) -> Vec<String> {
    let task = &row.task;
    vec![
        row.id.clone(),
        state(task),
        task.replans.to_string(),
        task.messages.to_string(),
        task.begun_at.to_string(),
        task.title.to_string(),
    ]
}

/// Where a task stands, in a word or two.
pub(super) fn state(task: &Task) -> String {
    let settled = task.settlement.map(|settlement| format!(", {settlement}")).unwrap_or_default();
    match (task.phase, task.end) {
        (_, Some(end)) => format!("{end}{settled}"),
        (TaskPhase::Paused, None) => {
            format!("paused: {}", task.paused.map(PauseReason::as_str).unwrap_or_default())
        }
        (TaskPhase::Running | TaskPhase::Ended, None) => "running".to_owned(),
    }
}
