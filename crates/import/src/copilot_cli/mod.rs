//! Sessions of the GitHub Copilot CLI (`~/.copilot/session-state/…/events.jsonl`, 1.0) → entries.
//!
//! Every record is `{type, id, parentId, timestamp, data}`: a record goes by its id, a call by its tool call id.

mod calls;
mod session;
#[cfg(test)]
mod tests;
mod tokens;

use annals_kernel::record::{Event, Input, Speech};
use std::collections::BTreeMap;
use std::io::BufRead;

use self::tokens::CopilotTokens;
use super::calls::Calls;
use super::common::{slash_command, touched};
use super::entries::{EntryStep, Fields, Made, Origin, Spot, pass_unread, put};
use super::object::Object;
use super::typed::{self, TypedSession};
use super::{Given, ImportError, PassedOver, Sink};
use annals_kernel::id::{AgentId, ModelId};

/// As `annals import` names it.
pub(crate) const KIND: &str = "copilot-cli";

/// Reads the events of a session.
pub(crate) fn import(given: &Given<'_>, input: &mut dyn BufRead, sink: &mut dyn Sink) -> Result<(), ImportError> {
    typed::import::<CopilotReader>(given, input, sink)
}

/// What must be known of a session to read its next record.
struct CopilotReader {
    origin: Origin,
    /// Sub-agents, by the call that began them, and by their own id.
    children: BTreeMap<Box<str>, Origin>,
    /// The sub-agent whose record is read.
    child: Option<Box<str>>,
    cwd: String,
    model: Option<ModelId>,
    calls: Calls,
    /// The call that a request for permission is about.
    requests: BTreeMap<Box<str>, Box<str>>,
    tokens: CopilotTokens,
}

impl TypedSession for CopilotReader {
    const EXPECTED: &'static str = "a session of the Copilot CLI";
    const WRITER: &'static str = "the Copilot CLI";
    const HEAD: &'static str = "session.start";

    fn is_known(kind: &str) -> bool {
        kind.contains('.')
    }

    fn name(record: &Object<'_>, hash: &str) -> Box<str> {
        record.text("id").map_or_else(|| hash.into(), Box::from)
    }

    fn begin(given: &Given<'_>, record: &Object<'_>, spot: &Spot, sink: &mut dyn Sink) -> Result<Self, ImportError> {
        Self::named_by(given, record, spot, sink)
    }

    fn record(&mut self, sink: &mut dyn Sink, text: &str, record: &Object<'_>, spot: &Spot) -> Made {
        let data = record.object("data");
        self.child = record.text("agentId").map(|agent| (&*agent).into());
        let kind = record.text("type").unwrap_or_default();
        match &*kind {
            "user.message" => self.prompt(sink, &data, spot),
            "assistant.message" => self.message(sink, &data, spot),
            "tool.execution_start" => self.call(sink, &data, spot),
            "tool.execution_complete" => self.result(sink, record.raw("data"), spot),
            "permission.requested" => Ok(Some(self.request(&data))),
            "permission.completed" => Ok(Some(self.permission(&data))),
            "session.usage_record" => self.usage(sink, &data.object("usage"), spot),
            "subagent.started" => self.child(sink, &data, spot),
            "abort" => self.abort(sink, &data, spot),
            "session.shutdown" => self.shutdown(sink, &data, spot),
            "session.compaction_complete" => self.compaction(sink, &data, spot),
            "session.error" => self.error(sink, &data, spot),
            "session.title_changed" => self.title(sink, &data, spot),
            "session.start" | "session.resume" | "session.model_change" => Ok(Some(self.change(&data))),
            other => match without_entry(other) {
                Some(reason) => Ok(Some(reason)),
                None => pass_unread(sink, other, text, &self.origin, spot),
            },
        }
    }

    fn finish(self, sink: &mut dyn Sink) {
        self.calls.finish(sink, 0);
    }
}

impl CopilotReader {
    /// The session of a record: that of a sub-agent where the record names the call that began it.
    fn origin_of(&self, data: &Object<'_>) -> &Origin {
        let named = data.text("parentToolCallId").map(|call| Box::from(&*call));
        let child = [named.as_ref(), self.child.as_ref()].into_iter().flatten().find_map(|id| self.children.get(id));
        child.unwrap_or(&self.origin)
    }

    fn prompt(&mut self, sink: &mut dyn Sink, data: &Object<'_>, spot: &Spot) -> Made {
        let origin = self.origin_of(data).clone();
        // Asked before the source, which of a sub-agent's message names the agent above it (`agent-…`): that message is
        // its task.
        if origin.session != self.origin.session {
            return task(sink, data, &origin, spot);
        }
        // A message with a source was put there by a skill or by the tool.
        if data.text("source").is_some_and(|source| source != "user") {
            return Ok(Some(PassedOver::Injected));
        }
        self.interrupt(sink, spot)?;
        let text = data.text("content").unwrap_or_default();
        if text.is_empty() {
            return Ok(Some(PassedOver::Empty));
        }
        let attached: Vec<_> = data.list("attachments").into_iter().map(|file| Object::of(file.get())).collect();
        let paths: Vec<_> = attached.iter().filter_map(|file| file.text("path")).collect();
        let files = touched(&self.cwd, &self.cwd, paths.iter().map(|path| &**path));
        let step = match slash_command(&text) {
            Some((command, args)) => {
                EntryStep::user(Input::Command, Fields::new().with("command", command).with("args", args))
            }
            None => EntryStep::user(Input::Prompt, Fields::new().with("text", &*text)),
        };
        self.put(sink, step.files(files), spot)
    }

    /// What a reply cost, told before the reply itself.
    fn usage(&mut self, sink: &mut dyn Sink, usage: &Object<'_>, spot: &Spot) -> Made {
        let model = usage.text("model").map(|model| ModelId::from(&*model)).or_else(|| self.model.clone());
        let Some(added) = self.tokens.record(usage, model.as_ref()) else { return Ok(Some(PassedOver::Bookkeeping)) };
        let step = EntryStep::event(Event::Usage, Fields::new()).usage(Some(added)).model(model.as_ref());
        put(sink, step.at(self.origin_of(&Object::default()), spot.clone()))
    }

    fn message(&mut self, sink: &mut dyn Sink, data: &Object<'_>, spot: &Spot) -> Made {
        let model = data.text("model").map(|model| ModelId::from(&*model));
        let model = model.or_else(|| self.model.clone());
        let mut usage = self.tokens.message(data, model.as_ref());
        let origin = self.origin_of(data).clone();
        let parts =
            [(Speech::Message, "content", spot.clone()), (Speech::Thinking, "reasoningText", spot.part("thinking"))];
        let mut made = Some(PassedOver::Empty);
        for (kind, key, spot) in parts {
            let Some(text) = data.text(key).filter(|text| !text.is_empty()) else { continue };
            let step = EntryStep::says(kind, &text).model(model.as_ref()).usage(usage.take());
            made = put(sink, step.at(&origin, spot))?;
        }
        match usage {
            None => Ok(made),
            usage => put(
                sink,
                EntryStep::event(Event::Usage, Fields::new())
                    .usage(usage)
                    .model(model.as_ref())
                    .at(&origin, spot.clone()),
            ),
        }
    }

    fn put(&self, sink: &mut dyn Sink, step: EntryStep, spot: &Spot) -> Made {
        put(sink, step.at(&self.origin, spot.clone()))
    }
}

/// A sub-agent is asked by the agent that began it.
fn task(sink: &mut dyn Sink, data: &Object<'_>, origin: &Origin, spot: &Spot) -> Made {
    let text = data.text("content").filter(|text| !text.is_empty());
    let step = text.map(|text| EntryStep::says(Speech::Task, &text).by(AgentId::from(KIND)));
    step.map_or(Ok(Some(PassedOver::Empty)), |step| put(sink, step.at(origin, spot.clone())))
}

/// Why an event of this type makes no entry; `None` for a type that is not known.
fn without_entry(kind: &str) -> Option<PassedOver> {
    const TRANSIENT: [&str; 7] = [
        "session.idle", "session.usage_info", "session.compaction_start", "assistant.usage",
        "tool.execution_partial_result", "tool.execution_progress", "session.background_tasks_changed",
    ];
    const BOOKKEEPING: [&str; 28] = [
        "session.info", "session.warning", "session.truncation", "session.handoff", "session.mode_changed",
        "session.plan_changed", "session.context_changed", "session.workspace_file_changed", "session.snapshot_rewind",
        "session.remote_steerable_changed", "session.task_complete", "session.tools_updated", "session.skills_loaded",
        "session.custom_agents_updated", "session.mcp_servers_loaded", "session.mcp_server_status_changed",
        "session.extensions_loaded", "assistant.turn_start", "assistant.turn_end", "assistant.intent",
        "tool.user_requested", "subagent.selected", "subagent.deselected", "subagent.configured", "subagent.completed",
        "subagent.failed", "pending_messages.modified", "commands.changed",
    ];
    // What a person is asked, and what programs beside the tool are: the answer stands in what follows.
    const ASKED: [&str; 8] = [
        "command.", "elicitation.", "exit_plan_mode.", "external_tool.", "mcp.", "permission.", "sampling.",
        "user_input.",
    ];
    match kind {
        "system.message" | "system.notification" | "skill.invoked" => Some(PassedOver::Injected),
        "assistant.reasoning" => Some(PassedOver::Copy),
        "hook.start" | "hook.end" => Some(PassedOver::Bookkeeping),
        _ if TRANSIENT.contains(&kind) || kind.ends_with("_delta") => Some(PassedOver::Transient),
        _ if BOOKKEEPING.contains(&kind) => Some(PassedOver::Bookkeeping),
        _ if ASKED.iter().any(|group| kind.starts_with(group)) => Some(PassedOver::Bookkeeping),
        _ => None,
    }
}
