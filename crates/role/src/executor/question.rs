//! What the executor asks a model: short, concrete, with one example; what others wrote stands in it as data (artoo R3).
//!
//! Wording only.

use serde_json::{Value, json};

use super::attempt::ExecutorAttempt;
use super::input::{call_schema, chain, sample, tool_lines};
use crate::evidence::fence::DATA_RULE;
use crate::evidence::transcript::TRANSCRIPT_CHARS;
use crate::evidence::{evidence, fenced, head_tail, one_line, transcript};
use crate::message::CorrectionSignal;
use crate::plan::{Criterion, CriterionCheck};
use crate::prompt::{BadAnswer, RolePrompt};
use crate::tool::{ToolCall, ToolName};

/// A new content of a file has to fit.
const ANSWER_TOKENS: u32 = 4096;
/// Calls of one answer: a model that loops is stopped by the server.
const MOST_CALLS: usize = 8;
/// Characters of an intent, a context, a correction, a criterion.
const INTENT_CHARS: usize = 4000;
const CONTEXT_CHARS: usize = 16_000;
const CORRECTION_CHARS: usize = 2000;
const CRITERION_CHARS: usize = 500;
/// Criteria, and calls of earlier attempts, that are listed.
const MOST_LISTED: usize = 30;

const FORM: &str = r#"Answer with one JSON object and nothing else:
{"calls":[{"tool":"NAME","input":{...}}],"done":false,"output":""}"#;

const RULES: &str = r"- calls: made in this order. The first that fails ends the list, and you are asked again with all results.
- done: true when the subtask is finished once these calls have worked; then you are not asked again.
- output: with done, what was done or found. Say only what tools show.
- If it cannot be done: no calls, done false, and in output why.
- Never repeat a call whose result you see.";

impl ExecutorAttempt {
    /// The next question; `rejected` is why the last answer could not be used.
    pub fn question(&self, rejected: Option<&BadAnswer>, tools: &[ToolName]) -> RolePrompt {
        self.whole_question(rejected, tools).unwrap_or_else(|| self.tool_question(rejected, tools))
    }

    fn tool_question(&self, rejected: Option<&BadAnswer>, tools: &[ToolName]) -> RolePrompt {
        RolePrompt {
            system: system(tools),
            user: self.user(rejected),
            schema: Some(schema(tools)),
            max_tokens: ANSWER_TOKENS,
            may_think: true,
        }
    }

    fn user(&self, rejected: Option<&BadAnswer>) -> String {
        let mut parts = vec![format!("Subtask:\n{}", fenced(&head_tail(&self.subtask.intent, INTENT_CHARS)))];
        if !self.subtask.context.trim().is_empty() {
            parts.push(format!("What you need to know:\n{}", fenced(&head_tail(&self.subtask.context, CONTEXT_CHARS))));
        }
        parts.push(format!("It is checked by:\n{}", fenced(&self.criteria())));
        if let Some(corrections) = self.corrections() {
            parts.push(format!("{corrections}\n{FORM}"));
        }
        parts.push(format!("Your calls so far:\n{}", transcript(&self.calls, TRANSCRIPT_CHARS)));
        if let Some(reason) = rejected {
            let reason = one_line(&reason.to_string(), CRITERION_CHARS);
            parts.push(format!("Your last answer could not be used: {reason}.\n{FORM}"));
        }
        parts.join("\n\n")
    }

    /// What it is checked by.
    pub(crate) fn criteria(&self) -> String {
        criteria(&self.subtask.success_criteria)
    }

    /// What has to be done otherwise; nothing in the first attempt.
    pub(crate) fn corrections(&self) -> Option<String> {
        self.correction.as_ref().map(|correction| self.corrected(correction))
    }

    fn corrected(&self, correction: &CorrectionSignal) -> String {
        let shown = |text: &str| fenced(&head_tail(text, CORRECTION_CHARS));
        let (wrong, to_do) = (shown(&correction.what_was_wrong), shown(&correction.what_to_do));
        let mut parts = vec![
            format!("Attempt {} was not good enough. What was wrong:\n{wrong}", correction.attempt),
            format!("What to do:\n{to_do}"),
        ];
        parts.extend(calls_part("These changes are made already:", &self.changes_made()));
        parts.extend(calls_part("These calls failed; do it in another way:", &self.to_avoid()));
        parts.join("\n")
    }
}

fn system(tools: &[ToolName]) -> String {
    [
        "You carry out one small subtask in a workspace by calling tools.",
        FORM,
        RULES,
        "Tools; take the first that fits:",
        &tool_lines(tools),
        &example(tools),
        DATA_RULE,
    ]
    .join("\n")
}

/// An act and the look at what became of it, in one answer: a plain subtask costs one.
fn example(tools: &[ToolName]) -> String {
    const ACT: &str = r#"{"tool":"edit","input":{"path":"app.toml","old":"port = 80","new":"port = 8080"}}"#;
    const LOOK: &str = r#"{"tool":"read","input":{"path":"app.toml"}}"#;
    if tools.contains(&ToolName::Edit) && tools.contains(&ToolName::Read) {
        return format!(
            "Example, for \"the port in app.toml, which is 80, becomes 8080\":\n{{\"calls\":[{ACT},{LOOK}],\"done\":true,\"output\":\"app.toml sets port 8080\"}}"
        );
    }
    let first = chain(tools).next().map(|tool| format!(r#"{{"tool":"{tool}","input":{}}}"#, sample(*tool)));
    format!("Example:\n{{\"calls\":[{}],\"done\":false,\"output\":\"\"}}", first.unwrap_or_default())
}

fn schema(tools: &[ToolName]) -> Value {
    json!({
        "type": "object",
        "properties": {
            "calls": { "type": "array", "items": call_schema(tools), "maxItems": MOST_CALLS },
            "done": { "type": "boolean" },
            "output": { "type": "string" },
        },
        "required": ["calls", "done", "output"],
        "additionalProperties": false,
    })
}

fn criteria(criteria: &[Criterion]) -> String {
    let line = |criterion: &Criterion| {
        let how = criterion.check.as_ref().map(|check| format!(" ({})", said(check))).unwrap_or_default();
        format!("- {}", one_line(&format!("{}{how}", criterion.text), CRITERION_CHARS))
    };
    listed(criteria.iter().map(line).collect())
}

/// How code checks it, in words.
fn said(check: &CriterionCheck) -> String {
    match check {
        CriterionCheck::Run { run, expect_exit } => format!("`{run}` must exit with {expect_exit}"),
        CriterionCheck::FileContains { file, contains } => format!("{file} must contain: {contains}"),
        CriterionCheck::FileMatches { file, matches } => format!("{file} must match the expression {matches}"),
        CriterionCheck::FileAbsent { file, absent: true } => format!("{file} must not exist"),
        CriterionCheck::FileAbsent { file, absent: false } => format!("{file} must exist"),
        CriterionCheck::OutputMatches { command_output, matches } => {
            format!("what `{command_output}` prints must match the expression {matches}")
        }
        CriterionCheck::Untouched { untouched } => format!("{} must stay as it is", untouched.join(", ")),
        CriterionCheck::Parses { parses } => format!("{} must be free of errors of syntax", parses.join(", ")),
        CriterionCheck::Stays { stays } => format!("{} must stay where it is", stays.join(", ")),
        CriterionCheck::Kept { kept } => format!("{} must still hold what it held", kept.join(", ")),
    }
}

fn calls_part(title: &str, calls: &[&ToolCall]) -> Option<String> {
    let lines: Vec<_> = calls.iter().map(|call| evidence(call)).collect();
    (!lines.is_empty()).then(|| format!("{title}\n{}", fenced(&listed(lines))))
}

/// The last lines, and how many there are before them.
fn listed(lines: Vec<String>) -> String {
    let left_out = lines.len().saturating_sub(MOST_LISTED);
    let note = (left_out > 0).then(|| format!("({left_out} more are left out)"));
    note.into_iter().chain(lines.into_iter().skip(left_out)).collect::<Vec<_>>().join("\n")
}
