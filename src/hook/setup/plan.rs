//! Which events of which agent we hang on, and what our handler looks like there.
//!
//! Pure. Claude Code starts it without a shell; Codex and the Gemini CLI have no such form. In settings that a team shares
//! each of them gets a line for its shell that does nothing, and well, where the program is not installed.

use annals_sparse::sparse;
use serde::Serialize;
use serde_json::Value;

use crate::hook::Agent;

/// How long a hook may take, in seconds. It takes milliseconds; the rest is for a disk that is busy.
const TIMEOUT_SECONDS: u32 = 10;

/// Codex allows these no more, and warns at each start of whoever asks for it.
const CODEX_HURRIES: (&[&str], u32) = (&["SessionEnd", "Interrupt"], 3);

const CLAUDE_CODE: [&str; 13] = [
    "SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "PostToolUseFailure", "PostToolBatch",
    "PermissionDenied", "SubagentStart", "SubagentStop", "PostCompact", "Stop", "StopFailure", "SessionEnd",
];

const CODEX: [&str; 10] = [
    "SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "SubagentStart", "SubagentStop", "PostCompact",
    "Interrupt", "Stop", "SessionEnd",
];

// Without PreCompress, which comes before each request and is no compaction.
const GEMINI: [&str; 6] = ["SessionStart", "BeforeAgent", "BeforeTool", "AfterTool", "AfterAgent", "SessionEnd"];

/// Under these names the payloads have the names of tools that its transcript has.
const COPILOT: [&str; 10] = [
    "sessionStart", "userPromptSubmitted", "preToolUse", "postToolUse", "postToolUseFailure", "subagentStart",
    "subagentStop", "errorOccurred", "agentStop", "sessionEnd",
];

/// What becomes of a call when the hook itself fails.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OnFailure {
    /// It goes on.
    Continue,
    /// It is blocked: `hook.fail_closed`. Claude Code and Copilot know how.
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
    /// The socket by which payloads leave the walls, for an agent within (decision 61).
    pub through: Option<String>,
}

/// A handler, with its members in the order in which one reads them.
#[sparse]
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Handler {
    #[serde(rename = "type")]
    kind: &'static str,
    name: Option<&'static str>,
    command: Option<String>,
    bash: Option<String>,
    args: Vec<String>,
    timeout: Option<u32>,
    timeout_sec: Option<u32>,
    on_failure: Option<&'static str>,
}

/// What stands among the handlers of an event.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum Entry {
    /// A group with one handler, for every tool.
    Group {
        /// The handler.
        hooks: [Handler; 1],
    },
    /// The handler itself.
    Alone(Handler),
}

impl Handler {
    /// As it stands among those of an event: in a group of its own where the agent has groups.
    pub fn entry(&self, agent: Agent) -> Entry {
        match agent {
            Agent::ClaudeCode | Agent::Codex | Agent::Gemini => Entry::Group { hooks: [self.clone()] },
            Agent::Copilot => Entry::Alone(self.clone()),
        }
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
            Agent::Copilot => &COPILOT,
        }
    }

    /// The handler of an event.
    pub fn handler(&self, event: &str) -> Handler {
        let program = quoted(&self.program);
        let through = self.through.iter().flat_map(|socket| ["--through".to_owned(), socket.clone()]);
        let args: Vec<_> = ["hook", self.agent.name()].map(str::to_owned).into_iter().chain(through).collect();
        let own = format!("{program} {}", args.join(" "));
        let line = || match self.readers {
            Readers::Person => own,
            Readers::Team => format!("{LOOK}{program}{ELSE}{own}"),
        };
        let plain = |command: String| Handler {
            kind: "command",
            name: None,
            command: Some(command),
            bash: None,
            args: Vec::new(),
            timeout: Some(TIMEOUT_SECONDS),
            timeout_sec: None,
            on_failure: None,
        };
        match self.agent {
            Agent::ClaudeCode => {
                let blocks = event == "PreToolUse" && self.on_failure == OnFailure::Block;
                let handler = match self.readers {
                    Readers::Person => Handler { args, ..plain(self.program.clone()) },
                    Readers::Team => plain(line()),
                };
                Handler { on_failure: blocks.then_some("block"), ..handler }
            }
            Agent::Codex => {
                let (hurried, seconds) = CODEX_HURRIES;
                let timeout = if hurried.contains(&event) { seconds } else { TIMEOUT_SECONDS };
                Handler { timeout: Some(timeout), ..plain(line()) }
            }
            // Gemini counts in milliseconds, the others in seconds.
            Agent::Gemini => Handler { name: Some("annals"), timeout: Some(TIMEOUT_SECONDS * 1000), ..plain(line()) },
            Agent::Copilot => self.of_copilot(event, &program),
        }
    }
}

impl Plan {
    /// Copilot blocks a call where the hook before it fails; its payloads do not say which event they are of.
    fn of_copilot(&self, event: &str, program: &str) -> Handler {
        let own = format!("{program} hook {} {event}", self.agent.name());
        let line = match (self.readers, self.on_failure) {
            (Readers::Person, OnFailure::Block) => own,
            (Readers::Person, OnFailure::Continue) => format!("{own}{GO_ON}"),
            (Readers::Team, OnFailure::Block) => format!("{LOOK}{program}{ELSE}{own}"),
            (Readers::Team, OnFailure::Continue) => format!("{LOOK}{program}{ELSE_RUN}{own}{GO_ON}"),
        };
        Handler {
            kind: "command",
            name: None,
            command: None,
            bash: Some(line),
            args: Vec::new(),
            timeout: None,
            timeout_sec: Some(TIMEOUT_SECONDS),
            on_failure: None,
        }
    }
}

/// What a team's line begins with, before the program; sh, bash, zsh and fish know it.
pub(super) const LOOK: &str = "command -v ";
/// What stands behind it. The program takes the shell's place, and with it stdin as it came.
pub(super) const ELSE: &str = " >/dev/null 2>&1 || exit 0; exec ";
/// The same where the shell goes on behind it.
const ELSE_RUN: &str = " >/dev/null 2>&1 || exit 0; ";
/// What ends a line that must not fail.
const GO_ON: &str = " || exit 0";

/// A path as a shell reads it.
pub(super) fn quoted(program: &str) -> String {
    let is_plain = |letter: char| letter.is_alphanumeric() || matches!(letter, '/' | '.' | '-' | '_' | '+');
    if program.chars().all(is_plain) { program.to_owned() } else { format!("'{}'", program.replace('\'', r"'\''")) }
}

/// Whether a handler is ours, whatever version or path put it there. One that does more is the person's.
pub(super) fn is_ours(handler: &Value, agent: Agent) -> bool {
    let Some(command) = handler.get(key(agent)).and_then(Value::as_str) else { return false };
    let is_guarded = command.starts_with(LOOK);
    let guarded = command.split_once(ELSE).or_else(|| command.split_once(ELSE_RUN)).filter(|_| is_guarded);
    let command = guarded.map_or(command, |(_, own)| own);
    let command = command.strip_suffix(GO_ON).filter(|_| agent == Agent::Copilot).unwrap_or(command);
    let arguments = handler.get("args").and_then(Value::as_array);
    let words: Vec<&str> = match arguments {
        Some(arguments) => std::iter::once(command).chain(arguments.iter().filter_map(Value::as_str)).collect(),
        None => words(command),
    };
    let [program, hook, name, options @ ..] = words.as_slice() else { return false };
    let file = program.rsplit(['/', '\\']).next().unwrap_or_default();
    let is_option =
        |word: &&str| word.starts_with('-') && word.chars().all(|sign| sign.is_alphanumeric() || "-_=".contains(sign));
    let is_event = |word: &&str| agent == Agent::Copilot && COPILOT.contains(word);
    // A line that runs ours and something behind it is the person's; it was once replaced as a whole.
    let are_ours = options.iter().all(|word| is_option(word) || is_event(word));
    let is_hook = matches!(file, "annals" | "annals.exe") && *hook == "hook" && are_ours;
    is_hook && Agent::from_name(name) == Some(agent)
}

/// Where a handler has its command line.
fn key(agent: Agent) -> &'static str {
    if agent == Agent::Copilot { "bash" } else { "command" }
}

/// The words of our own command line, whose first may stand in quotes.
fn words(command: &str) -> Vec<&str> {
    let command = command.trim();
    let in_quotes = command.strip_prefix('\'').and_then(|rest| rest.rsplit_once("' "));
    let (first, rest) = in_quotes.or_else(|| command.split_once(' ')).unwrap_or((command, ""));
    std::iter::once(first).chain(rest.split_whitespace()).collect()
}
