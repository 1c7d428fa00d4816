//! Codex' hooks in the normal form. Tried with version 0.169.0; its input schemas are closed, so are its outputs.
//!
//! There is no hook for a failure, and the response is a text without an exit code. A sub-agent is a thread with an id
//! of its own, and an import names its session by that; so does this.

use serde_json::Value;

use crate::import::claude_code::files::relative;
use crate::import::claude_code::verdict::ClaudeVerdict;
use crate::kernel::call::{CallKind, by_name, patch};
use crate::kernel::id::AgentId;
use crate::kernel::json::{Json, Members};

use super::event::{Begin, Call, Ending, EventPlace, ToldEvent, Typed, What};
use super::payload::Payload;

pub(super) const KIND: &str = "codex";

pub(super) fn place(payload: &Payload<'_>) -> EventPlace {
    let session = payload.session_id.name().unwrap_or_default();
    // The session's own thread may be named as the agent: that is no sub-agent.
    let child = payload.agent_id.name().filter(|child| *child != session);
    EventPlace {
        kind: KIND,
        native: child.clone().unwrap_or_else(|| session.clone()),
        agent: child.as_ref().map_or_else(|| KIND.into(), |child| AgentId::from(format!("{KIND}/{child}"))),
        root: child.map(|_| session),
        cwd: payload.cwd.name(),
        model: payload.model.name().map(Into::into),
        prompt: payload.turn_id.name(),
    }
}

pub(super) fn what(name: &str, payload: &Payload<'_>) -> What {
    let said = || payload.last_assistant_message.name();
    match name {
        "SessionStart" if payload.source.text().as_deref() == Some("compact") => What::Nothing,
        "SessionStart" => What::SessionBegins(Begin { source: payload.source.name(), title: None }),
        "SessionEnd" => What::SessionEnds { reason: payload.reason.name().unwrap_or_else(|| "other".into()) },
        "UserPromptSubmit" => payload.prompt.name().map_or(What::Nothing, |text| What::Typed(Typed::Prompt(text))),
        "PreToolUse" => What::CallBegins(call(payload)),
        "PostToolUse" => What::CallEnds(call(payload), ending(payload)),
        "Stop" => said().map_or(What::TurnEnds, What::Said),
        "SubagentStart" => What::ChildBegins { agent_type: payload.agent_type.name() },
        "SubagentStop" => What::ChildEnds { said: said() },
        "Interrupt" => What::Interrupted,
        "PostCompact" => What::Compacted { trigger: payload.trigger.name(), summary: None },
        "PreCompact" | "PermissionRequest" => What::Nothing,
        _ => What::Unknown,
    }
}

/// Hooks say `Bash` of the tool that runs commands, and `command` of its argument; the rollout has names of its own.
const SHELL: (&str, &str) = ("Bash", "exec_command");

/// The same call under the name that the rollout has for its tool.
pub(super) fn renamed(call: Call, tool: &str) -> Call {
    if *call.tool == *tool {
        return call;
    }
    let key = if tool == SHELL.1 { "cmd" } else { "command" };
    let called = call.called.or_else(|| Some(call.tool.clone()));
    Call { input: rekeyed(call.input, &["command", "cmd"], key), tool: tool.into(), called, ..call }
}

/// Where the one member has one of these names, it gets another.
fn rekeyed(input: Json, from: &[&str], to: &str) -> Json {
    let Ok(mut members) = input.read::<Members>() else { return input };
    if members.iter().count() != 1 {
        return input;
    }
    match members.take(from) {
        Some(value) => Json::of(&serde_json::json!({ to: value })),
        None => input,
    }
}

/// A patch names its files in its text.
fn call(payload: &Payload<'_>) -> Call {
    let mut call = payload.call();
    if call.files.is_none() && by_name(&call.tool) == CallKind::Edit {
        let (input, cwd) = (call.input.value(), payload.cwd.text());
        let text = input.get("command").and_then(Value::as_str).unwrap_or_default();
        let files = patch::files(text).into_iter().map(|path| relative(path, cwd.as_deref()).into());
        call.files = Some(files.collect::<Vec<_>>()).filter(|files| !files.is_empty());
    }
    match &*call.tool {
        tool if tool == SHELL.0 => renamed(call, SHELL.1),
        // The rollout has the patch as it is, without a name.
        "apply_patch" => Call { input: rekeyed(call.input, &["command"], "arguments"), ..call },
        _ => call,
    }
}

fn ending(payload: &Payload<'_>) -> Ending {
    let duration_ms = payload.duration();
    Ending {
        verdict: ClaudeVerdict::Done,
        output: payload.tool_response.json(),
        duration_ms,
        told: ToldEvent::OutputOnly,
    }
}
