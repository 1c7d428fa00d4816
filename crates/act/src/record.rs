//! Entries of a task, and what they say when they are read again.
//!
//! Shapes only; `journal` writes and reads them.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use annals_kernel::annals::Usage;
use annals_kernel::entry::HistoryEntry;
use annals_kernel::id::{EntryId, SessionId};
use annals_kernel::json::{Json, sha256_hex};
use annals_kernel::time::Timestamp;
use annals_role::bus::Party;
use annals_role::criterion::CheckResult;
use annals_role::delegate::{self, AgentEnd, AgentJob, AgentOutcome};
use annals_role::ggs::CallResult;
use annals_role::run::{EffectKey, Pace, RoleQuestion, Undone};
use annals_role::tool::{ToolCall, ToolName, ToolRequest};

use crate::answered::{ANSWER, ModelQuestion};
use crate::surroundings::{FailedAttempt, ModelAnswer};

/// The name of an entry that holds what came of an agent as executor.
pub const AGENT: &str = "agent_run";
/// The name of an entry that holds what code found of a criterion.
pub(crate) const CHECK: &str = "check";
/// The name of an entry that holds what became of the workspace before a new approach.
pub(crate) const UNDO: &str = "undo";
/// The member of an input that says what an effect is for.
const OF_TASK: &str = "annals_task";

/// What an effect is for, as its entry says it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct OfTask {
    /// Its key.
    pub(crate) key: EffectKey,
    /// How long the task had been alive when it was begun, in milliseconds.
    pub(crate) alive_ms: u64,
}

/// What an entry of a task says.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Read {
    /// A model answered.
    Answer { of: OfTask, role: Party, text: String, pace: Pace, usage: Usage },
    /// A tool was used.
    Tool { of: OfTask, call: ToolCall, ms: u64 },
    /// An agent made an attempt.
    Agent { of: OfTask, outcome: AgentOutcome, usage: Usage, ms: u64 },
    /// Code checked.
    Check { of: OfTask, result: CheckResult, ms: u64 },
    /// The workspace was made as it was at first.
    Undo { of: OfTask, undone: Undone, ms: u64 },
}

/// The entry of an answer (decision 65: before it is parsed).
pub(crate) fn answer(
    session: &SessionId,
    question: &RoleQuestion,
    answer: &ModelAnswer,
    alive_ms: u64,
    at: Timestamp,
) -> HistoryEntry {
    asked(question, alive_ms).answered(answer, session, at)
}

/// The entry of an attempt that brought no answer.
pub(crate) fn failed_attempt(
    session: &SessionId,
    question: &RoleQuestion,
    attempt: &FailedAttempt,
    alive_ms: u64,
    at: Timestamp,
) -> HistoryEntry {
    asked(question, alive_ms).failed(attempt, session, at)
}

fn asked(question: &RoleQuestion, alive_ms: u64) -> ModelQuestion<'_> {
    let of = OfTask { key: question.key.clone(), alive_ms };
    let input = json!({ OF_TASK: of, "role": question.role, "prompt": question.prompt.hash() });
    ModelQuestion { voice: question.role.as_str(), input: Json::of(&input) }
}

/// The input of a tool's entry: what the tool was given, and what it is for.
pub(crate) fn tool_input(key: &EffectKey, request: &ToolRequest, alive_ms: u64) -> Json {
    let given = request.input.as_object().cloned();
    let mut members =
        given.unwrap_or_else(|| serde_json::Map::from_iter([("input".to_owned(), request.input.clone())]));
    let of = OfTask { key: key.clone(), alive_ms };
    members.insert(OF_TASK.to_owned(), json!(of));
    Json::of(&members)
}

/// The output of a tool's entry.
pub(crate) fn tool_output(call: &ToolCall) -> Json {
    Json::of(&json!({ "output": call.output, "exit": call.exit }))
}

/// The input of an agent's entry; its prompt follows from the record, and stands there by its hash.
pub(crate) fn agent_input(job: &AgentJob, alive_ms: u64) -> Json {
    let of = OfTask { key: job.key.clone(), alive_ms };
    let prompt = sha256_hex(job.prompt.as_bytes());
    let (agent, subtask) = (job.program, &job.subtask_id);
    Json::of(
        &json!({ OF_TASK: of, "agent": agent, "subtask": subtask, "prompt": prompt, "deadline_ms": job.deadline_ms }),
    )
}

/// What an agent says it used up.
pub(crate) fn agent_usage(job: &AgentJob, outcome: &AgentOutcome) -> Usage {
    let used = delegate::read(job.program, outcome).usage;
    let count = |number: u64| i64::try_from(number).unwrap_or(i64::MAX);
    let (input, output) = (count(used.tokens_in), count(used.tokens_out));
    Usage { requests: 1, input, output, cost_micro_usd: count(used.micro_usd), ..Usage::default() }
}

/// The input of a check's entry.
pub(crate) fn check_input(key: &EffectKey, check: &impl Serialize, alive_ms: u64) -> Json {
    let of = OfTask { key: key.clone(), alive_ms };
    Json::of(&json!({ OF_TASK: of, "check": check }))
}

/// The input of an undo's entry.
pub(crate) fn undo_input(key: &EffectKey, alive_ms: u64) -> Json {
    let of = OfTask { key: key.clone(), alive_ms };
    Json::of(&json!({ OF_TASK: of }))
}

/// What an entry says; nothing where it is none of a task, an attempt that brought no answer, or a check or an undo that a
/// kill cut short: that is done again.
pub(crate) fn read(entry: &HistoryEntry) -> Option<Result<Read, String>> {
    let operation = &entry.operation;
    let is_nothing = match &*operation.name {
        ANSWER => !operation.success,
        CHECK | UNDO => operation.output.is_none(),
        _ => false,
    };
    if is_nothing {
        return None;
    }
    let mut input: serde_json::Map<String, Value> = entry.operation.input.read().ok()?;
    let of = serde_json::from_value(input.remove(OF_TASK)?);
    Some(of.map_err(|error| error.to_string()).and_then(|of| read_of(entry, of, input)))
}

fn read_of(entry: &HistoryEntry, of: OfTask, input: serde_json::Map<String, Value>) -> Result<Read, String> {
    let ms = entry.operation.duration_ms.unwrap_or(0);
    let output: Value = entry.operation.output.as_ref().and_then(|json| json.read().ok()).unwrap_or(Value::Null);
    match &*entry.operation.name {
        ANSWER => {
            let role = input.get("role").cloned().unwrap_or_default();
            let role = serde_json::from_value(role).map_err(|error| error.to_string())?;
            let text = output["text"].as_str().ok_or("the answer has no text")?.to_owned();
            let usage = entry.annals.usage.unwrap_or_default();
            let pace = Pace { tokens: u64::try_from(usage.output).unwrap_or(0), ms };
            Ok(Read::Answer { of, role, text, pace, usage })
        }
        CHECK => {
            let result: CheckResult = serde_json::from_value(output).map_err(|error| error.to_string())?;
            let result = CheckResult { entry: Some(cited(entry.id)), ..result };
            Ok(Read::Check { of, result, ms })
        }
        UNDO => {
            let undone = serde_json::from_value(output).map_err(|error| error.to_string())?;
            Ok(Read::Undo { of, undone, ms })
        }
        AGENT => {
            let outcome = agent_outcome(entry, output)?;
            Ok(Read::Agent { of, outcome, usage: entry.annals.usage.unwrap_or_default(), ms })
        }
        name => Ok(Read::Tool { of, call: call_of(entry, name, input, &output)?, ms }),
    }
}

/// One that was at work when the run was killed has no output, either.
fn agent_outcome(entry: &HistoryEntry, output: Value) -> Result<AgentOutcome, String> {
    let outcome = match entry.operation.output {
        Some(_) => serde_json::from_value(output).map_err(|error| error.to_string())?,
        None => AgentOutcome::silent(AgentEnd::Unknown { why: "what the agent did is not known".to_owned() }),
    };
    Ok(AgentOutcome { entry: Some(cited(entry.id)), ..outcome })
}

/// A call that was in flight when the run was killed has no output: what it did is not known.
fn call_of(
    entry: &HistoryEntry,
    name: &str,
    input: serde_json::Map<String, Value>,
    output: &Value,
) -> Result<ToolCall, String> {
    let tool: ToolName = name.parse().map_err(|_| format!("there is no tool {name}"))?;
    let request = ToolRequest { tool, input: Value::Object(input) };
    if entry.operation.output.is_none() {
        let interrupted = ToolCall::failed(request, "interrupted: what it did is not known");
        return Ok(ToolCall { is_uncertain: true, entry: Some(entry.id.to_string()), ..interrupted });
    }
    let result = if entry.operation.success { CallResult::Worked } else { CallResult::Failed };
    let exit = output["exit"].as_i64().and_then(|exit| i32::try_from(exit).ok());
    let text = output["output"].as_str().unwrap_or_default().to_owned();
    Ok(ToolCall { request, result, exit, output: text, entry: Some(entry.id.to_string()), is_uncertain: false })
}

/// The id of an entry, as a claim cites it.
pub(crate) fn cited(id: EntryId) -> String {
    id.to_string()
}
