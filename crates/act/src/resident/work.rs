//! What the record knows of work that is under way: when anything last happened to it, in whose hands it is, what it is at.
//!
//! By the last message of a task alone. How often the agent asked after it, no record knows: it never does.

use annals_role::resident::homeostasis::{CurrentPhase, PhaseName, WorkItem};
use annals_rules::domain::task::Task;
use annals_rules::domain::task::bus::MessageKind;
use annals_rules::domain::task::state::LastMessage;

/// A task as work: handed over while the executor has a subtask of it.
pub(super) fn work_item(id: &str, task: &Task) -> WorkItem {
    let is_handed_over = |last: &LastMessage| matches!(phase_of_kind(last.kind), Some(PhaseName::Implementing));
    WorkItem {
        id: id.to_owned(),
        last_activity: task.last.map_or(task.begun_at, |last| last.at),
        delegated_at: task.last.filter(is_handed_over).map(|last| last.at),
        follow_ups: 0,
    }
}

/// What a task is at since its last message.
pub(super) fn phase_of(last: LastMessage) -> Option<CurrentPhase> {
    phase_of_kind(last.kind).map(|phase| CurrentPhase { phase, since: last.at })
}

/// By who has the word then: who plans explores, who solves decides.
fn phase_of_kind(kind: MessageKind) -> Option<PhaseName> {
    match kind {
        MessageKind::Request
        | MessageKind::TaskSpec
        | MessageKind::MemoryQuery
        | MessageKind::MemoryAnswer
        | MessageKind::PlanDirective => Some(PhaseName::Exploring),
        MessageKind::DispatchManifest | MessageKind::ReplanRequest | MessageKind::ApprovalRequest => {
            Some(PhaseName::Deciding)
        }
        MessageKind::SubTask | MessageKind::CorrectionSignal | MessageKind::Approval => Some(PhaseName::Implementing),
        MessageKind::ExecutionResult | MessageKind::SubTaskOutcome | MessageKind::OutcomeSummary => {
            Some(PhaseName::Verifying)
        }
        MessageKind::Megram
        | MessageKind::DraftRequest
        | MessageKind::Draft
        | MessageKind::FinalResult
        | MessageKind::Abort => Some(PhaseName::Finishing),
        MessageKind::AuditQuery | MessageKind::AuditReport => None,
    }
}

#[cfg(test)]
mod tests {
    use annals_kernel::time::Timestamp;

    use super::*;

    #[test]
    fn a_task_is_at_what_its_last_message_leaves_to_do() {
        let rows = [
            (MessageKind::TaskSpec, Some(PhaseName::Exploring)),
            (MessageKind::DispatchManifest, Some(PhaseName::Deciding)),
            (MessageKind::SubTask, Some(PhaseName::Implementing)),
            (MessageKind::ExecutionResult, Some(PhaseName::Verifying)),
            (MessageKind::Draft, Some(PhaseName::Finishing)),
            (MessageKind::AuditReport, None),
        ];
        let at = Timestamp::from_millis(1_000);
        for (kind, phase) in rows {
            let expected = phase.map(|phase| CurrentPhase { phase, since: at });
            assert_eq!(phase_of(LastMessage { kind, at }), expected, "{kind}");
        }
    }
}
