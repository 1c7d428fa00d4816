//! Whose the clock of a new folder is: the machine's, or what commands are given (decision 46).

use std::path::Path;

use crate::cli::given::not_given;
use crate::cli::shell::{CommandOutcome, Shell};
use crate::domain::config::{Command, GiveClock};
use crate::engine::{Answer, By};
use crate::kernel::json::Json;

/// Where time and chance come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum WhoseClock {
    /// The machine.
    Machine,
    /// The environment.
    Given,
}

/// Without `--clock given` nothing is made in a time that does not count.
pub(super) fn check(shell: &Shell, context: &Path, whose: WhoseClock) -> anyhow::Result<()> {
    match (shell.environment.giving(), whose) {
        (None, _) | (Some(_), WhoseClock::Given) => {
            shell.environment.given_clock()?;
            Ok(())
        }
        (Some(_), WhoseClock::Machine) if is_given(shell, context)? => Ok(()),
        (Some(variable), WhoseClock::Machine) => Err(not_given(variable).into()),
    }
}

fn is_given(shell: &Shell, context: &Path) -> anyhow::Result<bool> {
    Ok(context.is_dir() && shell.open_in_machine_time(context)?.is_clock_given()?)
}

/// Lets time and chance be what commands are given, in a folder that is new.
pub(in crate::cli) fn give(shell: &Shell, context: &Path, by: &By) -> anyhow::Result<Answer> {
    let engine = shell.open_in_machine_time(context)?.with_clock(shell.environment.given_clock()?);
    Ok(engine.decide(Command::from(GiveClock {}), &Json::empty_object(), by)?)
}

/// Gives the clock, where that was asked for; says so where the folder cannot take one any more.
pub(super) fn settle(shell: &mut Shell, context: &Path, whose: WhoseClock) -> anyhow::Result<Option<CommandOutcome>> {
    if whose == WhoseClock::Machine || is_given(shell, context)? {
        return Ok(None);
    }
    let answer = give(shell, context, &shell.by_now())?;
    if answer.refusal.is_none() {
        return Ok(None);
    }
    shell.report(&answer, |_| Ok(())).map(Some)
}
