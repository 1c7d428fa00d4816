//! Given / when / then for one attempt of the executor.

mod asked;
mod kept;
mod laws;
mod reads;
mod repeats;
mod whole;

use serde_json::json;

use super::{ExecutorAttempt, ExecutorLimits, ExecutorStep, Then};
use crate::message::{CorrectionSignal, ExecutionStatus};
use crate::prompt::BadAnswer;
use crate::testing::{criterion, subtask};
use crate::tool::{ToolName, ToolRequest};

fn attempt() -> ExecutorAttempt {
    ExecutorAttempt::first(subtask(&[criterion("the port is 8080")]), ExecutorLimits::default())
}

fn correction() -> CorrectionSignal {
    CorrectionSignal {
        subtask_id: "s1".to_owned(),
        attempt: 1,
        what_was_wrong: "the port is 80".to_owned(),
        what_to_do: "change it".to_owned(),
        failure_class: None,
    }
}

/// An answer that asks for these, and whether it says that it is done.
fn asks(requests: &[ToolRequest], end: &str) -> String {
    let calls: Vec<_> = requests.iter().map(|one| json!({ "tool": one.tool, "input": one.input })).collect();
    json!({ "calls": calls, "done": end == "done", "output": "8080" }).to_string()
}

fn read(attempt: &mut ExecutorAttempt, raw: &str) -> Result<ExecutorStep, BadAnswer> {
    attempt.read(raw, ToolName::ALL)
}

fn finished(status: ExecutionStatus, output: &str) -> ExecutorStep {
    ExecutorStep::Finish { status, output: output.to_owned() }
}

fn asks_again(requests: &[ToolRequest]) -> ExecutorStep {
    ExecutorStep::Use { requests: requests.to_vec(), then: Then::AskAgain }
}

fn field(field: &str, problem: &str) -> BadAnswer {
    BadAnswer::Field { field: field.to_owned(), problem: problem.to_owned() }
}
