//! What the auditor keeps of a message: who said what to whom, and the few fields that its statistics need.
//!
//! No text of a message enters it, so that the audit log holds nothing that the sanitizer would have to look at.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::bus::{Arrow, MessageKind, Party};
use crate::ggs::{CriterionMode, Directive, FailureClass, PlanDirective, Reading, SubTaskOutcome, Verdict};
use crate::message::{BusMessage, ExecutionStatus};
use annals_kernel::time::Timestamp;

/// A message as the auditor heard it (artoo R6, `AuditEvent`).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct AuditEvent {
    /// When it was said.
    pub at: Timestamp,
    /// Of which task; none where the person speaks with the auditor.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub task: Option<String>,
    /// Who said it.
    pub from: Party,
    /// To whom.
    pub to: Party,
    /// What it was.
    pub kind: MessageKind,
    /// What is counted of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detail: Option<AuditDetail>,
}

/// What is counted of a message.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "of", rename_all = "snake_case")]
pub enum AuditDetail {
    /// A subtask was dispatched.
    Dispatch {
        /// Which.
        subtask_id: String,
    },
    /// R3 came back.
    Execution {
        /// Of which subtask.
        subtask_id: String,
        /// How.
        status: ExecutionStatus,
    },
    /// R4a sent R3 back.
    Correction {
        /// Of which subtask.
        subtask_id: String,
        /// Why the attempt failed, where R4a said so.
        #[serde(default)]
        failure_class: Option<FailureClass>,
    },
    /// A subtask came to its end.
    Outcome {
        /// Which.
        subtask_id: String,
        /// Plausible criteria that were passed.
        plausible_passes: u32,
        /// Those of them beside which a check by code failed.
        contradicted: u32,
    },
    /// R7 asked for another round.
    Directive {
        /// Which way.
        directive: Directive,
        /// How far the result was from what was wanted.
        d: Reading,
    },
    /// R7 ended the task.
    Final {
        /// How far the result was in the end.
        d: Reading,
    },
}

impl AuditEvent {
    /// Of a message between roles.
    pub fn of(at: Timestamp, task: &str, arrow: &Arrow, message: &BusMessage) -> Self {
        let detail = AuditDetail::of(message);
        Self { at, task: Some(task.to_owned()), from: arrow.from, to: arrow.to, kind: message.kind(), detail }
    }

    /// Of what the person asks the auditor, and what it answers.
    pub fn of_audit(at: Timestamp, arrow: &Arrow) -> Self {
        Self { at, task: None, from: arrow.from, to: arrow.to, kind: arrow.kind, detail: None }
    }

    /// Which arrow of the bus it claims to be.
    pub fn arrow(&self) -> Arrow {
        Arrow { from: self.from, kind: self.kind, to: self.to }
    }

    /// Whether the person asks for a report: the one message that anything follows from.
    pub fn is_query(&self) -> bool {
        self.arrow() == Arrow { from: Party::User, kind: MessageKind::AuditQuery, to: Party::Auditor }
    }
}

impl AuditDetail {
    /// What of a message is counted.
    pub fn of(message: &BusMessage) -> Option<Self> {
        Some(match message {
            BusMessage::SubTask(subtask) => Self::Dispatch { subtask_id: subtask.subtask_id.clone() },
            BusMessage::ExecutionResult(result) => {
                Self::Execution { subtask_id: result.subtask_id.clone(), status: result.status }
            }
            BusMessage::CorrectionSignal(signal) => {
                Self::Correction { subtask_id: signal.subtask_id.clone(), failure_class: signal.failure_class }
            }
            BusMessage::SubTaskOutcome(report) => Self::of_outcome(&report.outcome),
            BusMessage::PlanDirective(PlanDirective { directive, loss, .. }) => {
                Self::Directive { directive: *directive, d: loss.measures.d }
            }
            BusMessage::FinalResult(result) => Self::Final { d: result.loss.measures.d },
            BusMessage::Request(_)
            | BusMessage::TaskSpec(_)
            | BusMessage::MemoryQuery(_)
            | BusMessage::MemoryAnswer(_)
            | BusMessage::DispatchManifest(_)
            | BusMessage::ReplanRequest(_)
            | BusMessage::OutcomeSummary(_)
            | BusMessage::Megram(_)
            | BusMessage::DraftRequest(_)
            | BusMessage::Draft(_)
            | BusMessage::ApprovalRequest(_)
            | BusMessage::Approval(_)
            | BusMessage::Abort(_) => return None,
        })
    }

    /// The kind of message that it is of.
    pub(super) fn kind(&self) -> MessageKind {
        match self {
            Self::Dispatch { .. } => MessageKind::SubTask,
            Self::Execution { .. } => MessageKind::ExecutionResult,
            Self::Correction { .. } => MessageKind::CorrectionSignal,
            Self::Outcome { .. } => MessageKind::SubTaskOutcome,
            Self::Directive { .. } => MessageKind::PlanDirective,
            Self::Final { .. } => MessageKind::FinalResult,
        }
    }

    /// The subtask that R3 or R4a speaks of.
    pub(super) fn reported_subtask(&self) -> Option<&str> {
        match self {
            Self::Execution { subtask_id, .. }
            | Self::Correction { subtask_id, .. }
            | Self::Outcome { subtask_id, .. } => Some(subtask_id),
            Self::Dispatch { .. } | Self::Directive { .. } | Self::Final { .. } => None,
        }
    }

    fn of_outcome(outcome: &SubTaskOutcome) -> Self {
        let count = |mode, verdict| {
            let alike = outcome.criteria_verdicts.iter().filter(|one| one.mode == mode && one.verdict == verdict);
            u32::try_from(alike.count()).unwrap_or(u32::MAX)
        };
        let plausible_passes = count(CriterionMode::Plausible, Verdict::Pass);
        let is_refuted = count(CriterionMode::Verifiable, Verdict::Fail) > 0;
        let contradicted = if is_refuted { plausible_passes } else { 0 };
        Self::Outcome { subtask_id: outcome.subtask_id.clone(), plausible_passes, contradicted }
    }
}
