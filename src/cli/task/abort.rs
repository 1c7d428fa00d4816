//! `annals task abort`: a task ends; its final result says that the person wants no more of it.
//!
//! A process that is at work on it is told to stop first, and waited for: nothing is done behind a final result.

use std::sync::Arc;

use super::named;
use crate::act::abort;
use crate::cli::run::{Overheard, TaskLock, lines};
use crate::cli::shell::{CommandOutcome, Done, Shell};

/// Arguments of `annals task abort`.
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// Its id, or the beginning or end of it [default: the latest]
    task: Option<String>,
}

pub(super) fn run(shell: &mut Shell, arguments: &Arguments) -> Done {
    let engine = Arc::new(shell.engine()?);
    let id = named(&engine, arguments.task.as_deref())?;
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
