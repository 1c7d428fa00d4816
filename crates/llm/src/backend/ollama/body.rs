//! What Ollama is sent.

use serde::Serialize;

use crate::backend::conversation::{Message, constraint, messages_with_system};
use crate::config::ModelConfig;
use crate::request::GenerateRequest;
use crate::wire::schema::WireSchema;

/// A question.
#[derive(Serialize)]
pub struct OllamaBody<'r> {
    model: &'r str,
    messages: Vec<Message<'r>>,
    stream: bool,
    /// Left out where it may: models that cannot think refuse to be told to.
    #[serde(skip_serializing_if = "Option::is_none")]
    think: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    format: Option<WireSchema>,
    #[serde(skip_serializing_if = "Option::is_none")]
    keep_alive: Option<&'r str>,
    options: Options,
}

/// Without `num_ctx` a long prompt loses its beginning without a word.
#[derive(Serialize)]
struct Options {
    num_predict: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    num_ctx: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    temperature: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    seed: Option<u64>,
}

/// Texts that are to become vectors.
#[derive(Serialize)]
pub struct OllamaEmbedBody<'r> {
    model: &'r str,
    input: &'r [String],
    /// Of a text that is too long for the model its beginning counts: one of them is no reason that none is embedded.
    truncate: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    keep_alive: Option<&'r str>,
}

impl<'r> OllamaBody<'r> {
    /// A request in Ollama's words.
    pub fn new(config: &'r ModelConfig, system: &'r str, request: &'r GenerateRequest) -> Self {
        Self {
            model: config.model(),
            messages: messages_with_system(system, request),
            stream: config.stream,
            think: (!request.may_think).then_some(false),
            format: constraint(request, config.schema).cloned().map(WireSchema),
            keep_alive: config.keep_alive.as_deref(),
            options: Options {
                num_predict: config.most_tokens(request),
                num_ctx: config.context,
                temperature: request.temperature,
                seed: request.seed,
            },
        }
    }
}

impl<'r> OllamaEmbedBody<'r> {
    /// Texts for the model that makes vectors.
    pub fn new(config: &'r ModelConfig, input: &'r [String]) -> Self {
        Self { model: config.embed_model(), input, truncate: true, keep_alive: config.keep_alive.as_deref() }
    }
}
