//! Sessions of the Gemini CLI (`~/.gemini/tmp/…/chats/`) → entries.
//!
//! Up to 0.38 one JSON document a session (`session-*.json`), rewritten in place; later a line for each change
//! (`lines`). In both a message may come again with more in it, so that each of its parts is an entry of its own, made
//! once. A message goes by its id, a call by its own. Entries of a document name no line: lines move.

mod calls;
mod lines;
#[cfg(test)]
mod tests;

use annals_kernel::record::{Event, Input, Speech};
use std::io::BufRead;

use serde_json::value::RawValue;

use super::calls::Calls;
use super::common::text_of;
use super::document::{DocumentShape, Ending, Part, beginning, each_part};
use super::entries::{EntryClock, EntryStep, Fields, Made, Origin, Spot, either, pass_unread, put};
use super::object::Object;
use super::seen::Seen;
use super::sidecar::Parent;
use super::{Given, ImportError, PassedOver, Sink};
use annals_kernel::annals::Usage;
use annals_kernel::id::{AgentId, ModelId, SessionId};
use annals_kernel::time::Timestamp;

/// As `annals import` names it.
pub(crate) const KIND: &str = "gemini-cli";

const SHAPE: DocumentShape = DocumentShape { arrays: &["messages"], members: &["sessionId", "startTime"] };

/// Reads a session of either form.
pub(crate) fn import(given: &Given<'_>, input: &mut dyn BufRead, sink: &mut dyn Sink) -> Result<(), ImportError> {
    if lines::is_form_of(beginning(input)?) { lines::import(given, input, sink) } else { document(given, input, sink) }
}

/// Reads a document. Its id and start must stand before its messages, as the tool writes them.
fn document(given: &Given<'_>, input: &mut dyn BufRead, sink: &mut dyn Sink) -> Result<(), ImportError> {
    let mut head = GeminiHead::default();
    let mut reader: Option<GeminiReader> = None;
    let Ending { broken, line } = each_part(input, SHAPE, &mut |part| {
        if part.key != "messages" {
            head.take(&part);
            return Ok(());
        }
        let reader = match &mut reader {
            Some(reader) => reader,
            None => reader.insert(head.begin(given, part.text, sink)?),
        };
        let made = reader.message(sink, part.text, None)?;
        told(sink, made, part.line);
        Ok(())
    })?;
    if let Some(reader) = reader {
        reader.calls.finish(sink, line);
    } else if head.session.is_none() {
        return Err(wrong_kind("there is no sessionId"));
    } else if broken.is_some() {
        return Err(wrong_kind("its messages do not stand in one document with it"));
    }
    if let Some(reason) = broken {
        sink.passed_over(reason, line);
    }
    Ok(())
}

/// Says why a record made no entry, where it made none.
fn told(sink: &mut dyn Sink, made: Option<PassedOver>, line: u64) {
    if let Some(reason) = made {
        sink.passed_over(reason, line);
    }
}

fn wrong_kind(problem: &str) -> ImportError {
    ImportError::WrongKind { expected: "a session of the Gemini CLI", problem: problem.to_owned() }
}

/// What stands before the messages.
#[derive(Default)]
struct GeminiHead {
    session: Option<String>,
    start: Option<Timestamp>,
    /// Who gives the prompts: a person, or for a sub-agent the agent above it.
    asker: Option<AgentId>,
}

impl GeminiHead {
    fn take(&mut self, part: &Part<'_>) {
        let raw: Option<&RawValue> = serde_json::from_str(part.text).ok();
        let text = raw.and_then(super::object::text);
        match part.key {
            "sessionId" => self.session = text.map(String::from),
            _ => self.start = text.and_then(|text| text.parse().ok()),
        }
    }

    fn begin(&self, given: &Given<'_>, first: &str, sink: &mut dyn Sink) -> Result<GeminiReader, ImportError> {
        let native =
            self.session.as_deref().ok_or_else(|| wrong_kind("the sessionId does not stand before messages"))?;
        let origin = Origin::new(KIND, native, given.file);
        let start = self.start.or_else(|| Object::of(first).time("timestamp"));
        let clock = if start.is_some() { EntryClock::Tool } else { EntryClock::Synthetic };
        let at = start.unwrap_or_default();
        let spot = Spot { at, clock, record: "session_start".into(), line: None };
        // Only a sub-agent has a session above it, whatever the name of its folder says.
        let Parent { session, call, agent_type } =
            Some(given.parent.clone()).filter(|_| self.asker.is_some()).unwrap_or_default();
        let input = Fields::new()
            .with("tool", KIND)
            .with("native_id", native)
            .some("parent_session", session.map(|session| SessionId::derived(KIND, &session)).as_ref())
            .some("parent_call", call.as_deref())
            .some("agent_type", agent_type.as_deref());
        sink.entry(EntryStep::event(Event::SessionStart, input).at(&origin, spot))?;
        let asker = self.asker.clone();
        Ok(GeminiReader { origin, asker, calls: Calls::default(), seen: Seen::default(), at })
    }
}

/// What must be known of a session to read its next message.
struct GeminiReader {
    origin: Origin,
    asker: Option<AgentId>,
    calls: Calls,
    /// The entries that were made.
    seen: Seen,
    /// The time of the last message: a message without one comes a millisecond later.
    at: Timestamp,
}

impl GeminiReader {
    fn message(&mut self, sink: &mut dyn Sink, text: &str, line: Option<u64>) -> Made {
        let message = Object::of(text);
        let spot = self.spot(&message, text, line);
        let content = message.raw("content").map(text_of).unwrap_or_default();
        match message.text("type").as_deref() {
            Some("user") => {
                // What was typed, where the model got more than that.
                let shown = message.raw("displayContent").map(text_of).filter(|shown| !shown.is_empty());
                self.prompt(sink, &shown.unwrap_or(content), &spot)
            }
            Some("gemini") => self.reply(sink, &message, &content, &spot),
            Some("info") if content.starts_with("Request cancelled") => {
                // A message may come again with more in it, and must not end calls that began since it came first.
                if !self.seen.has("record", &spot.record) {
                    self.interrupt(sink, &spot)?;
                }
                self.put(sink, EntryStep::user(Input::Interrupt, Fields::new().with("text", &content)), &spot)
            }
            Some("info" | "warning") => Ok(Some(PassedOver::Bookkeeping)),
            Some("error") => {
                let step =
                    EntryStep::event(Event::ApiError, Fields::new().with("error", &content)).failing(Some(&content));
                self.put(sink, step, &spot)
            }
            other => {
                if !self.seen.is_new("record", &spot.record) {
                    return Ok(Some(PassedOver::Repeated));
                }
                pass_unread(sink, other.unwrap_or_default(), text, &self.origin, &spot)
            }
        }
    }

    /// The context was compressed: what is left of it.
    fn compressed(&mut self, sink: &mut dyn Sink, text: &str, line: u64) -> Made {
        let message = Object::of(text);
        let spot = self.spot(&message, text, Some(line));
        let summary = message.raw("content").map(text_of).unwrap_or_default();
        self.put(sink, EntryStep::event(Event::Compaction, Fields::new().with("summary", &summary)), &spot)
    }

    fn spot(&mut self, message: &Object<'_>, text: &str, line: Option<u64>) -> Spot {
        let time = message.time("timestamp");
        let clock = if time.is_some() { EntryClock::Tool } else { EntryClock::Synthetic };
        self.at = time.unwrap_or_else(|| self.at.plus_millis(1));
        let record = message.text("id").map_or_else(|| super::common::hash(text), String::from);
        Spot { at: self.at, clock, record: record.into(), line }
    }

    fn prompt(&mut self, sink: &mut dyn Sink, content: &str, spot: &Spot) -> Made {
        if content.is_empty() {
            return Ok(Some(PassedOver::Empty));
        }
        if content.trim_start().starts_with("<session_context>") {
            return Ok(Some(PassedOver::Injected));
        }
        if content.trim_start().starts_with("<state_snapshot>") {
            return self.put(sink, EntryStep::event(Event::Compaction, Fields::new().with("summary", content)), spot);
        }
        if !self.seen.is_new("record", &spot.record) {
            return Ok(Some(PassedOver::Repeated));
        }
        self.interrupt(sink, spot)?;
        let step = EntryStep::user(Input::Prompt, Fields::new().with("text", content));
        let step = self.asker.iter().fold(step, |step, asker| step.by(asker.clone()));
        put(sink, step.at(&self.origin, spot.clone()))
    }

    fn reply(&mut self, sink: &mut dyn Sink, message: &Object<'_>, content: &str, spot: &Spot) -> Made {
        let model = message.text("model").map(|model| ModelId::from(&*model));
        let mut made = Some(PassedOver::Empty);
        for (index, thought) in message.list("thoughts").into_iter().enumerate() {
            let thought = Object::of(thought.get());
            let texts = ["subject", "description"].into_iter().filter_map(|key| thought.text(key));
            let text = texts.collect::<Vec<_>>().join("\n\n");
            let place = spot.part(&format!("thought/{}", index + 1));
            let place = Spot { at: thought.time("timestamp").unwrap_or(spot.at), ..place };
            made =
                either(made, self.put(sink, EntryStep::says(Speech::Thinking, &text).model(model.as_ref()), &place)?);
        }
        if !content.is_empty() {
            made = either(made, self.put(sink, EntryStep::says(Speech::Message, content).model(model.as_ref()), spot)?);
        }
        let usage = usage(&message.object("tokens"));
        if !usage.is_zero() {
            let step = EntryStep::event(Event::Usage, Fields::new()).usage(Some(usage)).model(model.as_ref());
            made = either(made, self.put(sink, step, &spot.part("tokens"))?);
        }
        for call in message.list("toolCalls") {
            made = either(made, self.call(sink, &Object::of(call.get()), model.as_ref(), spot)?);
        }
        Ok(made)
    }

    fn interrupt(&mut self, sink: &mut dyn Sink, spot: &Spot) -> Result<(), ImportError> {
        for draft in self.calls.interrupt(spot.at) {
            self.seen.is_new("record", &draft.source.record);
            sink.entry(draft)?;
        }
        Ok(())
    }

    /// Makes an entry, once.
    fn put(&mut self, sink: &mut dyn Sink, step: EntryStep, spot: &Spot) -> Made {
        if !self.seen.is_new("record", &spot.record) {
            return Ok(Some(PassedOver::Repeated));
        }
        put(sink, step.at(&self.origin, spot.clone()))
    }
}

/// `input` includes the cached tokens; thoughts are counted beside the output, tool prompts beside the input.
fn usage(tokens: &Object<'_>) -> Usage {
    let count = |key| tokens.integer(key).unwrap_or(0);
    let usage = Usage {
        input: count("input").saturating_sub(count("cached")).max(0).saturating_add(count("tool")),
        cache_read: count("cached"),
        output: count("output").saturating_add(count("thoughts")),
        reasoning: count("thoughts"),
        ..Usage::default()
    };
    Usage { requests: i64::from(!usage.is_zero()), ..usage }
}
