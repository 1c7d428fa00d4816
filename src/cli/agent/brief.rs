//! `annals agent brief`: what goes into an agent's prompt before it acts.

use crate::cli::named::AGENT;
use crate::cli::shell::{CommandOutcome, Done, Shell};
use crate::view::brief::brief;

/// Arguments of `annals agent brief`.
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// The agent
    id: String,
}

pub(super) fn run(shell: &mut Shell, arguments: &Arguments) -> Done {
    let engine = shell.engine()?;
    let (agent, now) = (shell.find_agent(&engine, &arguments.id)?, shell.now(&engine)?);
    let found = shell.ask(&engine, |world| brief(&world.rooms, &agent, now, engine.settings()))?;
    let found = found.ok_or_else(|| AGENT.unknown(agent.as_str()))?;
    if shell.wants_json() {
        shell.out.answer(&found)?;
    } else {
        shell.out.page(&found.text())?;
    }
    Ok(CommandOutcome::Done)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::domain::Rooms;
    use crate::domain::roster::command::Duty;
    use crate::domain::roster::state::Agent;
    use crate::kernel::actor::Role;
    use crate::kernel::id::AgentId;
    use crate::kernel::settings::Settings;
    use crate::kernel::time::Timestamp;

    fn commands(role: &str) -> Vec<String> {
        let (mut rooms, anna) = (Rooms::default(), AgentId::from("anna"));
        let role = Role::from(Box::<str>::from(role));
        let agent =
            Agent { name: None, role, model: None, program: None, can_be_devils_advocate: false, duty: Duty::Active };
        rooms.roster.agents.insert(anna.clone(), agent);
        let told = brief(&rooms, &anna, Timestamp::from_millis(0), &Settings::default()).expect("a brief");
        let acts = told.sections.into_iter().find(|section| section.title == "What you do, and how").expect("acts");
        acts.lines.iter().map(|line| line.split('`').nth(1).expect("a command").to_owned()).collect()
    }

    #[test]
    fn every_command_that_an_agent_is_told_of_names_it_and_is_one() {
        let told: BTreeSet<_> =
            ["writer", "assistant", "moderator", "team-lead"].into_iter().flat_map(commands).collect();
        assert!(told.len() > 15, "{told:?}");
        for command in told {
            assert!(command.ends_with(" --as anna"), "{command}");
            let words = command.split(' ').map(|word| if word == "PATH:LINES" { "src/a.rs:1-2" } else { word });
            let found = crate::cli::commands().try_get_matches_from(words);
            assert!(found.is_ok(), "{command}: {}", found.expect_err("wrong"));
        }
    }
}
