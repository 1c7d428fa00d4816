//! The history of a run: every message, with examples before it that are no part of it.
//!
//! Old histories have no ids: a result follows its call. New ones name it by `tool_call_ids`; ids may repeat.

use annals_kernel::record::{Input, Speech};
use std::collections::VecDeque;

use super::step::{command, verdict};
use super::{SweAgentRun, spot};
use crate::calls::{OpenCall, Outcome};
use crate::common::{object_in, text_of};
use crate::entries::{EntryStep, Fields, Made};
use crate::object::{Object, text};
use crate::{ImportError, PassedOver, Sink};
use annals_kernel::json::Json;
use annals_kernel::time::Timestamp;

/// What must be known of a history to read its next message.
#[derive(Default)]
pub(super) struct SweAgentHistory {
    /// Messages so far.
    count: u64,
    /// Whether the agent has said something: what a person says before is the task.
    begun: bool,
    /// Calls without a result, with their ids.
    open: VecDeque<(String, OpenCall)>,
}

impl SweAgentHistory {
    /// Says what still waits.
    pub(super) fn finish(self, sink: &mut dyn Sink, last_line: u64) {
        for _ in self.open {
            sink.passed_over(PassedOver::Unanswered, last_line);
        }
    }
}

impl SweAgentRun {
    /// A message of a history whose run the trajectory has told: only the task is new.
    pub(super) fn told_already(&mut self, sink: &mut dyn Sink, message: &Object<'_>) -> Made {
        self.history.count += 1;
        if let Some(reason) = before_the_run(message) {
            return Ok(Some(reason));
        }
        if message.text("role").as_deref() == Some("user") && !self.history.begun {
            return self.task(sink, message);
        }
        self.history.begun = true;
        Ok(Some(PassedOver::Copy))
    }

    /// A message of a history that tells the run itself.
    pub(super) fn said(&mut self, sink: &mut dyn Sink, message: &Object<'_>) -> Made {
        self.history.count += 1;
        if let Some(reason) = before_the_run(message) {
            return Ok(Some(reason));
        }
        match message.text("role").as_deref() {
            Some("assistant") => self.acts(sink, message),
            Some("user") if !self.history.begun => self.task(sink, message),
            _ => self.observes(sink, message),
        }
    }

    fn task(&self, sink: &mut dyn Sink, message: &Object<'_>) -> Made {
        let text = message.raw("content").map(text_of).unwrap_or_default();
        let record = format!("history/{}", self.history.count);
        let step = EntryStep::user(Input::Prompt, Fields::new().with("text", &text));
        self.put(sink, step, &record, self.history.count).map(|()| None)
    }

    fn acts(&mut self, sink: &mut dyn Sink, message: &Object<'_>) -> Made {
        self.history.begun = true;
        self.steps += 1;
        let record = format!("step/{}", self.steps);
        let content = message.raw("content").map(text_of).unwrap_or_default();
        match message.text("thought").filter(|thought| !thought.trim().is_empty()) {
            Some(thought) => self.says(sink, Speech::Thinking, &thought, &record)?,
            None => self.says(sink, Speech::Message, &content, &record)?,
        }
        let calls = message.list("tool_calls");
        for (index, call) in calls.iter().enumerate() {
            let call = Object::of(call.get());
            let function = call.object("function");
            let record = if index == 0 { record.clone() } else { format!("{record}/{}", index + 1) };
            let id = call.text("id").unwrap_or_default().into_owned();
            let waiting = self.call(&function.text("name").unwrap_or_default(), arguments(&function), &record);
            self.history.open.push_back((id, waiting));
        }
        let action = message.text("action").unwrap_or_default();
        if calls.is_empty() && !action.trim().is_empty() {
            let waiting = self.call("run", Some(command(action.trim())), &record);
            self.history.open.push_back((String::new(), waiting));
        }
        Ok(None)
    }

    fn observes(&mut self, sink: &mut dyn Sink, message: &Object<'_>) -> Made {
        let named = message.list("tool_call_ids").into_iter().find_map(text).unwrap_or_default();
        let open = &mut self.history.open;
        let index = open.iter().position(|(id, _)| !named.is_empty() && *id == *named).unwrap_or(0);
        let Some((_, call)) = open.remove(index) else { return Ok(Some(PassedOver::Orphaned)) };
        let content = message.raw("content").map(text_of).unwrap_or_default();
        let outcome = Outcome { verdict: verdict(&content), output: message.json("content"), duration_ms: None };
        let place = spot(&call.spot.record, self.steps * 1000 + 500);
        sink.entry(call.finish(outcome, &place)).map(|()| None)
    }

    /// The run has ended: what has no result gets none.
    pub(super) fn interrupt(&mut self, sink: &mut dyn Sink, at: Timestamp) -> Result<(), ImportError> {
        std::mem::take(&mut self.history.open).into_iter().try_for_each(|(_, call)| sink.entry(call.interrupted(at)))
    }
}

/// Why a message is no part of the run.
fn before_the_run(message: &Object<'_>) -> Option<PassedOver> {
    if message.flag("is_demo") == Some(true) {
        return Some(PassedOver::Example);
    }
    (message.text("role").as_deref() == Some("system")).then_some(PassedOver::Injected)
}

/// `arguments` is an object in a string.
fn arguments(function: &Object<'_>) -> Option<Json> {
    let inside = function.text("arguments").and_then(|text| object_in(&text));
    inside.or_else(|| function.json("arguments"))
}
