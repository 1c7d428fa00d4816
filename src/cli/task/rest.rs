//! What the person should know of a task besides its changes: new files that git ignores, which go nowhere; files that it
//! changed and that one of its own checks names, for then it is checked by its own work; and what their words forbade.

use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use annals_workspace::workspace::{ChangedFile, IgnoredFiles, LeftOut, Workspace};
use serde::Serialize;

use crate::act::Journal;
use crate::cli::run::{forbidden_changes, reopened};
use crate::cli::shell::Shell;
use crate::engine::Engine;
use crate::role::planner::Forbidden;

/// What stands around the words of a command.
const AROUND: &[char] = &[' ', '\t', '\n', '"', '\'', '`', '=', '<', '>', '|', ';', '&', '(', ')', '{', '}', ',', ':'];

/// Something that is no part of the changes of a task.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct LeftOutRow {
    path: String,
    why: String,
    /// How many files that are.
    files: usize,
    /// The first of them, at most five.
    names: Vec<String>,
}

/// A file that a task changed, and by which it is checked.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct OwnCheck {
    path: String,
    check: String,
}

/// All of it.
#[derive(Debug, Default)]
pub(super) struct TaskRest {
    pub(super) left_out: Vec<LeftOutRow>,
    pub(super) own_checks: Vec<OwnCheck>,
    /// Files that it changed though the person's words forbade it.
    pub(super) forbidden: Vec<String>,
}

impl LeftOutRow {
    pub(super) fn of(left: &LeftOut) -> Self {
        Self { path: left.path.display().to_string(), why: left.why.clone(), files: 1, names: Vec::new() }
    }

    fn ignored(group: &IgnoredFiles) -> Self {
        let names = group.names.iter().map(|name| name.display().to_string()).collect();
        let why = "new, and git ignores it".to_owned();
        Self { path: group.path.display().to_string(), why, files: group.files, names }
    }

    fn words(&self) -> String {
        let Self { path, why, files, names } = self;
        if names.is_empty() || *names == [path.as_str()] {
            return format!("{path}: {why}");
        }
        let more = if *files > names.len() { ", …" } else { "" };
        format!("{path}: {why}; files: {files} ({}{more})", names.join(", "))
    }
}

impl TaskRest {
    /// What it is of a task that changed these files.
    pub(super) fn of(
        engine: &Arc<Engine>,
        task: &str,
        workspace: &Workspace,
        changed: &[ChangedFile],
    ) -> anyhow::Result<Self> {
        let (checks, forbidden) = match Journal::look(engine, task) {
            Ok(recorded) => (recorded.request.checks, Forbidden::by(&recorded.request.raw_input).files),
            Err(error) if error.is_of_record() => (Vec::new(), Vec::new()),
            Err(error) => return Err(error.into()),
        };
        let folder = workspace.folder();
        let start = folder.strip_prefix(workspace.path()).unwrap_or(Path::new(""));
        let left_out = workspace.ignored()?.iter().map(LeftOutRow::ignored).collect();
        let forbidden = forbidden_changes(workspace, &forbidden, changed).into_iter();
        let forbidden = forbidden.map(|file| file.path.display().to_string()).collect();
        Ok(Self { left_out, own_checks: own_checks(&checks, start, changed), forbidden })
    }

    pub(super) fn say(&self, shell: &mut Shell) -> std::io::Result<()> {
        for left in &self.left_out {
            shell.out.say(format_args!("not in it: {}", left.words()))?;
        }
        for OwnCheck { path, check } in &self.own_checks {
            shell.out.say(format_args!("changed by the task, and named by its check: {path} ({check})"))?;
        }
        for path in &self.forbidden {
            shell.out.say(format_args!("changed by the task, and forbidden by your words: {path}"))?;
        }
        Ok(())
    }
}

/// The same where a run ended.
pub(in crate::cli) fn tell_rest(shell: &mut Shell, engine: &Arc<Engine>, task: &str) -> anyhow::Result<()> {
    let workspace = reopened(shell, task)?;
    let rest = TaskRest::of(engine, task, &workspace, &workspace.changed()?)?;
    Ok(rest.say(shell)?)
}

fn own_checks(checks: &[String], start: &Path, changed: &[ChangedFile]) -> Vec<OwnCheck> {
    let mut found = Vec::new();
    for check in checks {
        let named: Vec<PathBuf> = check.split(AROUND).filter_map(|word| resolved(start, word)).collect();
        let own = changed.iter().filter(|file| named.contains(&file.path));
        found.extend(own.map(|file| OwnCheck { path: file.path.display().to_string(), check: check.clone() }));
    }
    found
}

/// A word as a path from the top of the workspace; nothing where it leads out of it.
fn resolved(start: &Path, word: &str) -> Option<PathBuf> {
    let mut names: Vec<_> = start.iter().collect();
    for part in Path::new(word).components() {
        match part {
            Component::Normal(name) => names.push(name),
            Component::ParentDir => drop(names.pop()?),
            Component::CurDir => {}
            Component::RootDir | Component::Prefix(_) => return None,
        }
    }
    Some(names.into_iter().collect())
}

#[cfg(test)]
mod tests {
    use annals_workspace::workspace::Change;

    use super::*;

    #[test]
    fn a_file_that_is_changed_is_its_own_check_where_a_check_names_it() {
        let changed = ["check.sh", "in/test.py", "in/lib.py"];
        let changed = changed.map(|path| ChangedFile { path: path.into(), change: Change::Changed });
        for (start, check, expected) in [
            ("", "sh check.sh", vec!["check.sh"]),
            ("", "bash -c './check.sh && true'", vec!["check.sh"]),
            ("", "python3 in/../in/test.py", vec!["in/test.py"]),
            ("", "pytest in/test.py::case in", vec!["in/test.py"]),
            ("in", "python3 test.py --with=../check.sh", vec!["check.sh", "in/test.py"]),
            ("in", "sh check.sh ../../check.sh /check.sh", vec![]),
            ("", "cargo test lib.py", vec![]),
        ] {
            let found = own_checks(&[check.to_owned()], Path::new(start), &changed);
            let paths: Vec<_> = found.iter().map(|own| own.path.as_str()).collect();
            assert_eq!(paths, expected, "{check}");
        }
    }
}
