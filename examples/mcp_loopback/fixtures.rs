//! Tools, prompts and resources of the names that the conformance suite asks for, with the contents that it expects.

use std::time::Duration;

use rmcp::model::*;
use rmcp::service::RequestContext;
use rmcp::{ErrorData, RoleServer};
use serde_json::{Value, json};

use super::inputs;
use super::server::Subscriptions;

/// A picture of one pixel, and a sound of none.
const PNG: &str = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const WAV: &str = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=";

/// Between two notices of one call.
const PAUSE: Duration = Duration::from_millis(50);

/// Tools without arguments.
const BARE: [(&str, &str); 16] = [
    ("test_simple_text", "Answers with a text"),
    ("test_image_content", "Answers with a picture"),
    ("test_audio_content", "Answers with a sound"),
    ("test_embedded_resource", "Answers with a resource"),
    ("test_multiple_content_types", "Answers with a text, a picture and a resource"),
    ("test_tool_with_logging", "Logs three times"),
    ("test_error_handling", "Fails"),
    ("test_tool_with_progress", "Says three times how far it is"),
    ("test_elicitation_sep1034_defaults", "Asks the person, with defaults"),
    ("test_elicitation_sep1330_enums", "Asks the person to choose"),
    ("test_reconnection", "Takes a moment"),
    ("test_trigger_tool_change", "Says that the list of tools changed"),
    ("test_trigger_prompt_change", "Says that the list of prompts changed"),
    ("test_missing_capability", "Needs a client that samples"),
    ("test_streaming_elicitation", "Asks the person for a value"),
    ("test_logging_tool", "Logs where the request says so"),
];

fn object(value: Value) -> JsonObject {
    let Value::Object(members) = value else { panic!("an object") };
    members
}

#[expect(clippy::needless_pass_by_value, reason = "a schema reads better so")]
fn with_text(name: &'static str, about: &'static str, argument: &str, schema: Value) -> Tool {
    let schema = json!({ "type": "object", "properties": { argument: schema }, "required": [argument] });
    Tool::new(name, about, object(schema))
}

/// Every tool of this file and of `inputs`.
pub fn tools() -> Vec<Tool> {
    let empty = || object(json!({ "type": "object", "properties": {} }));
    let mut tools: Vec<Tool> =
        BARE.iter().chain(&inputs::TOOLS).map(|(name, about)| Tool::new(*name, *about, empty())).collect();
    tools.push(with_text("test_sampling", "Has the client's model answer", "prompt", json!({ "type": "string" })));
    tools.push(with_text("test_elicitation", "Asks the person", "message", json!({ "type": "string" })));
    let header = json!({ "type": "string", "x-mcp-header": "Value" });
    tools.push(with_text("test_custom_header", "Takes a value from a header, too", "value", header));
    tools.push(Tool::new("json_schema_2020_12_tool", "Has a schema with everything in it", object(rich_schema())));
    tools
}

/// References, anchors, composition and conditions.
fn rich_schema() -> Value {
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "type": "object",
        "$defs": { "address": { "$anchor": "address", "type": "object",
            "properties": { "street": { "type": "string" }, "city": { "type": "string" } } } },
        "properties": { "name": { "type": "string" }, "address": { "$ref": "#/$defs/address" } },
        "allOf": [{ "anyOf": [{ "required": ["name"] }, { "required": ["address"] }] }],
        "if": { "required": ["address"] },
        "then": { "properties": { "address": { "required": ["street"] } } },
        "else": { "required": ["name"] },
        "additionalProperties": false,
    })
}

fn text(text: impl Into<String>) -> CallToolResult {
    CallToolResult::success(vec![ContentBlock::text(text)])
}

fn embedded(uri: &str, mime: &str, said: &str) -> ContentBlock {
    ContentBlock::resource(ResourceContents::text(said, uri).with_mime_type(mime))
}

/// What is the same whoever asks.
fn still(name: &str) -> Option<CallToolResult> {
    Some(match name {
        "test_simple_text" => text("This is a simple text response for testing."),
        "test_image_content" => CallToolResult::success(vec![ContentBlock::image(PNG, "image/png")]),
        "test_audio_content" => CallToolResult::success(vec![ContentBlock::audio(WAV, "audio/wav")]),
        "test_embedded_resource" => CallToolResult::success(vec![embedded(
            "test://embedded-resource", "text/plain", "This is an embedded resource content.",
        )]),
        "test_multiple_content_types" => CallToolResult::success(vec![
            ContentBlock::text("Multiple content types test:"),
            ContentBlock::image(PNG, "image/png"),
            embedded("test://mixed-content-resource", "application/json", r#"{"test":"data","value":123}"#),
        ]),
        "test_error_handling" => {
            CallToolResult::error(vec![ContentBlock::text("This tool intentionally returns an error for testing")])
        }
        _ => return None,
    })
}

/// Does what a fixture does.
pub async fn call(
    request: CallToolRequestParams,
    context: &RequestContext<RoleServer>,
    subscriptions: &Subscriptions,
) -> Result<CallToolResponse, ErrorData> {
    let arguments = request.arguments.unwrap_or_default();
    let argument = |name: &str| arguments.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
    if let Some(result) = still(&request.name) {
        return Ok(result.into());
    }
    let result = match &*request.name {
        "test_tool_with_logging" => logs(context).await,
        "test_tool_with_progress" => progresses(context).await,
        "test_custom_header" if !arguments.get("value").is_some_and(Value::is_string) => {
            return Err(ErrorData::invalid_params("value is a text", None));
        }
        "test_custom_header" => text(argument("value")),
        "test_sampling" => sampled(context, &argument("prompt")).await,
        "test_elicitation" => {
            let string = json!({ "type": "string" });
            asked(context, &argument("message"), json!({ "username": string, "email": string })).await
        }
        "test_elicitation_sep1034_defaults" => asked(context, "Give values", with_defaults()).await,
        "test_elicitation_sep1330_enums" => asked(context, "Choose", choices()).await,
        "test_reconnection" => {
            tokio::time::sleep(2 * PAUSE).await;
            text("done")
        }
        "test_trigger_tool_change" => {
            for sink in subscriptions.all() {
                let _ = sink.notify_tool_list_changed().await;
            }
            text("said")
        }
        "test_trigger_prompt_change" => {
            for sink in subscriptions.all() {
                let _ = sink.notify_prompt_list_changed().await;
            }
            text("said")
        }
        "test_missing_capability" if context.client_capabilities().unwrap_or_default().sampling.is_none() => {
            let needs = ClientCapabilities::builder().enable_sampling().build();
            return Err(ErrorData::missing_required_client_capability(needs));
        }
        "test_logging_tool" => {
            if let Some(level) = context.meta.log_level() {
                let _ = context
                    .peer
                    .notify_logging_message(LoggingMessageNotificationParam::new(level, json!("asked for")))
                    .await;
            }
            text("done")
        }
        "test_streaming_elicitation" => return Ok(inputs::one_question("value")),
        "json_schema_2020_12_tool" => text(format!("Hello, {}", argument("name"))),
        _ => text("done"),
    };
    Ok(result.into())
}

async fn logs(context: &RequestContext<RoleServer>) -> CallToolResult {
    for said in ["Tool execution started", "Tool processing data", "Tool execution completed"] {
        let notice = LoggingMessageNotificationParam::new(LoggingLevel::Info, json!(said));
        let _ = context.peer.notify_logging_message(notice).await;
        tokio::time::sleep(PAUSE).await;
    }
    text("logged")
}

async fn progresses(context: &RequestContext<RoleServer>) -> CallToolResult {
    if let Some(token) = context.meta.get_progress_token() {
        for percent in [0.0, 50.0, 100.0] {
            let notice = ProgressNotificationParam::new(token.clone(), percent).with_total(100.0);
            let _ = context.peer.notify_progress(notice).await;
            tokio::time::sleep(PAUSE).await;
        }
    }
    text("done")
}

async fn sampled(context: &RequestContext<RoleServer>, prompt: &str) -> CallToolResult {
    let request = CreateMessageRequestParams::new(vec![SamplingMessage::user_text(prompt)], 100);
    match context.peer.create_message(request).await {
        Ok(result) => {
            let said =
                result.message.content.first().and_then(|content| content.as_text()).map(|text| text.text.clone());
            text(format!("LLM response: {}", said.unwrap_or_default()))
        }
        Err(error) => CallToolResult::error(vec![ContentBlock::text(error.to_string())]),
    }
}

async fn asked(context: &RequestContext<RoleServer>, message: &str, properties: Value) -> CallToolResult {
    let request = ElicitRequestParams::FormElicitationParams {
        meta: None,
        message: message.to_owned(),
        requested_schema: inputs::form(&properties, &[]),
    };
    // The method for it would bring forty crates along that read addresses.
    match context.peer.send_request(ServerRequest::ElicitRequest(ElicitRequest::new(request))).await {
        Ok(ClientResult::ElicitResult(result)) => {
            text(format!("User response: {:?}, {:?}", result.action, result.content))
        }
        Ok(_) => CallToolResult::error(vec![ContentBlock::text("the client answered something else")]),
        Err(error) => CallToolResult::error(vec![ContentBlock::text(error.to_string())]),
    }
}

fn with_defaults() -> Value {
    json!({
        "name": { "type": "string", "default": "John Doe" },
        "age": { "type": "integer", "default": 30 },
        "score": { "type": "number", "default": 95.5 },
        "status": { "type": "string", "enum": ["active", "inactive", "pending"], "default": "active" },
        "verified": { "type": "boolean", "default": true },
    })
}

fn choices() -> Value {
    let titled = |name: &str, count: usize| -> Vec<Value> {
        (1..=count)
            .map(|number| json!({ "const": format!("value{number}"), "title": format!("{name} {number}") }))
            .collect()
    };
    json!({
        "untitledSingle": { "type": "string", "enum": ["option1", "option2", "option3"] },
        "titledSingle": { "type": "string", "oneOf": titled("Option", 3) },
        "legacyEnum": { "type": "string", "enum": ["opt1", "opt2", "opt3"], "enumNames": ["One", "Two", "Three"] },
        "untitledMulti": { "type": "array", "items": { "type": "string", "enum": ["option1", "option2", "option3"] } },
        "titledMulti": { "type": "array", "items": { "anyOf": titled("Choice", 3) } },
    })
}

/// The resources that are listed.
pub fn resources() -> Vec<Resource> {
    vec![
        Resource::new("test://static-text", "static text").with_mime_type("text/plain"),
        Resource::new("test://static-binary", "static binary").with_mime_type("image/png"),
    ]
}

pub fn template() -> ResourceTemplate {
    ResourceTemplate::new("test://template/{id}/data", "template").with_mime_type("application/json")
}

/// What stands in a resource of this file.
pub fn resource(uri: &str) -> Option<ResourceContents> {
    match uri {
        "test://static-text" => {
            let said = "This is the content of the static text resource.";
            Some(ResourceContents::text(said, uri).with_mime_type("text/plain"))
        }
        "test://static-binary" => Some(ResourceContents::blob(PNG, uri).with_mime_type("image/png")),
        _ => {
            let id = uri.strip_prefix("test://template/")?.strip_suffix("/data")?;
            let said = json!({ "id": id, "templateTest": true, "data": format!("Data for ID: {id}") });
            Some(ResourceContents::text(said.to_string(), uri).with_mime_type("application/json"))
        }
    }
}

pub fn prompts() -> Vec<Prompt> {
    let argument = |name: &str, required| PromptArgument::new(name).with_required(required);
    let arguments = vec![argument("arg1", true), argument("arg2", false)];
    vec![
        Prompt::new("test_simple_prompt", Some("A text"), None),
        Prompt::new("test_prompt_with_arguments", Some("A text with arguments"), Some(arguments)),
        Prompt::new("test_prompt_with_embedded_resource", Some("A resource"), None),
        Prompt::new("test_prompt_with_image", Some("A picture"), None),
        Prompt::new(inputs::PROMPT, Some("Asks the person first"), None),
    ]
}

/// What a prompt of this file says.
pub fn prompt(request: &GetPromptRequestParams) -> Option<Vec<PromptMessage>> {
    let argument = |name: &str| {
        let value = request.arguments.as_ref().and_then(|arguments| arguments.get(name));
        value.and_then(Value::as_str).unwrap_or_default().to_owned()
    };
    let user = |content| PromptMessage::new(Role::User, content);
    Some(match request.name.as_str() {
        "test_simple_prompt" => vec![user(ContentBlock::text("This is a simple prompt for testing."))],
        "test_prompt_with_arguments" => {
            let said = format!("Prompt with arguments: arg1='{}', arg2='{}'", argument("arg1"), argument("arg2"));
            vec![user(ContentBlock::text(said))]
        }
        "test_prompt_with_embedded_resource" => {
            let uri = Some(argument("resourceUri")).filter(|uri| !uri.is_empty());
            let uri = uri.unwrap_or_else(|| "test://example-resource".to_owned());
            vec![
                user(embedded(&uri, "text/plain", "Embedded resource content for testing.")),
                user(ContentBlock::text("Please process the embedded resource above.")),
            ]
        }
        "test_prompt_with_image" => vec![
            user(ContentBlock::image(PNG, "image/png")),
            user(ContentBlock::text("Please analyze the image above.")),
        ],
        _ => return None,
    })
}
