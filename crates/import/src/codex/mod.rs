//! Codex rollouts (`~/.codex/sessions/…/rollout-*.jsonl`, from 0.40) → entries.
//!
//! Every record is `{timestamp, type, payload}` and has no id: a call goes by its call id, everything else by the hash
//! of its text. Does not read the output of `codex exec --json`, which is another format.

mod completed;
mod echo;
mod events;
mod items;
mod outcome;
mod prompt;
mod prompts;
mod session;
#[cfg(test)]
mod tests;
mod tokens;

use annals_kernel::record::Event;
use std::collections::BTreeSet;
use std::io::BufRead;

pub use self::items::name as tool_of;
pub use self::outcome::read as read_output;

use self::echo::Echo;
use self::prompts::Prompts;
use self::tokens::CodexTokens;
use super::calls::Calls;
use super::common::Attachment;
use super::entries::{EntryStep, Fields, Made, Origin, Spot, pass_unread, put};
use super::object::Object;
use super::typed::{self, TypedSession};
use super::{Given, ImportError, PassedOver, Sink};
use annals_kernel::id::ModelId;

/// As `annals import` names it.
pub const KIND: &str = "codex";

/// Reads a rollout.
pub fn import(given: &Given<'_>, input: &mut dyn BufRead, sink: &mut dyn Sink) -> Result<(), ImportError> {
    typed::import::<CodexReader>(given, input, sink)
}

/// What must be known of a session to read its next record.
struct CodexReader {
    origin: Origin,
    /// The folder that it works in, for the files that calls name.
    cwd: String,
    model: Option<ModelId>,
    calls: Calls,
    /// Commands that went on when their calls had their output.
    running: BTreeSet<Box<str>>,
    /// By which name other agents know a sub-agent.
    path: Option<Box<str>>,
    prompts: Prompts,
    tokens: CodexTokens,
    echo: Echo,
    /// Pictures of the last user message as the model got it.
    images: Vec<Attachment>,
    /// `compacted` records without their event, less events without their record.
    compactions: i64,
}

impl TypedSession for CodexReader {
    const EXPECTED: &'static str = "a Codex rollout";
    const WRITER: &'static str = "Codex";
    const HEAD: &'static str = "session_meta";

    fn is_known(kind: &str) -> bool {
        matches!(kind, "session_meta" | "turn_context" | "response_item" | "event_msg" | "compacted" | "world_state")
    }

    fn name(_: &Object<'_>, hash: &str) -> Box<str> {
        hash.into()
    }

    fn begin(given: &Given<'_>, record: &Object<'_>, spot: &Spot, sink: &mut dyn Sink) -> Result<Self, ImportError> {
        Self::named_by(given, record, spot, sink)
    }

    fn record(&mut self, sink: &mut dyn Sink, text: &str, record: &Object<'_>, spot: &Spot) -> Made {
        let payload = record.object("payload");
        match record.text("type").as_deref() {
            Some("response_item") => self.item(sink, text, &payload, spot),
            Some("event_msg") => self.event(sink, text, &payload, spot),
            Some("compacted") => self.compacted(sink, &payload, spot),
            Some("turn_context") => {
                self.context(&payload);
                Ok(Some(PassedOver::Bookkeeping))
            }
            Some("token_usage_record") => self.count_record(sink, &payload, spot),
            // A resumed session names itself again; a forked one carries the name of the session it came from.
            Some("session_meta" | "world_state" | "inter_agent_communication_metadata") => {
                Ok(Some(PassedOver::Bookkeeping))
            }
            other => pass_unread(sink, other.unwrap_or_default(), text, &self.origin, spot),
        }
    }

    fn finish(mut self, sink: &mut dyn Sink) {
        // The turn is not over: a longer snapshot may bring the item, and its entry must not differ from one made here.
        for alone in self.echo.settle() {
            sink.passed_over(PassedOver::Copy, alone.spot.line.unwrap_or(0));
        }
        for copy in self.prompts.settle() {
            sink.passed_over(PassedOver::Copy, copy.spot.line.unwrap_or(0));
        }
        self.calls.finish(sink, 0);
    }
}

impl CodexReader {
    fn context(&mut self, payload: &Object<'_>) {
        if let Some(cwd) = payload.text("cwd") {
            self.cwd = cwd.into_owned();
        }
        if let Some(model) = payload.text("model") {
            self.model = Some(ModelId::from(&*model));
        }
    }

    /// The context was replaced: told by a record, by an event, or by both.
    fn compacted(&mut self, sink: &mut dyn Sink, payload: &Object<'_>, spot: &Spot) -> Made {
        self.compactions += 1;
        if self.compactions <= 0 {
            return Ok(Some(PassedOver::Copy));
        }
        let summary = payload.text("message").filter(|message| !message.is_empty());
        self.put(sink, EntryStep::event(Event::Compaction, Fields::new().some("summary", summary.as_deref())), spot)
    }

    fn put(&self, sink: &mut dyn Sink, step: EntryStep, spot: &Spot) -> Made {
        put(sink, step.at(&self.origin, spot.clone()))
    }
}
