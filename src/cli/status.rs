//! `annals status`: what is recorded here, which settings hold because the user entered them, and what waits.
//!
//! Reads no more than the state and the configuration; `annals doctor` looks at everything.

use serde::Serialize;

use super::config::not_in_force;
use super::shell::{Done, Outcome, Shell};
use crate::engine::consent::{Held, Waiting};

/// The answer in JSON.
#[derive(Serialize)]
struct Status {
    context: String,
    sessions: u64,
    oddities: u64,
    entered: Vec<Held>,
    waiting: Vec<Waiting>,
}

pub(super) fn run(shell: &mut Shell) -> Done {
    let context = shell.context()?.display().to_string();
    let engine = shell.engine()?;
    let (sessions, oddities) =
        shell.ask(&engine, |world| (world.rooms.session.totals.sessions, world.oddities.count))?;
    let (entered, waiting) = (engine.held_settings(), engine.waiting_settings());
    let status = Status { context, sessions, oddities, entered, waiting };
    if shell.wants_json() {
        shell.out.answer("annals.status/v1", &status)?;
        return Ok(Outcome::Done);
    }
    let Status { context, sessions, oddities, entered, waiting } = status;
    shell.out.line(format_args!("{context}: sessions {sessions}, oddities {oddities}"))?;
    for Held { key, value } in entered {
        shell.out.line(format_args!("in force because the user entered it here: {key} = {value}"))?;
    }
    for waiting in &waiting {
        shell.out.line(not_in_force(waiting))?;
    }
    Ok(Outcome::Done)
}
