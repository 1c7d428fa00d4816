//! Ollama by its own interface, which knows thinking, schemas and the context's size, where its compatible one does not.

mod answer;
mod body;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use body::{OllamaBody, OllamaEmbedBody};

use super::{KeyHeader, server};
use crate::answer::{RawAnswer, Vectors};
use crate::availability::Availability;
use crate::clean::{CleanRequest, CleanTexts};
use crate::config::{BadModel, ModelConfig};
use crate::failure::ModelError;
use crate::model::{Deltas, Model, Pending};
use crate::purpose::Place;
use crate::surroundings::Surroundings;
use crate::wire::gather::{Framing, gather};
use crate::wire::http::Http;
use crate::wire::json;

/// A model in Ollama.
pub struct Ollama {
    name: String,
    config: ModelConfig,
    http: Http,
}

impl Ollama {
    /// By its table in the configuration.
    pub fn new(name: &str, config: ModelConfig, surroundings: &Arc<dyn Surroundings>) -> Result<Self, BadModel> {
        if config.model().is_empty() {
            return Err(config.missing("model"));
        }
        config.think_off()?;
        let http = server(&config, KeyHeader::BEARER, surroundings)?;
        Ok(Self { name: name.to_owned(), config, http })
    }

    async fn ask(&self, asked: &CleanRequest, deltas: &mut Deltas<'_>) -> Result<RawAnswer, ModelError> {
        let request = asked.request();
        let system = super::conversation::system(request, self.config.schema);
        let incoming = self.http.post("/api/chat", &OllamaBody::new(&self.config, &system, request)).await?;
        gather(incoming, Framing::Lines, answer::piece, deltas).await
    }

    async fn vectors(&self, texts: &[String]) -> Result<Vectors, ModelError> {
        let value = self.http.post_for_json("/api/embed", &OllamaEmbedBody::new(&self.config, texts)).await?;
        let unreadable = |reason: String| ModelError::Unreadable {
            at: self.http.address().to_string(),
            reason,
            received: String::new(),
        };
        answer::vectors(&value, texts.len()).map_err(unreadable)
    }

    /// Models are listed with their tags, and configured without `:latest`.
    async fn look(&self) -> Availability {
        let known = match self.http.get_json("/api/tags").await {
            Ok(value) => json::texts(&value, "/models", "name"),
            Err(error) => return Availability::of_failure(error, Some("ollama serve")),
        };
        let model = self.config.model();
        let tagged = if model.contains(':') { model.to_owned() } else { format!("{model}:latest") };
        let bring_with = Some(format!("ollama pull {model}"));
        if known.is_empty() {
            return Availability::NoModel { model: tagged, known, bring_with };
        }
        Availability::of_models(&tagged, known, bring_with)
    }
}

impl Model for Ollama {
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
