//! A run as it goes on, as a tree: rounds, their subtasks, calls and verdicts, and what the solver made of each.
//!
//! Wording and indentation only. `task show` has every message, and the record every word.

use crate::cli::task::{gist, parts, subtask_name};
use crate::domain::task::bus::Party;
use crate::role::ggs::PlanDirective;
use crate::role::message::BusMessage;
use crate::role::run::BusSaid;

/// How deep a line stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Depth {
    /// The task.
    Task,
    /// A round of it, or a subtask.
    Subtask,
    /// What is done in a subtask.
    Call,
}

impl Depth {
    /// Where the role that asks is at work.
    pub(super) fn of_question(role: Party) -> Self {
        match role {
            Party::Executor | Party::AgentValidator => Self::Call,
            Party::User
            | Party::Perceiver
            | Party::Planner
            | Party::MetaValidator
            | Party::Memory
            | Party::Auditor
            | Party::Solver => Self::Task,
        }
    }

    /// What stands before it.
    pub(super) fn indent(self) -> &'static str {
        match self {
            Self::Task => "",
            Self::Subtask => "│ ",
            Self::Call => "│ │ ",
        }
    }
}

/// A message as a line of the tree; none where it says nothing that stands nowhere else.
pub(super) fn branch(said: &BusSaid) -> Option<(Depth, String)> {
    let words = gist(said);
    Some(match &said.message {
        BusMessage::Request(_)
        | BusMessage::MemoryQuery(_)
        | BusMessage::DraftRequest(_)
        | BusMessage::ApprovalRequest(_)
        | BusMessage::FinalResult(_) => return None,
        BusMessage::MemoryAnswer(answer) if answer.remembered.is_empty() => return None,
        BusMessage::TaskSpec(_) => (Depth::Task, format!("understood: {words}")),
        BusMessage::MemoryAnswer(_) => (Depth::Task, format!("memory: {words}")),
        BusMessage::DispatchManifest(_) => (Depth::Task, format!("├ {words}")),
        BusMessage::SubTask(_) => (Depth::Subtask, format!("├ {words}")),
        // Subtasks go on side by side: each line says of which it is.
        BusMessage::SubTaskOutcome(_) => (Depth::Subtask, format!("└ {words}")),
        BusMessage::ReplanRequest(_) | BusMessage::OutcomeSummary(_) => (Depth::Task, format!("│ gate: {words}")),
        BusMessage::PlanDirective(directive) => (Depth::Task, format!("│ {}", solved(directive))),
        BusMessage::Megram(_) => (Depth::Task, format!("remembered: {words}")),
        BusMessage::Draft(_) => (Depth::Task, format!("draft: {words}")),
        BusMessage::Approval(_) => (Depth::Call, format!("approval: {words}")),
        BusMessage::CorrectionSignal(signal) => (Depth::Call, format!("{} {words}", subtask_name(&signal.subtask_id))),
        BusMessage::ExecutionResult(_) | BusMessage::Abort(_) => (Depth::Call, words),
    })
}

/// Which way, why, and the loss with its parts.
fn solved(directive: &PlanDirective) -> String {
    format!("loss {}; {}", parts(&directive.loss), directive.rationale)
}
