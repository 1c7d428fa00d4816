//! Sessions of the GitHub Copilot CLI (`~/.copilot/session-state/…/events.jsonl`, 1.0) → entries.
//!
//! Every record is `{type, id, parentId, timestamp, data}`: a record goes by its id, a call by its tool call id.

mod calls;
mod session;
#[cfg(test)]
mod tests;
mod tokens;

use std::collections::BTreeMap;
use std::io::BufRead;

use self::tokens::Tokens;
use super::calls::Calls;
use super::common::{slash_command, touched};
use super::entries::{Fields, Made, Origin, Spot, Step, put};
use super::object::Object;
use super::typed::{self, Session};
use super::{ImportError, PassedOver, Sink};
use crate::kernel::id::ModelId;

/// As `annals import` names it.
pub const KIND: &str = "copilot-cli";

/// Reads the events of a session.
pub fn import(file_name: &str, input: &mut dyn BufRead, sink: &mut dyn Sink) -> Result<(), ImportError> {
    typed::import::<Reader>(file_name, input, sink)
}

/// What must be known of a session to read its next record.
struct Reader {
    origin: Origin,
    /// Sub-agents, by the call that began them.
    children: BTreeMap<Box<str>, Origin>,
    cwd: String,
    model: Option<ModelId>,
    calls: Calls,
    /// The call that a request for permission is about.
    requests: BTreeMap<Box<str>, Box<str>>,
    tokens: Tokens,
}

impl Session for Reader {
    const EXPECTED: &'static str = "a session of the Copilot CLI";
    const WRITER: &'static str = "the Copilot CLI";
    const HEAD: &'static str = "session.start";

    fn is_known(kind: &str) -> bool {
        kind.contains('.')
    }

    fn name(record: &Object<'_>, hash: &str) -> Box<str> {
        record.text("id").map_or_else(|| hash.into(), Box::from)
    }

    fn begin(file_name: &str, record: &Object<'_>, spot: &Spot, sink: &mut dyn Sink) -> Result<Self, ImportError> {
        Self::named_by(file_name, record, spot, sink)
    }

    fn record(&mut self, sink: &mut dyn Sink, text: &str, record: &Object<'_>, spot: &Spot) -> Made {
        let data = record.object("data");
        let kind = record.text("type").unwrap_or_default();
        match &*kind {
            "user.message" => self.prompt(sink, &data, spot),
            "assistant.message" => self.message(sink, &data, spot),
            "tool.execution_start" => self.call(sink, &data, spot),
            "tool.execution_complete" => self.result(sink, record.raw("data"), spot),
            "permission.requested" => Ok(Some(self.request(&data))),
            "permission.completed" => Ok(Some(self.permission(&data))),
            "subagent.started" => self.child(sink, &data, spot),
            "abort" => self.abort(sink, &data, spot),
            "session.shutdown" => self.shutdown(sink, &data, spot),
            "session.compaction_complete" => self.compaction(sink, &data, spot),
            "session.error" => self.error(sink, &data, spot),
            "session.title_changed" => self.title(sink, &data, spot),
            "session.start" | "session.resume" | "session.model_change" => Ok(Some(self.change(&data))),
            other => match without_entry(other) {
                Some(reason) => Ok(Some(reason)),
                None => self.put(sink, Step::unknown(text), spot),
            },
        }
    }

    fn finish(self, sink: &mut dyn Sink) {
        self.calls.finish(sink, 0);
    }
}

impl Reader {
    /// The session of a record: that of a sub-agent where the record names the call that began it.
    fn origin_of(&self, data: &Object<'_>) -> &Origin {
        let child = data.text("parentToolCallId").and_then(|call| self.children.get(&*call));
        child.unwrap_or(&self.origin)
    }

    fn prompt(&mut self, sink: &mut dyn Sink, data: &Object<'_>, spot: &Spot) -> Made {
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
            Some((command, args)) => Step::user("command", Fields::new().with("command", command).with("args", args)),
            None => Step::user("prompt", Fields::new().with("text", &*text)),
        };
        self.put(sink, step.files(files), spot)
    }

    fn message(&mut self, sink: &mut dyn Sink, data: &Object<'_>, spot: &Spot) -> Made {
        let model = data.text("model").map(|model| ModelId::from(&*model));
        let model = model.or_else(|| self.model.clone());
        let mut usage = Some(self.tokens.message(data, model.as_ref()));
        let origin = self.origin_of(data).clone();
        let parts = [("message", "content", spot.clone()), ("thinking", "reasoningText", spot.part("thinking"))];
        let mut made = Some(PassedOver::Empty);
        for (name, key, spot) in parts {
            let Some(text) = data.text(key).filter(|text| !text.is_empty()) else { continue };
            let step = Step::says(name, &text).model(model.as_ref()).usage(usage.take());
            made = put(sink, step.at(&origin, spot))?;
        }
        match usage {
            None => Ok(made),
            usage => put(
                sink,
                Step::event("usage", Fields::new()).usage(usage).model(model.as_ref()).at(&origin, spot.clone()),
            ),
        }
    }

    fn put(&self, sink: &mut dyn Sink, step: Step, spot: &Spot) -> Made {
        put(sink, step.at(&self.origin, spot.clone()))
    }
}

/// Why an event of this type makes no entry; `None` for a type that is not known.
fn without_entry(kind: &str) -> Option<PassedOver> {
    const TRANSIENT: [&str; 7] = [
        "session.idle",
        "session.usage_info",
        "session.compaction_start",
        "assistant.usage",
        "tool.execution_partial_result",
        "tool.execution_progress",
        "session.background_tasks_changed",
    ];
    const BOOKKEEPING: [&str; 16] = [
        "session.info",
        "session.warning",
        "session.truncation",
        "session.handoff",
        "session.mode_changed",
        "session.plan_changed",
        "session.context_changed",
        "session.workspace_file_changed",
        "session.snapshot_rewind",
        "assistant.turn_start",
        "assistant.turn_end",
        "assistant.intent",
        "tool.user_requested",
        "subagent.selected",
        "subagent.completed",
        "subagent.failed",
    ];
    match kind {
        "system.message" | "system.notification" | "skill.invoked" => Some(PassedOver::Injected),
        "assistant.reasoning" => Some(PassedOver::Copy),
        "hook.start" | "hook.end" => Some(PassedOver::Bookkeeping),
        _ if TRANSIENT.contains(&kind) || kind.ends_with("_delta") => Some(PassedOver::Transient),
        _ if BOOKKEEPING.contains(&kind) => Some(PassedOver::Bookkeeping),
        _ => None,
    }
}
