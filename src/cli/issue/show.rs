//! `annals issue show`: an issue with its thread. An agent that reads it has accessed it (decision 22).

use super::{find, unknown};
use crate::cli::shell::{CommandOutcome, Done, Shell, clean};
use crate::domain::issue::Command;
use crate::domain::issue::command::Read;
use crate::engine::Engine;
use crate::kernel::actor::{Standing, USER};
use crate::kernel::id::EntryId;
use crate::kernel::json::Json;
use crate::view::issue::{IssueRows, markdown, thread};

/// Arguments of `annals issue show`.
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// Which: 42, #42b or an id
    issue: String,
}

pub(super) fn run(shell: &mut Shell, arguments: &Arguments) -> Done {
    let engine = shell.engine()?;
    let issue = find(shell, &engine, &arguments.issue)?;
    if counts_as_reader(shell, &engine)? && shell.until()? == EntryId::MAX {
        let read = Command::Read(Read { issue: issue.clone() });
        let answer = engine.decide(read, &Json::empty_object(), &shell.by_now())?;
        if answer.refusal.is_some() {
            return shell.report(&answer, |_| Ok(()));
        }
    }
    let rows = shell.ask(&engine, |world| IssueRows::of(&world.rooms, &issue))?;
    let Some(rows) = rows else { return Err(unknown(&arguments.issue)) };
    let mut shown = thread(&engine, &rows)?;
    shown.info.faded = rows.faded(shell.now(&engine)?, engine.settings());
    if shell.wants_json() {
        shell.out.answer(&shown)?;
    } else {
        let page = clean(&engine, &markdown::page(&shown));
        shell.out.page(&page)?;
    }
    Ok(CommandOutcome::Done)
}

/// The user reads what he likes, and so does an agent's shell as long as nobody says who reads: it may be no member.
fn counts_as_reader(shell: &Shell, engine: &Engine) -> anyhow::Result<bool> {
    let actor = shell.actor();
    let is_member = shell.ask(engine, |world| matches!(world.rooms.roster.standing(&actor), Standing::Agent(_)))?;
    Ok(actor.as_str() != USER && (is_member || shell.named_actor().is_some()))
}
