//! Which events of which agent we hang on, and what our handler looks like there.
//!
//! Pure. Claude Code starts it without a shell; Codex and the Gemini CLI have no such form. In settings that a team shares
//! each of them gets a line for its shell that does nothing, and well, where the program is not installed.

use serde::Serialize;
use serde_json::Value;

use crate::hook::Agent;

/// How long a hook may take, in seconds. It takes milliseconds; the rest is for a disk that is busy.
const TIMEOUT_SECONDS: u32 = 10;

const CLAUDE_CODE: [&str; 13] = [
    "SessionStart",
    "UserPromptSubmit",
    "PreToolUse",
    "PostToolUse",
    "PostToolUseFailure",
    "PostToolBatch",
    "PermissionDenied",
    "SubagentStart",
    "SubagentStop",
    "PostCompact",
    "Stop",
    "StopFailure",
    "SessionEnd",
];

const CODEX: [&str; 10] = [
    "SessionStart",
    "UserPromptSubmit",
    "PreToolUse",
    "PostToolUse",
    "SubagentStart",
    "SubagentStop",
    "PostCompact",
    "Interrupt",
    "Stop",
    "SessionEnd",
];

const GEMINI: [&str; 7] =
    ["SessionStart", "BeforeAgent", "BeforeTool", "AfterTool", "PreCompress", "AfterAgent", "SessionEnd"];

/// What becomes of a call when the hook itself fails.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OnFailure {
    /// It goes on.
    Continue,
    /// It is blocked: `hook.fail_closed`. Only Claude Code knows how.
    Block,
}

/// Who reads the settings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Readers {
    /// One person, who has the program.
    Person,
    /// Everybody who has the project, with the program or without.
    Team,
}

/// What to put where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plan {
    /// Whose settings.
    pub agent: Agent,
    /// The program: a name, or a path.
    pub program: String,
    /// What becomes of a call when the hook itself fails.
    pub on_failure: OnFailure,
    /// Who reads the settings.
    pub readers: Readers,
}

/// A handler, with its members in the order in which one reads them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Handler {
    #[serde(rename = "type")]
    kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<&'static str>,
    command: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    args: Vec<String>,
    timeout: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    on_failure: Option<&'static str>,
}

/// A group with one handler, for every tool.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Group {
    hooks: [Handler; 1],
}

impl Handler {
    /// In a group of its own.
    pub fn group(&self) -> Group {
        Group { hooks: [self.clone()] }
    }

    /// As a value, for comparison.
    pub fn value(&self) -> Value {
        serde_json::to_value(self).expect("BUG: a handler does not serialize")
    }
}

impl Plan {
    /// The events, in the order in which they are put there.
    pub fn events(&self) -> &'static [&'static str] {
        match self.agent {
            Agent::ClaudeCode => &CLAUDE_CODE,
            Agent::Codex => &CODEX,
            Agent::Gemini => &GEMINI,
        }
    }

    /// The handler of an event.
    pub fn handler(&self, event: &str) -> Handler {
        let program = quoted(&self.program);
        let own = format!("{program} hook {}", self.agent.name());
        let line = || match self.readers {
            Readers::Person => own,
            Readers::Team => format!("{LOOK}{program}{ELSE}{own}"),
        };
        let plain = |command: String| Handler {
            kind: "command",
            name: None,
            command,
            args: Vec::new(),
            timeout: TIMEOUT_SECONDS,
            on_failure: None,
        };
        match self.agent {
            Agent::ClaudeCode => {
                let blocks = event == "PreToolUse" && self.on_failure == OnFailure::Block;
                let handler = match self.readers {
                    Readers::Person => {
                        let args = vec!["hook".to_owned(), self.agent.name().to_owned()];
                        Handler { args, ..plain(self.program.clone()) }
                    }
                    Readers::Team => plain(line()),
                };
                Handler { on_failure: blocks.then_some("block"), ..handler }
            }
            Agent::Codex => plain(line()),
            Agent::Gemini => Handler { name: Some("annals"), timeout: TIMEOUT_SECONDS * 1000, ..plain(line()) },
        }
    }
}

/// What a team's line begins with, before the program; sh, bash, zsh and fish know it.
const LOOK: &str = "command -v ";
/// What stands behind it. The program takes the shell's place, and with it stdin as it came.
const ELSE: &str = " >/dev/null 2>&1 || exit 0; exec ";

/// A path as a shell reads it.
fn quoted(program: &str) -> String {
    let is_plain = |letter: char| letter.is_alphanumeric() || matches!(letter, '/' | '.' | '-' | '_' | '+');
    if program.chars().all(is_plain) { program.to_owned() } else { format!("'{}'", program.replace('\'', r"'\''")) }
}

/// Whether a handler is ours, whatever version or path put it there. One that does more is the person's.
pub(super) fn is_ours(handler: &Value, agent: Agent) -> bool {
    let Some(command) = handler.get("command").and_then(Value::as_str) else { return false };
    let is_guarded = command.starts_with(LOOK);
    let command = command.split_once(ELSE).filter(|_| is_guarded).map_or(command, |(_, own)| own);
    let arguments = handler.get("args").and_then(Value::as_array);
    let words: Vec<&str> = match arguments {
        Some(arguments) => std::iter::once(command).chain(arguments.iter().filter_map(Value::as_str)).collect(),
        None => words(command),
    };
    let [program, hook, name, options @ ..] = words.as_slice() else { return false };
    let file = program.rsplit(['/', '\\']).next().unwrap_or_default();
    let is_option =
        |word: &&str| word.starts_with('-') && word.chars().all(|sign| sign.is_alphanumeric() || "-_=".contains(sign));
    let is_hook = matches!(file, "annals" | "annals.exe") && *hook == "hook" && options.iter().all(is_option);
    is_hook && Agent::from_name(name) == Some(agent)
}

/// The words of our own command line, whose first may stand in quotes.
fn words(command: &str) -> Vec<&str> {
    let command = command.trim();
    let in_quotes = command.strip_prefix('\'').and_then(|rest| rest.rsplit_once("' "));
    let (first, rest) = in_quotes.or_else(|| command.split_once(' ')).unwrap_or((command, ""));
    std::iter::once(first).chain(rest.split_whitespace()).collect()
}
