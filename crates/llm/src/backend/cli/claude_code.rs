//! The `claude` command as a model.
//!
//! It thinks as much as its effort says, and cannot be told not to: so `thinking_tokens` come on top of its answer's.

use std::sync::Arc;

use serde_json::Value;

use super::process::{Ended, Run};
use super::tool::{Tool, Usual};
use crate::answer::{Finish, RawAnswer, Vectors};
use crate::availability::Availability;
use crate::backend::anthropic::answer as anthropic;
use crate::backend::conversation::prompt;
use crate::clean::{CleanRequest, CleanTexts};
use crate::config::{BadModel, ModelConfig};
use crate::failure::ModelError;
use crate::model::{Delta, Deltas, Model, Pending, no_vectors};
use crate::purpose::Place;
use crate::surroundings::Surroundings;
use crate::wire::draft::Draft;
use crate::wire::json::{count, text};
use crate::wire::schema::WireSchema;
use crate::wire::trouble::Trouble;

const USUAL: Usual = Usual { program: "claude", login: "claude auth login", status: &["auth", "status"] };
/// No customizations (hooks, rules of the folder, plugins), no servers, no tools, no session left behind.
const ALONE: &[&str] = &["--safe-mode", "--strict-mcp-config", "--tools", "", "--no-session-persistence"];
/// Event by event, so that the first byte comes when the model begins.
const STREAMED: &[&str] = &["-p", "--output-format", "stream-json", "--verbose", "--include-partial-messages"];

/// The `claude` command.
pub struct ClaudeCode(Tool);

/// What was heard so far.
#[derive(Default)]
struct ClaudeLines {
    draft: Draft,
    result: Option<Value>,
}

impl ClaudeCode {
    /// By its table in the configuration.
    pub fn new(name: &str, config: ModelConfig, surroundings: &Arc<dyn Surroundings>) -> Result<Self, BadModel> {
        Tool::new(name, config, USUAL, surroundings).map(Self)
    }

    async fn ask(&self, asked: &CleanRequest, deltas: &mut Deltas<'_>) -> Result<RawAnswer, ModelError> {
        let mut heard = ClaudeLines::default();
        let mut is_first = true;
        let hear = &mut |line: &str| {
            if std::mem::take(&mut is_first) {
                deltas(Delta::Begun);
            }
            heard.take(line, deltas)
        };
        let ended = self.run(asked)?.end(hear).await?;
        self.answer(heard, ended)
    }

    fn run(&self, asked: &CleanRequest) -> Result<Run, ModelError> {
        let (request, config) = (asked.request(), &self.0.config);
        let run = self.0.run(prompt(request))?.with(STREAMED).with(ALONE);
        let mut run = run.with_file("--system-prompt-file", "system.txt", &request.system)?;
        if !config.model().is_empty() {
            run = run.with(&["--model", config.model()]);
        }
        if !request.may_think {
            run = run.with(&["--effort", "low"]);
        }
        if let Some(schema) = &request.schema {
            run = run.with(&["--json-schema", &WireSchema(schema.clone()).to_string()]);
        }
        let most = config.most_tokens(request);
        // We ask again ourselves, where it would do so for minutes without a word.
        run.variables =
            vec![("CLAUDE_CODE_MAX_OUTPUT_TOKENS", most.to_string()), ("CLAUDE_CODE_MAX_RETRIES", "0".to_owned())];
        Ok(run)
    }

    fn answer(&self, heard: ClaudeLines, ended: Ended) -> Result<RawAnswer, ModelError> {
        let Some(result) = heard.result else {
            return Err(self.0.failed(&ended.complaints, &ended.output));
        };
        if result["is_error"] == Value::Bool(true) || !ended.status.success() {
            let failed = || self.0.failed(text(&result, "/result"), &ended.output);
            return Err(self.refusal(&result).unwrap_or_else(failed));
        }
        let broken = self.0.failed("it gave no result", &ended.output);
        whole(heard.draft, &result).complete(ended.output).ok_or(broken)
    }

    /// Errors that we know: no login, or a status of the server behind it.
    fn refusal(&self, result: &Value) -> Option<ModelError> {
        let said = text(result, "/result");
        if said.contains("Not logged in") || said.contains("/login") {
            return Some(self.0.not_logged_in());
        }
        let status = count(result, "/api_error_status").and_then(|status| u16::try_from(status).ok())?;
        Some(ModelError::Status { at: self.0.program(), status, said: said.to_owned(), retry_after_ms: None })
    }
}

impl ClaudeLines {
    /// A line that is no JSON is a complaint, and stays in the raw answer.
    fn take(&mut self, line: &str, deltas: &mut Deltas<'_>) -> Result<(), Trouble> {
        let value: Value = serde_json::from_str(line).unwrap_or_default();
        match text(&value, "/type") {
            "stream_event" => anthropic::piece(&value["event"], &mut self.draft, deltas),
            "result" => {
                self.result = Some(value);
                Ok(())
            }
            _ => Ok(()),
        }
    }
}

/// With a schema the answer is in `structured_output`, and the turn ends with the call that gave it.
fn whole(mut draft: Draft, result: &Value) -> Draft {
    let structured = result.get("structured_output").filter(|value| !value.is_null());
    draft.replace_text(structured.map_or_else(|| text(result, "/result").to_owned(), Value::to_string));
    let finish = anthropic::finish(text(result, "/stop_reason"));
    let is_whole = finish == Finish::ToolUse && structured.is_some();
    draft.finish = Some(if is_whole { Finish::Stop } else { finish });
    draft.tokens_in = anthropic::tokens_in(&result["usage"]);
    draft.tokens_out = count(result, "/usage/output_tokens");
    draft.nano_usd = result["total_cost_usd"].as_f64().map(nano);
    draft
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it is cut to what can be: 0 and above")]
fn nano(usd: f64) -> u64 {
    (usd * 1e9).round() as u64
}

impl Model for ClaudeCode {
    fn name(&self) -> &str {
        &self.0.name
    }

    fn place(&self) -> Place {
        self.0.config.place()
    }

    fn generate<'a>(
        &'a self,
        asked: &'a CleanRequest,
        deltas: &'a mut Deltas<'_>,
    ) -> Pending<'a, Result<RawAnswer, ModelError>> {
        Box::pin(self.ask(asked, deltas))
    }

    fn embed<'a>(&'a self, _: &'a CleanTexts) -> Pending<'a, Result<Vectors, ModelError>> {
        no_vectors(&self.0.name)
    }

    fn available(&self) -> Pending<'_, Availability> {
        Box::pin(self.0.look())
    }
}
