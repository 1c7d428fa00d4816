//! `annals agent …`: the roster (control-room 2), and what an agent is told before it acts.

mod brief;
pub(super) mod list;
mod token;

use super::registry::{CommandRow, rows};
use super::shell::{Done, Shell};
use crate::domain::{Command, roster};
use crate::engine::Engine;
use crate::kernel::json::Json;

/// Commands about agents.
pub(super) const ROWS: &[CommandRow] = rows! {
    /// Take an agent into the swarm
    "add" => decides(
        "roster.agent.add",
        "id@text:agent --role --name --model --program --devils-advocate:can_be_devils_advocate",
        decide,
    ),
    /// Change an agent: role, model, abilities
    "edit" => decides(
        "roster.agent.change",
        "id:agent --role --name --model --program --devils-advocate:can_be_devils_advocate --retire=/retired:duty \
         --activate=/active:duty",
        decide,
    ),
    /// List the agents
    "list" => Runs(&Bare(list::run)),
    /// Tell an agent its rules, its tasks and how much it may still say
    "brief" => Runs(&With(brief::run)),
    /// Make a token that the agent (or `user`) must show where `roster.require_token` is on
    "token" => Runs(&With(token::run)),
};

/// Decides, and says whom it took in or changed.
fn decide(shell: &mut Shell, engine: &Engine, command: Command) -> Done {
    let Command::Roster(asked) = &command else { unreachable!("BUG: the rows are of the roster") };
    let done = match asked {
        roster::Command::Add(add) => format!("{} is in the swarm, as {}", add.agent, add.role),
        roster::Command::Change(change) => format!("{} is changed", change.agent),
        roster::Command::Seal(seal) => format!("{} has a token", seal.agent),
    };
    shell.decide(engine, command, &Json::empty_object(), |out, _| out.line(done))
}
