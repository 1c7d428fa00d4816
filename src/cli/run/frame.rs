//! The first and the last line of a run with `--json`: where it acts and what is missing there; how it ended or why it stopped,
//! what it took, and what is to be known of its changes. What is said between them is `screen`'s. Prints nothing.

use annals_workspace::workspace::Workspace;
use serde::Serialize;

use crate::act::RunEnd;
use crate::cli::task::{LeftOutRow, TaskRest};
use crate::domain::task::command::PauseReason;
use crate::role::auditor::RoleCost;
use crate::role::ggs::Terminal;

/// A run that begins, or goes on.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(in crate::cli) struct RunBegun {
    task: String,
    /// What of the project is not in the clone, where it was just made.
    pub(super) left_out: Vec<LeftOutRow>,
}

impl RunBegun {
    pub(super) fn of(task: &str, workspace: &Workspace) -> Self {
        Self { task: task.to_owned(), left_out: LeftOutRow::grouped(workspace.left_out()) }
    }
}

/// How a run came to its end.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(tag = "end", rename_all = "snake_case")]
enum EndedBy {
    /// The task has its final result.
    Result {
        /// Which.
        directive: Terminal,
        /// Why.
        why: String,
    },
    /// It stopped before.
    Stopped {
        /// Of which kind the reason is.
        reason: PauseReason,
        /// Why.
        why: String,
        /// The command that goes on with it.
        go_on: String,
    },
    /// Another process ends the task.
    Left,
}

/// How a run ended.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(in crate::cli) struct ToldEnd {
    task: String,
    #[serde(flatten)]
    end: EndedBy,
    /// What models and agents took, since this run began or went on.
    used: RoleCost,
    /// What is to be known of the changes so far; none where another process ends the task.
    #[serde(flatten)]
    rest: Option<TaskRest>,
}

impl ToldEnd {
    pub(super) fn of(end: &RunEnd, go_on: &str, used: RoleCost, rest: Option<TaskRest>) -> Self {
        let ended = match end {
            RunEnd::Ended { result, .. } => {
                EndedBy::Result { directive: result.directive, why: result.rationale.clone() }
            }
            RunEnd::Paused { reason, words, .. } => {
                EndedBy::Stopped { reason: *reason, why: words.clone(), go_on: go_on.to_owned() }
            }
            RunEnd::Left { .. } => EndedBy::Left,
        };
        Self { task: task(end).to_owned(), end: ended, used, rest }
    }
}

/// Of which task it is.
pub(super) fn task(end: &RunEnd) -> &str {
    match end {
        RunEnd::Ended { task, .. } | RunEnd::Paused { task, .. } | RunEnd::Left { task } => task,
    }
}
