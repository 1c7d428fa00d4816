//! `annals agent list`: who is in the swarm.

use serde::Serialize;

use crate::cli::shell::{CommandOutcome, Done, Shell};
use crate::cli::table::Column::{Goes, Key, Text};
use crate::domain::roster::state::Agent;
use crate::kernel::id::AgentId;

/// An agent, as it is listed.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct AgentRow {
    id: AgentId,
    #[serde(flatten)]
    agent: Agent,
    has_token: bool,
}

/// The answer in JSON.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(in crate::cli) struct AgentRows {
    agents: Vec<AgentRow>,
}

pub(super) fn run(shell: &mut Shell) -> Done {
    let engine = shell.engine()?;
    let agents = shell.ask(&engine, |world| {
        let roster = &world.rooms.roster;
        let row = |(id, agent): (&AgentId, &Agent)| AgentRow {
            id: id.clone(),
            agent: agent.clone(),
            has_token: roster.seals.contains_key(id),
        };
        roster.agents.iter().map(row).collect::<Vec<_>>()
    })?;
    if shell.wants_json() {
        shell.out.answer(&AgentRows { agents })?;
        return Ok(CommandOutcome::Done);
    }
    let rows: Vec<_> = agents.iter().map(cells).collect();
    shell
        .out
        .table(&[Key("agent"), Key("role"), Goes(3, "model"), Goes(2, "duty"), Goes(1, "can"), Text("name")], &rows)?;
    if rows.is_empty() {
        shell.out.say("there is no agent yet; `annals agent add ID --role ROLE` adds one")?;
    }
    Ok(CommandOutcome::Done)
}

fn cells(row: &AgentRow) -> Vec<String> {
    let AgentRow { id, agent, has_token } = row;
    let abilities = [(agent.can_be_devils_advocate, "dissent"), (*has_token, "token")];
    let abilities: Vec<_> = abilities.into_iter().filter(|(has, _)| *has).map(|(_, name)| name).collect();
    vec![
        id.to_string(),
        agent.role.to_string(),
        agent.model.as_ref().map_or("-".to_owned(), ToString::to_string),
        agent.duty.to_string(),
        if abilities.is_empty() { "-".to_owned() } else { abilities.join(",") },
        agent.name.as_deref().unwrap_or("-").to_owned(),
    ]
}
