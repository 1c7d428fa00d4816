//! Where sessions begin: the main one with its first message, a sub-agent's with its first line (FORMATS 1.6).
//!
//! A sub-agent's lines stand in the same file (`isSidechain`), in a file of its own, or wrapped in `progress` lines;
//! they make the same entries in all three.

use annals_kernel::record::Event;
use annals_sparse::sparse;
use serde::{Deserialize, Serialize};

use crate::{ImportError, PassedOver};
use annals_kernel::id::{ModelId, SessionId};
use annals_kernel::json::Json;

use super::assistant::joined;
use super::line::{LineShape, SessionLine};
use super::raw::Raw;
use super::step::{RecordPlace, Step, StepRecord, TOOL};
use super::threads::{MAIN, ParentCall};
use super::{Importer, Made};

/// The beginning of a session.
#[sparse]
#[derive(Serialize)]
struct SessionStart<'a> {
    tool: &'a str,
    native_id: &'a str,
    cwd: Option<&'a str>,
    version: Option<Box<str>>,
    branch: Option<Box<str>>,
    parent_session: Option<SessionId>,
    parent_call: Option<Box<str>>,
    agent_type: Option<Box<str>>,
}

/// Another id that lines of the session carry.
#[derive(Serialize)]
struct Alias<'a> {
    native_id: &'a str,
}

impl Importer<'_> {
    /// Begins the session of a line where it is the first, and notes where it says that it is of another one.
    pub(super) fn note_session(&mut self, line: &SessionLine<'_>, place: &RecordPlace) -> Result<(), ImportError> {
        if !self.threads.get(place.thread).has_begun {
            self.begin_thread(line, place)?;
        }
        let main = &self.threads.get(MAIN).native;
        let other = line.session_id.name().filter(|id| id != main && !self.aliases.contains(id));
        let Some(id) = other else { return Ok(()) };
        let step = Step::system(Event::SessionAlias, &Alias { native_id: &id });
        let draft = self.draft(step, place, format!("session_alias/{id}").into());
        self.aliases.insert(id);
        self.sink.entry(draft)
    }

    pub(super) fn begin_thread(&mut self, line: &SessionLine<'_>, place: &RecordPlace) -> Result<(), ImportError> {
        let is_main = place.thread == MAIN;
        let ParentCall { call, agent_type } = if is_main { ParentCall::default() } else { self.parent_of(line) };
        let parent = (!is_main).then(|| SessionId::derived(TOOL, &self.threads.get(MAIN).native));
        let thread = self.threads.get_mut(place.thread);
        thread.has_begun = true;
        thread.cwd = line.cwd.name();
        let start = SessionStart {
            tool: TOOL,
            native_id: &thread.native,
            cwd: thread.cwd.as_deref(),
            version: line.version.name(),
            branch: line.git_branch.name(),
            parent_session: parent,
            parent_call: call,
            agent_type,
        };
        let step = Step::system(Event::SessionStart, &start);
        self.sink.entry(self.draft(step, place, "session_start".into()))
    }

    /// What the lines say, or else what stands beside a file of its own.
    fn parent_of(&mut self, line: &SessionLine<'_>) -> ParentCall {
        let task = if let LineShape::User(message) = line.shape() { Some(joined(&message)) } else { None };
        let ParentCall { call, agent_type } = self.waiting.parent(line.parent_tool_use_id.name(), task.as_deref());
        let beside = std::mem::take(&mut self.parent);
        ParentCall { call: call.or(beside.call), agent_type: agent_type.or(beside.agent_type) }
    }

    /// A line of an agent of the tool's own, which compacts or sums up: no session, but its tokens are the session's.
    pub(super) fn internal(&mut self, line: &SessionLine<'_>, mut record: StepRecord) -> Made {
        let LineShape::Assistant(message) = line.shape() else { return Ok(Some(PassedOver::Bookkeeping)) };
        let id = message.id.unwrap_or_else(|| record.place.record.clone());
        record.place.thread = MAIN;
        record.usage = self.meter.add(&id, message.usage);
        record.model = message.model.map(|model| ModelId::from(&*model));
        if record.usage.is_none() {
            return Ok(Some(PassedOver::Bookkeeping));
        }
        self.emit(&mut record, Step::system(Event::Usage, &Json::empty_object()))?;
        Ok(None)
    }

    /// Takes a `progress` line: of a sub-agent it wraps one of its lines, of anything else it says that it still lives.
    pub(super) fn progress(&mut self, line: &SessionLine<'_>, number: u64) -> Made {
        #[derive(Default, Deserialize)]
        #[serde(default, rename_all = "camelCase")]
        struct Data<'a> {
            #[serde(borrow, rename = "type")]
            kind: Raw<'a>,
            agent_id: Raw<'a>,
            message: Raw<'a>,
        }

        let data: Data<'_> = line.data.read().unwrap_or_default();
        let inner = data.message.written().filter(|_| data.kind.text().as_deref() == Some("agent_progress"));
        let Some(text) = inner else { return Ok(Some(PassedOver::Transient)) };
        let inner = SessionLine::read(text);
        if !matches!(inner.shape(), LineShape::User(_) | LineShape::Assistant(_)) {
            return Ok(Some(PassedOver::Transient));
        }
        let inner = SessionLine {
            is_sidechain: Raw::truth(),
            agent_id: data.agent_id,
            session_id: line.session_id,
            cwd: line.cwd,
            version: line.version,
            git_branch: line.git_branch,
            parent_tool_use_id: line.parent_tool_use_id,
            timestamp: inner.timestamp.or(line.timestamp),
            ..inner
        };
        self.made(&inner, number, text)
    }
}
