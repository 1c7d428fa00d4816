//! What tests stand on: a server that plays what it is told, surroundings that stand still, a model made of a list.

mod fake;
mod server;
mod still;

use std::sync::Arc;

pub use fake::{Act, Fake};
pub use server::{Piece, Reply, Server};
pub use still::{OnTokio, Still};

use crate::cancel::Cancel;
use crate::clean::Sanitizer;
use crate::config::{BackendKind, ModelConfig, ModelsConfig};
use crate::model::{Delta, Deltas};
use crate::models::{AskError, Asked, Models};
use crate::purpose::Purpose;
use crate::request::GenerateRequest;
use crate::surroundings::Surroundings;

/// Takes out a word that stands for all secrets.
pub fn sanitizer() -> Sanitizer {
    Sanitizer::new(|text| text.replace("hunter2", "[gone]"))
}

/// One model, which serves everything.
pub fn only(config: ModelConfig) -> ModelsConfig {
    let named = [("one".to_owned(), config)].into();
    ModelsConfig { default: Some("one".to_owned()), named, ..ModelsConfig::default() }
}

/// A model of a kind at an address.
pub fn at(backend: BackendKind, url: &str) -> ModelConfig {
    let (url, model) = (Some(url.to_owned()), Some("m1".to_owned()));
    ModelConfig { url, model, ..ModelConfig::new(backend) }
}

/// All of it, with the usual sanitizer.
pub fn models(config: ModelsConfig, surroundings: Arc<dyn Surroundings>) -> Models {
    let models = Models::new(config, sanitizer(), surroundings);
    assert_eq!(models.unusable(), [], "a usable configuration");
    models
}

/// A question that no test looks at.
pub fn question() -> GenerateRequest {
    GenerateRequest::new("Be brief.", "Say hi.", 16)
}

/// Asks as a planner, without a listener.
pub async fn ask(models: &Models, request: &GenerateRequest) -> Result<Asked, AskError> {
    models.ask(Purpose::Planner, request, &mut |_| {}, &Cancel::new()).await
}

/// A listener's notes: `!` for the first byte, `?` for again, thoughts in brackets.
#[derive(Debug, Default)]
pub struct Notes(pub String);

impl Notes {
    /// The listener.
    pub fn listen(&mut self) -> Box<Deltas<'_>> {
        Box::new(|delta| match delta {
            Delta::Begun => self.0.push('!'),
            Delta::Again => self.0.push('?'),
            Delta::Thinking(text) => self.0.extend(["(", text, ")"]),
            Delta::Text(text) => self.0.push_str(text),
        })
    }
}
