//! Sessions of the GitHub Copilot CLI (`~/.copilot/session-state/…/events.jsonl`, 1.0) → entries.
//!
//! Every record is `{type, id, parentId, timestamp, data}`: a record goes by its id, a call by its tool call id.

mod calls;
mod session;
#[cfg(test)]
mod tests;
mod tokens;

use std::cell::Cell;
use std::collections::BTreeMap;
use std::io::BufRead;

use self::tokens::Tokens;
use super::calls::Calls;
use super::common::{slash_command, touched};
use super::entries::{Clock, Fields, Made, Origin, Spot, Step, put};
use super::feed::{Line, Place, Rank, each_line};
use super::object::{Object, early, time};
use super::{ImportError, PassedOver, Sink};
use crate::kernel::id::ModelId;
use crate::kernel::time::Timestamp;

/// As `annals import` names it.
pub const KIND: &str = "copilot-cli";

/// Reads the events of a session.
pub fn import(file_name: &str, input: &mut dyn BufRead, sink: &mut dyn Sink) -> Result<(), ImportError> {
    let known = Cell::new(false);
    let mut reader: Option<Reader> = None;
    let place = |text: &str| {
        let [kind, at] = early(text, ["type", "timestamp"]);
        let kind = kind.unwrap_or_default();
        known.set(known.get() || kind.contains('.'));
        let rank = if kind == "session.start" { Rank::Head } else { Rank::Timed };
        Place { at: at.and_then(|at| time(&at)), rank }
    };
    each_line(input, sink, place, |sink, line| {
        if !known.get() {
            let problem = "no record has a type that the Copilot CLI writes".to_owned();
            return Err(ImportError::WrongKind { expected: "a session of the Copilot CLI", problem });
        }
        let record = Object::of(&line.text);
        let spot = spot(&line, &record);
        let made = match &mut reader {
            Some(reader) => reader.record(sink, &line.text, &record, &spot)?,
            None => reader
                .insert(Reader::begin(file_name, &record, &spot, sink)?)
                .first(sink, &line.text, &record, &spot)?,
        };
        if let Some(reason) = made {
            sink.passed_over(reason, line.number);
        }
        Ok(())
    })?;
    if let Some(reader) = reader {
        reader.calls.finish(sink, 0);
    }
    Ok(())
}

fn spot(line: &Line, record: &Object<'_>) -> Spot {
    let clock = if record.time("timestamp").is_some() { Clock::Tool } else { Clock::Synthetic };
    let made_up = || Timestamp::from_millis(0).plus_millis(i64::try_from(line.number).unwrap_or(0) * 1000);
    let id = record.text("id").map_or_else(|| line.hash.clone(), String::from);
    Spot { at: line.at.unwrap_or_else(made_up), clock, record: id.into(), line: Some(line.number) }
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

impl Reader {
    /// The record that opened the session.
    fn first(&mut self, sink: &mut dyn Sink, text: &str, record: &Object<'_>, spot: &Spot) -> Made {
        // A session that names itself is begun by that record, which thereby has its entry.
        if record.text("type").as_deref() == Some("session.start") {
            Ok(None)
        } else {
            self.record(sink, text, record, spot)
        }
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
