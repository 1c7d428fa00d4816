//! `annals status`: what is recorded here, which settings hold because the user entered them, and what waits.
//!
//! Reads no more than the state and the configuration; `annals doctor` looks at everything.

use serde::Serialize;

use super::config::not_in_force;
use super::shell::{Done, Outcome, Shell};
use crate::engine::consent::{Held, Holding, Waiting};
use crate::kernel::id::AgentId;

/// The answer in JSON.
#[derive(Serialize)]
struct Status {
    context: String,
    sessions: u64,
    oddities: u64,
    entered: Vec<Held>,
    unfounded: Vec<Held>,
    waiting: Vec<Waiting>,
    tokens: Vec<AgentId>,
}

pub(super) fn run(shell: &mut Shell) -> Done {
    let context = shell.context()?.display().to_string();
    let engine = shell.engine()?;
    let (sessions, oddities) =
        shell.ask(&engine, |world| (world.rooms.session.totals.sessions, world.oddities.count))?;
    let Holding { entered, unfounded } = engine.held_settings()?;
    let (waiting, tokens) = (engine.waiting_settings(), engine.waiting_tokens()?);
    let status = Status { context, sessions, oddities, entered, unfounded, waiting, tokens };
    if shell.wants_json() {
        shell.out.answer("annals.status/v1", &status)?;
        return Ok(Outcome::Done);
    }
    let Status { context, sessions, oddities, entered, unfounded, waiting, tokens } = status;
    shell.out.line(format_args!("{context}: sessions {sessions}, oddities {oddities}"))?;
    for Held { key, value } in entered {
        shell.out.line(format_args!("in force because the user entered it here: {key} = {value}"))?;
    }
    for Held { key, value } in unfounded {
        let says = "in force by local/settings, though no entry here says so";
        shell.out.line(format_args!("{says}: {key} = {value}: `annals config set {key} --default` takes it back"))?;
    }
    for waiting in &waiting {
        shell.out.line(not_in_force(waiting))?;
    }
    for agent in tokens {
        let advice = format!("`annals agent token {agent} --accept`");
        shell.out.line(format_args!("the log has another token of {agent}; it does not count here: {advice}"))?;
    }
    Ok(Outcome::Done)
}
