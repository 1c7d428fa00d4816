//! `annals task compare`: tasks side by side: how each ended, in how many rounds, and what it took.

use std::sync::Arc;

use serde::Serialize;

use super::{dollars, looked, named, state_now};
use crate::cli::shell::{CommandOutcome, Done, Shell, Usage};
use crate::cli::table::Column::{Goes, Key, Text};
use crate::engine::Engine;
use crate::role::auditor::RoleCost;

/// Arguments of `annals task compare`.
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// Their ids, or the beginnings or ends of them
    #[arg(required = true, num_args = 2.., value_name = "TASK")]
    tasks: Vec<String>,
}

/// A task in figures.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct ComparedTask {
    id: String,
    request: String,
    /// How it stands, or ended.
    state: String,
    replans: u32,
    messages: u32,
    /// L at the end, where there is one.
    loss: Option<f64>,
    /// How long it was alive, in milliseconds.
    alive_ms: u64,
    sequential_calls: u64,
    #[serde(flatten)]
    cost: RoleCost,
}

/// The answer in JSON.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(in crate::cli) struct ComparedTasks {
    tasks: Vec<ComparedTask>,
}

pub(super) fn run(shell: &mut Shell, arguments: &Arguments) -> Done {
    let engine = Arc::new(shell.engine()?);
    let tasks: Vec<_> =
        arguments.tasks.iter().map(|name| compared(shell, &engine, name)).collect::<anyhow::Result<_>>()?;
    if shell.wants_json() {
        shell.out.answer(&ComparedTasks { tasks })?;
        return Ok(CommandOutcome::Done);
    }
    let columns = [
        Key("task"),
        Text("state"),
        Goes(1, "loss"),
        Goes(1, "replans"),
        Goes(2, "calls"),
        Goes(2, "tokens"),
        Goes(3, "seconds"),
        Goes(3, "cost"),
        Text("request"),
    ];
    shell.out.table(&columns, &tasks.iter().map(cells).collect::<Vec<_>>())?;
    Ok(CommandOutcome::Done)
}

fn compared(shell: &Shell, engine: &Arc<Engine>, name: &str) -> anyhow::Result<ComparedTask> {
    let id = named(shell, engine, Some(name))?;
    let row = shell.ask(engine, |world| world.rooms.task.task(&id).cloned())?;
    let row = row.expect("BUG: a task that was named is there");
    let recorded = match looked(shell, engine, &id)? {
        Err(error) if error.is_of_record() => return Err(Usage(error.to_string()).into()),
        found => found?,
    };
    let account = recorded.account();
    Ok(ComparedTask {
        request: row.title.to_string(),
        state: state_now(shell, engine, &id, &row)?,
        replans: row.replans,
        messages: row.messages,
        loss: recorded.result().map(|result| result.loss.l.number()),
        alive_ms: recorded.alive_ms,
        sequential_calls: account.sequential_calls(),
        cost: account.total(),
        id,
    })
}

fn cells(task: &ComparedTask) -> Vec<String> {
    let cost = task.cost;
    vec![
        task.id.clone(),
        task.state.clone(),
        task.loss.map(|loss| format!("{loss:.2}")).unwrap_or_default(),
        task.replans.to_string(),
        cost.calls.to_string(),
        cost.prompt_tokens.saturating_add(cost.answer_tokens).to_string(),
        (task.alive_ms / 1_000).to_string(),
        dollars(cost.cost_micro_usd),
        task.request.clone(),
    ]
}
