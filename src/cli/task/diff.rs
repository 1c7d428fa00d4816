//! `annals task diff`: what a task changed, byte for byte where no person looks, so that `git apply` can take it.
//!
//! Changes nothing; reads the workspace of any task that this machine has.

use std::sync::Arc;

use serde::Serialize;

use super::named;
use super::rest::{LeftOutRow, OwnCheck, TaskRest};
use super::settle::{Arguments, path};
use crate::cli::output::OutputTarget;
use crate::cli::run::{lines, reopened};
use crate::cli::shell::{CommandOutcome, Done, Shell};
use crate::kernel::base64;

/// What a task changed, in JSON.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(in crate::cli) struct TaskDiff {
    task: String,
    files: Vec<String>,
    /// As git writes it.
    patch: Option<String>,
    /// The same in base64, where it is no text; then it stands here alone.
    patch_base64: Option<String>,
    /// What is not in it, such as new files that git ignores.
    left_out: Vec<LeftOutRow>,
    /// What the task changed and one of its own checks names.
    own_checks: Vec<OwnCheck>,
    /// Files that the task changed though the person's words forbade it.
    forbidden: Vec<String>,
}

pub(super) fn run(shell: &mut Shell, arguments: &Arguments) -> Done {
    let engine = Arc::new(shell.engine()?);
    let task = named(shell, &engine, arguments.task.as_deref())?;
    let workspace = reopened(shell, &task)?;
    let diff = workspace.diff()?;
    let mut rest = TaskRest::of(&engine, &task, &workspace, &diff.files)?;
    rest.left_out.extend(diff.left_out.iter().map(LeftOutRow::of));
    if shell.wants_json() {
        let files = diff.files.iter().map(path).collect();
        let patch_base64 = std::str::from_utf8(&diff.patch).is_err().then(|| base64::encode(&diff.patch));
        let patch = String::from_utf8(diff.patch).ok();
        let TaskRest { left_out, own_checks, forbidden, .. } = rest;
        shell.out.answer(&TaskDiff { task, files, patch, patch_base64, left_out, own_checks, forbidden })?;
        return Ok(CommandOutcome::Done);
    }
    match shell.out.target {
        // Byte for byte: it is meant for `git apply`.
        OutputTarget::Pipe => shell.out.raw(&diff.patch)?,
        OutputTarget::Terminal => lines(shell, &diff.text())?,
    }
    rest.say(shell)?;
    Ok(CommandOutcome::Done)
}
