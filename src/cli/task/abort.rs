//! `annals task abort`: a task ends; its final result says that the person wants no more of it.
//!
//! An agent may end what it began itself, in its own name, and nothing else.
//!
//! A process that is at work on it is told to stop first, and waited for: nothing is done behind a final result.

use std::sync::Arc;

use super::require_present;
use crate::act::abort;
use crate::cli::run::{Overheard, TaskLock, WhoIsAsked, lines, own_task, require_here};
use crate::cli::shell::{CommandOutcome, Done, Shell, Usage};
use crate::engine::Engine;
use crate::kernel::actor::USER;
use crate::kernel::id::EntryId;

/// Arguments of `annals task abort`.
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// Its id, or the beginning or end of it [default: the latest]
    task: Option<String>,
}

pub(super) fn run(shell: &mut Shell, arguments: &Arguments) -> Done {
    require_present(shell)?;
    let engine = Arc::new(shell.engine()?);
    let id = own_task(shell, &engine, arguments.task.as_deref())?;
    // A copy of a project has its record, too: what is at work is at work elsewhere.
    require_here(shell, &id)?;
    require_own(shell, &engine, &id)?;
    let _lock = TaskLock::take_over(shell, &id)?;
    let auditor = Overheard::of(shell, &id)?;
    let result = abort(&engine, &id, &shell.by_now(), auditor.watch())?;
    auditor.close(shell)?;
    if shell.wants_json() {
        shell.out.answer(&result)?;
    } else {
        lines(shell, &result.summary)?;
    }
    Ok(CommandOutcome::Done)
}

/// The person ends any task; an agent those that it began.
fn require_own(shell: &Shell, engine: &Engine, task: &str) -> anyhow::Result<()> {
    let WhoIsAsked::Nobody { why } = WhoIsAsked::by(shell, engine, task)? else { return Ok(()) };
    let session = engine.ask(|world| world.rooms.task.task(task).map(|row| row.session.clone()))?;
    let start = session.and_then(|session| session.as_str().parse::<EntryId>().ok());
    let started = start.map(|id| engine.entries(&[id])).transpose()?.and_then(|mut found| found.pop_first());
    let began = started.and_then(|(_, entry)| entry.provenance.agent_id);
    let actor = shell.actor();
    if actor.as_str() != USER && began.as_ref() == Some(&actor) {
        return Ok(());
    }
    Err(Usage(format!("task {task} is not ended: {why}, and who began it is another; the person ends it")).into())
}
