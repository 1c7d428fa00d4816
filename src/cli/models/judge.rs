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
use crate::act::answered::ModelQuestion;
use crate::cli::shell::Shell;
use crate::engine::Engine;
use crate::kernel::id::SessionId;
use crate::kernel::json::Json;
use crate::kernel::model_word::ModelWord;
use crate::role::judged::JudgedQuestion;
use crate::role::prompt::BadAnswer;

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
#[derive(Clone, Copy)]
pub(in crate::cli) enum Keeping<'k> {
    /// It is on the record at once.
    Open,
    /// It is sealed still: this keeps it elsewhere and says its seal, which is on the record (decision 40).
    Sealed(&'k SealAnswer<'k>),
}

/// Keeps an answer to a question, of which it gets the hash, and says its seal.
pub(in crate::cli) type SealAnswer<'k> = dyn Fn(&ModelAnswer, &str) -> anyhow::Result<Box<str>> + 'k;

impl Judge {
    /// The model that a person configured for a purpose, or named. Asks nobody.
    pub(in crate::cli) fn of(
        shell: &Shell,
        engine: &Engine,
        purpose: Purpose,
        wanted: Option<&str>,
    ) -> anyhow::Result<Self> {
        let budgeted = WantedModels::serving(shell, wanted, engine.sanitizer(), purpose)?;
        budgeted.add_recorded(engine, None)?;
        Ok(Self { budgeted, purpose, runtime: runtime()?, session: shell.by_now().session })
    }

    /// Asks for somebody, and records what came before it is read.
    pub(in crate::cli) fn ask(
        &self,
        engine: &Engine,
        voice: &str,
        question: &JudgedQuestion,
        keeping: Keeping<'_>,
    ) -> anyhow::Result<Result<ModelWord, Unheard>> {
        let JudgedQuestion { prompt, left_out } = question;
        let (prompt_hash, session) = (prompt.hash(), &self.session);
        let mut input = json!({ "purpose": self.purpose, "for": voice, "prompt": prompt_hash });
        if *left_out > 0 {
            input["left_out"] = (*left_out).into();
        }
        let asked = ModelQuestion { voice, input: Json::of(&input) };
        let request = request_of(format!("{}/{prompt_hash}", self.purpose), prompt);
        let outcome = self.runtime.block_on(self.budgeted.ask(self.purpose, &request));
        let at = engine.clock().now();
        engine.note(outcome.failed.iter().map(|attempt| asked.failed(attempt, session, at)).collect())?;
        let answer = match outcome.end {
            Ok(answer) => answer,
            Err(trouble) => return Ok(Err(Unheard(trouble.to_string()))),
        };
        let mut entry = asked.answered(&answer, session, at);
        if let Keeping::Sealed(seal) = keeping {
            let seal = seal(&answer, &prompt_hash)?;
            entry.operation.output = Some(Json::of(&json!({ "sealed": true, "seal": seal })));
        }
        let noted = engine.note(vec![entry])?;
        let entry = noted.first().expect("BUG: one entry was given and none written").id;
        let ModelAnswer { text, model, tokens_in, tokens_out, ms, .. } = answer;
        Ok(Ok(ModelWord {
            entry,
            purpose: self.purpose.as_str().into(),
            model: model.into(),
            prompt: prompt_hash.into(),
            tokens_in,
            tokens_out,
            left_out: u64::try_from(*left_out).unwrap_or(u64::MAX),
            ms,
            answer: text.into(),
        }))
    }
}
