//! What the person should know of a task besides its changes: new files that git ignores or whose names are kept, which go
//! nowhere; files that it changed and that one of its own checks names, for then it is checked by its own work; and what their
//! words forbade.

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

/// So many are named.
const MOST_NAMES: usize = 5;

/// Something that is no part of the changes of a task, or not in its clone.
#[derive(Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(in crate::cli) struct LeftOutRow {
    /// Where; `.` where several places have the same reason.
    path: String,
    why: String,
    /// How many files that are; of several places, how many places.
    files: usize,
    /// The first of them, at most five.
    names: Vec<String>,
}

/// A file that a task changed, and by which it is checked.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(in crate::cli) struct OwnCheck {
    path: String,
    check: String,
}

/// Whose checks tell that a task is done.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(in crate::cli) enum CheckedBy {
    /// Those of a plan that a model made: they may ask for something else than the person.
    #[default]
    Plan,
    /// The person's own.
    Person,
}

/// All of it.
#[derive(Debug, Default, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(in crate::cli) struct TaskRest {
    /// What is not in its changes, such as new files that git ignores.
    pub(super) left_out: Vec<LeftOutRow>,
    /// What it changed and one of its own checks names.
    pub(super) own_checks: Vec<OwnCheck>,
    /// Files that it changed though the person's words forbade it.
    pub(super) forbidden: Vec<String>,
    /// Whose checks tell that it is done.
    checked_by: CheckedBy,
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

    /// By their reasons, in which the place itself does not count.
    pub(in crate::cli) fn grouped(all: &[LeftOut]) -> Vec<Self> {
        let mut groups: Vec<Self> = Vec::new();
        for left in all {
            let path = left.path.display().to_string();
            let why =
                left.why.replace(&format!("\"{path}\""), "").replace(&path, "").trim_matches([' ', ':']).to_owned();
            match groups.iter_mut().find(|group| group.why == why) {
                None => groups.push(Self { path: path.clone(), why, files: 1, names: vec![path] }),
                Some(group) => {
                    ".".clone_into(&mut group.path);
                    group.files += 1;
                    if group.names.len() < MOST_NAMES {
                        group.names.push(path);
                    }
                }
            }
        }
        groups
    }

    /// In a line.
    pub(in crate::cli) fn words(&self) -> String {
        let Self { path, why, files, names } = self;
        if path == "." && !names.is_empty() {
            let more = files - names.len();
            let more = if more > 0 { format!(" and {more} more") } else { String::new() };
            return format!("{}{more}: {why}", names.join(", "));
        }
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
        let mut left_out: Vec<_> = workspace.ignored()?.iter().map(LeftOutRow::ignored).collect();
        left_out.extend(LeftOutRow::grouped(&workspace.kept_back()?));
        let forbidden = forbidden_changes(workspace, &forbidden, changed).into_iter();
        let forbidden = forbidden.map(|file| file.path.display().to_string()).collect();
        let checked_by = if checks.is_empty() { CheckedBy::Plan } else { CheckedBy::Person };
        Ok(Self { left_out, own_checks: own_checks(&checks, start, changed), forbidden, checked_by })
    }

    /// That a task which is said to be done was checked by its plan alone.
    pub(in crate::cli) fn say_whose(&self, shell: &mut Shell) -> std::io::Result<()> {
        match self.checked_by {
            CheckedBy::Person => Ok(()),
            CheckedBy::Plan => shell.out.say("checked by its plan alone: look whether that is what you asked for"),
        }
    }

    pub(in crate::cli) fn say(&self, shell: &mut Shell) -> std::io::Result<()> {
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

/// What it is where a run ended or stopped.
pub(in crate::cli) fn rest_of(shell: &Shell, engine: &Arc<Engine>, task: &str) -> anyhow::Result<TaskRest> {
    let workspace = reopened(shell, task)?;
    TaskRest::of(engine, task, &workspace, &workspace.changed()?)
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

    /// The adversary of a list: many of one reason, which names each place.
    #[test]
    fn what_is_left_out_for_one_reason_is_one_row_and_counted() {
        let left = |path: &str, why: &str| LeftOut { path: path.into(), why: why.to_owned() };
        let mut all: Vec<_> = (0..7).map(|n| left(&format!("v/{n}"), "a repository of its own")).collect();
        all.push(left("git~1", "\"git~1\" is not worked in by tools"));
        all.push(left("x/git~2", "\"x/git~2\" is not worked in by tools"));
        all.push(left("one", "no plain file"));
        let rows = LeftOutRow::grouped(&all);
        let words: Vec<_> = rows.iter().map(LeftOutRow::words).collect();
        assert_eq!(
            words,
            [
                "v/0, v/1, v/2, v/3, v/4 and 2 more: a repository of its own",
                "git~1, x/git~2: is not worked in by tools",
                "one: no plain file",
            ]
        );
        assert_eq!(
            rows.iter().map(|row| (row.path.as_str(), row.files)).collect::<Vec<_>>(),
            [(".", 7), (".", 2), ("one", 1)]
        );
    }

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
