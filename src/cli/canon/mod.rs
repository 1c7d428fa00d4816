//! `annals canon …`: what holds in the project, and what contradicts it (control-room 6.2, 14).

mod check;
mod list;
mod write;

use super::shell::{Done, Shell, Usage};
use crate::domain::canon::Claim;

/// Commands about canon.
#[derive(Debug, clap::Subcommand)]
pub enum Command {
    /// List what holds, the latest first
    List(list::Arguments),
    /// Show an entry with its versions, or one of them
    Show(list::ShowArguments),
    /// Make an issue canon
    Promote(write::PromoteArguments),
    /// Say what holds: a new entry, or a new version of one
    State(write::StateArguments),
    /// Say that an entry holds no more
    Retire(write::RetireArguments),
    /// Check a text against canon, and settle a contradiction
    Check(check::Arguments),
    /// List where canon contradicts itself
    Conflicts,
}

pub(super) fn run(shell: &mut Shell, command: &Command) -> Done {
    match command {
        Command::List(arguments) => list::run(shell, arguments),
        Command::Show(arguments) => list::show(shell, arguments),
        Command::Promote(arguments) => write::promote(shell, arguments),
        Command::State(arguments) => write::state(shell, arguments),
        Command::Retire(arguments) => write::retire(shell, arguments),
        Command::Check(arguments) => check::run(shell, arguments),
        Command::Conflicts => list::conflicts(shell),
    }
}

/// Claims as they are typed.
fn claims(texts: &[String]) -> anyhow::Result<Vec<Claim>> {
    let read = |text: &String| {
        let wrong = || Usage(format!("--claim \"{text}\": give \"SUBJECT | ATTRIBUTE | VALUE\"").replace('\n', " "));
        Ok(Claim::read(text).ok_or_else(wrong)?)
    };
    texts.iter().map(read).collect()
}
