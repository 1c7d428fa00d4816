//! The Gemini CLI's hooks in the normal form. Tried with version 0.61.0.
//!
//! Calls have no id; call and result find each other by tool and input. A sub-agent's calls come as those of the session
//! above it.

use serde::Deserialize;

use crate::import::claude_code::raw::Raw;
use crate::import::claude_code::verdict::ClaudeVerdict;
use crate::kernel::call::{CallKind, by_name};
use crate::kernel::json::Json;

use super::event::{Begin, Ending, EventPlace, ToldEvent, Typed, What};
use super::payload::Payload;

pub(super) const KIND: &str = "gemini-cli";

pub(super) fn place(payload: &Payload<'_>) -> EventPlace {
    EventPlace {
        kind: KIND,
        native: payload.session_id.name().unwrap_or_default(),
        root: None,
        agent: KIND.into(),
        cwd: payload.cwd.name(),
        model: None,
        prompt: None,
    }
}

pub(super) fn what(name: &str, payload: &Payload<'_>) -> What {
    match name {
        "SessionStart" => What::SessionBegins(Begin { source: payload.source.name(), title: None }),
        "SessionEnd" => What::SessionEnds { reason: payload.reason.name().unwrap_or_else(|| "other".into()) },
        "BeforeAgent" => payload.prompt.name().map_or(What::Nothing, |text| What::Typed(Typed::Prompt(text))),
        "AfterAgent" => payload.prompt_response.name().map_or(What::TurnEnds, What::Said),
        "BeforeTool" => What::CallBegins(payload.call()),
        "AfterTool" => What::CallEnds(payload.call(), ending(payload)),
        // It comes before each request to the model, whether anything is compressed or not.
        "PreCompress" | "BeforeModel" | "AfterModel" | "BeforeToolSelection" | "Notification" => What::Nothing,
        _ => What::Unknown,
    }
}

/// `{llmContent, returnDisplay, error}`: the second is the first again, for the screen.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct GeminiResponse<'a> {
    #[serde(borrow)]
    llm_content: Raw<'a>,
    error: Raw<'a>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Message<'a> {
    #[serde(borrow)]
    message: Raw<'a>,
}

fn ending(payload: &Payload<'_>) -> Ending {
    let response: GeminiResponse<'_> = payload.tool_response.read().unwrap_or_default();
    let content = response.llm_content.text();
    // A result stands in the transcript as `{"output": "…"}`.
    let output = match &content {
        Some(text) => Some(Json::of(&serde_json::json!({ "output": text }))),
        None => response.llm_content.json().or_else(|| payload.tool_response.json()),
    };
    let is_shell = payload.tool_name.text().is_some_and(|name| by_name(&name) == CallKind::Shell);
    let code = content.as_deref().filter(|_| is_shell).and_then(exit_code);
    let error = error(response.error).or(code);
    let is_stopped = content.as_deref().filter(|_| is_shell).is_some_and(was_cancelled);
    let verdict = match error {
        _ if is_stopped => ClaudeVerdict::Interrupted,
        Some(error) => ClaudeVerdict::Failed(error.into()),
        None => ClaudeVerdict::Done,
    };
    Ending { verdict, output, duration_ms: payload.duration(), told: ToldEvent::Plainly }
}

fn error(error: Raw<'_>) -> Option<String> {
    let inside = || error.read::<Message<'_>>().and_then(|error| error.message.name());
    let text = error.name().or_else(inside)?;
    Some(text.lines().next().unwrap_or_default().chars().take(300).collect())
}

/// What the shell tool says first of a command that a person stopped.
fn was_cancelled(output: &str) -> bool {
    const CANCELLED: &str = "Command was cancelled by user before it could complete.";
    output.lines().take(2).any(|line| line.starts_with(CANCELLED))
}

/// `Exit Code: 2`, as the shell tool writes it.
fn exit_code(output: &str) -> Option<String> {
    let code = output.lines().rev().find_map(|line| line.strip_prefix("Exit Code: "))?.trim();
    code.parse::<i64>().is_ok_and(|code| code != 0).then(|| format!("exit code {code}"))
}
