//! Takes secrets out of an entry before it is written, then moves what is too large out of its line.
//!
//! There is no other way into the log. Ids, hashes and times of the entry's own structure are not looked at.

use super::settings::{INLINE_BYTES, LARGE_VALUES, LargeValues};
use super::{Engine, EngineError};
use crate::domain::{Ask, Command};
use crate::kernel::entry::HistoryEntry;
use crate::kernel::json::{Json, Members};
use crate::log::blob;
use crate::sanitizer::{Context, Source};

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
        let mut is_redacted = false;
        let operation = &mut entry.operation;
        operation.input = self.clean_json(&operation.input, &context, &mut is_redacted);
        operation.output = operation.output.as_ref().map(|json| self.clean_json(json, &context, &mut is_redacted));
        operation.error = operation.error.take().map(|text| self.clean_text(text, &context, &mut is_redacted));
        operation.name = self.clean_text(operation.name.clone(), &Context::of(Source::History), &mut is_redacted);
        self.clean_members(&mut operation.unknown, &mut is_redacted);
        self.clean_members(&mut entry.provenance.unknown, &mut is_redacted);
        self.clean_members(&mut entry.metadata.unknown, &mut is_redacted);
        self.clean_members(&mut entry.extensions, &mut is_redacted);
        self.clean_members(&mut entry.unknown, &mut is_redacted);
        for text in entry.metadata.tags.iter_mut().chain(entry.metadata.files_touched.iter_mut()).flatten() {
            *text = self.clean_text(text.clone(), &Context::of(Source::History), &mut is_redacted);
        }
        if is_redacted {
            entry.metadata.redacted = Some(true);
        }
        entry
    }

    fn clean_json(&self, json: &Json, context: &Context<'_>, is_redacted: &mut bool) -> Json {
        let cleaned = self.sanitizer.sanitize_json(json.text(), context);
        if !cleaned.is_redacted() {
            return json.clone();
        }
        *is_redacted = true;
        Json::from_text(cleaned.text.into_owned()).expect("BUG: the sanitizer made something that is not JSON")
    }

    fn clean_text(&self, text: Box<str>, context: &Context<'_>, is_redacted: &mut bool) -> Box<str> {
        let cleaned = self.sanitizer.sanitize_text(&text, context);
        if !cleaned.is_redacted() {
            return text;
        }
        *is_redacted = true;
        cleaned.text.into()
    }

    fn clean_members(&self, members: &mut Members, is_redacted: &mut bool) {
        if members.is_empty() {
            return;
        }
        let cleaned = self.clean_json(&Json::of(members), &Context::of(Source::History), is_redacted);
        if *is_redacted && let Ok(cleaned) = cleaned.read() {
            *members = cleaned;
        }
    }

    /// A summary before it is written or sent anywhere (AFS 11.2).
    pub fn clean_summary(&self, summary: &Json) -> Json {
        self.clean_json(summary, &Context::of(Source::Summary), &mut false)
    }

    /// What is decided on is what is recorded: already clean.
    pub(super) fn clean_ask(&self, ask: Ask) -> Ask {
        let context = Context::of(Source::History);
        let mut is_redacted = false;
        let data = self.clean_json(&ask.command.data(), &context, &mut is_redacted);
        let observed = self.clean_json(&ask.observed, &context, &mut is_redacted);
        // A value that no longer fits its field (an enum, an id) was none of the secrets: the command stays as it is.
        let command = if is_redacted { Command::read(ask.command.name(), &data).ok() } else { None };
        Ask { command: command.unwrap_or(ask.command), observed }
    }

    fn shrink(&self, entry: &mut HistoryEntry) -> Result<(), EngineError> {
        let limit = self.settings.get(&INLINE_BYTES);
        let blobs = self.place().blobs();
        let keep = self.settings.get(&LARGE_VALUES);
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

/// An input is an object; a reference to a blob is one, too.
fn as_object(json: Json) -> Json {
    if json.is_object() { json } else { Json::of(&serde_json::json!({ "value": json })) }
}
