//! What the tests of several roles are about: one subtask, calls of tools, attempts.
//!
//! For tests only.

use serde_json::{Value, json};

use super::ggs::CallResult;
use super::message::{ExecutionResult, ExecutionStatus};
use super::plan::{Criterion, CriterionCheck, SubTask};
use super::tool::{ToolCall, ToolName, ToolRequest};

/// As many cases as `PROPTEST_CASES` says, and at least so many.
pub fn at_least(cases: u32) -> proptest::prelude::ProptestConfig {
    let said = proptest::prelude::ProptestConfig::default();
    proptest::prelude::ProptestConfig { cases: said.cases.max(cases), ..said }
}

pub fn criterion(text: &str) -> Criterion {
    Criterion { text: text.to_owned(), check: None }
}

pub fn check(run: &str) -> CriterionCheck {
    CriterionCheck::Run { run: run.to_owned(), expect_exit: 0 }
}

pub fn verifiable(text: &str, run: &str) -> Criterion {
    Criterion { text: text.to_owned(), check: Some(check(run)) }
}

pub fn subtask(criteria: &[Criterion]) -> SubTask {
    SubTask {
        subtask_id: "s1".to_owned(),
        parent_task_id: "t1".to_owned(),
        intent: "set the port to 8080".to_owned(),
        context: "the settings stand in app.toml".to_owned(),
        success_criteria: criteria.to_vec(),
        sequence: 1,
    }
}

/// A request by the one member that says most: a path, a pattern, a command.
pub fn request(tool: ToolName, said: &str) -> ToolRequest {
    let input: Value = match tool {
        ToolName::Find => json!({ "name": said }),
        ToolName::Glob | ToolName::Search => json!({ "pattern": said }),
        ToolName::Read => json!({ "path": said }),
        ToolName::Write => json!({ "path": said, "content": "new" }),
        ToolName::Edit => json!({ "path": said, "old": "a", "new": "b" }),
        ToolName::Shell => json!({ "command": said }),
        ToolName::Fetch => json!({ "url": said }),
    };
    ToolRequest { tool, input }
}

fn call(tool: ToolName, said: &str, result: CallResult, output: &str) -> ToolCall {
    let entry = Some(format!("entry of {tool} {said}"));
    let request = request(tool, said);
    ToolCall { request, result, exit: None, output: output.to_owned(), entry, is_uncertain: false }
}

pub fn worked(tool: ToolName, said: &str, output: &str) -> ToolCall {
    call(tool, said, CallResult::Worked, output)
}

pub fn failed(tool: ToolName, said: &str, output: &str) -> ToolCall {
    call(tool, said, CallResult::Failed, output)
}

/// A command that ran to its end.
pub fn ran(command: &str, exit: i32, output: &str) -> ToolCall {
    let result = if exit == 0 { CallResult::Worked } else { CallResult::Failed };
    ToolCall { exit: Some(exit), ..call(ToolName::Shell, command, result, output) }
}

pub fn in_flight(tool: ToolName, said: &str) -> ToolCall {
    ToolCall { is_uncertain: true, ..failed(tool, said, "") }
}

pub fn result(status: ExecutionStatus, output: &str, tool_calls: Vec<ToolCall>) -> ExecutionResult {
    ExecutionResult { subtask_id: "s1".to_owned(), attempt: 1, status, output: output.to_owned(), tool_calls }
}

pub fn completed(tool_calls: Vec<ToolCall>) -> ExecutionResult {
    result(ExecutionStatus::Completed, "all done", tool_calls)
}

/// What is paid for breaking a promise: answers that are none.
pub fn hostile_answers() -> Vec<String> {
    let mut answers: Vec<String> = [
        "",
        "   \n\t",
        "null",
        "[]",
        "{}",
        "\"\"",
        "42",
        "true",
        "I'm sorry, I can't help with that.",
        "<think>what now? {\"calls\":[]",
        "{\"calls\":",
        "{\"calls\":[{\"tool\":\"read\"",
        "```json\n{\"calls\":[",
        "{\"calls\":7,\"done\":\"maybe\"}",
        "{\"verdicts\":7}",
        "{\"verdicts\":[7]}",
        "{\"verdicts\":[{\"n\":1}]}",
        "{\"calls\":[{\"tool\":\"rm\",\"input\":{}}]}",
        "{\"calls\":[{\"tool\":\"read\",\"input\":\"a\"}]}",
        "{\"calls\":[null],\"done\":false}",
        "{\"done\":true}",
        "{\"done\":true,\"output\":\"\"}",
        "\u{0}\u{1b}[2J{\"calls\":[]}\u{202e}",
        "{\"verdicts\":[{\"n\":99999999999999999999,\"verdict\":\"pass\"}]}",
    ]
    .map(str::to_owned)
    .to_vec();
    answers.push("yes, ".repeat(200_000));
    answers.push("{\"calls\":".to_owned() + &"[".repeat(10_000) + &"]".repeat(10_000) + "}");
    answers.push("{\"a\":".repeat(10_000));
    answers.push(json!({ "calls": [], "done": true, "output": "x".repeat(1 << 20) }).to_string());
    answers
}
