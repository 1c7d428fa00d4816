//! Sessions of the Gemini CLI (`~/.gemini/tmp/…/chats/session-*.json`) → entries.
//!
//! One JSON document a session, rewritten in place: a message may come again with more in it, so that each of its
//! parts is an entry of its own. A message goes by its id, a call by its own. Entries name no line: lines move. Does
//! not read the JSONL form of versions from 0.40.

mod calls;
#[cfg(test)]
mod tests;

use std::io::BufRead;

use serde_json::value::RawValue;

use super::calls::Calls;
use super::common::text_of;
use super::document::{Ending, Part, Shape, each_part};
use super::entries::{Clock, Fields, Made, Origin, Spot, Step, put};
use super::object::Object;
use super::{ImportError, PassedOver, Sink};
use crate::kernel::annals::Usage;
use crate::kernel::id::ModelId;
use crate::kernel::time::Timestamp;

/// As `annals import` names it.
pub const KIND: &str = "gemini-cli";

const SHAPE: Shape = Shape { arrays: &["messages"], members: &["sessionId", "startTime"] };

/// Reads a session. Its id and start must stand before its messages, as the tool writes them.
pub fn import(file_name: &str, input: &mut dyn BufRead, sink: &mut dyn Sink) -> Result<(), ImportError> {
    let mut head = Head::default();
    let mut reader: Option<Reader> = None;
    let Ending { broken, line } = each_part(input, SHAPE, &mut |part| {
        if part.key != "messages" {
            head.take(&part);
            return Ok(());
        }
        let reader = match &mut reader {
            Some(reader) => reader,
            None => reader.insert(head.begin(file_name, part.text, sink)?),
        };
        if let Some(reason) = reader.message(sink, part.text)? {
            sink.passed_over(reason, part.line);
        }
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

fn wrong_kind(problem: &str) -> ImportError {
    ImportError::WrongKind { expected: "a session of the Gemini CLI", problem: problem.to_owned() }
}

/// What stands before the messages.
#[derive(Default)]
struct Head {
    session: Option<String>,
    start: Option<Timestamp>,
}

impl Head {
    fn take(&mut self, part: &Part<'_>) {
        let raw: Option<&RawValue> = serde_json::from_str(part.text).ok();
        let text = raw.and_then(super::object::text);
        match part.key {
            "sessionId" => self.session = text.map(String::from),
            _ => self.start = text.and_then(|text| text.parse().ok()),
        }
    }

    fn begin(&self, file_name: &str, first: &str, sink: &mut dyn Sink) -> Result<Reader, ImportError> {
        let native =
            self.session.as_deref().ok_or_else(|| wrong_kind("the sessionId does not stand before messages"))?;
        let origin = Origin::new(KIND, native, file_name);
        let start = self.start.or_else(|| Object::of(first).time("timestamp"));
        let clock = if start.is_some() { Clock::Tool } else { Clock::Synthetic };
        let at = start.unwrap_or_default();
        let spot = Spot { at, clock, record: "session_start".into(), line: None };
        let input = Fields::new().with("tool", KIND).with("native_id", native);
        sink.entry(Step::event("session_start", input).at(&origin, spot))?;
        Ok(Reader { origin, calls: Calls::default(), at })
    }
}

/// What must be known of a session to read its next message.
struct Reader {
    origin: Origin,
    calls: Calls,
    /// The time of the last message: a message without one comes a millisecond later.
    at: Timestamp,
}

impl Reader {
    fn message(&mut self, sink: &mut dyn Sink, text: &str) -> Made {
        let message = Object::of(text);
        let spot = self.spot(&message, text);
        let content = message.raw("content").map(text_of).unwrap_or_default();
        match message.text("type").as_deref() {
            Some("user") => self.prompt(sink, &content, &spot),
            Some("gemini") => self.reply(sink, &message, &content, &spot),
            Some("info") if content.starts_with("Request cancelled") => {
                self.interrupt(sink, &spot)?;
                self.put(sink, Step::user("interrupt", Fields::new().with("text", &content)), &spot)
            }
            Some("info" | "warning") => Ok(Some(PassedOver::Bookkeeping)),
            Some("error") => {
                let step = Step::event("api_error", Fields::new().with("error", &content)).failing(Some(&content));
                self.put(sink, step, &spot)
            }
            _ => self.put(sink, Step::unknown(text), &spot),
        }
    }

    fn spot(&mut self, message: &Object<'_>, text: &str) -> Spot {
        let time = message.time("timestamp");
        let clock = if time.is_some() { Clock::Tool } else { Clock::Synthetic };
        self.at = time.unwrap_or_else(|| self.at.plus_millis(1));
        let record = message.text("id").map_or_else(|| super::common::hash(text), String::from);
        Spot { at: self.at, clock, record: record.into(), line: None }
    }

    fn prompt(&mut self, sink: &mut dyn Sink, content: &str, spot: &Spot) -> Made {
        self.interrupt(sink, spot)?;
        if content.is_empty() {
            return Ok(Some(PassedOver::Empty));
        }
        self.put(sink, Step::user("prompt", Fields::new().with("text", content)), spot)
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
            made = self.put(sink, Step::says("thinking", &text).model(model.as_ref()), &place)?;
        }
        if !content.is_empty() {
            made = self.put(sink, Step::says("message", content).model(model.as_ref()), spot)?;
        }
        let usage = usage(&message.object("tokens"));
        if !usage.is_zero() {
            let step = Step::event("usage", Fields::new()).usage(Some(usage)).model(model.as_ref());
            made = self.put(sink, step, &spot.part("tokens"))?;
        }
        for call in message.list("toolCalls") {
            made = self.call(sink, &Object::of(call.get()), model.as_ref(), spot)?;
        }
        Ok(made)
    }

    fn interrupt(&mut self, sink: &mut dyn Sink, spot: &Spot) -> Result<(), ImportError> {
        self.calls.interrupt(spot.at).into_iter().try_for_each(|draft| sink.entry(draft))
    }

    fn put(&self, sink: &mut dyn Sink, step: Step, spot: &Spot) -> Made {
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
