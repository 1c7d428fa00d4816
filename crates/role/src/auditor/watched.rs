//! What the auditor remembers of a task from one report to the next: what was dispatched, how far it was, whether it
//! ended.
//!
//! Fades with no report, or a `break_symmetry` before one and its like after it would not be seen together.

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::bus::{MessageKind, Party};
use crate::ggs::{Directive, Reading, SolverPhase, Trend};
use annals_kernel::time::Timestamp;

use super::event::AuditEvent;

/// So many rises of D in a row are a drift.
const RISES_OF_A_DRIFT: u32 = 2;

/// A task as far as it was heard.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct WatchedTask {
    /// When anything was last said of it.
    pub last_heard: Timestamp,
    /// Whether its final result is out.
    pub phase: SolverPhase,
    /// The subtasks that were dispatched.
    pub subtasks: BTreeSet<String>,
    directive: Option<Directive>,
    /// The last D before this report, or the first of all.
    baseline: Option<Reading>,
    /// The last D since.
    latest: Option<Reading>,
    rises: u32,
}

impl WatchedTask {
    /// What is wrong with a message, for all that was heard of its task before.
    pub(super) fn violation(&self, event: &AuditEvent) -> Option<String> {
        let task = event.task.as_deref().unwrap_or_default();
        if self.phase == SolverPhase::Ended && !is_due_after_the_end(event) {
            return Some(format!("{} from {} after the final_result of task {task}", event.kind, event.from));
        }
        let subtask = event.detail.as_ref()?.reported_subtask()?;
        let is_unknown = !self.subtasks.contains(subtask);
        is_unknown.then(|| format!("{} of subtask {subtask} of task {task}, which was never dispatched", event.kind))
    }

    /// Takes in a directive. Two `break_symmetry` in a row without D decreasing are thrashing (artoo R6).
    pub(super) fn directed(&mut self, directive: Directive, d: Reading) -> Option<String> {
        let before = self.last_d();
        let is_again = directive == Directive::BreakSymmetry && self.directive == Some(directive);
        self.directive = Some(directive);
        let before = before.filter(|before| is_again && d >= *before)?;
        Some(format!("break_symmetry twice, D {before} -> {d}"))
    }

    /// Takes in a measure of D. One that rose over two rounds is a drift.
    pub(super) fn measured(&mut self, d: Reading) -> Option<String> {
        let before = self.last_d();
        self.rises = if before.is_some_and(|before| d > before) { self.rises.saturating_add(1) } else { 0 };
        match self.baseline {
            None => self.baseline = Some(d),
            Some(_) => self.latest = Some(d),
        }
        (self.rises >= RISES_OF_A_DRIFT).then(|| format!("D rose {} rounds in a row, to {d}", self.rises))
    }

    /// Which way D went since the last report; none before a second measure.
    pub fn trend(&self) -> Option<Trend> {
        let (baseline, latest) = (self.baseline?, self.latest?);
        Some(if latest < baseline {
            Trend::Improving
        } else if latest > baseline {
            Trend::Worsening
        } else {
            Trend::Flat
        })
    }

    /// The next trend begins where this one ended.
    pub(super) fn reported(&mut self) {
        self.baseline = self.latest.take().or(self.baseline);
    }

    fn last_d(&self) -> Option<Reading> {
        self.latest.or(self.baseline)
    }
}

/// Megrams are written without waiting (artoo R7, "Memory Writes"): the last ones may come after the result.
fn is_due_after_the_end(event: &AuditEvent) -> bool {
    event.kind == MessageKind::Megram && event.from == Party::Solver
}
