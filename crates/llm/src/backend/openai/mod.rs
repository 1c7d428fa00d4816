//! Servers with `/v1/chat/completions`: llama.cpp, vLLM, LM Studio, gateways.

mod answer;
mod body;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use body::{OpenAiBody, OpenAiEmbedBody};

use super::{KeyHeader, server};
use crate::answer::{RawAnswer, Vectors};
use crate::availability::Availability;
use crate::clean::{CleanRequest, CleanTexts};
use crate::config::{BadModel, ModelConfig, ThinkOff};
use crate::failure::ModelError;
use crate::model::{Deltas, Model, Pending};
use crate::purpose::Place;
use crate::surroundings::Surroundings;
use crate::wire::gather::{Framing, gather};
use crate::wire::http::Http;
use crate::wire::json;

/// What starts such a server.
const START_WITH: &str = "llama-server -m MODEL.gguf --port PORT";

/// A model on such a server.
pub struct OpenAi {
    name: String,
    config: ModelConfig,
    think_off: ThinkOff,
    http: Http,
}

impl OpenAi {
    /// By its table in the configuration.
    pub fn new(name: &str, config: ModelConfig, surroundings: &Arc<dyn Surroundings>) -> Result<Self, BadModel> {
        let http = server(&config, KeyHeader::BEARER, surroundings)?;
        let think_off = config.think_off()?;
        Ok(Self { name: name.to_owned(), config, think_off, http })
    }

    async fn ask(&self, asked: &CleanRequest, deltas: &mut Deltas<'_>) -> Result<RawAnswer, ModelError> {
        let request = asked.request();
        let system = super::conversation::system(request, self.config.schema);
        let body = OpenAiBody::new(self, &system, request);
        let incoming = self.http.post("/chat/completions", &body).await?;
        gather(incoming, Framing::Events, answer::piece, deltas).await
    }

    async fn vectors(&self, texts: &[String]) -> Result<Vectors, ModelError> {
        let model = self.config.embed_model();
        let value = self.http.post_for_json("/embeddings", &OpenAiEmbedBody { model, input: texts }).await?;
        let unreadable = |reason: String| ModelError::Unreadable {
            at: self.http.address().to_string(),
            reason,
            received: String::new(),
        };
        answer::vectors(&value, texts.len()).map_err(unreadable)
    }

    /// A server that answers, and has no list of models, is taken at its word.
    async fn look(&self) -> Availability {
        match self.http.get_json("/models").await {
            Ok(value) => Availability::of_models(self.config.model(), json::texts(&value, "/data", "id"), None),
            Err(ModelError::Status { status: 404 | 405, .. }) => Availability::Ready,
            Err(error) => {
                let is_here = self.http.address().place() == Place::Local;
                Availability::of_failure(error, is_here.then_some(START_WITH))
            }
        }
    }
}

impl Model for OpenAi {
    fn name(&self) -> &str {
        &self.name
    }

    fn place(&self) -> Place {
        self.config.place()
    }

    fn generate<'a>(
        &'a self,
        asked: &'a CleanRequest,
        deltas: &'a mut Deltas<'_>,
    ) -> Pending<'a, Result<RawAnswer, ModelError>> {
        Box::pin(self.ask(asked, deltas))
    }

    fn embed<'a>(&'a self, texts: &'a CleanTexts) -> Pending<'a, Result<Vectors, ModelError>> {
        Box::pin(self.vectors(texts.texts()))
    }

    fn available(&self) -> Pending<'_, Availability> {
        Box::pin(self.look())
    }
}
