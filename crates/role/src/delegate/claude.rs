//! The stream of `claude -p --output-format stream-json`: its calls, and its result.
//!
//! Of sub-agents the calls count like its own. Tools that ours have no word for are left out.

use serde_json::Value;

use super::outcome::AgentUsage;
use super::stream::{CallEnding, Heard, count, lines, request, text};
use crate::ggs::CallResult;
use crate::tool::{ToolName, ToolRequest};

/// Reads a stream.
pub(super) fn read(output: &str, folder: &str) -> Heard {
    let mut heard = Heard::within(folder);
    for line in lines(output) {
        match text(&line, "/type") {
            "assistant" => blocks(&line).for_each(|block| calls(&mut heard, block)),
            "user" => blocks(&line).for_each(|block| returns(&mut heard, block)),
            "result" => ends(&mut heard, &line),
            _ => {}
        }
    }
    heard
}

fn blocks(line: &Value) -> impl Iterator<Item = &Value> {
    line.pointer("/message/content").and_then(Value::as_array).into_iter().flatten()
}

fn calls(heard: &mut Heard, block: &Value) {
    if text(block, "/type") == "tool_use"
        && let Some(request) = requested(heard, text(block, "/name"), &block["input"])
    {
        heard.begins(text(block, "/id"), request);
    }
}

fn requested(heard: &Heard, name: &str, input: &Value) -> Option<ToolRequest> {
    let given = |member: &str| input.get(member).and_then(Value::as_str).unwrap_or_default().to_owned();
    let path = |member: &str| heard.path(&given(member));
    Some(match name {
        "Bash" => request(ToolName::Shell, &[("command", given("command"))]),
        "Read" => request(ToolName::Read, &[("path", path("file_path"))]),
        "Write" => request(ToolName::Write, &[("path", path("file_path")), ("content", given("content"))]),
        "Edit" => request(
            ToolName::Edit,
            &[("path", path("file_path")), ("old", given("old_string")), ("new", given("new_string"))],
        ),
        "NotebookEdit" => request(
            ToolName::Edit,
            &[("path", path("notebook_path")), ("old", given("cell_id")), ("new", given("new_source"))],
        ),
        "Glob" => request(ToolName::Glob, &[("pattern", given("pattern"))]),
        "Grep" => request(ToolName::Search, &[("pattern", given("pattern")), ("path", path("path"))]),
        "WebFetch" => request(ToolName::Fetch, &[("url", given("url"))]),
        _ => return None,
    })
}

fn returns(heard: &mut Heard, block: &Value) {
    if text(block, "/type") != "tool_result" {
        return;
    }
    let output = content(&block["content"]);
    let is_error = block["is_error"] == Value::Bool(true);
    let result = if is_error { CallResult::Failed } else { CallResult::Worked };
    let exit = if is_error { exit_of(&output) } else { None };
    heard.ends(text(block, "/tool_use_id"), CallEnding { result, exit, output });
}

/// `Exit code 3`, and what came out behind it.
fn exit_of(output: &str) -> Option<i32> {
    output.lines().next()?.strip_prefix("Exit code ")?.trim().parse().ok()
}

fn content(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(parts) => parts.iter().map(|part| text(part, "/text")).collect::<Vec<_>>().join("\n"),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_) => String::new(),
    }
}

/// What it says it took stands there, as it does for one that failed.
fn ends(heard: &mut Heard, line: &Value) {
    let said = text(line, "/result").to_owned();
    if line["is_error"] == Value::Bool(true) {
        let why = if said.is_empty() { text(line, "/subtype").to_owned() } else { said };
        heard.failure = Some(why);
    } else {
        heard.result = Some(said);
    }
    let read = ["input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens"];
    heard.usage = AgentUsage {
        tokens_in: read.iter().map(|name| count(line, &format!("/usage/{name}"))).fold(0, u64::saturating_add),
        tokens_out: count(line, "/usage/output_tokens"),
        micro_usd: micro(line["total_cost_usd"].as_f64().unwrap_or_default()),
    };
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it is cut to what can be: 0 and above")]
fn micro(usd: f64) -> u64 {
    (usd * 1e6).round() as u64
}
