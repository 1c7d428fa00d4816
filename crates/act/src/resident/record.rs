//! Answers of models in a tick, as entries: before they are parsed, and never asked for again (decision 65).
//!
//! Shapes, and the look for those of a tick that was killed.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use annals_engine::query::expand::Expansion;
use annals_engine::query::filter::Filter;
use annals_engine::{Engine, EngineError};
use annals_kernel::entry::HistoryEntry;
use annals_kernel::id::{AgentId, EntryId, SessionId};
use annals_kernel::json::Json;

use super::host::{ResidentQuestion, ResidentStep};
use crate::answered::{ANSWER, ModelQuestion};
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
    let (session, at) = (session_of(&question.agent), engine.clock().now());
    let of = OfTick { message: question.message, step: question.step };
    let input = json!({ OF_TICK: of, "role": question.step.role(), "prompt": question.prompt.hash() });
    let asked = ModelQuestion { voice: question.agent.as_str(), input: Json::of(&input) };
    let mut entries: Vec<_> = failed.iter().map(|attempt| asked.failed(attempt, &session, at)).collect();
    entries.extend(answer.map(|answer| asked.answered(answer, &session, at)));
    if !entries.is_empty() {
        engine.note(entries)?;
    }
    Ok(())
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
    let is_asked = input.get("prompt").and_then(Value::as_str) == Some(&*question.prompt.hash());
    let output: Value = entry.operation.output.as_ref()?.read().ok()?;
    (is_same && is_asked && entry.operation.success).then(|| output["text"].as_str().map(str::to_owned))?
}
