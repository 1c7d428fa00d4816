//! `annals audit`: what the auditor heard on the bus of this person's tasks since its last report (artoo R6).
//!
//! It answers the person alone: no task can ask, change or stop it, and what it keeps lies in no project.

mod store;

pub(super) use store::AuditStore;

use serde::Serialize;

use super::line::{Line, Style};
use super::shell::{CommandOutcome, Done, Shell};
use crate::engine::EngineError;
use crate::engine::clock::Clock;
use crate::role::auditor::{AuditReport, AuditTrigger};

/// Arguments of `annals audit`.
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// Show the last N reports, and make none
    #[arg(long, value_name = "N", num_args = 0..=1, default_missing_value = "10")]
    reports: Option<usize>,
}

/// The answer in JSON: the report, or those that were made.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct Audited {
    /// The latest at the end.
    reports: Vec<AuditReport>,
    /// Lines of the audit log, all of which hold together.
    lines: u64,
    /// Where the log does not hold together, and what was done there.
    broken: Option<String>,
    /// Tasks of this clone whose beginning the log does not hold: it was removed or begun anew, or could not be written then.
    unheard: Vec<String>,
}

pub(super) fn run(shell: &mut Shell, arguments: &Arguments) -> Done {
    let store = AuditStore::of(&shell.environment)?;
    // First whether it can be believed, then what it says.
    let checked = store.check()?;
    let reports = match arguments.reports {
        Some(most) => store.reports(most)?,
        None => vec![store.report(AuditTrigger::OnDemand, Clock::default().now())?],
    };
    let (lines, broken) = match checked {
        Ok(chain) => (chain.head.map_or(0, |head| head.count), None),
        Err(fault) => (fault.lines(), Some(fault.to_string())),
    };
    let unheard = unheard(shell, &store)?;
    let answer = Audited { reports, lines, broken, unheard };
    if shell.wants_json() {
        shell.out.answer(&answer)?;
    } else {
        answer.reports.iter().try_for_each(|report| print(shell, report))?;
        shell.out.say(format_args!("audit log {}: lines {}", store.log().display(), answer.lines))?;
    }
    if !answer.unheard.is_empty() {
        let (how_many, first) = (answer.unheard.len(), answer.unheard.iter().take(MOST_NAMED));
        let named = first.map(String::as_str).collect::<Vec<_>>().join(", ");
        let more = if how_many > MOST_NAMED { ", …" } else { "" };
        let words = format_args!("the audit log holds no beginning of {how_many} tasks on record: {named}{more}");
        shell.out.say(words)?;
    }
    if let Some(broken) = &answer.broken {
        shell.out.say(format_args!("the audit log is not as it was written: {broken}"))?;
    }
    let is_whole = answer.broken.is_none() && answer.unheard.is_empty();
    Ok(if is_whole { CommandOutcome::Done } else { CommandOutcome::Refused })
}

/// So many tasks are named.
const MOST_NAMED: usize = 5;

/// The tasks that this clone began and the log knows nothing of; none, where there is no record here.
fn unheard(shell: &Shell, store: &AuditStore) -> anyhow::Result<Vec<String>> {
    let engine = match shell.context() {
        Ok(_) => shell.engine()?,
        Err(EngineError::NoContext { .. }) => return Ok(Vec::new()),
        Err(error) => return Err(error.into()),
    };
    let (heard, own) = (store.begun()?, engine.own_entries()?);
    engine
        .ask(|world| {
            let all = world.rooms.task.latest(usize::MAX).into_iter();
            let said = all.filter(|(_, task)| task.messages > 0 && own.wrote(&task.own_line()));
            said.map(|(id, _)| id.to_owned()).filter(|id| !heard.contains(id)).collect()
        })
        .map_err(Into::into)
}

fn print(shell: &mut Shell, report: &AuditReport) -> std::io::Result<()> {
    let out = &mut shell.out;
    out.styled(&Line::of(Style::Bold, format_args!("{} report since {}", report.trigger, report.window_start)))?;
    out.line(format_args!("tasks {}, corrections {}", report.tasks_observed, report.total_corrections))?;
    let health = &report.tool_health;
    let (failures, environmental) = (health.execution_failures, health.environmental_retries);
    let logical = health.logical_retries;
    out.line(format_args!(
        "tools: failures {failures}, environmental retries {environmental}, logical retries {logical}"
    ))?;
    for gap in &report.gap_trends {
        out.line(format_args!("gap of task {}: {}", gap.task_id, gap.trend))?;
    }
    let sorts = [
        ("boundary violation", &report.boundary_violations),
        ("drift", &report.drift_alerts),
        ("anomaly", &report.anomalies),
    ];
    for (sort, lines) in sorts {
        lines.iter().try_for_each(|line| out.line(format_args!("{sort}: {line}")))?;
    }
    Ok(())
}
