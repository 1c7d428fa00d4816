//! Entries of hooks: the shapes of `docs/IMPORT.md`, so that a session looks alike however it came in.
//!
//! Pure. Does not write them; `record` does.

use std::collections::BTreeMap;

use annals_sparse::sparse;
use serde::Serialize;

use crate::engine::intercept;
use crate::import::claude_code::verdict::ClaudeVerdict;
use crate::import::unread::{Count, Keeping, label};
use crate::kernel::annals::{LineHash, Source};
use crate::kernel::call::{CallKind, by_name};
use crate::kernel::entry::HistoryEntry;
use crate::kernel::id::{AgentId, EntryId, ModelId, SessionId};
use crate::kernel::joined::OUTCOME_UNKNOWN;
use crate::kernel::json::Json;
use crate::kernel::record::{Event, Input, Kind, Speech};
use crate::kernel::time::Timestamp;
use crate::kernel::whole;

use super::event::{BackgroundEnd, Begin, Call, Ending, EventPlace, ToldEvent, Typed};
use super::gemini;
use super::payload::Payload;

/// The record of a call without an id begins so.
const UNNAMED_CALL: &str = "call/";

/// A failure's text stands in its line up to here.
const ERROR_CHARS: usize = 2000;

/// Makes the entries of one event.
pub(super) struct Entries<'p> {
    pub(super) place: &'p EventPlace,
    pub(super) at: Timestamp,
    /// The payload, whose hash names what has no other name.
    pub(super) payload: &'p str,
}

impl Entries<'_> {
    fn entry(&self, kind: impl Into<Kind>, input: &impl Serialize, record: &str) -> HistoryEntry {
        let kind = kind.into();
        let mut entry = intercept::call(kind.name(), &Json::of(input), &self.place.session(), self.at);
        entry.operation.kind = kind.operation_type();
        (entry.operation.success, entry.operation.error) = (true, None);
        self.sign(&mut entry, record);
        entry
    }

    fn sign(&self, entry: &mut HistoryEntry, record: &str) {
        entry.provenance.agent_id = Some(self.place.agent.clone());
        entry.provenance.model_id.clone_from(&self.place.model);
        let (kind, session) = (self.place.kind.into(), self.place.native.clone());
        entry.annals.source = Some(Source { kind, session, record: record.into(), ..Source::default() });
    }

    fn by_user(&self, kind: Input, input: &impl Serialize, record: &str) -> HistoryEntry {
        let mut entry = self.entry(kind, input, record);
        entry.provenance.agent_id = Some(AgentId::from("user"));
        entry.provenance.model_id = None;
        entry
    }

    /// The hash of the payload, for what has no name of its own.
    fn unnamed(&self, what: &str) -> String {
        format!("{what}/{}", LineHash::of(self.payload.as_bytes()))
    }

    /// A session begins. Only its first beginning has the name that an import gives it.
    pub(super) fn session_start(&self, begin: &Begin) -> Vec<HistoryEntry> {
        let (native_id, cwd) = (&*self.place.native, self.place.cwd.as_deref());
        let input = SessionStart {
            tool: self.place.kind,
            native_id,
            cwd,
            model: self.place.model.as_ref().map(ModelId::as_str),
            source: begin.source.as_deref(),
            ..SessionStart::default()
        };
        let record = if begin.is_resumed() { self.unnamed("session_start") } else { "session_start".to_owned() };
        let mut made = vec![self.entry(Event::SessionStart, &input, &record)];
        if let Some(text) = &begin.title {
            made.push(self.entry(Event::Title, &Text { text }, &hashed("title", text)));
        }
        made
    }

    /// A sub-agent begins.
    pub(super) fn child_start(&self, agent_type: Option<&str>, parent_call: Option<&str>) -> HistoryEntry {
        let input = SessionStart {
            tool: self.place.kind,
            native_id: &self.place.native,
            cwd: self.place.cwd.as_deref(),
            model: self.place.model.as_ref().map(ModelId::as_str),
            parent_session: self.place.parent(),
            parent_call,
            agent_type,
            ..SessionStart::default()
        };
        self.entry(Event::SessionStart, &input, "session_start")
    }

    pub(super) fn session_end(&self, reason: &str) -> HistoryEntry {
        self.entry(Event::SessionEnd, &Reason { reason }, &self.unnamed("session_end"))
    }

    /// A person typed something. The prompt's own id names it, else a hash of its text.
    pub(super) fn typed(&self, typed: &Typed) -> HistoryEntry {
        let named = |text: &str| self.place.prompt.clone().map_or_else(|| hashed("prompt", text), Into::into);
        match typed {
            Typed::Prompt(text) => self.by_user(Input::Prompt, &Text { text }, &named(text)),
            Typed::Shell(command) => self.by_user(Input::Shell, &ShellResult { command }, &named(command)),
            Typed::Command { command, args } => {
                self.by_user(Input::Command, &ShellCommand { command, args }, &named(&format!("{command} {args}")))
            }
        }
    }

    /// A person stopped the agent.
    pub(super) fn interrupt(&self) -> HistoryEntry {
        self.by_user(Input::Interrupt, &Text { text: "interrupted" }, &self.unnamed("interrupt"))
    }

    /// The agent said something.
    pub(super) fn said(&self, text: &str) -> HistoryEntry {
        // The Gemini CLI tells all texts of a turn as one: which messages they were, its transcript knows.
        let kind = if self.place.kind == gemini::KIND { Speech::Turn } else { Speech::Message };
        self.entry(kind, &Text { text }, &hashed(kind.name(), text))
    }

    /// What went on in the background has ended.
    pub(super) fn background_end(&self, end: &BackgroundEnd) -> HistoryEntry {
        let record = format!("background_end/{}", end.task);
        let mut entry = self.entry(Event::BackgroundEnd, end, &record);
        let error = end.error();
        (entry.operation.success, entry.operation.error) = (error.is_none(), error);
        entry
    }

    /// The context was compacted.
    pub(super) fn compaction(&self, trigger: Option<&str>, summary: Option<&str>) -> HistoryEntry {
        let input = Compaction { trigger, summary };
        self.entry(Event::Compaction, &input, &self.unnamed("compaction"))
    }

    /// The model's service failed.
    pub(super) fn api_error(&self, error: &str) -> HistoryEntry {
        let record = self.unnamed("api_error");
        let mut entry = self.entry(Event::ApiError, &Failure { error }, &record);
        (entry.operation.success, entry.operation.error) = (false, Some(error.into()));
        entry
    }

    /// Something that this version does not know. What stands in it nobody has looked at: it is kept only where somebody
    /// asks for that, else it is counted as an import counts a record.
    pub(super) fn unknown(&self, keeping: Keeping) -> Option<HistoryEntry> {
        let name = self.unnamed("unknown");
        match keeping {
            Keeping::Whole => {
                let record = Json::from_text(self.payload.to_owned()).ok()?;
                Some(self.entry(Event::UnknownRecord, &Unknown { record: &record }, &name))
            }
            Keeping::Counts => {
                let event = label(&Payload::read(self.payload)?.name());
                let count = Count { count: 1, bytes: self.payload.len() as u64 };
                let note = Note { tool: self.place.kind, records: BTreeMap::from([(event, count)]) };
                Some(self.entry(Event::ImportNote, &note, &name))
            }
        }
    }

    /// A call that has begun, as it stands in the log if it never ends.
    pub(super) fn begun(&self, call: &Call) -> HistoryEntry {
        let mut entry = intercept::call(&call.tool, &call.input, &self.place.session(), self.at);
        self.sign(&mut entry, &record_of(call));
        name_tool(&mut entry, call);
        entry.metadata.files_touched.clone_from(&call.files);
        entry
    }

    /// A call that has ended. `began` is when it began, if somebody saw it.
    pub(super) fn ended(&self, call: &Call, ending: &Ending, began: Option<Timestamp>) -> HistoryEntry {
        let no = |reason| No { tool: &call.tool, input: &call.input, call: call.id.as_deref(), reason };
        let mut entry = match &ending.verdict {
            ClaudeVerdict::Rejected(words) => self.by_user(Input::Rejection, &no(words.as_deref()), &record_of(call)),
            ClaudeVerdict::Denied(words) => self.entry(Event::Denial, &no(Some(words)), &record_of(call)),
            ClaudeVerdict::Done | ClaudeVerdict::Failed(_) | ClaudeVerdict::Interrupted => {
                self.finished(call, ending, began)
            }
        };
        name_tool(&mut entry, call);
        entry
    }

    /// A call that a person did not let run: nobody said so, but the next prompt came instead of its end.
    pub(super) fn turned_down(&self, open: HistoryEntry) -> HistoryEntry {
        let Some(source) = open.annals.source else { return open };
        let call = Some(&*source.record).filter(|record| !record.starts_with(UNNAMED_CALL));
        let no = No { tool: &open.operation.name, input: &open.operation.input, call, reason: None };
        let mut entry = self.by_user(Input::Rejection, &no, &source.record);
        entry.session_id = open.session_id;
        entry.annals.source = Some(source);
        entry
    }

    /// A call that Annals itself refused.
    pub(super) fn denied(&self, call: &Call, reason: &str, decision: Option<EntryId>) -> HistoryEntry {
        let no = No { tool: &call.tool, input: &call.input, call: call.id.as_deref(), reason: Some(reason) };
        let mut entry = self.entry(Event::Denial, &no, &record_of(call));
        name_tool(&mut entry, call);
        entry.provenance.parent_entry_id = decision;
        entry
    }

    fn finished(&self, call: &Call, ending: &Ending, began: Option<Timestamp>) -> HistoryEntry {
        let mut entry = self.begun(call);
        let operation = &mut entry.operation;
        operation.duration_ms = ending.duration_ms.or_else(|| began.map(|began| self.at.since(began)));
        operation.output.clone_from(&ending.output);
        match &ending.verdict {
            ClaudeVerdict::Done => (operation.success, operation.error) = (true, None),
            ClaudeVerdict::Failed(text) => (operation.error, operation.output) = failure(text, operation.output.take()),
            ClaudeVerdict::Interrupted | ClaudeVerdict::Rejected(_) | ClaudeVerdict::Denied(_) => {}
        }
        // A command or a patch counts as done until the rollout says otherwise (docs/HOOKS.md).
        let has_code = matches!(by_name(&call.tool), CallKind::Shell | CallKind::Edit);
        if ending.told == ToldEvent::OutputOnly && ending.verdict == ClaudeVerdict::Done && has_code {
            entry.metadata.tags = Some(vec![OUTCOME_UNKNOWN.into()]);
        }
        entry
    }
}

/// Keeps the name that the hook has for a tool beside the one that it goes by.
fn name_tool(entry: &mut HistoryEntry, call: &Call) {
    if let Some(source) = &mut entry.annals.source {
        source.tool.clone_from(&call.called);
    }
}

/// A failure's text is its error. A plain text is not kept a second time as the output, unless it is long: then the
/// error is its beginning. (As an import does it.)
fn failure(text: &str, output: Option<Json>) -> (Option<Box<str>>, Option<Json>) {
    let says = |output: &Json| output.read::<String>().is_ok_and(|said| said.contains(text));
    let says_the_same = output.as_ref().is_some_and(says);
    match whole::beginning(text, ERROR_CHARS) {
        Some(beginning) => (Some(format!("{beginning}…").into()), output),
        None => (Some(text.into()), output.filter(|_| !says_the_same)),
    }
}

/// A call goes by its id; where it has none, by a hash of what was asked.
pub(super) fn record_of(call: &Call) -> Box<str> {
    let signature =
        || format!("{UNNAMED_CALL}{}", LineHash::of(format!("{}\0{}", call.tool, call.input.text()).as_bytes()));
    call.id.clone().unwrap_or_else(|| signature().into())
}

fn hashed(what: &str, text: &str) -> String {
    format!("{what}/{}", LineHash::of(text.as_bytes()))
}

#[sparse]
#[derive(Default, Serialize)]
struct SessionStart<'a> {
    tool: &'a str,
    native_id: &'a str,
    cwd: Option<&'a str>,
    model: Option<&'a str>,
    source: Option<&'a str>,
    parent_session: Option<SessionId>,
    parent_call: Option<&'a str>,
    agent_type: Option<&'a str>,
}

#[derive(Serialize)]
struct Reason<'a> {
    reason: &'a str,
}

#[derive(Serialize)]
struct Text<'a> {
    text: &'a str,
}

#[derive(Serialize)]
struct ShellResult<'a> {
    command: &'a str,
}

#[derive(Serialize)]
struct ShellCommand<'a> {
    command: &'a str,
    args: &'a str,
}

#[sparse]
#[derive(Serialize)]
struct Compaction<'a> {
    trigger: Option<&'a str>,
    summary: Option<&'a str>,
}

#[derive(Serialize)]
struct Failure<'a> {
    error: &'a str,
}

#[derive(Serialize)]
struct Unknown<'a> {
    record: &'a Json,
}

/// What was not kept.
#[derive(Serialize)]
struct Note<'a> {
    tool: &'a str,
    records: BTreeMap<Box<str>, Count>,
}

/// A refusal.
#[sparse]
#[derive(Serialize)]
struct No<'a> {
    tool: &'a str,
    input: &'a Json,
    call: Option<&'a str>,
    reason: Option<&'a str>,
}
