//! A request as the messages of a chat, which most servers take alike.

use serde::Serialize;

use crate::config::SchemaMode;
use crate::request::{GenerateRequest, Speaker};
use crate::wire::schema::WireSchema;

/// One message.
#[derive(Debug, Serialize)]
pub struct Message<'r> {
    /// Who says it: `system`, `user` or `assistant`.
    pub role: &'static str,
    /// What is said.
    pub content: &'r str,
}

/// What was said before, and what is asked now.
pub fn messages(request: &GenerateRequest) -> Vec<Message<'_>> {
    let earlier = request.earlier.iter().map(|turn| Message { role: role(turn.speaker), content: &turn.text });
    earlier.chain([Message { role: "user", content: &request.user }]).collect()
}

/// The same, with the rules before it.
pub fn messages_with_system<'r>(system: &'r str, request: &'r GenerateRequest) -> Vec<Message<'r>> {
    let rules = (!system.is_empty()).then_some(Message { role: "system", content: system });
    rules.into_iter().chain(messages(request)).collect()
}

/// The rules, with the schema where the server is not told it otherwise.
pub fn system(request: &GenerateRequest, mode: SchemaMode) -> String {
    match (&request.schema, mode) {
        (Some(schema), SchemaMode::Prompted) => {
            let schema = WireSchema(schema.clone());
            let rule = format!("Answer with JSON alone that follows this schema:\n{schema}");
            [request.system.as_str(), &rule]
                .into_iter()
                .filter(|part| !part.is_empty())
                .collect::<Vec<_>>()
                .join("\n\n")
        }
        (Some(_), SchemaMode::Constrained) | (None, _) => request.system.clone(),
    }
}

/// The schema, where the server constrains by it.
pub fn constraint(request: &GenerateRequest, mode: SchemaMode) -> Option<&serde_json::Value> {
    request.schema.as_ref().filter(|_| mode == SchemaMode::Constrained)
}

/// All of it as one text, for commands that take no messages.
pub fn prompt(request: &GenerateRequest) -> String {
    if request.earlier.is_empty() {
        return request.user.clone();
    }
    let said = messages(request).into_iter().map(|message| format!("[{}]\n{}", message.role, message.content));
    said.collect::<Vec<_>>().join("\n\n")
}

fn role(speaker: Speaker) -> &'static str {
    match speaker {
        Speaker::User => "user",
        Speaker::Assistant => "assistant",
    }
}
