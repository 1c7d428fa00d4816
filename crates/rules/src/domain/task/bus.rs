//! Who takes part in the control loop, and who may say what to whom (artoo, "Observable Message Bus").
//!
//! The table alone. Carries nothing: every message is an entry of the log, and what is not in the table is refused.

use annals_kernel::grounding::words;

words! {
    /// Who takes part.
    pub enum Party {
        /// The person.
        User = "user",
        /// R1.
        Perceiver = "perceiver",
        /// R2.
        Planner = "planner",
        /// R3.
        Executor = "executor",
        /// R4a.
        AgentValidator = "agent_validator",
        /// R4b.
        MetaValidator = "meta_validator",
        /// R5.
        Memory = "memory",
        /// R6.
        Auditor = "auditor",
        /// R7, the goal-gradient solver.
        Solver = "solver",
    }
}

words! {
    /// What a message is.
    pub enum MessageKind {
        /// What the person wants, in their words.
        Request = "request",
        /// What R1 understood.
        TaskSpec = "task_spec",
        /// What R2 asks of memory.
        MemoryQuery = "memory_query",
        /// What memory says.
        MemoryAnswer = "memory_answer",
        /// What R4b has to expect: the task criteria, and how many subtasks.
        DispatchManifest = "dispatch_manifest",
        /// A subtask.
        SubTask = "sub_task",
        /// What R3 did.
        ExecutionResult = "execution_result",
        /// What R3 has to do otherwise.
        CorrectionSignal = "correction_signal",
        /// What a subtask came to.
        SubTaskOutcome = "sub_task_outcome",
        /// A round fell short.
        ReplanRequest = "replan_request",
        /// A round was accepted.
        OutcomeSummary = "outcome_summary",
        /// What R2 must do otherwise.
        PlanDirective = "plan_directive",
        /// An experience, from R7 to memory.
        Megram = "megram",
        /// R7 gives up, and wants to know what is there.
        DraftRequest = "draft_request",
        /// What is there, what failed, what to try next.
        Draft = "draft",
        /// The end.
        FinalResult = "final_result",
        /// What is irreversible, and needs a person's yes.
        ApprovalRequest = "approval_request",
        /// The person's answer.
        Approval = "approval",
        /// The person wants no more of it.
        Abort = "abort",
        /// The person asks the auditor.
        AuditQuery = "audit_query",
        /// What the auditor says.
        AuditReport = "audit_report",
    }
}

/// One arrow of the bus.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Arrow {
    /// Who says it.
    pub from: Party,
    /// What.
    pub kind: MessageKind,
    /// To whom.
    pub to: Party,
}

const fn arrow(from: Party, kind: MessageKind, to: Party) -> Arrow {
    Arrow { from, kind, to }
}

/// Everything that may be said. What is not here is a boundary violation.
pub const ARROWS: &[Arrow] = &[
    arrow(Party::User, MessageKind::Request, Party::Perceiver),
    arrow(Party::Perceiver, MessageKind::TaskSpec, Party::Planner),
    arrow(Party::Planner, MessageKind::MemoryQuery, Party::Memory),
    arrow(Party::Memory, MessageKind::MemoryAnswer, Party::Planner),
    arrow(Party::Planner, MessageKind::DispatchManifest, Party::MetaValidator),
    arrow(Party::Planner, MessageKind::SubTask, Party::Executor),
    arrow(Party::Executor, MessageKind::ExecutionResult, Party::AgentValidator),
    arrow(Party::AgentValidator, MessageKind::CorrectionSignal, Party::Executor),
    arrow(Party::AgentValidator, MessageKind::SubTaskOutcome, Party::MetaValidator),
    arrow(Party::MetaValidator, MessageKind::ReplanRequest, Party::Solver),
    arrow(Party::MetaValidator, MessageKind::OutcomeSummary, Party::Solver),
    arrow(Party::Solver, MessageKind::PlanDirective, Party::Planner),
    arrow(Party::Solver, MessageKind::Megram, Party::Memory),
    arrow(Party::Solver, MessageKind::DraftRequest, Party::Planner),
    arrow(Party::Planner, MessageKind::Draft, Party::Solver),
    arrow(Party::Solver, MessageKind::FinalResult, Party::User),
    arrow(Party::Executor, MessageKind::ApprovalRequest, Party::User),
    arrow(Party::User, MessageKind::Approval, Party::Executor),
    arrow(Party::User, MessageKind::Abort, Party::Solver),
    arrow(Party::User, MessageKind::AuditQuery, Party::Auditor),
    arrow(Party::Auditor, MessageKind::AuditReport, Party::User),
];

/// Whether one may say that to the other.
pub fn may_say(arrow: &Arrow) -> bool {
    ARROWS.contains(arrow)
}
