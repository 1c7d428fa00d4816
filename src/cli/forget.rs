//! `annals forget WORDS|ID`: something known is put away, as by `knowledge archive`. Without one, `annals forget` drops what git,
//! or somebody, took away from the history, before it is put back (decision 42).
//!
//! Every other command puts it back first. A person confirms it; the hole stays a finding until a person acknowledges it.

use super::shell::{CommandOutcome, Done, Shell, Usage, text_of};
use crate::kernel::counted::counted;

/// Arguments of `annals forget`.
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// What is to be known no more: words of it, or its id [default: files of the history that vanished]
    #[arg(value_name = "WORDS|ID", conflicts_with = "yes")]
    known: Option<String>,
    /// Why
    #[arg(long, requires = "known")]
    reason: Option<String>,
    /// Do it: what is named is gone then, unless a branch has it
    #[arg(long)]
    yes: bool,
}

/// The answer in JSON.
#[derive(serde::Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct Forgotten {
    /// Files that vanished, and are not missed any more.
    forgotten: Vec<String>,
}

pub(super) fn run(shell: &mut Shell, arguments: &Arguments) -> Done {
    if let Some(known) = &arguments.known {
        return super::knowledge::forget(shell, &text_of(known)?, arguments.reason.as_deref());
    }
    let engine = shell.engine_as_it_stands()?;
    let vanished = engine.log().forgettable()?;
    if !arguments.yes && !vanished.is_empty() {
        let names = vanished.join(", ");
        return Err(Usage(format!("this would be gone for good: {names}; give --yes to forget it")).into());
    }
    engine.log().forget(&vanished)?;
    if shell.wants_json() {
        shell.out.answer(&Forgotten { forgotten: vanished })?;
        return Ok(CommandOutcome::Done);
    }
    for path in &vanished {
        shell.out.line(path)?;
    }
    shell.out.line(format_args!("forgot {}", counted(vanished.len() as u64, "file")))?;
    Ok(CommandOutcome::Done)
}
