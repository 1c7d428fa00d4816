//! Answers of models as entries, whoever asked: a role of a task, a tick, a judgement (decision 65).
//!
//! Shapes only. What a question is for, its input says; who reads it again knows that.

use serde_json::json;

use annals_engine::intercept;
use annals_kernel::annals::Usage;
use annals_kernel::entry::{HistoryEntry, OperationType};
use annals_kernel::id::{AgentId, ModelId, SessionId};
use annals_kernel::json::Json;
use annals_kernel::time::Timestamp;

use crate::surroundings::{FailedAttempt, ModelAnswer};

/// The name of an entry that holds a model's answer.
pub const ANSWER: &str = "model_answer";

/// A question that was asked, as its entries say it.
#[derive(Debug, Clone, PartialEq)]
pub struct ModelQuestion<'a> {
    /// In whose name.
    pub voice: &'a str,
    /// What for, and by which prompt.
    pub input: Json,
}

impl ModelQuestion<'_> {
    /// The entry of an answer, as it came.
    pub fn answered(&self, answer: &ModelAnswer, session: &SessionId, at: Timestamp) -> HistoryEntry {
        let mut entry = self.entry(&answer.model, session, at);
        entry.operation.output = Some(output(answer));
        entry.operation.duration_ms = Some(answer.ms);
        (entry.operation.success, entry.operation.error) = (true, None);
        let count = |tokens: u64| i64::try_from(tokens).unwrap_or(i64::MAX);
        let (input, output) = (count(answer.tokens_in), count(answer.tokens_out));
        let cost_micro_usd = count(answer.nano_usd / 1_000);
        entry.annals.usage = Some(Usage { requests: 1, input, output, cost_micro_usd, ..Usage::default() });
        entry
    }

    /// The entry of an attempt that brought no answer.
    pub fn failed(&self, attempt: &FailedAttempt, session: &SessionId, at: Timestamp) -> HistoryEntry {
        let mut entry = self.entry(&attempt.model, session, at);
        entry.operation.duration_ms = Some(attempt.ms);
        (entry.operation.success, entry.operation.error) = (false, Some(attempt.error.as_str().into()));
        entry
    }

    fn entry(&self, model: &str, session: &SessionId, at: Timestamp) -> HistoryEntry {
        let mut entry = intercept::call(ANSWER, &self.input, session, at);
        entry.operation.kind = OperationType::AgentMessage;
        entry.provenance.agent_id = Some(AgentId::from(self.voice));
        entry.provenance.model_id = Some(ModelId::from(model));
        entry
    }
}

/// All that was said: the text is what is read, the rest is for people.
fn output(answer: &ModelAnswer) -> Json {
    let ModelAnswer { text, thoughts, ending, .. } = answer;
    let mut said = json!({ "text": text });
    for (name, words) in [("thoughts", thoughts), ("ending", ending)] {
        if !words.is_empty() {
            said[name] = words.as_str().into();
        }
    }
    Json::of(&said)
}
