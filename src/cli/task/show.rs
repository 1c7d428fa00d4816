//! `annals task show`: one task, from its request to its end, as it is on the record.

use std::sync::Arc;

use serde::Serialize;

use super::list::state;
use super::{gist, named};
use crate::act::{Journal, Recorded, RunError, journal::Step};
use crate::cli::line::{Line, Style};
use crate::cli::run::lines;
use crate::cli::shell::{CommandOutcome, Done, Shell};
use crate::domain::task::Task;
use crate::domain::task::bus::{MessageKind, Party};
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

/// The answer in JSON.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(in crate::cli) struct ShownTask {
    id: String,
    task: Task,
    request: String,
    messages: Vec<ShownMessage>,
    result: Option<FinalResult>,
    /// Why its record cannot be read, where that is so.
    unread: Option<String>,
}

pub(super) fn run(shell: &mut Shell, arguments: &Arguments) -> Done {
    let engine = Arc::new(shell.engine()?);
    let id = named(&engine, arguments.task.as_deref())?;
    let row = engine.ask(|world| world.rooms.task.task(&id).cloned())?;
    let task = row.expect("BUG: a task that was named is there");
    let shown = match Journal::look(&engine, &id) {
        Ok(recorded) => shown(id, task, &recorded),
        Err(error @ (RunError::BadEntry { .. } | RunError::UnknownTask { .. })) => unread(id, task, &error),
        Err(error) => return Err(error.into()),
    };
    if shell.wants_json() {
        shell.out.answer(&shown)?;
        return Ok(CommandOutcome::Done);
    }
    print(shell, &shown)
}

fn shown(id: String, task: Task, recorded: &Recorded) -> ShownTask {
    let messages = recorded.steps.iter().filter_map(|step| match step {
        Step::Said { n, said, alive_ms } => Some(message(*n, said, *alive_ms)),
        Step::Came(_) => None,
    });
    let result = recorded.result().cloned();
    let request = recorded.request.raw_input.clone();
    ShownTask { id, task, request, messages: messages.collect(), result, unread: None }
}

/// A record that another version wrote, or somebody else: what the fold knows of the task is shown.
fn unread(id: String, task: Task, error: &RunError) -> ShownTask {
    let (request, unread) = (task.title.to_string(), Some(error.to_string()));
    ShownTask { id, task, request, messages: Vec::new(), result: None, unread }
}

fn message(n: u32, said: &BusSaid, alive_ms: u64) -> ShownMessage {
    let BusSaid { from, to, message } = said;
    ShownMessage { n, alive_ms, from: *from, kind: message.kind(), to: *to, gist: gist(said) }
}

fn print(shell: &mut Shell, shown: &ShownTask) -> Done {
    shell.out.styled(&Line::of(Style::Bold, format!("{}  {}", shown.id, state(&shown.task))))?;
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
    Ok(CommandOutcome::Done)
}
