//! `annals council …`: what a few agents decide together (AFS 7).

mod by_model;
pub(super) mod pack;
pub(super) mod show;
mod write;

pub(in crate::cli) use self::write::told;

use super::named::{COUNCIL, Candidate};
use super::registry::{CommandRow, rows};
use super::shell::Shell;
use crate::engine::Engine;

/// Commands about councils.
pub(super) const ROWS: &[CommandRow] = rows! {
    /// Call a council by hand, or recommend another way of working together
    "open" => decides("council.session.open", "key --purpose=conflict --proposed --current= --because<TEXT>-:reason", write::decide),
    /// Vote, as the member that you are; or let models vote for members
    "vote" => Runs(&With(write::vote)),
    /// Speak for one side in a debate; or let models speak for both
    "debate" => Runs(&With(write::debate)),
    /// Count the votes now, or have the last word after a debate or a tie
    "resolve" => Runs(&With(write::resolve)),
    /// Answer a recommendation: approve, reject, or ask for more; for the user
    "confirm" => decides("council.session.confirm", "council@ answer note", write::decide),
    /// Say more about a recommendation
    "inform" => decides("council.information.give", "council@ text-", write::decide),
    /// List councils, those that are open first
    "list" => Runs(&With(show::list)),
    /// Show a council: votes, arguments, what came of it
    "show" => Runs(&With(show::show)),
};

/// A council by its id or either end of it, or by what it is about: the one that is open, or the last one. The room says
/// where there is none.
pub(super) fn one(shell: &Shell, engine: &Engine, text: &str) -> anyhow::Result<Box<str>> {
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
