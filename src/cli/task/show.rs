//! `annals task show`: one task, from its request to its end, as it is on the record.

use std::sync::Arc;

use serde::Serialize;

use super::{gist, looked, named, state_now, told};
use crate::act::{Recorded, RunError, journal::Step};
use crate::cli::line::{Line, Style};
use crate::cli::run::lines;
use crate::cli::shell::{CommandOutcome, Done, Shell};
use crate::cli::table::Column::{Goes, Key};
use crate::domain::task::Task;
use crate::domain::task::bus::{MessageKind, Party};
use crate::role::auditor::RoleCost;
use crate::role::ggs::FinalResult;
use crate::role::run::BusSaid;

/// Arguments of `annals task show`.
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// Its id, or the beginning or end of it [default: the latest]
    task: Option<String>,
}

/// One message, as it is shown.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct ShownMessage {
    n: u32,
    alive_ms: u64,
    from: Party,
    kind: MessageKind,
    to: Party,
    gist: String,
}

/// What the models of a role took.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct RoleAccount {
    role: Party,
    #[serde(flatten)]
    cost: RoleCost,
}

/// The answer in JSON.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(in crate::cli) struct ShownTask {
    id: String,
    task: Task,
    /// How it stands, in a word or two.
    state: String,
    request: String,
    messages: Vec<ShownMessage>,
    result: Option<FinalResult>,
    /// What models took, by role.
    account: Vec<RoleAccount>,
    /// Of their calls, those that had to wait for another one.
    sequential_calls: u64,
    /// Why its record cannot be read, where that is so.
    unread: Option<String>,
}

pub(super) fn run(shell: &mut Shell, arguments: &Arguments) -> Done {
    let engine = Arc::new(shell.engine()?);
    let id = named(shell, &engine, arguments.task.as_deref())?;
    let row = shell.ask(&engine, |world| world.rooms.task.task(&id).map(told))?;
    let task = row.expect("BUG: a task that was named is there");
    let state = state_now(shell, &engine, &id, &task)?;
    let shown = match looked(shell, &engine, &id)? {
        Ok(recorded) => shown(ToldTask { id, task, state }, &recorded),
        Err(error) if error.is_of_record() => unread(ToldTask { id, task, state }, &error),
        Err(error) => return Err(error.into()),
    };
    if shell.wants_json() {
        shell.out.answer(&shown)?;
        return Ok(CommandOutcome::Done);
    }
    print(shell, &shown)
}

/// A task as the fold has it, and how it stands.
struct ToldTask {
    id: String,
    task: Task,
    state: String,
}

fn shown(told: ToldTask, recorded: &Recorded) -> ShownTask {
    let ToldTask { id, task, state } = told;
    let messages = recorded.steps.iter().filter_map(|step| match step {
        Step::Said { n, said, alive_ms } => Some(message(*n, said, *alive_ms)),
        Step::Came(_) => None,
    });
    let result = recorded.result().cloned();
    let request = recorded.request.raw_input.clone();
    let account = recorded.account();
    let sequential_calls = account.sequential_calls();
    let row = |(role, cost): (&Party, &RoleCost)| RoleAccount { role: *role, cost: *cost };
    let account = account.rows().iter().map(row).collect();
    let messages = messages.collect();
    ShownTask { id, task, state, request, messages, result, account, sequential_calls, unread: None }
}

/// A record that another version wrote, or somebody else: what the fold knows of the task is shown.
fn unread(told: ToldTask, error: &RunError) -> ShownTask {
    let ToldTask { id, task, state } = told;
    let (request, unread) = (task.title.to_string(), Some(error.to_string()));
    let (messages, result, account) = (Vec::new(), None, Vec::new());
    ShownTask { id, task, state, request, messages, result, account, sequential_calls: 0, unread }
}

fn message(n: u32, said: &BusSaid, alive_ms: u64) -> ShownMessage {
    let BusSaid { from, to, message } = said;
    ShownMessage { n, alive_ms, from: *from, kind: message.kind(), to: *to, gist: gist(said) }
}

fn print(shell: &mut Shell, shown: &ShownTask) -> Done {
    shell.out.styled(&Line::of(Style::Bold, format!("{}  {}", shown.id, shown.state)))?;
    lines(shell, &shown.request)?;
    for message in &shown.messages {
        let seconds = message.alive_ms / 1000;
        let ShownMessage { n, from, kind, to, gist, .. } = message;
        shell.out.line(format_args!("{n:>3} {seconds:>4} s  {from} → {to}  {kind}: {gist}"))?;
    }
    if let Some(unread) = &shown.unread {
        shell.out.say(unread)?;
    }
    if let Some(result) = &shown.result {
        shell.out.line("")?;
        lines(shell, &result.summary)?;
    }
    print_account(shell, shown)
}

/// Who was asked how much.
fn print_account(shell: &mut Shell, shown: &ShownTask) -> Done {
    if !shown.account.is_empty() {
        shell.out.line("")?;
        let columns =
            [Key("role"), Goes(1, "calls"), Goes(2, "read"), Goes(2, "written"), Goes(3, "ms"), Goes(3, "cost")];
        shell.out.table(&columns, &shown.account.iter().map(cells).collect::<Vec<_>>())?;
        shell.out.line(format_args!("calls one after another: {}", shown.sequential_calls))?;
    }
    Ok(CommandOutcome::Done)
}

/// With four decimals: a question to a small model costs less than a cent.
pub(in crate::cli) fn dollars(micro: u64) -> String {
    format!("${}.{:04}", micro / 1_000_000, micro % 1_000_000 / 100)
}

fn cells(row: &RoleAccount) -> Vec<String> {
    let RoleCost { calls, prompt_tokens, answer_tokens, model_ms, cost_micro_usd } = row.cost;
    let figures = [calls, prompt_tokens, answer_tokens, model_ms].map(|figure| figure.to_string());
    let cost = if cost_micro_usd == 0 { String::new() } else { dollars(cost_micro_usd) };
    [row.role.to_string()].into_iter().chain(figures).chain([cost]).collect()
}
