//! Asks a model for what a decision then rests on: a vote, an argument, a summary, a claim.
//!
//! The raw answer is an entry before anybody reads it (decision 65), and so is each attempt that brought none. Reads no
//! answer and decides nothing: the word of a model goes into the decision as an observation.

use annals_llm::Purpose;
use serde::Serialize;
use serde_json::json;
use tokio::runtime::Runtime;

use super::{BudgetedModels, WantedModels, request_of, runtime};
use crate::act::ModelAnswer;
use crate::act::journal::ANSWER;
use crate::cli::shell::{Shell, Usage};
use crate::engine::{Engine, intercept};
use crate::kernel::annals::Usage as UsedTokens;
use crate::kernel::entry::{HistoryEntry, OperationType};
use crate::kernel::id::{AgentId, ModelId, SessionId};
use crate::kernel::json::{Json, sha256_hex};
use crate::kernel::model_word::ModelWord;
use crate::role::prompt::{BadAnswer, RolePrompt};

/// Whether a model is asked, and which.
#[derive(Debug, clap::Args)]
pub(in crate::cli) struct ByModel {
    /// Ask a model that you wrote down for this (docs/MODELS.md)
    #[arg(long)]
    pub by_model: bool,
    /// Which model: its name, or scripted:FILE for answers from a file
    #[arg(long, value_name = "MODEL", requires = "by_model")]
    pub model: Option<String>,
}

/// Who is asked, for one purpose.
pub(in crate::cli) struct Judge {
    budgeted: BudgetedModels,
    purpose: Purpose,
    runtime: Runtime,
    session: SessionId,
}

/// Why a model gave nothing that can be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, Serialize)]
#[error("{0}")]
pub(in crate::cli) struct Unheard(pub String);

impl From<BadAnswer> for Unheard {
    fn from(bad: BadAnswer) -> Self {
        Self(bad.to_string())
    }
}

/// What becomes of the text of an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::cli) enum Keeping {
    /// It is on the record at once.
    Open,
    /// It is sealed still, and lies elsewhere (decision 40).
    Sealed,
}

impl Judge {
    /// The model that a person configured for a purpose, or named. Asks nobody.
    pub(in crate::cli) fn of(
        shell: &Shell,
        engine: &Engine,
        purpose: Purpose,
        wanted: Option<&str>,
    ) -> anyhow::Result<Self> {
        let models = WantedModels::of(shell, wanted, engine.sanitizer())?.models;
        models.chosen(purpose).map_err(|error| {
            Usage(format!("{error}; `annals model list` shows where, and --model scripted:FILE needs none"))
        })?;
        let budgeted = BudgetedModels::new(models);
        budgeted.add_recorded(engine, None)?;
        Ok(Self { budgeted, purpose, runtime: runtime()?, session: shell.by_now().session })
    }

    /// Asks for somebody, and records what came before it is read.
    pub(in crate::cli) fn ask(
        &self,
        engine: &Engine,
        voice: &str,
        prompt: &RolePrompt,
        keeping: Keeping,
    ) -> anyhow::Result<Result<ModelWord, Unheard>> {
        let asked = AskedFor { voice, purpose: self.purpose, session: &self.session, prompt: hash(prompt) };
        let request = request_of(format!("{}/{}", self.purpose, asked.prompt), prompt);
        let outcome = self.runtime.block_on(self.budgeted.ask(self.purpose, &request));
        let at = engine.clock().now();
        let failed = outcome.failed.iter().map(|attempt| {
            let mut entry = asked.entry(&attempt.model, at);
            entry.operation.duration_ms = Some(attempt.ms);
            (entry.operation.success, entry.operation.error) = (false, Some(attempt.error.as_str().into()));
            entry
        });
        engine.note(failed.collect())?;
        let answer = match outcome.end {
            Ok(answer) => answer,
            Err(trouble) => return Ok(Err(Unheard(trouble.to_string()))),
        };
        let noted = engine.note(vec![asked.answered(&answer, keeping, at)])?;
        let entry = noted.first().expect("BUG: one entry was given and none written").id;
        let ModelAnswer { text, model, tokens_in, tokens_out, ms, .. } = answer;
        Ok(Ok(ModelWord {
            entry,
            purpose: self.purpose.as_str().into(),
            model: model.into(),
            prompt: asked.prompt.into(),
            tokens_in,
            tokens_out,
            ms,
            answer: text.into(),
        }))
    }
}

/// SHA-256 of a question.
fn hash(prompt: &RolePrompt) -> String {
    sha256_hex(Json::of(prompt).text().as_bytes())
}

/// What was asked, as its entry says it.
struct AskedFor<'a> {
    voice: &'a str,
    purpose: Purpose,
    session: &'a SessionId,
    prompt: String,
}

impl AskedFor<'_> {
    fn entry(&self, model: &str, at: crate::kernel::time::Timestamp) -> HistoryEntry {
        let input = json!({ "purpose": self.purpose, "for": self.voice, "prompt": self.prompt });
        let mut entry = intercept::call(ANSWER, &Json::of(&input), self.session, at);
        entry.operation.kind = OperationType::AgentMessage;
        entry.provenance.agent_id = Some(AgentId::from(self.voice));
        entry.provenance.model_id = Some(ModelId::from(model));
        entry
    }

    fn answered(&self, answer: &ModelAnswer, keeping: Keeping, at: crate::kernel::time::Timestamp) -> HistoryEntry {
        let mut entry = self.entry(&answer.model, at);
        entry.operation.output = Some(Json::of(&match keeping {
            Keeping::Open => json!({ "text": answer.text }),
            Keeping::Sealed => json!({ "sealed": true }),
        }));
        entry.operation.duration_ms = Some(answer.ms);
        (entry.operation.success, entry.operation.error) = (true, None);
        let count = |tokens: u64| i64::try_from(tokens).unwrap_or(i64::MAX);
        entry.annals.usage = Some(UsedTokens {
            requests: 1,
            input: count(answer.tokens_in),
            output: count(answer.tokens_out),
            cost_micro_usd: count(answer.nano_usd / 1_000),
            ..UsedTokens::default()
        });
        entry
    }
}
