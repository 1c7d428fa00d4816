//! `annals council …`: what a few agents decide together (AFS 7).

mod show;
mod write;

pub(in crate::cli) use self::write::told;

use super::named::{COUNCIL, Candidate};
use super::shell::{Done, Shell};
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

/// A council by its id or either end of it, or by what it is about: the one that is open, or the last one. The room says
/// where there is none.
fn one(shell: &Shell, engine: &Engine, text: &str) -> anyhow::Result<Box<str>> {
    const RECENT: usize = 500;
    let about = shell.ask(engine, |world| {
        let council = &world.rooms.council;
        let running: Vec<_> = council.running(text).map(|id| Candidate::new(Box::<str>::from(id), text)).collect();
        if !running.is_empty() {
            return running;
        }
        let recent = council.sessions.first_by_rank(RECENT).into_iter();
        let last = recent.filter(|(_, session)| *session.entry_key == *text).take(1);
        last.map(|(id, _)| Candidate::new(id.clone(), text)).collect()
    })?;
    let found = COUNCIL.noun.only(text, &about.iter().collect::<Vec<_>>())?;
    let found = found.map_or_else(|| shell.find(engine, &COUNCIL, text), |id| Ok(Some(id)))?;
    Ok(found.unwrap_or_else(|| text.into()))
}
