//! `annals debate report`: what debates were worth, a week at a time (Dialectic, "Performance Monitoring").

use serde::Serialize;

use crate::cli::shell::{CommandOutcome, Done, Shell};
use crate::domain::dialectic::report::{DebateReport, Rate};
use crate::kernel::time::Timestamp;

/// Arguments of `annals debate report`.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// The number of days, up to now or to --at
    #[arg(long, default_value_t = 7, allow_negative_numbers = true)]
    days: u32,
}

/// The answer in JSON.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(in crate::cli) struct ReportAnswer {
    from: Timestamp,
    to: Timestamp,
    #[serde(flatten)]
    report: DebateReport,
}

pub(super) fn run(shell: &mut Shell, arguments: &Arguments) -> Done {
    const DAY_MS: i64 = 86_400_000;
    let engine = shell.engine()?;
    // What happened in the last millisecond belongs to it.
    let to = shell.now(&engine)?.plus_millis(1);
    let from = to.plus_millis(-i64::from(arguments.days) * DAY_MS);
    let report = shell.ask(&engine, |world| world.rooms.dialectic.report(from, to, engine.settings()))?;
    if shell.wants_json() {
        shell.out.answer(&ReportAnswer { from, to, report })?;
        return Ok(CommandOutcome::Done);
    }
    shell.out.line(format_args!("debates from {from} to {to}: {}", report.debates))?;
    for (category, count) in &report.by_category {
        shell.out.line(format_args!("  {category}: {count}"))?;
    }
    for (resolution, count) in &report.by_resolution {
        shell.out.line(format_args!("{resolution}: {count}"))?;
    }
    shell.out.line(format_args!("not resolved: {}, called off: {}", report.open, report.called_off))?;
    for (resolution, rate) in &report.effective {
        shell.out.line(format_args!("{resolution} worked: {}", told(rate)))?;
    }
    shell.out.line(format_args!("not needed (PROCEED, and it worked): {}", told(&report.false_positives)))?;
    let (all, after) = (report.auto_escalations, report.after_debate);
    shell.out.line(format_args!("handed to a person by a count: {all}, {after} of them after a debate"))?;
    Ok(CommandOutcome::Done)
}

fn told(rate: &Rate) -> String {
    let Rate { some, known, all, rate } = rate;
    let share = rate.map_or_else(|| "rate unknown, too few".to_owned(), |rate| format!("rate {rate}"));
    format!("{some} of {known} with a known outcome, {all} in all; {share}")
}
