//! The `codex` command as a model.
//!
//! It takes neither a bound on its answer nor a temperature. Its user's configuration is read, since the server may
//! stand there; what would look around or run something is turned off.

use std::sync::Arc;

use serde_json::Value;

use super::process::{Ended, Run, file};
use super::tool::{Tool, Usual};
use crate::answer::{Finish, RawAnswer, Vectors};
use crate::availability::Availability;
use crate::backend::conversation::prompt;
use crate::clean::{CleanRequest, CleanTexts};
use crate::config::{BadModel, ModelConfig};
use crate::failure::ModelError;
use crate::model::{Delta, Deltas, Model, Pending, no_vectors};
use crate::purpose::Place;
use crate::surroundings::Surroundings;
use crate::wire::draft::Draft;
use crate::wire::json::{count, text};
use crate::wire::schema::{self, WireSchema};

const USUAL: Usual = Usual { program: "codex", login: "codex login", status: &["login", "status"] };
/// Asked once, in a folder that is no repository, writing nothing and leaving no session behind.
const ALONE: &[&str] = &[
    "exec", "--json", "--color", "never", "--ephemeral", "--skip-git-repo-check", "--sandbox", "read-only",
    "--ignore-rules",
];
/// As settings, since a feature that a version does not know is an error as a flag.
const OFF: &[&str] = &[
    "features.hooks=false",
    "features.shell_tool=false",
    "features.unified_exec=false",
    "features.view_image=false",
    "features.apps=false",
    "features.plugins=false",
    "features.multi_agent=false",
    "features.goals=false",
    "features.skill_search=false",
    "features.tool_search=false",
    "features.unbounded_connection_retries=false",
    "web_search=\"disabled\"",
];

/// The `codex` command.
pub struct Codex(Tool);

/// What was heard so far.
#[derive(Default)]
struct CodexLines {
    draft: Draft,
    failure: Option<String>,
}

impl Codex {
    /// By its table in the configuration.
    pub fn new(name: &str, config: ModelConfig, surroundings: &Arc<dyn Surroundings>) -> Result<Self, BadModel> {
        Tool::new(name, config, USUAL, surroundings).map(Self)
    }

    async fn ask(&self, asked: &CleanRequest, deltas: &mut Deltas<'_>) -> Result<RawAnswer, ModelError> {
        let mut heard = CodexLines::default();
        let mut is_first = true;
        let hear = &mut |line: &str| {
            if std::mem::take(&mut is_first) {
                deltas(Delta::Begun);
            }
            heard.take(line, deltas);
            Ok(())
        };
        let ended = self.run(asked)?.end(hear).await?;
        self.answer(heard, ended)
    }

    fn run(&self, asked: &CleanRequest) -> Result<Run, ModelError> {
        let (request, config) = (asked.request(), &self.0.config);
        let mut run = self.0.run(prompt(request))?.with(ALONE);
        for setting in OFF {
            run = run.with(&["-c", setting]);
        }
        if !request.system.is_empty() {
            let path = file(&run.folder, "system.txt", &request.system)?;
            run = run.with(&["-c", &format!("model_instructions_file={path:?}")]);
        }
        if !request.may_think {
            run = run.with(&["-c", "model_reasoning_effort=\"low\""]);
        }
        if !config.model().is_empty() {
            run = run.with(&["--model", config.model()]);
        }
        if let Some(schema) = &request.schema {
            run = run.with_file("--output-schema", "schema.json", &WireSchema(schema::closed(schema)).to_string())?;
        }
        Ok(run.with(&["-"]))
    }

    fn answer(&self, mut heard: CodexLines, ended: Ended) -> Result<RawAnswer, ModelError> {
        let complaint = (!ended.status.success()).then_some(ended.complaints);
        if let Some(said) = heard.failure.or(complaint) {
            return Err(self.refusal(&said, &ended.output));
        }
        let model = self.0.config.model();
        heard.draft.name(if model.is_empty() { USUAL.program } else { model });
        let broken = self.0.failed("it gave no answer", &ended.output);
        heard.draft.complete(ended.output).ok_or(broken)
    }

    fn refusal(&self, said: &str, output: &str) -> ModelError {
        let is_login = ["401 Unauthorized", "Not logged in", "codex login"].iter().any(|words| said.contains(words));
        if is_login { self.0.not_logged_in() } else { self.0.failed(said, output) }
    }
}

impl CodexLines {
    /// A line that is no JSON is a complaint, and stays in the raw answer.
    fn take(&mut self, line: &str, deltas: &mut Deltas<'_>) {
        let value: Value = serde_json::from_str(line).unwrap_or_default();
        match text(&value, "/type") {
            "item.completed" => self.take_item(&value["item"], deltas),
            "turn.completed" => {
                self.draft.tokens_in = count(&value, "/usage/input_tokens");
                self.draft.tokens_out = count(&value, "/usage/output_tokens");
                self.draft.finish(Finish::Stop);
            }
            "turn.failed" => self.failure = Some(text(&value, "/error/message").to_owned()),
            _ => {}
        }
    }

    /// The last message is the answer; earlier ones say what it is about to do.
    fn take_item(&mut self, item: &Value, deltas: &mut Deltas<'_>) {
        match text(item, "/type") {
            "agent_message" => {
                self.draft.replace_text(String::new());
                self.draft.say(text(item, "/text"), deltas);
            }
            "reasoning" => self.draft.think(text(item, "/text"), deltas),
            _ => {}
        }
    }
}

impl Model for Codex {
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
