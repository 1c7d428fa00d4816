//! What such a server is sent.
//!
//! Only what was asked for: servers elsewhere refuse members that they do not know.

use serde::Serialize;
use serde_json::Value;

use super::OpenAi;
use crate::backend::conversation::{Message, constraint, messages_with_system};
use crate::config::ThinkOff;
use crate::request::GenerateRequest;
use crate::wire::schema::{self, WireSchema};

/// A question.
#[derive(Serialize)]
pub struct OpenAiBody<'r> {
    #[serde(skip_serializing_if = "str::is_empty")]
    model: &'r str,
    messages: Vec<Message<'r>>,
    #[serde(flatten)]
    most: Most,
    #[serde(skip_serializing_if = "Option::is_none")]
    temperature: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    seed: Option<u64>,
    stream: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    stream_options: Option<StreamOptions>,
    #[serde(skip_serializing_if = "Option::is_none")]
    response_format: Option<ResponseFormat>,
    #[serde(skip_serializing_if = "Option::is_none")]
    chat_template_kwargs: Option<TemplateVariables>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reasoning_effort: Option<&'static str>,
}

/// The newer name is known to fewer servers, and the older one is refused for newer models where it began.
#[derive(Serialize)]
#[serde(rename_all = "snake_case")]
enum Most {
    MaxTokens(u32),
    MaxCompletionTokens(u32),
}

#[derive(Serialize)]
struct StreamOptions {
    include_usage: bool,
}

#[derive(Serialize)]
struct ResponseFormat {
    r#type: &'static str,
    json_schema: NamedSchema,
}

#[derive(Serialize)]
struct NamedSchema {
    name: &'static str,
    strict: bool,
    schema: WireSchema,
}

#[derive(Serialize)]
struct TemplateVariables {
    enable_thinking: bool,
}

/// Texts that are to become vectors.
#[derive(Serialize)]
pub struct OpenAiEmbedBody<'r> {
    /// By which model.
    #[serde(skip_serializing_if = "str::is_empty")]
    pub model: &'r str,
    /// The texts.
    pub input: &'r [String],
}

impl<'r> OpenAiBody<'r> {
    /// A request in the server's words.
    pub fn new(model: &'r OpenAi, system: &'r str, request: &'r GenerateRequest) -> Self {
        let config = &model.config;
        let most = config.most_tokens(request);
        let is_first_of_its_kind = model.http.address().is_of("openai.com");
        let think_off = if request.may_think { ThinkOff::Unsaid } else { model.think_off };
        let is_by_template = think_off == ThinkOff::Template;
        Self {
            model: config.model(),
            messages: messages_with_system(system, request),
            most: if is_first_of_its_kind { Most::MaxCompletionTokens(most) } else { Most::MaxTokens(most) },
            // Its models that think take none.
            temperature: request.temperature.filter(|_| !is_first_of_its_kind),
            seed: request.seed,
            stream: config.stream,
            stream_options: config.stream.then_some(StreamOptions { include_usage: true }),
            response_format: constraint(request, config.schema).map(ResponseFormat::new),
            chat_template_kwargs: is_by_template.then_some(TemplateVariables { enable_thinking: false }),
            reasoning_effort: effort(think_off),
        }
    }
}

impl ResponseFormat {
    fn new(schema: &Value) -> Self {
        let schema = schema::closed(schema);
        let strict = schema::is_strict(&schema);
        Self { r#type: "json_schema", json_schema: NamedSchema { name: "answer", strict, schema: WireSchema(schema) } }
    }
}

fn effort(think_off: ThinkOff) -> Option<&'static str> {
    match think_off {
        ThinkOff::EffortNone => Some("none"),
        ThinkOff::EffortMinimal => Some("minimal"),
        ThinkOff::EffortLow => Some("low"),
        ThinkOff::Unsaid | ThinkOff::Template | ThinkOff::Disabled | ThinkOff::BetweenTools => None,
    }
}
