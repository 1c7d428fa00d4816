//! `annals issue stats`: how many issues, where they are in their lives, and what the breakers stopped.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::cli::shell::{CommandOutcome, Done, Shell};
use crate::domain::breaker::BreakerRule;
use crate::domain::issue::status::IssueStatus;
use crate::kernel::counted::counted;

/// The answer in JSON.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(in crate::cli) struct IssueStats {
    issues: u64,
    by_status: BTreeMap<IssueStatus, u64>,
    comments: u64,
    stopped_by_rule: BTreeMap<BreakerRule, u64>,
}

pub(super) fn run(shell: &mut Shell) -> Done {
    let engine = shell.engine()?;
    let stats = shell.ask(&engine, |world| {
        let totals = &world.rooms.issue.totals;
        IssueStats {
            issues: totals.by_status.values().sum(),
            by_status: totals.by_status.clone(),
            comments: totals.remarks,
            stopped_by_rule: world.rooms.breaker.totals.fired.clone(),
        }
    })?;
    if shell.wants_json() {
        shell.out.answer(&stats)?;
        return Ok(CommandOutcome::Done);
    }
    let (issues, comments) = (counted(stats.issues, "issue"), counted(stats.comments, "comment"));
    shell.out.line(format_args!("{issues}, {comments}"))?;
    for (status, count) in &stats.by_status {
        shell.out.line(format_args!("  {count:>7} {status}"))?;
    }
    for (rule, count) in &stats.stopped_by_rule {
        shell.out.line(format_args!("  {count:>7} stopped by {rule}"))?;
    }
    Ok(CommandOutcome::Done)
}
