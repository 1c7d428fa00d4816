//! `annals debate failures|list`: tasks that failed, the attempts at one, and debates.

use serde::Serialize;

use crate::cli::named::TASK;
use crate::cli::shell::{CommandOutcome, Done, Shell, Usage, clean};
use crate::cli::table::Column::{Goes, Key, Seen, Text};
use crate::domain::dialectic::gate::is_stale;
use crate::domain::dialectic::{Debate, DebatedTask};
use crate::engine::Engine;
use crate::view::debate::told;
use crate::world::World;

/// Arguments of `annals debate failures`.
#[derive(Debug, clap::Args)]
pub(crate) struct FailuresArguments {
    /// Only the attempts at this task, as text or id
    task: Option<String>,
    /// Only what failed in this session
    #[arg(long, allow_negative_numbers = true)]
    session: Option<String>,
    /// Those that failed once only, too
    #[arg(long)]
    all: bool,
    /// How many
    #[arg(short = 'n', long, default_value_t = 50)]
    lines: usize,
}

/// Arguments of `annals debate list`.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// Only those that go on
    #[arg(long)]
    open: bool,
    /// How many
    #[arg(short = 'n', long, default_value_t = 50)]
    lines: usize,
}

/// A task in a list.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct TaskInfo {
    id: Box<str>,
    failures: u32,
    stale: bool,
    #[serde(flatten)]
    task: DebatedTask,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(in crate::cli) struct Failures {
    tasks: Vec<TaskInfo>,
}

/// A debate in a list.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct DebateInfo {
    id: Box<str>,
    #[serde(flatten)]
    debate: Debate,
}

#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(in crate::cli) struct Debates {
    debates: Vec<DebateInfo>,
}

/// So many tasks are looked at.
const RECENT: usize = 2000;
/// Fewer failures are how agents look around.
const TELLING: u32 = 2;

pub(super) fn failures(shell: &mut Shell, arguments: &FailuresArguments) -> Done {
    let engine = shell.engine()?;
    let at = shell.now(&engine)?;
    let session = arguments.session.as_deref().map(|text| shell.find_session(&engine, text)).transpose()?;
    let info = |id: &str, task: &DebatedTask| {
        let stale = task.failed_at.is_some_and(|failed| is_stale(failed, at, engine.settings()));
        TaskInfo { id: id.into(), failures: task.failures(), stale, task: task.clone() }
    };
    if let Some(text) = &arguments.task {
        let is_known = |world: &World| {
            let tasks = &world.rooms.dialectic;
            tasks.id_of(text).filter(|id| tasks.task(id).is_some())
        };
        let id = shell.ask(&engine, is_known)?.map_or_else(|| shell.find(&engine, &TASK, text), |id| Ok(Some(id)))?;
        let found = shell.ask(&engine, |world| {
            let id = id.as_deref()?;
            Some(info(id, world.rooms.dialectic.task(id)?))
        })?;
        let found = found.ok_or_else(|| Usage(format!("nothing is known of a task {}", clean(&engine, text))))?;
        return attempts(shell, &engine, found);
    }
    let least = if arguments.all { 1 } else { TELLING };
    let is_in = |task: &DebatedTask| {
        session.as_ref().is_none_or(|session| task.runs.iter().any(|run| run.session == *session && run.count >= least))
    };
    let tasks = shell.ask(&engine, |world| {
        let recent = world.rooms.dialectic.tasks.first_by_rank(RECENT).into_iter();
        let found = recent.filter(|(_, task)| task.failures() >= least && is_in(task));
        found.take(arguments.lines).map(|(id, task)| info(id, task)).collect()
    })?;
    print(shell, &engine, tasks)
}

fn print(shell: &mut Shell, engine: &Engine, tasks: Vec<TaskInfo>) -> Done {
    if shell.wants_json() {
        shell.out.answer(&Failures { tasks })?;
        return Ok(CommandOutcome::Done);
    }
    let rows = tasks.iter().map(|info| {
        let last = info.task.attempts.last();
        let at = info.task.failed_at.map(|at| at.to_string()).unwrap_or_default();
        let state = match (info.task.escalated.is_some(), info.stale) {
            (true, _) => "escalated",
            (false, true) => "stale",
            (false, false) => "-",
        };
        let worst = info.task.runs.iter().max_by_key(|run| run.count).filter(|run| run.count >= info.task.declared);
        let error = worst.map(|run| &run.error).or(last.map(|last| &last.error));
        let texts = [info.task.summary.clone(), error.cloned().unwrap_or_default()];
        let texts = texts.map(|text| clean(engine, &text));
        [info.id.to_string(), info.failures.to_string(), state.to_owned(), at].into_iter().chain(texts).collect()
    });
    let rows: Vec<Vec<String>> = rows.collect();
    shell
        .out
        .table(&[Key("task"), Key("failures"), Goes(2, "state"), Key("last"), Text("what"), Goes(1, "error")], &rows)?;
    Ok(CommandOutcome::Done)
}

fn attempts(shell: &mut Shell, engine: &Engine, found: TaskInfo) -> Done {
    if shell.wants_json() {
        shell.out.answer(&Failures { tasks: vec![found] })?;
        return Ok(CommandOutcome::Done);
    }
    let rows = found.task.attempts.iter().map(|attempt| {
        let texts = [attempt.approach.clone().unwrap_or_default(), attempt.error.clone()];
        let texts = texts.map(|text| clean(engine, &text));
        let place = attempt.session.as_ref().map_or_else(|| "declared".to_owned(), ToString::to_string);
        [attempt.attempt.to_string(), attempt.at.to_string(), place].into_iter().chain(texts).collect()
    });
    let rows: Vec<Vec<String>> = rows.collect();
    shell.out.table(&[Key("attempt"), Key("at"), Goes(1, "session"), Text("approach"), Text("error")], &rows)?;
    Ok(CommandOutcome::Done)
}

/// Where a debate is.
pub(super) fn state_of(debate: &Debate) -> String {
    match (&debate.resolved, debate.next()) {
        (Some(resolved), _) => resolved.resolution.resolution.to_string(),
        (None, _) if debate.called_off => "called off".to_owned(),
        (None, Some((side, round))) => format!("{side}, round {round}"),
        (None, None) => "to be resolved".to_owned(),
    }
}

/// What became of it.
pub(super) fn outcome_of(debate: &Debate) -> String {
    debate.judgement.map_or_else(
        || "-".to_owned(),
        |judged| {
            let helped = if judged.helped { ", helped" } else { "" };
            format!("{}{helped}", judged.outcome)
        },
    )
}

pub(super) fn run(shell: &mut Shell, arguments: &Arguments) -> Done {
    let engine = shell.engine()?;
    let debates = shell.ask(&engine, |world| {
        let latest = world.rooms.dialectic.debates.first_by_rank(RECENT).into_iter();
        let found = latest.filter(|(_, debate)| !arguments.open || debate.is_open()).take(arguments.lines);
        found.map(|(id, debate)| DebateInfo { id: id.clone(), debate: told(debate) }).collect::<Vec<_>>()
    })?;
    if shell.wants_json() {
        shell.out.answer(&Debates { debates })?;
        return Ok(CommandOutcome::Done);
    }
    let rows = debates.iter().map(|DebateInfo { id, debate }| {
        let words = [&**id, debate.kind.as_str(), debate.stakes.as_str()].map(str::to_owned);
        let state =
            [state_of(debate), outcome_of(debate), debate.at.day().to_string(), clean(&engine, &debate.summary)];
        words.into_iter().chain(state).collect()
    });
    let rows: Vec<Vec<String>> = rows.collect();
    shell.out.table(
        &[
            Key("debate"),
            Goes(1, "kind"),
            Goes(2, "stakes"),
            Key("state"),
            Goes(3, "outcome"),
            Seen("begun"),
            Text("task"),
        ],
        &rows,
    )?;
    Ok(CommandOutcome::Done)
}
