//! The value to take out, and the lines and blobs that hold it.
//!
//! Found in decoded strings, by the sanitizer with the value as its only rule: escapes, nested JSON and keys are no
//! hiding place. Ids, times and chains are never changed. Other files are cleaned in `remains`.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::Value;

use super::Request;
use crate::domain::erasure::ScrubbedLine;
use crate::engine::clean::Cleaner;
use crate::engine::{Engine, EngineError};
use crate::kernel::annals::LineHash;
use crate::kernel::entry::HistoryEntry;
use crate::kernel::id::{AgentId, EntryId, ModelId};
use crate::kernel::json::{Json, sha256_hex};
use crate::log::blob::{self, BlobRef};
use crate::log::disk::Disk;
use crate::log::rewrite::content;
use crate::log::segment::Segment;
use crate::sanitizer::{Config, Context, CustomPattern, Patterns, Sanitizer, Source};

/// What stands in place of a value that was taken out.
const MARK: &str = "[SCRUBBED]";

/// A value shorter than this is found everywhere.
const LEAST_CHARS: usize = 4;

/// The value to take out.
pub(super) struct Target {
    sanitizer: Sanitizer,
    value: String,
    /// Blobs that hold it, by hash, and what they become.
    blobs: BTreeMap<String, CleanBlob>,
}

struct CleanBlob {
    sha256: String,
    text: String,
}

impl Target {
    /// Looks it up where the request says; `None` where nothing is.
    pub(super) fn find(engine: &Engine, segments: &[Segment], request: &Request) -> Result<Option<Self>, EngineError> {
        let mut found = None;
        for line in lines_of(engine, segments, request.entry)? {
            found = found.or(leaked(engine, &line, request)?);
        }
        let Some(leaked) = found else { return Ok(None) };
        let mut target = Self::new(leaked)?;
        target.look_into_blobs(&**engine.disk(), &engine.place().blobs())?;
        Ok(Some(target))
    }

    fn new(value: String) -> Result<Self, EngineError> {
        if value.chars().count() < LEAST_CHARS {
            return Err(EngineError::TooShort { least: LEAST_CHARS });
        }
        let pattern =
            CustomPattern { name: "scrub".to_owned(), pattern: regex::escape(&value), replacement: MARK.to_owned() };
        let patterns = Patterns { api_keys: false, credentials: false, pii: false };
        let config = Config { patterns, custom_patterns: vec![pattern], ..Config::default() };
        Ok(Self { value, sanitizer: Sanitizer::new(config)?, blobs: BTreeMap::new() })
    }

    /// A line without the value; `None` where it does not hold it, or is no entry.
    pub(super) fn clean_line(&self, line: &[u8]) -> Option<(ScrubbedLine, Vec<u8>)> {
        let text = std::str::from_utf8(line).ok()?;
        let names_blob = self.blobs.keys().any(|name| text.contains(name.as_str()));
        if !names_blob && !self.may_be_in(line) {
            return None;
        }
        let mut entry = HistoryEntry::read(text).ok()?;
        let mut cleaner = Cleaner::new(&self.sanitizer);
        clean_entry(&mut cleaner, &mut entry);
        if !cleaner.is_redacted && !names_blob {
            return None;
        }
        if names_blob {
            entry.operation.input = self.point_elsewhere(&entry.operation.input);
            entry.operation.output = entry.operation.output.as_ref().map(|json| self.point_elsewhere(json));
        }
        let hash = LineHash::of(line);
        entry.annals.scrubbed.push(hash);
        entry.metadata.redacted = Some(true);
        let new = entry.to_line();
        let changed = ScrubbedLine { entry: entry.id, before: hash, after: LineHash::of(new.as_bytes()) };
        Some((changed, new.into_bytes()))
    }

    /// What a person wrote about the scrub, without the value.
    pub(super) fn clean_text(&self, text: &str) -> Box<str> {
        self.sanitizer.sanitize_text(text, &Context::of(Source::History)).text.into()
    }

    /// JSON of a file beside the history, without the value.
    pub(super) fn clean_json(&self, text: &str) -> String {
        self.sanitizer.sanitize_json(text, &Context::of(Source::History)).text.into_owned()
    }

    /// References to blobs that hold the value become references to the cleaned ones.
    fn point_elsewhere(&self, json: &Json) -> Json {
        let mut value = json.value();
        self.point(&mut value);
        Json::of(&value)
    }

    fn point(&self, value: &mut Value) {
        if let Some(reference) = BlobRef::of(value)
            && let Some(clean) = self.blobs.get(&reference.sha256)
        {
            *value = BlobRef::to(&clean.text, reference.is).into_value();
            return;
        }
        match value {
            Value::Array(items) => items.iter_mut().for_each(|item| self.point(item)),
            Value::Object(members) => members.values_mut().for_each(|item| self.point(item)),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
        }
    }

    /// The blobs that hold the value, by hash.
    pub(super) fn blobs(&self) -> Vec<String> {
        self.blobs.keys().cloned().collect()
    }

    fn look_into_blobs(&mut self, disk: &dyn Disk, blobs: &Path) -> Result<(), EngineError> {
        for name in blob::list(disk, blobs)? {
            // A damaged blob cannot be read and so not be cleaned; `verify` names it.
            let Ok(text) = blob::load(disk, blobs, &name) else { continue };
            let cleaned = self.sanitizer.sanitize_json(&text, &Context::of(Source::History));
            if cleaned.is_redacted() {
                let text = cleaned.text.into_owned();
                self.blobs.insert(name, CleanBlob { sha256: sha256_hex(text.as_bytes()), text });
            }
        }
        Ok(())
    }

    /// Writes the cleaned blobs, beside those that hold the value.
    pub(super) fn put_clean_blobs(&self, disk: &dyn Disk, blobs: &Path) -> Result<(), EngineError> {
        Ok(self.blobs.values().try_for_each(|clean| blob::put(disk, blobs, &clean.sha256, &clean.text))?)
    }

    /// Removes the blobs that hold the value.
    pub(super) fn remove_blobs(&self, disk: &dyn Disk, blobs: &Path) -> Result<(), EngineError> {
        Ok(self.blobs.keys().try_for_each(|name| blob::remove(disk, blobs, name))?)
    }

    /// Whether a line is worth reading: most logs hold the value in few lines. Escapes can hide any text.
    fn may_be_in(&self, line: &[u8]) -> bool {
        let is_plain = Json::of(&self.value).text().len() == self.value.len() + 2;
        let signs = [self.value.as_bytes(), br"\u", br"\/"];
        !is_plain || signs.iter().any(|sign| memchr::memmem::find(line, sign).is_some())
    }

    /// Whether bytes hold the value: as it is, as JSON writes it, or as JSON in a string of JSON does.
    pub(super) fn is_in(&self, bytes: &[u8]) -> bool {
        let inside = |text: &str| {
            let quoted = Json::of(text);
            quoted.text()[1..quoted.text().len() - 1].to_owned()
        };
        let once = inside(&self.value);
        let twice = inside(&once);
        [&self.value, &once, &twice].iter().any(|needle| memchr::memmem::find(bytes, needle.as_bytes()).is_some())
    }
}

/// The names of those who acted may hold it, too. What a decision asked is known by its name, which stays.
fn clean_entry(cleaner: &mut Cleaner<'_>, entry: &mut HistoryEntry) {
    let (context, name) = (Context::of(Source::History), entry.operation.name.clone());
    cleaner.entry(entry, &context);
    if entry.annals.is_decision() {
        entry.operation.name = name;
    }
    let mut clean = |text: &str| cleaner.text(text.into(), &context);
    let provenance = &mut entry.provenance;
    provenance.agent_id = provenance.agent_id.take().map(|agent| AgentId::from(&*clean(agent.as_str())));
    provenance.model_id = provenance.model_id.take().map(|model| ModelId::from(&*clean(model.as_str())));
    entry.project_id = entry.project_id.take().map(|project| clean(&project));
}

/// Every line of an entry: a merge may have brought back what was taken out of another one.
fn lines_of(engine: &Engine, segments: &[Segment], id: EntryId) -> Result<Vec<String>, EngineError> {
    let (mut found, name) = (Vec::new(), id.to_string());
    for segment in segments {
        let bytes = content(&**engine.disk(), engine.place().history(), segment)?;
        let lines = bytes.split(|byte| *byte == b'\n').filter_map(|line| std::str::from_utf8(line).ok());
        let own = lines.filter(|line| line.contains(&name));
        found.extend(own.filter(|line| HistoryEntry::read(line).is_ok_and(|entry| entry.id == id)).map(str::to_owned));
    }
    Ok(found)
}

/// The text in a line that is to be taken out; none where something else stands there, or what a scrub has left.
fn leaked(engine: &Engine, line: &str, request: &Request) -> Result<Option<String>, EngineError> {
    let mut value = serde_json::from_str::<Value>(line).unwrap_or(Value::Null);
    for part in request.path.split('.') {
        value = match (&mut value, part.parse::<usize>()) {
            (Value::Array(items), Ok(index)) => items.get_mut(index).map(Value::take).unwrap_or_default(),
            (value, _) => value.get_mut(part).map(Value::take).unwrap_or_default(),
        };
        // A value that is kept in a blob is looked for there.
        let _ = blob::expand(&**engine.disk(), &engine.place().blobs(), &mut value);
    }
    let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    match &request.part {
        Some(part) => Ok(text.contains(part.as_str()).then(|| part.clone())),
        None if value.is_null() || text.contains(MARK) => Ok(None),
        None if value.is_string() => Ok(Some(text)),
        None => Err(EngineError::NotAText { path: request.path.clone() }),
    }
}
