//! Servers with `/v1/messages`.
//!
//! A schema goes into `output_config.format`, which constrains the answer itself: a tool that is forced would do it too,
//! but not together with thinking, and its answer is a call that has to be undone. Models before 4.5 do not know it:
//! `schema = "prompted"` for those.

pub mod answer;
mod body;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use body::Body;

use super::{KeyHeader, server};
use crate::answer::{RawAnswer, Vectors};
use crate::availability::Availability;
use crate::clean::{CleanRequest, CleanTexts};
use crate::config::{BadModel, ModelConfig, ThinkOff};
use crate::failure::ModelError;
use crate::model::{Deltas, Model, Pending, no_vectors};
use crate::purpose::Place;
use crate::surroundings::Surroundings;
use crate::wire::gather::{Framing, gather};
use crate::wire::http::Http;
use crate::wire::json;

/// The version that this speaks.
const VERSION: &str = "2023-06-01";

/// A model on such a server.
pub struct Anthropic {
    name: String,
    config: ModelConfig,
    think_off: ThinkOff,
    http: Http,
}

impl Anthropic {
    /// By its table in the configuration.
    pub fn new(name: &str, config: ModelConfig, surroundings: &Arc<dyn Surroundings>) -> Result<Self, BadModel> {
        if config.model().is_empty() {
            return Err(config.missing("model"));
        }
        let think_off = config.think_off()?;
        let http = server(&config, KeyHeader::API_KEY, surroundings)?.with_header("anthropic-version", VERSION);
        Ok(Self { name: name.to_owned(), config, think_off, http })
    }

    async fn ask(&self, asked: &CleanRequest, deltas: &mut Deltas<'_>) -> Result<RawAnswer, ModelError> {
        let request = asked.request();
        let system = super::conversation::system(request, self.config.schema);
        let incoming = self.http.post("/v1/messages", &Body::new(self, &system, request)).await?;
        gather(incoming, Framing::Events, answer::piece, deltas).await
    }

    /// Models have short names beside those in the list, so only the key is looked at.
    async fn look(&self) -> Availability {
        match self.http.get_json("/v1/models").await {
            Ok(value) => {
                let known = json::texts(&value, "/data", "id");
                let is_alias = known.iter().any(|known| known.starts_with(self.config.model()));
                if is_alias { Availability::Ready } else { Availability::of_models(self.config.model(), known, None) }
            }
            Err(ModelError::Status { status: 404 | 405, .. }) => Availability::Ready,
            Err(error) => Availability::of_failure(error, None),
        }
    }
}

impl Model for Anthropic {
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

    fn embed<'a>(&'a self, _: &'a CleanTexts) -> Pending<'a, Result<Vectors, ModelError>> {
        no_vectors(&self.name)
    }

    fn available(&self) -> Pending<'_, Availability> {
        Box::pin(self.look())
    }
}
