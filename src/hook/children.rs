//! Which call has started a sub-agent: told by the call's own answer, by the agent's transcript, or by what is open.
//!
//! A guess where several calls of one kind are open: the first that began, and none twice.

use std::path::{Path, PathBuf};

use serde::Deserialize;

use crate::engine::calls::OpenCall;
use crate::engine::{Engine, EngineError};
use crate::import::object::Object;
use crate::kernel::call::{CallKind, by_name};
use crate::kernel::id::SessionId;

use super::event::{Call, Ending};
use super::record::Recorder;
use super::{codex, copilot, rollout};

/// The first call of the transcript's end that began an agent of which nobody knows yet, and has not ended.
fn task_without_agent(engine: &Engine, parent: &SessionId, transcript: &Path) -> Option<Box<str>> {
    let tail = rollout::tail(&**engine.disk(), transcript)?;
    let mut open: Vec<Box<str>> = Vec::new();
    for line in tail.split(|byte| *byte == b'\n').filter_map(|line| str::from_utf8(line).ok()) {
        let record = Object::of(line);
        let (kind, data) = (record.text("type").unwrap_or_default(), record.object("data"));
        let Some(call) = data.text("toolCallId") else { continue };
        match &*kind {
            "tool.execution_start" if data.text("toolName").as_deref() == Some("task") => open.push((&*call).into()),
            "tool.execution_complete" => open.retain(|open| **open != *call),
            _ => {}
        }
    }
    let known = engine.known_children(parent).ok()?;
    open.into_iter().find(|call| !known.contains(call))
}

impl Recorder<'_> {
    /// The call that started the sub-agent that begins here.
    pub(super) fn parent_call(&self, agent_type: Option<&str>) -> Result<Option<Box<str>>, EngineError> {
        let place = self.entries.place;
        let Some(parent) = place.parent() else { return Ok(None) };
        if place.kind == copilot::KIND {
            let task = self.transcript.and_then(|transcript| task_without_agent(self.engine, &parent, transcript));
            if let Some(task) = &task {
                self.engine.expect_child(&parent, &place.native, task)?;
            }
            return Ok(task);
        }
        if let Some(call) = self.engine.expected_child(&parent, &place.native)? {
            return Ok(Some(call));
        }
        match self.in_rollout() {
            Some(call) => Ok(Some(call)),
            None => self.open_starter(&parent, agent_type),
        }
    }

    /// Codex says it in the rollout of the session above, which lies beside the agent's own.
    fn in_rollout(&self) -> Option<Box<str>> {
        let place = self.entries.place;
        let own = self.transcript.filter(|_| place.kind == codex::KIND)?;
        let (folder, end) = (own.parent()?, format!("-{}.jsonl", place.root.as_deref()?));
        let files = self.engine.disk().list(folder).ok()?;
        let above: Option<PathBuf> =
            files.iter().find(|file| file.name.ends_with(&end)).map(|file| folder.join(&file.name));
        rollout::starter(&**self.engine.disk(), &above?, &place.native)
    }

    /// The first open call that asked for such an agent and has started none.
    fn open_starter(&self, parent: &SessionId, agent_type: Option<&str>) -> Result<Option<Box<str>>, EngineError> {
        #[derive(Deserialize)]
        struct Task {
            subagent_type: Option<Box<str>>,
        }

        let starts_it = |open: &OpenCall| {
            let operation = &open.entry.operation;
            let asked = operation.input.read::<Task>().ok().and_then(|task| task.subagent_type);
            open.belongs_to(parent)
                && by_name(&operation.name) == CallKind::Delegate
                && (asked.is_none() || asked.as_deref() == agent_type)
        };
        let open = self.engine.open_calls()?.into_iter();
        let mut open: Vec<_> = open.filter_map(|(key, open)| Some((key, open.filter(&starts_it)?))).collect();
        open.sort_by_key(|(_, open)| open.entry.timestamp);
        for (key, open) in open {
            if self.engine.claim_call(&key)? {
                return Ok(open.entry.annals.source.map(|source| source.record));
            }
        }
        Ok(None)
    }

    /// A call that went to the background names the agent that it has started, which may begin only now.
    pub(super) fn expect_child(&self, call: &Call, ending: &Ending) -> Result<(), EngineError> {
        #[derive(Deserialize)]
        #[serde(rename_all = "camelCase")]
        struct Launched {
            status: Box<str>,
            agent_id: Box<str>,
        }

        let output = ending.output.as_ref().filter(|_| by_name(&call.tool) == CallKind::Delegate);
        let launched = output.and_then(|output| output.read::<Launched>().ok());
        let Some((launched, id)) =
            launched.filter(|launched| &*launched.status == "async_launched").zip(call.id.as_deref())
        else {
            return Ok(());
        };
        let place = self.entries.place;
        let root = place.root.as_ref().unwrap_or(&place.native);
        let session = place.parent().unwrap_or_else(|| place.session());
        self.engine.expect_child(&session, &format!("{root}/{}", launched.agent_id), id)
    }
}
