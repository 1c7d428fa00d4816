//! Answers of models in a tick, as entries: before they are parsed, and never asked for again (decision 65).
//!
//! Shapes, and the look for those of a tick that was killed.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use annals_engine::query::expand::Expansion;
use annals_engine::query::filter::Filter;
use annals_engine::{Engine, EngineError, intercept};
use annals_kernel::annals::Usage;
use annals_kernel::entry::{HistoryEntry, OperationType};
use annals_kernel::id::{AgentId, EntryId, ModelId, SessionId};
use annals_kernel::json::{Json, sha256_hex};
use annals_role::prompt::RolePrompt;

use super::host::{ResidentQuestion, ResidentStep};
use crate::record::ANSWER;
use crate::surroundings::{FailedAttempt, ModelAnswer};

/// The member of an input that says what an answer is for.
const OF_TICK: &str = "annals_tick";

/// What an answer is for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct OfTick {
    message: EntryId,
    step: ResidentStep,
}

/// The session that holds everything of an agent.
pub fn session_of(agent: &AgentId) -> SessionId {
    SessionId::from(format!("resident-{agent}"))
}

/// Puts an answer on the record, and the attempts before it that brought none.
pub(super) fn answered(
    engine: &Engine,
    question: &ResidentQuestion,
    failed: &[FailedAttempt],
    answer: Option<&ModelAnswer>,
) -> Result<(), EngineError> {
    let mut entries: Vec<_> = failed.iter().map(|attempt| failed_entry(engine, question, attempt)).collect();
    entries.extend(answer.map(|answer| answer_entry(engine, question, answer)));
    if !entries.is_empty() {
        engine.note(entries)?;
    }
    Ok(())
}

fn answer_entry(engine: &Engine, question: &ResidentQuestion, answer: &ModelAnswer) -> HistoryEntry {
    let mut entry = asked(engine, question, &answer.model);
    entry.operation.output = Some(Json::of(&json!({ "text": answer.text })));
    entry.operation.duration_ms = Some(answer.ms);
    (entry.operation.success, entry.operation.error) = (true, None);
    let count = |tokens: u64| i64::try_from(tokens).unwrap_or(i64::MAX);
    let (input, output) = (count(answer.tokens_in), count(answer.tokens_out));
    let cost_micro_usd = count(answer.nano_usd / 1_000);
    entry.annals.usage = Some(Usage { requests: 1, input, output, cost_micro_usd, ..Usage::default() });
    entry
}

fn failed_entry(engine: &Engine, question: &ResidentQuestion, attempt: &FailedAttempt) -> HistoryEntry {
    let mut entry = asked(engine, question, &attempt.model);
    entry.operation.duration_ms = Some(attempt.ms);
    (entry.operation.success, entry.operation.error) = (false, Some(attempt.error.as_str().into()));
    entry
}

fn asked(engine: &Engine, question: &ResidentQuestion, model: &str) -> HistoryEntry {
    let of = OfTick { message: question.message, step: question.step };
    let input = json!({ OF_TICK: of, "role": question.step.role(), "prompt": hash(&question.prompt) });
    let (session, at) = (session_of(&question.agent), engine.clock().now());
    let mut entry = intercept::call(ANSWER, &Json::of(&input), &session, at);
    entry.operation.kind = OperationType::AgentMessage;
    entry.provenance.agent_id = Some(question.agent.clone());
    entry.provenance.model_id = Some(ModelId::from(model));
    entry
}

/// What was answered to this very question in a tick that was killed.
pub(super) fn recorded(engine: &Engine, question: &ResidentQuestion) -> Result<Option<String>, EngineError> {
    let filter = Filter {
        session: Some(session_of(&question.agent)),
        names: vec![ANSWER.to_owned()],
        since: question.message,
        mentions: vec![question.message.to_string()],
        ..Filter::default()
    };
    for mut found in engine.reader()?.all(&filter)? {
        Expansion::default().entry(engine, &mut found.entry);
        if let Some(text) = text_of(&found.entry, question) {
            return Ok(Some(text));
        }
    }
    Ok(None)
}

fn text_of(entry: &HistoryEntry, question: &ResidentQuestion) -> Option<String> {
    let mut input: serde_json::Map<String, Value> = entry.operation.input.read().ok()?;
    let of: OfTick = serde_json::from_value(input.remove(OF_TICK)?).ok()?;
    let is_same = of == OfTick { message: question.message, step: question.step };
    let is_asked = input.get("prompt").and_then(Value::as_str) == Some(&hash(&question.prompt));
    let output: Value = entry.operation.output.as_ref()?.read().ok()?;
    (is_same && is_asked && entry.operation.success).then(|| output["text"].as_str().map(str::to_owned))?
}

fn hash(prompt: &RolePrompt) -> String {
    sha256_hex(Json::of(prompt).text().as_bytes())
}
