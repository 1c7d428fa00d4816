//! `annals issue show`: an issue with its thread. An agent that reads it has accessed it (decision 22).

use super::{find, unknown};
use crate::cli::shell::{Done, Outcome, Shell, clean};
use crate::domain::issue::Command;
use crate::domain::issue::command::Read;
use crate::kernel::actor::USER;
use crate::kernel::id::EntryId;
use crate::kernel::json::Json;
use crate::view::issue::{Rows, markdown, thread};

/// Arguments of `annals issue show`.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Which: 42, #42b or an id
    issue: String,
}

pub(super) fn run(shell: &mut Shell, arguments: &Arguments) -> Done {
    let engine = shell.engine()?;
    let issue = find(shell, &engine, &arguments.issue)?;
    if shell.actor().as_str() != USER && shell.until()? == EntryId::MAX {
        let read = Command::Read(Read { issue: issue.clone() });
        let answer = engine.decide(read, &Json::empty_object(), &shell.by_now())?;
        if answer.refusal.is_some() {
            return shell.report(&answer, |_| Ok(()));
        }
    }
    let rows = shell.ask(&engine, |world| Rows::of(&world.rooms, &issue))?;
    let Some(rows) = rows else { return Err(unknown(&arguments.issue)) };
    let shown = thread(&engine, &rows)?;
    if shell.wants_json() {
        shell.out.answer("annals.issue/v1", &shown)?;
    } else {
        let page = clean(&engine, &markdown::page(&shown));
        shell.out.page(&page)?;
    }
    Ok(Outcome::Done)
}
