//! `annals council …`: what a few agents decide together (AFS 7).

mod show;
mod write;

pub(in crate::cli) use self::write::told;

use anyhow::anyhow;

use super::shell::{Done, Shell, Usage};
use crate::engine::Engine;

/// Commands about councils.
#[derive(Debug, clap::Subcommand)]
pub enum Command {
    /// Call a council by hand, or recommend another way of working together
    Open(write::OpenArguments),
    /// Vote, as the member that you are
    Vote(write::VoteArguments),
    /// Speak for one side in a debate
    Debate(write::DebateArguments),
    /// Count the votes now, or have the last word after a debate or a tie
    Resolve(write::ResolveArguments),
    /// Answer a recommendation: approve, reject, or ask for more; for the user
    Confirm(write::ConfirmArguments),
    /// Say more about a recommendation
    Inform(write::InformArguments),
    /// List councils, those that are open first
    List(show::ListArguments),
    /// Show a council: votes, arguments, what came of it
    Show(show::Arguments),
}

pub(super) fn run(shell: &mut Shell, command: Command) -> Done {
    match command {
        Command::Open(arguments) => write::open(shell, arguments),
        Command::Vote(arguments) => write::vote(shell, arguments),
        Command::Debate(arguments) => write::debate(shell, &arguments),
        Command::Resolve(arguments) => write::resolve(shell, arguments),
        Command::Confirm(arguments) => write::confirm(shell, &arguments),
        Command::Inform(arguments) => write::inform(shell, &arguments),
        Command::List(arguments) => show::list(shell, &arguments),
        Command::Show(arguments) => show::show(shell, &arguments),
    }
}

/// A council by its id, by the end of it, or by what it is about: the one that is open, or the last one. The room says
/// where there is none.
fn one(shell: &Shell, engine: &Engine, text: &str) -> anyhow::Result<Box<str>> {
    const RECENT: usize = 500;
    let upper = text.to_ascii_uppercase();
    let found = shell.ask(engine, |world| {
        let council = &world.rooms.council;
        if council.session(text).is_some() {
            return vec![Box::from(text)];
        }
        let running: Vec<Box<str>> = council.running(text).map(Box::from).collect();
        if !running.is_empty() {
            return running;
        }
        let recent = council.sessions.first_by_rank(RECENT);
        let last = recent.iter().find(|(_, session)| *session.entry_key == *text).map(|(id, _)| (*id).clone());
        let ending = || recent.iter().filter(|(id, _)| id.ends_with(&upper)).map(|(id, _)| (*id).clone()).collect();
        last.map_or_else(ending, |last| vec![last])
    })?;
    match found.as_slice() {
        [id] => Ok(id.clone()),
        [] => Ok(text.into()),
        [_, _, ..] => Err(anyhow!(Usage(format!("{text} stands for several councils; give the id")))),
    }
}
