//! `annals task abort`: a task that was stopped or killed ends; its final result says that the person wants no more of it.

use std::sync::Arc;

use super::named;
use crate::act::{RunEnd, abort};
use crate::cli::run::lines;
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
    let RunEnd::Ended { result, .. } = abort(&engine, &id, &shell.by_now())? else {
        return Ok(CommandOutcome::Refused);
    };
    if shell.wants_json() {
        shell.out.answer(&*result)?;
    } else {
        lines(shell, &result.summary)?;
    }
    Ok(CommandOutcome::Done)
}
