//! Given / when / then for the auditor.

mod account;
mod boundary;
mod cases;
mod chain;
mod window;

use super::{AuditDetail, AuditEvent, AuditReport, AuditTrigger, AuditWindow, ToolHealth};
use crate::bus::{Arrow, MessageKind, Party};
use crate::ggs::{Directive, FailureClass, Reading, Trend};
use crate::message::ExecutionStatus;
use annals_kernel::time::Timestamp;

const START: Timestamp = Timestamp::from_millis(1_000_000);

fn reading(number: f64) -> Reading {
    Reading::of(number).expect("0 to 1")
}

fn arrow(from: Party, kind: MessageKind, to: Party) -> Arrow {
    Arrow { from, kind, to }
}

/// As `task` says it, at the start of the window.
fn said(task: &str, arrow: Arrow, detail: Option<AuditDetail>) -> AuditEvent {
    let task = Some(task.to_owned());
    AuditEvent { at: START, task, from: arrow.from, to: arrow.to, kind: arrow.kind, detail }
}

fn request(task: &str) -> AuditEvent {
    said(task, arrow(Party::User, MessageKind::Request, Party::Perceiver), None)
}

fn dispatch(task: &str, subtask: &str) -> AuditEvent {
    let detail = AuditDetail::Dispatch { subtask_id: subtask.to_owned() };
    said(task, arrow(Party::Planner, MessageKind::SubTask, Party::Executor), Some(detail))
}

fn execution(task: &str, subtask: &str, status: ExecutionStatus) -> AuditEvent {
    let detail = AuditDetail::Execution { subtask_id: subtask.to_owned(), status };
    said(task, arrow(Party::Executor, MessageKind::ExecutionResult, Party::AgentValidator), Some(detail))
}

fn correction(task: &str, subtask: &str, failure_class: Option<FailureClass>) -> AuditEvent {
    let detail = AuditDetail::Correction { subtask_id: subtask.to_owned(), failure_class };
    said(task, arrow(Party::AgentValidator, MessageKind::CorrectionSignal, Party::Executor), Some(detail))
}

fn outcome(task: &str, subtask: &str, plausible_passes: u32, contradicted: u32) -> AuditEvent {
    let detail = AuditDetail::Outcome { subtask_id: subtask.to_owned(), plausible_passes, contradicted };
    said(task, arrow(Party::AgentValidator, MessageKind::SubTaskOutcome, Party::MetaValidator), Some(detail))
}

fn directive(task: &str, directive: Directive, d: f64) -> AuditEvent {
    let detail = AuditDetail::Directive { directive, d: reading(d) };
    said(task, arrow(Party::Solver, MessageKind::PlanDirective, Party::Planner), Some(detail))
}

fn ended(task: &str, d: f64) -> AuditEvent {
    let detail = AuditDetail::Final { d: reading(d) };
    said(task, arrow(Party::Solver, MessageKind::FinalResult, Party::User), Some(detail))
}

fn heard(events: &[AuditEvent]) -> AuditWindow {
    let mut window = AuditWindow::new(START);
    for event in events {
        window.heard(event);
    }
    window
}

fn reported(events: &[AuditEvent]) -> AuditReport {
    heard(events).report(AuditTrigger::OnDemand)
}

fn nothing() -> AuditReport {
    AuditReport {
        trigger: AuditTrigger::OnDemand,
        window_start: START,
        tasks_observed: 0,
        total_corrections: 0,
        gap_trends: Vec::new(),
        boundary_violations: Vec::new(),
        drift_alerts: Vec::new(),
        anomalies: Vec::new(),
        tool_health: ToolHealth::default(),
    }
}

fn trend(task_id: &str, trend: Trend) -> super::GapTrend {
    super::GapTrend { task_id: task_id.to_owned(), trend }
}
