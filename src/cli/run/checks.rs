//! What code checks in a run, in the workspace's words; and which changes the person's words forbade.
//!
//! Runs nothing.

use std::path::Path;

use annals_workspace::workspace::{ChangedFile, GoneFile, LostLines, Workspace, WorkspaceError};
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
    let line = |file: &ChangedFile| format!("{}: {}", file.path.display(), file.change);
    let lines =
        |changed: Vec<ChangedFile>| forbidden_changes(workspace, names, &changed).into_iter().map(line).collect();
    none_of(workspace.changed().map(lines), &format!("{}: as it was", names.join(", ")))
}

/// Whether the files that are so named are there still, and were not cut down.
pub(super) fn stays(workspace: &Workspace, names: &[String]) -> CheckResult {
    let line = |file: &GoneFile| match file {
        GoneFile::Removed(path) => format!("{}: removed", path.display()),
        GoneFile::Emptied(path) => format!("{}: emptied", path.display()),
        GoneFile::Cut(loss) => lost(loss),
        GoneFile::Rewritten(loss) => {
            format!("{}: lost all of its lines, and {} of its {} words", loss.path.display(), loss.lost, loss.of)
        }
        GoneFile::Undefined(loss) => {
            format!("{}: holds no more, nor does another changed file: {}", loss.path.display(), loss.names.join(", "))
        }
    };
    let is_meant = |file: &&GoneFile| is_named(workspace, names, file.path());
    let lines = |gone: Vec<GoneFile>| gone.iter().filter(is_meant).map(line).collect();
    none_of(workspace.gone().map(lines), "0 of the files are gone")
}

/// Whether the files that are so named still hold most of their lines.
pub(super) fn kept(workspace: &Workspace, names: &[String]) -> CheckResult {
    let is_meant = |loss: &&LostLines| loss.is_most() && is_named(workspace, names, &loss.path);
    let lines = |losses: Vec<LostLines>| losses.iter().filter(is_meant).map(lost).collect();
    none_of(workspace.losses().map(lines), "0 of the files lost most of their lines")
}

fn lost(loss: &LostLines) -> String {
    format!("{}: lost {} of its {} lines", loss.path.display(), loss.lost, loss.of)
}

/// Met where nothing was found, unmet with what was.
fn none_of(found: Result<Vec<String>, WorkspaceError>, none: &str) -> CheckResult {
    match found {
        Err(error) => CheckResult { outcome: CheckOutcome::CouldNotRun, evidence: error.to_string() },
        Ok(lines) if lines.is_empty() => CheckResult { outcome: CheckOutcome::Met, evidence: none.to_owned() },
        Ok(lines) => CheckResult { outcome: CheckOutcome::Unmet, evidence: lines.join("\n") },
    }
}

/// Those of the changes that are on files which are so named, from the project's folder on.
pub(in crate::cli) fn forbidden_changes<'f>(
    workspace: &Workspace,
    names: &[String],
    changed: &'f [ChangedFile],
) -> Vec<&'f ChangedFile> {
    changed.iter().filter(|file| is_named(workspace, names, &file.path)).collect()
}

/// Whether a file is so named, from the project's folder on: a workspace may hold more than the project.
pub(super) fn is_named(workspace: &Workspace, names: &[String], path: &Path) -> bool {
    let folder = workspace.folder();
    let start = folder.strip_prefix(workspace.path()).unwrap_or(Path::new(""));
    let path = path.strip_prefix(start).unwrap_or(path).to_string_lossy();
    names.iter().any(|name| covers(name, &path))
}
