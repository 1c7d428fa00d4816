//! Claude Code's hooks in the normal form. Tried with version 2.1.329.
//!
//! A failure of a tool has a hook of its own; a call that somebody refused has none, and shows only among the answers
//! of its batch.

use serde::Deserialize;

use crate::import::claude_code::output;
use crate::import::claude_code::raw::Raw;
use crate::import::claude_code::said::TextMeaning;
use crate::import::claude_code::verdict::ClaudeVerdict;
use crate::kernel::id::AgentId;

use super::event::{BackgroundEnd, Begin, Ending, EventPlace, ToldEvent, Typed, What};
use super::payload::Payload;

pub(super) const KIND: &str = "claude-code";

pub(super) fn place(payload: &Payload<'_>) -> EventPlace {
    let session = payload.session_id.name().unwrap_or_default();
    let child = payload.agent_id.name();
    EventPlace {
        kind: KIND,
        native: child.as_ref().map_or_else(|| session.clone(), |child| format!("{session}/{child}").into()),
        agent: child.as_ref().map_or_else(|| KIND.into(), |child| AgentId::from(format!("{KIND}/{child}"))),
        root: child.map(|_| session),
        cwd: payload.cwd.name(),
        model: payload.model.name().map(Into::into),
        prompt: payload.prompt_id.name(),
    }
}

pub(super) fn what(name: &str, payload: &Payload<'_>) -> What {
    if is_copilots(payload) || name.is_empty() {
        return What::Nothing;
    }
    match name {
        "SessionStart" => begins(payload),
        "SessionEnd" => What::SessionEnds { reason: payload.reason.name().unwrap_or_else(|| "other".into()) },
        "UserPromptSubmit" => prompt(payload),
        "PreToolUse" => What::CallBegins(payload.call()),
        "PostToolUse" => What::CallEnds(payload.call(), done(payload)),
        "PostToolUseFailure" => What::CallEnds(payload.call(), failed(payload)),
        "PermissionDenied" => What::CallEnds(payload.call(), denied(payload)),
        "PostToolBatch" => answered(payload),
        "Stop" => payload.last_assistant_message.name().map_or(What::TurnEnds, What::Said),
        "StopFailure" => What::ServiceFailed { error: service_error(payload) },
        "SubagentStart" => What::ChildBegins { agent_type: payload.agent_type.name() },
        // One of its own, for a summary: it did not begin, and its calls are nobody's.
        "SubagentStop" if payload.agent_type.text().as_deref() == Some("") => What::Nothing,
        "SubagentStop" => What::ChildEnds { said: payload.last_assistant_message.name() },
        "PostCompact" => What::Compacted { trigger: payload.trigger.name(), summary: payload.compact_summary.name() },
        _ if PASSED_OVER.contains(&name) => What::Nothing,
        _ => What::Unknown,
    }
}

/// The Copilot CLI runs the hooks of Claude Code's settings, too: it has its own (`setup copilot`).
pub(super) fn is_copilots(payload: &Payload<'_>) -> bool {
    payload.timestamp.written().is_some() && payload.transcript_path.written().is_none()
}

/// What the other hooks say is said again by these, or is not about what was done.
const PASSED_OVER: [&str; 20] = [
    "Notification", "UserPromptExpansion", "PreCompact", "PreModelSwitch", "PostModelSwitch", "PermissionRequest",
    "Setup", "TeammateIdle", "TaskCreated", "TaskCompleted", "Elicitation", "ElicitationResult", "ConfigChange",
    "WorktreeCreate", "WorktreeRemove", "InstructionsLoaded", "CwdChanged", "FileChanged", "DirectoryAdded",
    "MessageDisplay",
];

/// After a compaction the same session goes on: that is no beginning.
fn begins(payload: &Payload<'_>) -> What {
    let source = payload.source.name();
    if source.as_deref() == Some("compact") {
        return What::Nothing;
    }
    What::SessionBegins(Begin { source, title: payload.session_title.name() })
}

/// What a person typed, or a program in a person's place (`-p`). What the tool submits to itself is neither.
fn prompt(payload: &Payload<'_>) -> What {
    let is_typed = payload.source.text().is_none_or(|source| source == "user" || source == "sdk");
    let text = payload.prompt.text().filter(|_| is_typed).unwrap_or_default();
    match TextMeaning::of(&text) {
        TextMeaning::Prompt(text) => {
            What::Typed(slash_command(&text).unwrap_or_else(|| Typed::Prompt(text.as_ref().into())))
        }
        TextMeaning::Command(command) => {
            What::Typed(Typed::Command { command: command.name.into(), args: command.args.into() })
        }
        TextMeaning::Shell(command) => What::Typed(Typed::Shell(command.into())),
        TextMeaning::Interrupt(_) => What::Interrupted,
        TextMeaning::Injected => notified(&text).map_or(What::Nothing, What::BackgroundEnds),
        TextMeaning::Printed(_) | TextMeaning::Blank => What::Nothing,
    }
}

/// A notification that something in the background has ended; without a status it goes on.
fn notified(text: &str) -> Option<BackgroundEnd> {
    let text = text.trim_start().strip_prefix("<task-notification>")?;
    let part = |name: &str| {
        let (_, rest) = text.split_once(&format!("<{name}>"))?;
        let (part, _) = rest.split_once(&format!("</{name}>"))?;
        Some(part.trim()).filter(|part| !part.is_empty()).map(Box::<str>::from)
    };
    let summary = part("summary");
    let code = summary.as_deref().and_then(|summary| summary.rsplit_once("exit code ")).map(|(_, code)| code);
    let exit_code = code.and_then(|code| code.trim_end_matches([')', '.']).parse().ok());
    Some(BackgroundEnd {
        call: part("tool-use-id"),
        task: part("task-id")?,
        status: part("status")?,
        exit_code,
        summary,
    })
}

/// `/tidy src`, but not `/home/dev is full`.
fn slash_command(text: &str) -> Option<Typed> {
    let (command, args) = text.trim().split_once(char::is_whitespace).unwrap_or((text.trim(), ""));
    let name = command.strip_prefix('/')?;
    let fits = |letter: char| letter.is_alphanumeric() || matches!(letter, '-' | '_' | ':' | '.');
    let is_name = !name.is_empty() && name.chars().all(fits);
    is_name.then(|| Typed::Command { command: command.into(), args: args.trim().into() })
}

fn done(payload: &Payload<'_>) -> Ending {
    #[derive(Default, Deserialize)]
    #[serde(default)]
    struct ClaudeResponse<'a> {
        #[serde(borrow)]
        interrupted: Raw<'a>,
    }

    let response = Some(payload.tool_response).filter(|raw| raw.is_object()).and_then(Raw::read::<ClaudeResponse<'_>>);
    let is_interrupted = response.is_some_and(|response| response.interrupted.is_true());
    Ending {
        verdict: if is_interrupted { ClaudeVerdict::Interrupted } else { ClaudeVerdict::Done },
        output: output::light(payload.tool_response),
        duration_ms: payload.duration(),
        told: ToldEvent::Plainly,
    }
}

/// The text of a failing command begins with `Exit code N`, and stays as it is, as in the transcript.
fn failed(payload: &Payload<'_>) -> Ending {
    let verdict = if payload.is_interrupt.is_true() {
        ClaudeVerdict::Interrupted
    } else {
        ClaudeVerdict::of_error(&payload.error.text().unwrap_or_default(), None, None)
    };
    let output = Some(payload.error).filter(|_| matches!(verdict, ClaudeVerdict::Failed(_))).and_then(Raw::json);
    Ending { verdict, output, duration_ms: payload.duration(), told: ToldEvent::Plainly }
}

fn denied(payload: &Payload<'_>) -> Ending {
    let verdict = ClaudeVerdict::Denied(payload.reason.name().unwrap_or_else(|| "denied".into()));
    Ending { verdict, output: None, duration_ms: None, told: ToldEvent::Plainly }
}

fn answered(payload: &Payload<'_>) -> What {
    let calls = payload.tool_calls.list().unwrap_or_default().into_iter().filter_map(Raw::read::<Payload<'_>>);
    let calls = calls.map(|call| {
        let call = Payload { cwd: payload.cwd, ..call };
        (call.call(), answer(&call))
    });
    What::CallsAnswered(calls.collect())
}

/// The answer as the model gets it. Only for calls of which no other hook told the end: the agent refused them before
/// they ran, or somebody did.
fn answer(call: &Payload<'_>) -> Ending {
    const FAILED: [&str; 3] = ["<tool_use_error>", "Exit code ", "Error: "];
    let text = call.tool_response.text().unwrap_or_default();
    let has_failed = FAILED.iter().any(|start| text.trim_start().starts_with(start));
    let verdict = match ClaudeVerdict::of_error(&text, None, None) {
        ClaudeVerdict::Failed(_) if !has_failed => ClaudeVerdict::Done,
        verdict @ (ClaudeVerdict::Failed(_)
        | ClaudeVerdict::Done
        | ClaudeVerdict::Interrupted
        | ClaudeVerdict::Rejected(_)
        | ClaudeVerdict::Denied(_)) => verdict,
    };
    Ending { verdict, output: output::light(call.tool_response), duration_ms: None, told: ToldEvent::Plainly }
}

fn service_error(payload: &Payload<'_>) -> Box<str> {
    let parts = [payload.error.name(), payload.error_details.name()];
    parts.into_iter().flatten().map(String::from).collect::<Vec<_>>().join(": ").into()
}
