//! `annals agent brief`: what goes into an agent's prompt before it acts.

use crate::cli::shell::{Done, Outcome, Shell, Usage};
use crate::kernel::id::AgentId;
use crate::view::brief::brief;

/// Arguments of `annals agent brief`.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// The agent
    id: String,
}

pub(super) fn run(shell: &mut Shell, arguments: &Arguments) -> Done {
    let engine = shell.engine()?;
    let (agent, now) = (AgentId::from(arguments.id.as_str()), shell.now(&engine)?);
    let found = shell.ask(&engine, |world| brief(&world.rooms, &agent, now, engine.settings()))?;
    let wrong = || Usage(format!("there is no agent {agent} in the roster; `annals agent list` shows those there are"));
    let found = found.ok_or_else(wrong)?;
    if shell.wants_json() {
        shell.out.answer("annals.agent.brief/v1", &found)?;
    } else {
        shell.out.page(&found.text())?;
    }
    Ok(Outcome::Done)
}
