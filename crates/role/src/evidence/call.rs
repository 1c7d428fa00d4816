//! One call of a tool: how it ended, what it was about, and the line that sums it up (artoo R3, `tool_calls`).
//!
//! Runs nothing.

use annals_kernel::call::{CallKind, is_empty_search};
use serde_json::Value;

use super::cut::{first_chars, one_line};
use super::looks::searches;
use crate::ggs::{CallResult, ToolUse};
use crate::tool::{ToolCall, ToolName, ToolRequest};

/// Characters of an output in a line of evidence (artoo R3, `firstN`).
pub const EVIDENCE_CHARS: usize = 200;
/// Characters of an input in a line.
pub const INPUT_CHARS: usize = 300;
/// Characters of a target.
const TARGET_CHARS: usize = 300;
/// Characters of the place that an edit looked for.
const OLD_CHARS: usize = 80;

/// What our own searches say where they find nothing.
const OUR_NOTHING: [&str; 2] = ["no file", "no line"];

/// Whether a call did what it was asked for. What was in flight did nothing that is known; a search that found nothing
/// did what it should, also where a shell gives it an exit code of 1.
pub fn is_good(call: &ToolCall) -> bool {
    !call.is_uncertain && (call.result == CallResult::Worked || found_nothing(call))
}

/// Whether a search ran to its end and found nothing (artoo R4a: absence is a valid answer).
pub fn found_nothing(call: &ToolCall) -> bool {
    let is_blank = call.output.trim().is_empty();
    let says_so = |error: &str, command| is_empty_search(CallKind::Search, command, error, &call.output);
    let worked = call.result == CallResult::Worked;
    !call.is_uncertain
        && match call.request.tool {
            ToolName::Find | ToolName::Glob | ToolName::Search => {
                let is_one_line = call.output.trim().lines().nth(1).is_none();
                let said = call.output.trim();
                worked && (is_blank || is_one_line && (OUR_NOTHING.contains(&said) || says_so(said, None)))
            }
            ToolName::Shell => {
                let command = input_text(&call.request, "command");
                let ended_so = worked || call.exit == Some(1) && says_so("exit code 1", Some(command));
                is_blank && ended_so && searches(command)
            }
            ToolName::Read | ToolName::Write | ToolName::Edit | ToolName::Fetch => false,
        }
}

/// `tool: input → output`, on one line.
pub fn evidence(call: &ToolCall) -> String {
    let output = match first_chars(call.output.trim(), EVIDENCE_CHARS) {
        "" => "(no output)".to_owned(),
        output => one_line(output, EVIDENCE_CHARS),
    };
    format!("{}: {} → {output}", call.request.tool, input_line(&call.request))
}

/// What a tool is given, on one line.
pub fn input_line(request: &ToolRequest) -> String {
    one_line(&canonical_input(request), INPUT_CHARS)
}

/// A request, on one line.
pub fn request_line(request: &ToolRequest) -> String {
    format!("{} {}", request.tool, input_line(request))
}

/// What a tool is given, the same for the same input.
pub fn canonical_input(request: &ToolRequest) -> String {
    annals_kernel::json::canonical(&request.input)
}

/// The specific input: what fails here may not be used again (artoo R7, `blocked_targets`).
pub fn target(request: &ToolRequest) -> String {
    let text = |name| input_text(request, name);
    let said = match request.tool {
        ToolName::Find => text("name").to_owned(),
        ToolName::Glob => text("pattern").to_owned(),
        ToolName::Search => match text("path") {
            "" => text("pattern").to_owned(),
            path => format!("{} in {path}", text("pattern")),
        },
        ToolName::Read | ToolName::Write => text("path").to_owned(),
        ToolName::Edit => format!("{}: {}", text("path"), one_line(text("old"), OLD_CHARS)),
        ToolName::Shell => text("command").to_owned(),
        ToolName::Fetch => text("url").to_owned(),
    };
    one_line(&said, TARGET_CHARS)
}

/// As the solver is told.
pub fn tool_use(call: &ToolCall) -> ToolUse {
    let result = if is_good(call) { CallResult::Worked } else { CallResult::Failed };
    ToolUse { tool: call.request.tool.to_string(), target: target(&call.request), result }
}

/// A text member of an input; empty where there is none.
pub fn input_text<'r>(request: &'r ToolRequest, name: &str) -> &'r str {
    request.input.get(name).and_then(Value::as_str).unwrap_or_default()
}

/// All texts that a tool was given.
pub fn input_texts(request: &ToolRequest) -> String {
    annals_kernel::json::texts(&request.input)
}
