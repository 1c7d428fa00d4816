//! What such a server is sent.
//!
//! No temperature and no seed: its newer models refuse the one, and there is no other.

use serde::Serialize;

use super::Anthropic;
use crate::backend::conversation::{Message, constraint, messages};
use crate::config::ThinkOff;
use crate::request::GenerateRequest;
use crate::wire::schema::{self, WireSchema};

/// A question.
#[derive(Serialize)]
pub struct Body<'r> {
    model: &'r str,
    max_tokens: u32,
    #[serde(skip_serializing_if = "str::is_empty")]
    system: &'r str,
    messages: Vec<Message<'r>>,
    stream: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    thinking: Option<Thinking>,
    #[serde(skip_serializing_if = "Option::is_none")]
    output_config: Option<OutputConfig>,
}

#[derive(Serialize)]
struct Thinking {
    r#type: &'static str,
}

#[derive(Serialize)]
struct OutputConfig {
    #[serde(skip_serializing_if = "Option::is_none")]
    format: Option<Format>,
    #[serde(skip_serializing_if = "Option::is_none")]
    effort: Option<&'static str>,
}

#[derive(Serialize)]
struct Format {
    r#type: &'static str,
    schema: WireSchema,
}

impl<'r> Body<'r> {
    /// A request in the server's words.
    pub fn new(model: &'r Anthropic, system: &'r str, request: &'r GenerateRequest) -> Self {
        let config = &model.config;
        let think_off = if request.may_think { ThinkOff::Unsaid } else { model.think_off };
        let constraint = constraint(request, config.schema);
        let format = constraint.map(|schema| WireSchema(schema::closed(&schema::unbounded(schema))));
        let format = format.map(|schema| Format { r#type: "json_schema", schema });
        let effort = (think_off == ThinkOff::EffortLow).then_some("low");
        Self {
            model: config.model(),
            max_tokens: config.most_tokens(request),
            system,
            messages: messages(request),
            stream: config.stream,
            thinking: thinking(think_off),
            output_config: (format.is_some() || effort.is_some()).then_some(OutputConfig { format, effort }),
        }
    }
}

fn thinking(think_off: ThinkOff) -> Option<Thinking> {
    match think_off {
        ThinkOff::Disabled => Some(Thinking { r#type: "disabled" }),
        ThinkOff::BetweenTools => Some(Thinking { r#type: "between_tools" }),
        ThinkOff::Unsaid
        | ThinkOff::Template
        | ThinkOff::EffortNone
        | ThinkOff::EffortMinimal
        | ThinkOff::EffortLow => None,
    }
}
