//! What a hook says, whichever agent says it.
//!
//! Pure. Adapters make it, `record` makes entries of it.

use annals_sparse::sparse;
use serde::Serialize;

use crate::import::claude_code::verdict::ClaudeVerdict;
use crate::kernel::entry::HistoryEntry;
use crate::kernel::id::{AgentId, ModelId, SessionId};
use crate::kernel::json::Json;

/// What a hook says.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct HookEvent {
    /// As the agent names it: `PreToolUse`.
    pub name: Box<str>,
    /// Where it happened.
    pub place: EventPlace,
    /// What happened.
    pub what: What,
}

impl HookEvent {
    /// The same, its session and agent under the names that may be written.
    #[must_use]
    pub(crate) fn renamed(self, name: impl Fn(&str) -> Box<str>) -> Self {
        Self { place: self.place.renamed(name), ..self }
    }

    /// By which it is counted: a name that no agent is known to use may be any text.
    pub(crate) fn counted_as(&self) -> &str {
        if self.what == What::Unknown { "other" } else { &self.name }
    }

    /// Whether a person looks at the agent just now: a session begins, or something was typed.
    pub(crate) fn is_turn(&self) -> bool {
        matches!(self.what, What::SessionBegins(_) | What::Typed(_))
    }

    /// Whether somebody pauses: a turn, a sub-agent or a session has ended.
    pub(crate) fn is_pause(&self) -> bool {
        matches!(
            self.what,
            What::SessionEnds { .. } | What::ChildEnds { .. } | What::Said(_) | What::TurnEnds | What::Interrupted
        )
    }

    /// Whether the agent does not wait for its next call just now: a turn or a session has ended, or a call has failed.
    pub(crate) fn leaves_time(&self) -> bool {
        match &self.what {
            What::SessionEnds { .. } | What::ChildEnds { .. } | What::Said(_) | What::TurnEnds | What::Interrupted => {
                true
            }
            What::BackgroundEnds(end) => end.error().is_some(),
            // Only a failed one: deciding what it sets off takes 20 ms of CPU, and an ordinary call sets nothing off.
            what @ (What::CallEnds(..) | What::CallsAnswered(_)) => what.has_failed_call(),
            What::SessionBegins(_)
            | What::ChildBegins { .. }
            | What::Typed(_)
            | What::CallBegins(_)
            | What::Compacted { .. }
            | What::ServiceFailed { .. }
            | What::Nothing
            | What::Unknown => false,
        }
    }
}

/// Whose session an event belongs to, and what else all events say.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct EventPlace {
    /// The tool, as `annals import` names it.
    pub kind: &'static str,
    /// The session's id in that tool.
    pub native: Box<str>,
    /// The session above it, where this one is a sub-agent's.
    pub root: Option<Box<str>>,
    /// Who acts.
    pub agent: AgentId,
    /// Where the agent works just now.
    pub cwd: Option<Box<str>>,
    /// The model, where the payload names it.
    pub model: Option<ModelId>,
    /// The id of the prompt or turn that it belongs to.
    pub prompt: Option<Box<str>>,
}

impl EventPlace {
    /// The same under the names that may be written.
    #[must_use]
    pub(crate) fn renamed(self, name: impl Fn(&str) -> Box<str>) -> Self {
        let (native, root) = (name(&self.native), self.root.as_deref().map(&name));
        Self { native, root, agent: AgentId::from(name(self.agent.as_str())), ..self }
    }

    /// The session, as an import of the same one names it.
    pub(crate) fn session(&self) -> SessionId {
        SessionId::derived(self.kind, &self.native)
    }

    /// The session above it.
    pub(crate) fn parent(&self) -> Option<SessionId> {
        self.root.as_ref().map(|root| SessionId::derived(self.kind, root))
    }
}

/// What happened.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum What {
    /// A session begins, or goes on.
    SessionBegins(Begin),
    /// A session ends.
    SessionEnds {
        /// Why.
        reason: Box<str>,
    },
    /// A sub-agent begins.
    ChildBegins {
        /// What kind of agent.
        agent_type: Option<Box<str>>,
    },
    /// A sub-agent ends.
    ChildEnds {
        /// What it said last.
        said: Option<Box<str>>,
    },
    /// A person typed something.
    Typed(Typed),
    /// The agent said something.
    Said(Box<str>),
    /// What went on in the background has ended.
    BackgroundEnds(BackgroundEnd),
    /// A turn ends, and nobody says with which words.
    TurnEnds,
    /// A person stopped the agent.
    Interrupted,
    /// A call begins.
    CallBegins(Call),
    /// A call has ended.
    CallEnds(Call, Ending),
    /// What the model gets of several calls; those that have no end yet end with it.
    CallsAnswered(Vec<(Call, Ending)>),
    /// The context was compacted.
    Compacted {
        /// `manual` or `auto`.
        trigger: Option<Box<str>>,
        /// What is left of it.
        summary: Option<Box<str>>,
    },
    /// The model's service failed.
    ServiceFailed {
        /// How.
        error: Box<str>,
    },
    /// Something that makes no entry: it is counted.
    Nothing,
    /// Something that this version does not know: it is kept as it was.
    Unknown,
}

impl What {
    /// Whether it tells of a call that failed.
    pub(crate) fn has_failed_call(&self) -> bool {
        if let Self::CallsAnswered(calls) = self {
            return calls.iter().any(|(_, ending)| ending.has_failed());
        }
        matches!(self, Self::CallEnds(_, ending) if ending.has_failed())
    }
}

/// How a session begins.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Begin {
    /// `startup`, `resume`, `clear`, `fork`.
    pub source: Option<Box<str>>,
    /// A title that it has already.
    pub title: Option<Box<str>>,
}

impl Begin {
    /// Whether the session has been there before.
    pub(crate) fn is_resumed(&self) -> bool {
        self.source.as_deref() == Some("resume")
    }
}

/// What a person typed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Typed {
    /// A prompt.
    Prompt(Box<str>),
    /// A slash command.
    Command {
        /// With its slash.
        command: Box<str>,
        /// What was typed after it.
        args: Box<str>,
    },
    /// A shell command.
    Shell(Box<str>),
}

/// The end of something that went on after its call had its result.
#[sparse]
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct BackgroundEnd {
    /// The call that began it.
    pub call: Option<Box<str>>,
    /// Its own name.
    pub task: Box<str>,
    /// `completed`, `failed`, `killed`.
    pub status: Box<str>,
    /// The exit code of a command.
    pub exit_code: Option<i64>,
    /// What the agent was told of it.
    pub summary: Option<Box<str>>,
}

impl BackgroundEnd {
    /// Why it failed.
    pub(crate) fn error(&self) -> Option<Box<str>> {
        match self.exit_code {
            Some(code) if code != 0 => Some(format!("exit code {code}").into()),
            _ if &*self.status == "completed" => None,
            _ => Some(self.status.clone()),
        }
    }
}

/// A call of a tool.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Call {
    /// Its id; Gemini gives none.
    pub id: Option<Box<str>>,
    /// The tool, as its agent's transcript names it.
    pub tool: Box<str>,
    /// As the hook names it, where that is another name.
    pub called: Option<Box<str>>,
    /// The arguments.
    pub input: Json,
    /// Files that the arguments name.
    pub files: Option<Vec<Box<str>>>,
}

impl Call {
    /// The call that an entry is of, by the entry of its beginning.
    pub(crate) fn of_entry(entry: &HistoryEntry) -> Option<Self> {
        let source = entry.annals.source.as_ref()?;
        Some(Self {
            id: Some(source.record.clone()),
            tool: entry.operation.name.clone(),
            called: source.tool.clone(),
            input: entry.operation.input.clone(),
            files: entry.metadata.files_touched.clone(),
        })
    }
}

/// How a call ended.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Ending {
    /// Done, failed, stopped or refused.
    pub verdict: ClaudeVerdict,
    /// What came back.
    pub output: Option<Json>,
    /// How long it took, where the agent says so.
    pub duration_ms: Option<u64>,
    /// Whether the agent says how it ended.
    pub told: ToldEvent,
}

impl Ending {
    /// Whether the call failed.
    pub(crate) fn has_failed(&self) -> bool {
        matches!(self.verdict, ClaudeVerdict::Failed(_))
    }
}

/// Whether an agent says how a call ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ToldEvent {
    /// It does.
    Plainly,
    /// It gives the output only; the end of its transcript may say more.
    OutputOnly,
}
