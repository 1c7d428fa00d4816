//! Takes secrets out of an entry before it is written, then moves what is too large out of its line.
//!
//! There is no other way into the log. Ids, hashes and times of the entry's own structure are not looked at.

use super::sealed::{Sealing, seal};
use super::settings::{INLINE_BYTES, LARGE_VALUES, LargeValues};
use super::{Engine, EngineError};
use crate::domain::{Ask, Command};
use crate::kernel::entry::HistoryEntry;
use crate::kernel::json::{Json, Members};
use crate::log::blob;
use crate::sanitizer::{Context, Sanitizer, Source};

impl Engine {
    pub(super) fn clean(&self, entry: HistoryEntry) -> Result<HistoryEntry, EngineError> {
        let mut entry = self.sanitize(entry);
        self.shrink(&mut entry)?;
        Ok(entry)
    }

    /// The first half: nothing goes to blobs yet.
    pub(super) fn sanitize(&self, mut entry: HistoryEntry) -> HistoryEntry {
        let tool = entry.operation.name.clone();
        let file = entry.metadata.files_touched.as_ref().and_then(|files| files.first()).cloned();
        let context = Context { source: Source::History, tool_name: Some(&tool), file_path: file.as_deref() };
        let mut cleaner = Cleaner::new(&self.sanitizer);
        let sealing = seal(&mut entry.operation);
        cleaner.entry(&mut entry, &context);
        if cleaner.is_redacted || sealing == Sealing::Done {
            entry.metadata.redacted = Some(true);
        }
        entry
    }

    /// A summary before it is written or sent anywhere (AFS 11.2).
    pub fn clean_summary(&self, summary: &Json) -> Json {
        Cleaner::new(&self.sanitizer).json(summary, &Context::of(Source::Summary))
    }

    /// What is decided on is what is recorded: already clean.
    pub(super) fn clean_ask(&self, ask: Ask) -> Ask {
        let (mut cleaner, context) = (Cleaner::new(&self.sanitizer), Context::of(Source::History));
        let observed = cleaner.json(&ask.observed, &context);
        let data = cleaner.json(&ask.command.data(), &context);
        // A value that no longer fits its field (an enum, an id) was none of the secrets: the command stays as it is.
        let command = if cleaner.is_redacted { Command::read(ask.command.name(), &data).ok() } else { None };
        Ask { command: command.unwrap_or(ask.command), observed }
    }

    fn shrink(&self, entry: &mut HistoryEntry) -> Result<(), EngineError> {
        let limit = self.settings().get(&INLINE_BYTES);
        let blobs = self.place().blobs();
        let keep = self.settings().get(&LARGE_VALUES);
        let shrink = |json: Json| match keep {
            LargeValues::Blob => blob::shrink(&**self.disk(), &blobs, json, limit),
            LargeValues::Truncate => Ok(blob::truncate(json, limit)),
        };
        let operation = &mut entry.operation;
        operation.input = as_object(shrink(operation.input.clone())?);
        operation.output = operation.output.take().map(shrink).transpose()?;
        Ok(())
    }
}

/// Cleans the texts of an entry, and remembers whether anything was taken out.
pub(super) struct Cleaner<'s> {
    sanitizer: &'s Sanitizer,
    pub(super) is_redacted: bool,
}

impl<'s> Cleaner<'s> {
    pub(super) fn new(sanitizer: &'s Sanitizer) -> Self {
        Self { sanitizer, is_redacted: false }
    }

    /// All that an entry says; its ids, times and chain stay. The context is that of the call itself.
    pub(super) fn entry(&mut self, entry: &mut HistoryEntry, context: &Context<'_>) {
        let operation = &mut entry.operation;
        operation.input = self.json(&operation.input, context);
        operation.output = operation.output.as_ref().map(|json| self.json(json, context));
        operation.error = operation.error.take().map(|text| self.text(text, context));
        operation.name = self.text(operation.name.clone(), &Context::of(Source::History));
        let others = [&mut operation.unknown, &mut entry.provenance.unknown, &mut entry.metadata.unknown];
        for members in others.into_iter().chain([&mut entry.extensions, &mut entry.unknown]) {
            self.members(members);
        }
        for text in entry.metadata.tags.iter_mut().chain(entry.metadata.files_touched.iter_mut()).flatten() {
            *text = self.text(text.clone(), &Context::of(Source::History));
        }
    }

    pub(super) fn json(&mut self, json: &Json, context: &Context<'_>) -> Json {
        let cleaned = self.sanitizer.sanitize_json(json.text(), context);
        if !cleaned.is_redacted() {
            return json.clone();
        }
        self.is_redacted = true;
        Json::from_text(cleaned.text.into_owned()).expect("BUG: the sanitizer made something that is not JSON")
    }

    pub(super) fn text(&mut self, text: Box<str>, context: &Context<'_>) -> Box<str> {
        let cleaned = self.sanitizer.sanitize_text(&text, context);
        if !cleaned.is_redacted() {
            return text;
        }
        self.is_redacted = true;
        cleaned.text.into()
    }

    fn members(&mut self, members: &mut Members) {
        if members.is_empty() {
            return;
        }
        let json = Json::of(members);
        let cleaned = self.json(&json, &Context::of(Source::History));
        if cleaned != json {
            *members = cleaned.read().expect("BUG: the sanitizer made something that is no object");
        }
    }
}

/// An input is an object; a reference to a blob is one, too.
fn as_object(json: Json) -> Json {
    if json.is_object() { json } else { Json::of(&serde_json::json!({ "value": json })) }
}
