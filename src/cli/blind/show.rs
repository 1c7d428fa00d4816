//! `annals blind show`: who is asked and whose opinion is in. Opinions themselves stand in the thread, when they may.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::cli::issue::find;
use crate::cli::shell::{CommandOutcome, Done, Shell};
use crate::cli::table::Column::{Key, Text};
use crate::domain::Rooms;
use crate::domain::blind::state::Pass;
use crate::kernel::id::{AgentId, IssueId};
use crate::kernel::time::Timestamp;

/// Arguments of `annals blind show`.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// On which issue [default: the passes that go on]
    issue: Option<String>,
}

/// The answer in JSON.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(in crate::cli) struct Passes {
    passes: Vec<PassLine>,
}

/// A pass.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct PassLine {
    /// What people call the issue.
    number: String,
    issue: IssueId,
    opened_at: Timestamp,
    opened_by: AgentId,
    closed_at: Option<Timestamp>,
    /// What became of each opinion that was asked for: `awaited`, or its fate.
    opinions: BTreeMap<AgentId, &'static str>,
}

fn info(rooms: &Rooms, issue: &IssueId, pass: &Pass) -> PassLine {
    let label = rooms.issue.issue(issue).map(|row| format!("#{}", row.label));
    let fate = |agent: &AgentId| pass.opinions.get(agent).map_or("awaited", |sealed| sealed.fate.as_str());
    PassLine {
        number: label.unwrap_or_else(|| issue.to_string()),
        issue: issue.clone(),
        opened_at: pass.opened_at,
        opened_by: pass.opened_by.clone(),
        closed_at: pass.closed_at,
        opinions: pass.participants.iter().map(|agent| (agent.clone(), fate(agent))).collect(),
    }
}

pub(super) fn run(shell: &mut Shell, arguments: &Arguments) -> Done {
    const MOST: usize = 50;
    let engine = shell.engine()?;
    let issue = arguments.issue.as_deref().map(|issue| find(shell, &engine, issue)).transpose()?;
    let passes = shell.ask(&engine, |world| {
        let (rooms, blind) = (&world.rooms, &world.rooms.blind);
        if let Some(issue) = &issue {
            return blind.pass(issue).map(|pass| info(rooms, issue, pass)).into_iter().collect();
        }
        let open = blind.passes.first_by_rank(MOST).into_iter().filter(|(_, pass)| pass.is_open());
        open.map(|(issue, pass)| info(rooms, issue, pass)).collect::<Vec<_>>()
    })?;
    if shell.wants_json() {
        shell.out.answer(&Passes { passes })?;
        return Ok(CommandOutcome::Done);
    }
    let rows = passes.iter().map(|pass| {
        let state = if pass.closed_at.is_some() { "closed" } else { "goes on" };
        let opinions: Vec<_> = pass.opinions.iter().map(|(agent, fate)| format!("{agent} {fate}")).collect();
        vec![pass.number.clone(), state.to_owned(), opinions.join(", ")]
    });
    shell.out.table(&[Key("issue"), Key("state"), Text("opinions")], &rows.collect::<Vec<_>>())?;
    Ok(CommandOutcome::Done)
}
