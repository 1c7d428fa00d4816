//! The Copilot CLI's hooks in the normal form. Tried with version 1.0.102.
//!
//! Its payloads do not name their event, so that our command line does; they name no call and no model either, and of a
//! sub-agent not the call that started it, by which an import names its session: its transcript does (`children`).

use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde_json::Value;

use crate::import::claude_code::raw::Raw;
use crate::import::claude_code::verdict::ClaudeVerdict;
use crate::kernel::id::AgentId;
use crate::kernel::json::Json;

use super::event::{Begin, Call, Ending, EventPlace, ToldEvent, Typed, What};
use super::payload::Payload;

pub(super) const KIND: &str = "copilot-cli";

/// The members as it names them.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct Members<'a> {
    #[serde(borrow, rename = "hook_event_name")]
    name: Raw<'a>,
    session_id: Raw<'a>,
    transcript_path: Raw<'a>,
    cwd: Raw<'a>,
    source: Raw<'a>,
    reason: Raw<'a>,
    prompt: Raw<'a>,
    tool_name: Raw<'a>,
    tool_args: Raw<'a>,
    tool_result: Raw<'a>,
    error: Raw<'a>,
    error_context: Raw<'a>,
    agent_id: Raw<'a>,
    agent_type: Raw<'a>,
    agent_name: Raw<'a>,
    parent_agent_id: Raw<'a>,
    response: Raw<'a>,
}

/// Reads a payload under the names that all have in common.
pub(super) fn payload(text: &str) -> Option<Payload<'_>> {
    let members: Members<'_> = serde_json::from_str(text).ok().filter(|_| text.trim_start().starts_with('{'))?;
    let kind = if members.agent_type.name().is_some() { members.agent_type } else { members.agent_name };
    Some(Payload {
        hook_event_name: members.name,
        session_id: members.session_id,
        transcript_path: members.transcript_path,
        cwd: members.cwd,
        source: members.source,
        reason: members.reason,
        prompt: members.prompt,
        tool_name: members.tool_name,
        tool_input: members.tool_args,
        tool_response: members.tool_result,
        error: members.error,
        error_details: members.error_context,
        agent_id: members.agent_id,
        agent_type: kind,
        parent_agent_id: members.parent_agent_id,
        last_assistant_message: members.response,
        ..Payload::default()
    })
}

/// Of a sub-agent the session is that of the sub-agent in some payloads, and the one above in others.
pub(super) fn place(payload: &Payload<'_>) -> EventPlace {
    let session = payload.session_id.name().unwrap_or_default();
    let child = payload.agent_id.name();
    // Where a payload names the agent above, the session in it is the sub-agent's own.
    let root = child.as_ref().map(|_| payload.parent_agent_id.name().unwrap_or_else(|| session.clone()));
    let native = child.as_ref().zip(root.as_ref()).map(|(child, root)| format!("{root}/{child}").into());
    EventPlace {
        kind: KIND,
        native: native.unwrap_or(session),
        agent: child.map_or_else(|| KIND.into(), |child| AgentId::from(format!("{KIND}/{child}"))),
        root,
        cwd: payload.cwd.name(),
        model: None,
        prompt: None,
    }
}

/// The session's own file, which the hook of its end does not name.
pub(super) fn transcript(place: &EventPlace, home: Option<&str>) -> Option<PathBuf> {
    let session = place.root.as_ref().unwrap_or(&place.native);
    // A payload says what it likes, and this becomes a path.
    let is_name = !session.is_empty() && session.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
    let home = home.filter(|_| place.kind == KIND && is_name)?;
    Some(Path::new(home).join(".copilot/session-state").join(&**session).join("events.jsonl"))
}

pub(super) fn what(name: &str, payload: &Payload<'_>) -> What {
    let is_child = payload.agent_id.name().is_some();
    match name {
        "sessionStart" => What::SessionBegins(Begin { source: payload.source.name(), title: None }),
        "sessionEnd" => What::SessionEnds { reason: payload.reason.name().unwrap_or_else(|| "other".into()) },
        // What a sub-agent is asked was written by the agent above it.
        "userPromptSubmitted" | "agentStop" if is_child => What::Nothing,
        "userPromptSubmitted" => payload.prompt.name().map_or(What::Nothing, |text| What::Typed(Typed::Prompt(text))),
        "agentStop" => What::TurnEnds,
        "preToolUse" => What::CallBegins(call(payload)),
        "postToolUse" => What::CallEnds(call(payload), done(payload)),
        "postToolUseFailure" => What::CallEnds(call(payload), failed(payload)),
        "subagentStart" => What::ChildBegins { agent_type: payload.agent_type.name() },
        "subagentStop" => What::ChildEnds { said: payload.last_assistant_message.name() },
        "errorOccurred" if payload.error_details.text().as_deref() == Some("model_call") => {
            What::ServiceFailed { error: message(payload.error) }
        }
        "errorOccurred"
        | "notification"
        | "permissionRequest"
        | "preCompact"
        | "userPromptTransformed"
        | "preMcpToolCall"
        | "postResult"
        | "prePRDescription" => What::Nothing,
        _ => What::Unknown,
    }
}

/// Arguments are an object, or one in a text.
fn call(payload: &Payload<'_>) -> Call {
    let call = payload.call();
    let inside = payload.tool_input.text().and_then(|text| Json::from_text(text.into_owned()).ok());
    match inside.filter(Json::is_object) {
        Some(input) => Call { input, ..call },
        None => call,
    }
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct CopilotResult<'a> {
    #[serde(borrow)]
    result_type: Raw<'a>,
    text_result_for_llm: Raw<'a>,
}

/// The result is a success also where a command failed: its exit code stands in the last line.
fn done(payload: &Payload<'_>) -> Ending {
    let result: CopilotResult<'_> = payload.tool_response.read().unwrap_or_default();
    let text = result.text_result_for_llm.text().unwrap_or_default();
    let verdict = match result.result_type.text().as_deref() {
        Some("denied") => ClaudeVerdict::Denied("denied".into()),
        Some("rejected") => ClaudeVerdict::Rejected(None),
        Some("failure") => ClaudeVerdict::Failed(text.lines().next().unwrap_or("failed").into()),
        _ => exit_code(&text)
            .filter(|code| *code != 0)
            .map_or(ClaudeVerdict::Done, |code| ClaudeVerdict::Failed(format!("exit code {code}").into())),
    };
    let output = result.text_result_for_llm.json().or_else(|| payload.tool_response.json());
    Ending { verdict, output, duration_ms: None, told: ToldEvent::Plainly }
}

/// `<shellId: 6 completed with exit code 1>`, the last line of what the shell tool gives.
fn exit_code(text: &str) -> Option<i64> {
    let inside = text.trim_end().lines().next_back()?.strip_prefix('<')?.strip_suffix('>')?;
    let (head, code) = inside.rsplit_once(" with exit code ")?;
    let has_ended = head.ends_with("completed") || head.ends_with("exited");
    code.parse().ok().filter(|_| has_ended)
}

fn failed(payload: &Payload<'_>) -> Ending {
    Ending {
        verdict: ClaudeVerdict::Failed(message(payload.error)),
        output: None,
        duration_ms: None,
        told: ToldEvent::Plainly,
    }
}

/// A text, or an object with one.
fn message(error: Raw<'_>) -> Box<str> {
    let inside = || error.json().and_then(|json| json.value().get("message").and_then(Value::as_str).map(Into::into));
    error.name().or_else(inside).unwrap_or_else(|| "failed".into())
}
