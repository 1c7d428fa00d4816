//! What code checks in a run, in the workspace's words; and which changes the person's words forbade.
//!
//! Runs nothing.

use std::path::Path;

use annals_workspace::workspace::{Change, ChangedFile, LostLines, Workspace};
use annals_workspace::{Check, CheckOutcome, CheckResult};

use crate::role::plan::CriterionCheck;
use crate::role::planner::covers;

/// What a check is about.
pub(super) enum CheckedThing<'c> {
    /// Files as they are, or what a command says.
    Now(Check),
    /// What became of the files that are so named.
    Changes(&'c [String]),
    /// What the files that are so named lost of their lines.
    Losses(&'c [String]),
    /// Whether any of the files that are so named is gone.
    Removals(&'c [String]),
    /// Whether those of them that were changed can be read.
    Forms(&'c [String]),
}

impl<'c> CheckedThing<'c> {
    pub(super) fn of(check: &'c CriterionCheck) -> Self {
        Self::Now(match check {
            CriterionCheck::Untouched { untouched } => return Self::Changes(untouched),
            CriterionCheck::Kept { kept } => return Self::Losses(kept),
            CriterionCheck::Stays { stays } => return Self::Removals(stays),
            CriterionCheck::Parses { parses } => return Self::Forms(parses),
            CriterionCheck::Run { run, expect_exit } => Check::Run { run: run.clone(), expect_exit: *expect_exit },
            CriterionCheck::FileContains { file, contains } => {
                Check::FileContains { file: file.into(), contains: contains.clone() }
            }
            CriterionCheck::FileMatches { file, matches } => {
                Check::FileMatches { file: file.into(), matches: matches.clone() }
            }
            CriterionCheck::FileAbsent { file, absent } => Check::FileAbsent { file: file.into(), absent: *absent },
            CriterionCheck::OutputMatches { command_output, matches } => {
                Check::OutputMatches { command_output: command_output.clone(), matches: matches.clone() }
            }
        })
    }
}

/// The file whose content a check looks into.
pub(super) fn looked_into(check: &CriterionCheck) -> Option<&str> {
    match check {
        CriterionCheck::FileContains { file, .. } | CriterionCheck::FileMatches { file, .. } => Some(file),
        CriterionCheck::Run { .. }
        | CriterionCheck::FileAbsent { .. }
        | CriterionCheck::OutputMatches { .. }
        | CriterionCheck::Untouched { .. }
        | CriterionCheck::Kept { .. }
        | CriterionCheck::Stays { .. }
        | CriterionCheck::Parses { .. } => None,
    }
}

/// Whether the files that are so named are as they were before the task.
pub(super) fn untouched(workspace: &Workspace, names: &[String]) -> CheckResult {
    let changed = match workspace.changed() {
        Ok(changed) => changed,
        Err(error) => return CheckResult { outcome: CheckOutcome::CouldNotRun, evidence: error.to_string() },
    };
    let broken = forbidden_changes(workspace, names, &changed);
    let outcome = if broken.is_empty() { CheckOutcome::Met } else { CheckOutcome::Unmet };
    let evidence = match broken.as_slice() {
        [] => format!("{}: as it was", names.join(", ")),
        broken => {
            broken.iter().map(|file| format!("{}: {}", file.path.display(), file.change)).collect::<Vec<_>>().join("\n")
        }
    };
    CheckResult { outcome, evidence }
}

/// Whether the files that are so named are there still.
pub(super) fn stays(workspace: &Workspace, names: &[String]) -> CheckResult {
    let changed = match workspace.changed() {
        Ok(changed) => changed,
        Err(error) => return CheckResult { outcome: CheckOutcome::CouldNotRun, evidence: error.to_string() },
    };
    let gone = forbidden_changes(workspace, names, &changed).into_iter().filter(|file| file.change == Change::Removed);
    let gone: Vec<_> = gone.map(|file| format!("{}: {}", file.path.display(), file.change)).collect();
    let outcome = if gone.is_empty() { CheckOutcome::Met } else { CheckOutcome::Unmet };
    let evidence = if gone.is_empty() { "0 of the files are gone".to_owned() } else { gone.join("\n") };
    CheckResult { outcome, evidence }
}

/// Whether the files that are so named still hold most of their lines.
pub(super) fn kept(workspace: &Workspace, names: &[String]) -> CheckResult {
    let losses = match workspace.losses() {
        Ok(losses) => losses,
        Err(error) => return CheckResult { outcome: CheckOutcome::CouldNotRun, evidence: error.to_string() },
    };
    let is_named = |loss: &&LostLines| names.iter().any(|name| covers(name, &loss.path.to_string_lossy()));
    let line = |loss: &LostLines| format!("{}: lost {} of its {} lines", loss.path.display(), loss.lost, loss.of);
    let gone: Vec<_> = losses.iter().filter(|loss| loss.is_most()).filter(is_named).map(line).collect();
    if gone.is_empty() {
        let evidence = "0 of the files lost most of their lines".to_owned();
        return CheckResult { outcome: CheckOutcome::Met, evidence };
    }
    CheckResult { outcome: CheckOutcome::Unmet, evidence: gone.join("\n") }
}

/// Those of the changes that are on files which are so named, from the project's folder on.
pub(in crate::cli) fn forbidden_changes<'f>(
    workspace: &Workspace,
    names: &[String],
    changed: &'f [ChangedFile],
) -> Vec<&'f ChangedFile> {
    let folder = workspace.folder();
    let start = folder.strip_prefix(workspace.path()).unwrap_or(Path::new(""));
    let is_one = |file: &&ChangedFile| {
        let path = file.path.strip_prefix(start).unwrap_or(&file.path).to_string_lossy();
        names.iter().any(|name| covers(name, &path))
    };
    changed.iter().filter(is_one).collect()
}
