//! The fold from messages to a report (artoo R6, "Skills").
//!
//! A message that the table of the bus does not hold is a violation and nothing else: it dispatches no subtask, ends no
//! task, and is no correction. So nobody can talk the auditor into anything. Drift is read from what code can see: D
//! that rises over two rounds, and a judge whose passes stand beside failed checks. Whether the intent of subtasks
//! drifts would take a model, and the auditor asks none.

use std::collections::{BTreeMap, BTreeSet};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::event::{AuditDetail, AuditEvent};
use super::finding::Findings;
use super::report::{AuditReport, AuditTrigger, GapTrend, ToolHealth};
use super::watched::WatchedTask;
use crate::bus::{MessageKind, Party, may_say};
use crate::ggs::{Directive, Reading, SolverPhase};
use crate::message::ExecutionStatus;
use annals_kernel::time::Timestamp;

/// How often a report is made unasked: five minutes (artoo R6).
pub const REPORT_EVERY_MS: u64 = 300_000;

/// So many tasks are remembered; of more, those that ended are forgotten first.
const MOST_TASKS: usize = 10_000;

/// Fewer plausible passes than this say nothing of the judge (as decision 18 has it of rates).
const FEWEST_PASSES: u32 = 5;

/// What was heard since the last report, and what is remembered beyond it.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct AuditWindow {
    start: Timestamp,
    observed: BTreeSet<String>,
    corrections: u64,
    tool_health: ToolHealth,
    boundary_violations: Findings,
    drift_alerts: Findings,
    anomalies: Findings,
    judge: JudgeTally,
    watched: BTreeMap<String, WatchedTask>,
}

/// How often the judge of plausible criteria passed what code refuted.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
struct JudgeTally {
    passes: u32,
    contradicted: u32,
}

impl AuditWindow {
    /// Before the first message.
    pub fn new(start: Timestamp) -> Self {
        Self { start, ..Self::default() }
    }

    /// Takes in a message.
    pub fn heard(&mut self, event: &AuditEvent) {
        let mut task = event.task.as_ref().map(|id| self.watched.remove(id).unwrap_or_default());
        let wrong = arrow_violation(event);
        let untimely = task.as_ref().and_then(|task| task.violation(event));
        for violation in wrong.iter().chain(&untimely) {
            self.boundary_violations.add(violation);
        }
        if let (Some(id), Some(task)) = (&event.task, &mut task) {
            self.observed.insert(id.clone());
            task.last_heard = task.last_heard.max(event.at);
            if wrong.is_none() {
                self.count(id, task, event);
            }
        }
        if let (Some(id), Some(task)) = (&event.task, task) {
            self.watched.insert(id.clone(), task);
            self.forget();
        }
    }

    /// What was seen so far.
    pub fn report(&self, trigger: AuditTrigger) -> AuditReport {
        let trend = |(task_id, task): (&String, &WatchedTask)| {
            task.trend().map(|trend| GapTrend { task_id: task_id.clone(), trend })
        };
        let mut drift_alerts = self.drift_alerts.lines();
        drift_alerts.extend(self.judge.alert());
        AuditReport {
            trigger,
            window_start: self.start,
            tasks_observed: u64::try_from(self.observed.len()).unwrap_or(u64::MAX),
            total_corrections: self.corrections,
            gap_trends: self.watched.iter().filter_map(trend).collect(),
            boundary_violations: self.boundary_violations.lines(),
            drift_alerts,
            anomalies: self.anomalies.lines(),
            tool_health: self.tool_health,
        }
    }

    /// Reports, and begins anew; tasks are remembered.
    pub fn close(&mut self, trigger: AuditTrigger, now: Timestamp) -> AuditReport {
        let report = self.report(trigger);
        let mut watched = std::mem::take(&mut self.watched);
        watched.values_mut().for_each(WatchedTask::reported);
        *self = Self { start: now, watched, ..Self::default() };
        report
    }

    /// Whether a report is due unasked.
    pub fn is_due(&self, now: Timestamp, every_ms: u64) -> bool {
        now.since(self.start) >= every_ms
    }

    fn count(&mut self, id: &str, task: &mut WatchedTask, event: &AuditEvent) {
        match event.detail.as_ref().filter(|detail| detail.kind() == event.kind) {
            None => {}
            Some(AuditDetail::Dispatch { subtask_id }) => self.dispatched(id, task, subtask_id),
            Some(AuditDetail::Execution { status, .. }) => match status {
                ExecutionStatus::Failed => self.tool_health.failed(),
                ExecutionStatus::Completed | ExecutionStatus::Uncertain => {}
            },
            Some(AuditDetail::Correction { failure_class, .. }) => {
                self.corrections = self.corrections.saturating_add(1);
                self.tool_health.corrected(*failure_class);
            }
            Some(AuditDetail::Outcome { plausible_passes, contradicted, .. }) => {
                self.judge.passes = self.judge.passes.saturating_add(*plausible_passes);
                self.judge.contradicted = self.judge.contradicted.saturating_add(*contradicted);
            }
            Some(AuditDetail::Directive { directive, d }) => self.directed(id, task, *directive, *d),
            Some(AuditDetail::Final { d }) => {
                task.phase = SolverPhase::Ended;
                self.measured(id, task, *d);
            }
        }
    }

    /// Ids are minted (decision 32): one that comes back, in this task or in another, was not.
    fn dispatched(&mut self, id: &str, task: &mut WatchedTask, subtask: &str) {
        let is_others = self.watched.values().any(|other| other.subtasks.contains(subtask));
        if !task.subtasks.insert(subtask.to_owned()) || is_others {
            self.anomalies.add(&format!("repeated_id: subtask {subtask} of task {id} was dispatched before"));
        }
    }

    fn directed(&mut self, id: &str, task: &mut WatchedTask, directive: Directive, d: Reading) {
        if let Some(how) = task.directed(directive, d) {
            self.anomalies.add(&format!("ggs_thrashing: task {id}: {how}"));
        }
        self.measured(id, task, d);
    }

    fn measured(&mut self, id: &str, task: &mut WatchedTask, d: Reading) {
        if let Some(how) = task.measured(d) {
            self.drift_alerts.add(&format!("task {id}: {how}"));
        }
    }

    /// Forgets the task that was silent for longest, of those that ended, if there is one.
    fn forget(&mut self) {
        if self.watched.len() <= MOST_TASKS {
            return;
        }
        let age = |(_, task): &(&String, &WatchedTask)| (task.phase == SolverPhase::Open, task.last_heard);
        let oldest = self.watched.iter().min_by_key(age).map(|(id, _)| id.clone());
        if let Some(id) = oldest {
            self.watched.remove(&id);
        }
    }
}

impl JudgeTally {
    /// A judge half of whose passes stand beside a failed check of the same subtask says yes to anything.
    fn alert(self) -> Option<String> {
        let Self { passes, contradicted } = self;
        let is_drift = passes >= FEWEST_PASSES && contradicted.saturating_mul(2) >= passes;
        is_drift.then(|| format!("{contradicted} of {passes} plausible passes stand beside a failed check by code"))
    }
}

/// What is wrong with who says it to whom.
fn arrow_violation(event: &AuditEvent) -> Option<String> {
    if may_say(&event.arrow()) {
        return None;
    }
    let AuditEvent { from, to, kind, .. } = event;
    let is_solvers = matches!(kind, MessageKind::FinalResult | MessageKind::Megram) && *from != Party::Solver;
    let why = if is_solvers { "only the solver may say it" } else { "it is not on the table of the bus" };
    Some(format!("{kind} from {from} to {to}: {why}"))
}
