//! The model that makes vectors of texts, asked within the budget of the person.
//!
//! What a run has used up is an entry before the vectors are read; the vectors themselves are in no entry: they are of
//! texts that are on the record already, and searching is no decision. A query is on the record only where it may cost
//! something. Keeps no vectors.

use std::time::Duration;

use annals_llm::{BudgetLimits, Cancel, Embedded, GenerateRequest, ModelConfig, Place, Purpose, Retry};
use anyhow::{Context as _, anyhow, bail};
use serde_json::json;
use tokio::runtime::Runtime;

use super::budgeted::{BudgetedModels, failed};
use super::{config, models, runtime};
use crate::act::answered::ModelQuestion;
use crate::act::{FailedAttempt, ModelAnswer};
use crate::cli::shell::{Shell, Usage};
use crate::engine::Engine;
use crate::engine::clock::Clock;
use crate::kernel::id::SessionId;
use crate::kernel::json::{Hasher, Json};
use crate::kernel::time::Timestamp;
use crate::search::VectorSpace;

/// A query that takes longer is answered without meanings. A model that has to be loaded first takes some seconds.
const QUERY: Duration = Duration::from_secs(10);

/// What vectors are wanted for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::cli) enum EmbedPurpose {
    /// To be kept: it may take its time.
    Texts,
    /// To search with: a person waits.
    Query,
}

/// The model that makes vectors.
pub(in crate::cli) struct Embedder {
    budgeted: BudgetedModels,
    /// As the person calls it.
    name: String,
    purpose: EmbedPurpose,
    runtime: Runtime,
    session: SessionId,
}

/// Vectors, one for each text.
pub(in crate::cli) struct MadeVectors {
    /// In the order of the texts.
    pub vectors: Vec<Vec<f32>>,
    /// When they were made.
    pub at: Timestamp,
    /// How many tokens the texts had; an estimate where the server does not count.
    pub tokens: u64,
}

/// What an attempt came to.
struct EmbedOutcome {
    end: anyhow::Result<Embedded>,
    failed: Vec<FailedAttempt>,
    ms: u64,
}

impl Embedder {
    /// The one that the person wrote down for `embedding`. Asks nobody. The default is none: what writes answers makes, as a
    /// rule, no vectors worth comparing.
    pub(in crate::cli) fn of(shell: &Shell, engine: &Engine, purpose: EmbedPurpose) -> anyhow::Result<Self> {
        let config = config(shell)?;
        let Some(name) = config.purposes.get(&Purpose::Embedding).cloned() else {
            let words = "no model is configured for embedding: write `embedding = \"NAME\"` under [models.purposes]";
            return Err(Usage(format!("{words}; docs/MODELS.md says how")).into());
        };
        let models = models(shell, config, engine.sanitizer().clone())?;
        models.chosen(Purpose::Embedding).map_err(|error| Usage(error.to_string()))?;
        let models = match purpose {
            EmbedPurpose::Texts => models,
            EmbedPurpose::Query => models.with_retry(Retry { attempts: 1, ..Retry::default() }),
        };
        let budgeted = BudgetedModels::of(shell, models)?;
        budgeted.add_recorded(engine, None)?;
        Ok(Self { budgeted, name, purpose, runtime: runtime()?, session: shell.by_now().session })
    }

    /// Which vectors its own can be compared with.
    pub(in crate::cli) fn space(&self) -> VectorSpace {
        let config = self.config();
        let model = Some(config.embed_model()).filter(|model| !model.is_empty()).unwrap_or(&self.name);
        let prefix = config.embed_text_prefix.clone().unwrap_or_default();
        VectorSpace { model: model.to_owned(), prefix }
    }

    /// Makes a vector of each text, and records what that used up.
    pub(in crate::cli) fn embed(&self, engine: &Engine, texts: &[&str]) -> anyhow::Result<MadeVectors> {
        let prefix = match self.purpose {
            EmbedPurpose::Texts => &self.config().embed_text_prefix,
            EmbedPurpose::Query => &self.config().embed_query_prefix,
        };
        let prefix = prefix.as_deref().unwrap_or_default();
        let texts: Vec<_> = texts.iter().map(|text| format!("{prefix}{text}")).collect();
        let request = GenerateRequest::new("", texts.join("\n"), 0);
        self.budgeted.require_room_for_own(Purpose::Embedding, &request).map_err(|error| anyhow!(error))?;
        let outcome = self.runtime.block_on(self.ask(&texts));
        let tokens = outcome.end.as_ref().ok().and_then(|embedded| embedded.vectors.tokens_in);
        let tokens = tokens.unwrap_or_else(|| request.estimated_tokens());
        let nano_usd = self.budgeted.spend_on_vectors(&self.name, tokens, outcome.ms);
        let EmbedOutcome { end, failed, ms } = outcome;
        let model = self.space().model;
        let question = question(&texts);
        let answer = ModelAnswer { model: model.clone(), tokens_in: tokens, nano_usd, ms, ..ModelAnswer::default() };
        self.record(engine, &question, &failed, end.as_ref().ok().map(|embedded| (&answer, embedded)))?;
        let embedded = end.with_context(|| format!("{} ({model}) made no vectors", self.name))?;
        Ok(MadeVectors { vectors: embedded.vectors.vectors, at: engine.clock().now(), tokens })
    }

    async fn ask(&self, texts: &[String]) -> EmbedOutcome {
        let (cancel, watch) = (Cancel::new(), Clock::default().stopwatch());
        let asked = self.budgeted.models().embed(texts, &cancel);
        let (end, failed) = match self.purpose {
            EmbedPurpose::Texts => parted(asked.await),
            EmbedPurpose::Query => match tokio::time::timeout(QUERY, asked).await {
                Ok(asked) => parted(asked),
                Err(_) => (Err(anyhow!("no answer within {} s", QUERY.as_secs())), Vec::new()),
            },
        };
        EmbedOutcome { end, failed, ms: watch.millis() }
    }

    /// That a query cannot be recorded, as in a folder that nobody may write, is no reason to find nothing.
    fn record(
        &self,
        engine: &Engine,
        question: &ModelQuestion<'_>,
        failed: &[FailedAttempt],
        made: Option<(&ModelAnswer, &Embedded)>,
    ) -> anyhow::Result<()> {
        let at = engine.clock().now();
        let failed = failed.iter().map(|attempt| question.failed(attempt, &self.session, at));
        let made = made.map(|(answer, embedded)| {
            let mut entry = question.answered(answer, &self.session, at);
            entry.operation.output = Some(output(&embedded.vectors.vectors));
            entry
        });
        match self.purpose {
            EmbedPurpose::Texts => drop(engine.note(failed.chain(made).collect())?),
            EmbedPurpose::Query if self.may_cost() => drop(engine.note(made.into_iter().collect())),
            EmbedPurpose::Query => {}
        }
        Ok(())
    }

    /// Whether anything limits what models use up, or takes money for it.
    fn may_cost(&self) -> bool {
        let models = self.budgeted.models();
        let has_price = self.config().price_in.is_some_and(|price| price > 0);
        models.config().budget != BudgetLimits::default() || has_price || models.place(&self.name) == Some(Place::Cloud)
    }

    fn config(&self) -> &ModelConfig {
        self.budgeted.models().config().named.get(&self.name).expect("BUG: only one that is there is chosen")
    }
}

impl MadeVectors {
    /// The vector of a single text.
    pub(in crate::cli) fn only(mut self) -> anyhow::Result<Vec<f32>> {
        match (self.vectors.pop(), self.vectors.len()) {
            (Some(vector), 0) => Ok(vector),
            (Some(_) | None, _) => bail!("one text has not one vector"),
        }
    }
}

fn parted(asked: Result<Embedded, annals_llm::AskError>) -> (anyhow::Result<Embedded>, Vec<FailedAttempt>) {
    match asked {
        Ok(embedded) => {
            let before = failed(&embedded.attempts);
            (Ok(embedded), before)
        }
        Err(error) => {
            let before = failed(&error.attempts);
            (Err(anyhow!(error)), before)
        }
    }
}

/// Which texts are asked about, by their hash: each stands in the log by itself.
fn question(texts: &[String]) -> ModelQuestion<'static> {
    let mut hasher = Hasher::default();
    for text in texts {
        hasher.update(text.as_bytes());
        hasher.update(b"\n");
    }
    let input = json!({ "purpose": Purpose::Embedding, "texts": texts.len(), "prompt": hasher.hex() });
    ModelQuestion { voice: "search", input: Json::of(&input) }
}

/// What came, without the numbers: they are of use to searches alone, and can be made again.
fn output(vectors: &[Vec<f32>]) -> Json {
    let mut hasher = Hasher::default();
    vectors.iter().flatten().for_each(|number| hasher.update(&number.to_le_bytes()));
    let dimension = vectors.first().map_or(0, Vec::len);
    Json::of(&json!({ "vectors": vectors.len(), "dimension": dimension, "sha256": hasher.hex() }))
}
