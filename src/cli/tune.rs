//! `annals tune`: what other weights and thresholds of the solver would have ruled on the tasks on record (artoo, v0.9).
//!
//! Changes nothing: a person reads it, and sets `ggs.*` or does not.

use std::sync::Arc;

use serde::Serialize;
use serde_json::Value;

use super::shell::{CommandOutcome, Done, Shell, Usage};
use crate::act::Journal;
use crate::cli::table::Column::{Goes, Key};
use crate::engine::Engine;
use crate::role::ggs::GgsLimits;
use crate::role::run::RunLimits;
use crate::role::tune::{CandidateReport, Proportion, RecordedTask, weigh};

/// What is tried where nothing is said. The plant (`crates/role/examples/plant`) found no set that wins everywhere: the first
/// wins in most of its rows, the second where work comes in small steps.
const CANDIDATES: [&str; 2] = ["theta=1", "rho=1,epsilon=0.02,theta=1"];

/// Arguments of `annals tune`.
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// Limits that differ from those in force: `theta=1`, `rho=1,epsilon=0.02` [default: two that did well on a simulated plant]
    #[arg(value_name = "LIMITS")]
    candidates: Vec<String>,
}

/// A candidate, and what it would have ruled.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct TunedLimits {
    /// `in force`, or as it was written.
    candidate: String,
    #[serde(flatten)]
    report: CandidateReport,
}

/// The answer in JSON.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct TuneReport {
    /// Tasks on record with a round that was ruled on.
    tasks: usize,
    /// Tasks whose record cannot be read.
    unread: usize,
    candidates: Vec<TunedLimits>,
}

pub(super) fn run(shell: &mut Shell, arguments: &Arguments) -> Done {
    let engine = Arc::new(shell.engine()?);
    let limits = RunLimits::of(engine.settings()).map_err(|error| Usage(format!("the settings ggs.*: {error}")))?.ggs;
    let (record, unread) = record(&engine)?;
    let own = arguments.candidates.iter().map(String::as_str);
    let wanted: Vec<&str> = if arguments.candidates.is_empty() { CANDIDATES.to_vec() } else { own.collect() };
    let mut candidates = vec![weighed("in force", &record, limits)?];
    for words in wanted {
        candidates.push(weighed(words, &record, changed(limits, words)?)?);
    }
    let answer = TuneReport { tasks: record.len(), unread, candidates };
    if shell.wants_json() {
        shell.out.answer(&answer)?;
        return Ok(CommandOutcome::Done);
    }
    print(shell, &answer)
}

fn weighed(words: &str, record: &[RecordedTask], limits: GgsLimits) -> anyhow::Result<TunedLimits> {
    let report = weigh(record, &limits).map_err(|error| Usage(format!("{words}: {error}")))?;
    Ok(TunedLimits { candidate: words.to_owned(), report })
}

/// These limits with those that are written, by the names that they have in `ggs.*`.
fn changed(limits: GgsLimits, words: &str) -> anyhow::Result<GgsLimits> {
    let bad =
        |why: &str| Usage(format!("{words}: {why}; it is NAME=VALUE, with commas between, as in theta=1,rho=0.6"));
    let mut members = serde_json::to_value(limits).expect("BUG: limits are JSON");
    for word in words.split(',') {
        let (name, value) = word.split_once('=').ok_or_else(|| bad("there is no ="))?;
        let known = members.get_mut(name.trim()).ok_or_else(|| bad(&format!("there is no limit {name:?}")))?;
        *known = value.trim().parse::<Value>().map_err(|error| bad(&error.to_string()))?;
    }
    Ok(serde_json::from_value(members).map_err(|error| bad(&error.to_string()))?)
}

/// The rounds of all tasks, and how many tasks cannot be read.
fn record(engine: &Arc<Engine>) -> anyhow::Result<(Vec<RecordedTask>, usize)> {
    let ids = engine.ask(|world| {
        let tasks = world.rooms.task.latest(usize::MAX);
        tasks.into_iter().map(|(id, _)| id.to_owned()).collect::<Vec<_>>()
    })?;
    let (mut record, mut unread) = (Vec::new(), 0);
    for id in ids.into_iter().rev() {
        let recorded = match Journal::look(engine, &id) {
            Err(error) if error.is_of_record() => {
                unread += 1;
                continue;
            }
            found => found?,
        };
        record.push(RecordedTask::of_messages(id, recorded.messages()));
    }
    record.retain(|task| task.rounds.iter().any(|round| round.ruled.is_some()));
    Ok((record, unread))
}

fn print(shell: &mut Shell, answer: &TuneReport) -> Done {
    let columns = [
        Key("limits"),
        Goes(3, "accepted"),
        Goes(1, "near enough"),
        Goes(3, "given up"),
        Goes(1, "unknown"),
        Goes(3, "differing"),
        Goes(1, "rounds saved"),
        Goes(2, "results lost"),
    ];
    let rows: Vec<_> = answer.candidates.iter().map(cells).collect();
    shell.out.table(&columns, &rows)?;
    shell.out.say(format_args!(
        "tasks {}, shares with 95 %; beyond the first ruling that differs nothing is known, and nothing was changed",
        answer.tasks
    ))?;
    if answer.unread > 0 {
        shell.out.say(format_args!("passed over, because their record cannot be read: {}", answer.unread))?;
    }
    Ok(CommandOutcome::Done)
}

fn cells(row: &TunedLimits) -> Vec<String> {
    let CandidateReport { accepted, near_enough, abandoned, unknown, differing, rounds_saved, results_lost, .. } =
        &row.report;
    let share = |share: &Proportion| {
        let (low, high) = (share.low.number() * 100.0, share.high.number() * 100.0);
        format!("{} ({low:.0}-{high:.0} %)", share.count)
    };
    let shares = [accepted, near_enough, abandoned, unknown, differing].map(share);
    let counts = [rounds_saved, results_lost].map(usize::to_string);
    [row.candidate.clone()].into_iter().chain(shares).chain(counts).collect()
}
