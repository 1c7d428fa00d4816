//! The stream of `codex exec --json`: its items, and the end of its turn.
//!
//! Tools that ours have no word for are left out. Its last message is its last word.

use serde_json::Value;

use super::outcome::AgentUsage;
use super::stream::{CallEnding, Heard, count, lines, request, text};
use crate::ggs::CallResult;
use crate::tool::ToolName;

/// Reads a stream.
pub(super) fn read(output: &str, folder: &str) -> Heard {
    let (mut heard, mut said) = (Heard::within(folder), None);
    for line in lines(output) {
        match text(&line, "/type") {
            "item.started" => begins(&mut heard, &line["item"]),
            "item.completed" => {
                let item = &line["item"];
                if text(item, "/type") == "agent_message" {
                    said = Some(text(item, "/text").to_owned());
                }
                ends(&mut heard, item);
            }
            "turn.completed" => {
                heard.result = Some(said.clone().unwrap_or_default());
                add(&mut heard.usage, &line);
            }
            "turn.failed" => heard.failure = Some(text(&line, "/error/message").to_owned()),
            "error" => heard.failure = Some(text(&line, "/message").to_owned()),
            _ => {}
        }
    }
    // It tells of connections that it lost on the way, too.
    if heard.result.is_some() {
        heard.failure = None;
    }
    heard
}

fn begins(heard: &mut Heard, item: &Value) {
    if text(item, "/type") == "command_execution" {
        let command = unwrapped(text(item, "/command")).to_owned();
        heard.begins(text(item, "/id"), request(ToolName::Shell, &[("command", command)]));
    }
}

fn ends(heard: &mut Heard, item: &Value) {
    let result = if text(item, "/status") == "completed" { CallResult::Worked } else { CallResult::Failed };
    match text(item, "/type") {
        "command_execution" => {
            let exit = item["exit_code"].as_i64().and_then(|exit| i32::try_from(exit).ok());
            let output = text(item, "/aggregated_output").to_owned();
            heard.ends(text(item, "/id"), CallEnding { result, exit, output });
        }
        "file_change" => {
            for (at, change) in item["changes"].as_array().into_iter().flatten().enumerate() {
                let id = format!("{}.{at}", text(item, "/id"));
                let (path, kind) = (heard.path(text(change, "/path")), text(change, "/kind"));
                heard.begins(&id, request(ToolName::Write, &[("path", path.clone()), ("kind", kind.to_owned())]));
                heard.ends(&id, CallEnding { result, exit: None, output: format!("{kind} {path}") });
            }
        }
        _ => {}
    }
}

/// It starts each command in a shell of its own.
fn unwrapped(command: &str) -> &str {
    let inner = ["/bin/bash -lc '", "bash -lc '"].iter().find_map(|start| command.strip_prefix(start));
    let inner = inner.and_then(|rest| rest.strip_suffix('\''));
    inner.filter(|inner| !inner.contains('\'')).unwrap_or(command)
}

fn add(usage: &mut AgentUsage, line: &Value) {
    usage.tokens_in = usage.tokens_in.saturating_add(count(line, "/usage/input_tokens"));
    usage.tokens_out = usage.tokens_out.saturating_add(count(line, "/usage/output_tokens"));
}
