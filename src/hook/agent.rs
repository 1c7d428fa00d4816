//! The agents whose hooks are understood, and the answers that each of them accepts.
//!
//! An answer has only members of the agent's own schema: Codex refuses any other.

use serde_json::{Value, json};

use super::event::HookEvent;
use super::payload::Payload;
use super::voice::Said;
use super::{claude_code, codex, copilot, gemini};

/// An agent with hooks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Agent {
    /// Claude Code.
    ClaudeCode,
    /// Codex.
    Codex,
    /// The Gemini CLI.
    Gemini,
    /// The Copilot CLI.
    Copilot,
}

/// What the agent is told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum HookAnswer {
    /// Go on.
    Go,
    /// Go on; a word to the person.
    Tell(String),
    /// Go on; what is known, to the agent.
    Context {
        /// The hook, as the agent names it.
        event: Box<str>,
        /// What.
        text: String,
    },
    /// Do not stop yet, and why.
    Block(String),
    /// Do not make this call, and why.
    Deny(String),
    /// Ask the person whether to make this call, and why.
    Ask(String),
    /// Go on, unless the agent was set up to stop where a hook fails: the exit code is 1, which blocks nothing by itself.
    Fail,
}

impl Agent {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::ClaudeCode, Self::Codex, Self::Gemini, Self::Copilot];

    /// As the command line names it.
    pub fn name(self) -> &'static str {
        match self {
            Self::ClaudeCode => "claude-code",
            Self::Codex => "codex",
            Self::Gemini => "gemini",
            Self::Copilot => "copilot",
        }
    }

    /// As `annals import` names it, and so the sessions that both know.
    pub fn kind(self) -> &'static str {
        match self {
            Self::ClaudeCode => claude_code::KIND,
            Self::Codex => codex::KIND,
            Self::Gemini => gemini::KIND,
            Self::Copilot => copilot::KIND,
        }
    }

    /// By its name on the command line.
    pub(crate) fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|agent| agent.name() == name || agent.kind() == name)
    }

    /// Reads the members of a payload; `None` where the text is not an object of JSON.
    pub(crate) fn payload(self, text: &str) -> Option<Payload<'_>> {
        match self {
            Self::ClaudeCode | Self::Codex | Self::Gemini => Payload::read(text),
            Self::Copilot => copilot::payload(text),
        }
    }

    /// Whether the agent can ask its person about a call: the others take an "ask" for nothing, or for an error.
    pub(crate) fn can_ask(kind: &str) -> bool {
        kind == claude_code::KIND
    }

    /// Whether the agent takes an exit code that is not 0 for a "no".
    pub(crate) fn is_stopped_by_failure(self) -> bool {
        match self {
            Self::ClaudeCode | Self::Codex | Self::Gemini => false,
            Self::Copilot => true,
        }
    }

    /// Reads a payload.
    pub(crate) fn read(self, payload: &Payload<'_>) -> HookEvent {
        let name = payload.name();
        let (place, what) = match self {
            Self::ClaudeCode => (claude_code::place(payload), claude_code::what(&name, payload)),
            Self::Codex => (codex::place(payload), codex::what(&name, payload)),
            Self::Gemini => (gemini::place(payload), gemini::what(&name, payload)),
            Self::Copilot => (copilot::place(payload), copilot::what(&name, payload)),
        };
        HookEvent { name, place, what }
    }

    /// What a payload says beside its event.
    pub(crate) fn said(self, payload: &Payload<'_>) -> Said {
        let is_start = &*payload.name() == "SessionStart" && payload.source.text().as_deref() == Some("compact");
        let is_compacted = match self {
            Self::ClaudeCode => is_start && !claude_code::is_copilots(payload),
            Self::Codex => is_start,
            Self::Gemini | Self::Copilot => false,
        };
        Said { is_compacted, was_blocked: payload.stop_hook_active.owned() == Some(true) }
    }

    /// The answer as the agent reads it, on one line; nothing where there is nothing to say: each of them goes on then, and
    /// what is said is kept in its transcript.
    pub fn write(self, answer: &HookAnswer) -> Option<String> {
        let value = match (answer, self) {
            // Copilot takes no context from a hook; `annals prime` has it.
            (HookAnswer::Go | HookAnswer::Fail, _)
            | (HookAnswer::Context { .. } | HookAnswer::Block(_), Self::Copilot) => return None,
            (HookAnswer::Context { event, text }, Self::ClaudeCode | Self::Codex | Self::Gemini) => {
                json!({ "hookSpecificOutput": { "hookEventName": event, "additionalContext": text } })
            }
            (HookAnswer::Block(reason), Self::ClaudeCode | Self::Codex | Self::Gemini) => {
                json!({ "decision": "block", "reason": reason })
            }
            (HookAnswer::Tell(message), Self::ClaudeCode | Self::Codex | Self::Gemini) => {
                json!({ "systemMessage": message })
            }
            // It shows a person nothing that a hook says, but what a hook says on the way.
            (HookAnswer::Tell(message), Self::Copilot) => json!({ "type": "progress", "message": message }),
            (HookAnswer::Ask(reason), Self::ClaudeCode) => decide_as_claude_code("ask", reason),
            (HookAnswer::Deny(reason), Self::ClaudeCode)
            | (HookAnswer::Deny(reason) | HookAnswer::Ask(reason), Self::Codex) => {
                decide_as_claude_code("deny", reason)
            }
            (HookAnswer::Deny(reason) | HookAnswer::Ask(reason), Self::Gemini) => {
                json!({ "decision": "deny", "reason": reason })
            }
            (HookAnswer::Deny(reason) | HookAnswer::Ask(reason), Self::Copilot) => {
                json!({ "permissionDecision": "deny", "permissionDecisionReason": reason })
            }
        };
        Some(value.to_string())
    }
}

fn decide_as_claude_code(decision: &str, reason: &str) -> Value {
    json!({
        "hookSpecificOutput": {
            "hookEventName": "PreToolUse",
            "permissionDecision": decision,
            "permissionDecisionReason": reason,
        }
    })
}
