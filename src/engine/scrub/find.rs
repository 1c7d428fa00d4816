//! The value to take out, and every place that holds it.
//!
//! Found in decoded strings, by the sanitizer with the value as its only rule: escapes, nested JSON and keys are no
//! hiding place. Ids, times and chains are never changed.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::Value;

use super::Request;
use crate::domain::erasure::ScrubbedLine;
use crate::engine::{Engine, EngineError};
use crate::kernel::annals::LineHash;
use crate::kernel::entry::HistoryEntry;
use crate::kernel::id::EntryId;
use crate::kernel::json::{Json, sha256_hex};
use crate::log::LogError;
use crate::log::blob::{self, BlobRef};
use crate::log::disk::Disk;
use crate::log::order::{Ordered, Part, Scrubbed};
use crate::log::place::Place;
use crate::log::read::Flow;
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
        let Some(entry) = find_entry(engine, segments, request.entry)? else { return Ok(None) };
        let mut value = serde_json::from_str::<Value>(&entry).unwrap_or(Value::Null);
        for part in request.path.split('.') {
            value = match (&mut value, part.parse::<usize>()) {
                (Value::Array(items), Ok(index)) => items.get_mut(index).map(Value::take).unwrap_or_default(),
                (value, _) => value.get_mut(part).map(Value::take).unwrap_or_default(),
            };
            // A value that is kept in a blob is looked for there.
            let _ = blob::expand(&**engine.disk(), &engine.place().blobs(), &mut value);
        }
        if value.is_null() {
            return Ok(None);
        }
        let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        let leaked = match &request.part {
            Some(part) if !text.contains(part.as_str()) => return Ok(None),
            Some(part) => part.clone(),
            None => text,
        };
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

    /// A line without the value; `None` where it does not hold it.
    pub(super) fn clean_line(&self, line: &[u8]) -> Option<(ScrubbedLine, Vec<u8>)> {
        let text = std::str::from_utf8(line).ok()?;
        let names_blob = self.blobs.keys().any(|name| text.contains(name.as_str()));
        let cleaned = self.sanitizer.sanitize_json(text, &Context::of(Source::History));
        if !cleaned.is_redacted() && !names_blob {
            return None;
        }
        let before = HistoryEntry::read(text).ok()?;
        let mut entry = HistoryEntry::read(&cleaned.text).ok()?;
        // A value that is part of an id or a chain stays there.
        (entry.id, entry.session_id, entry.annals) = (before.id, before.session_id, before.annals);
        entry.operation.kind = before.operation.kind;
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

    /// Writes the cleaned blobs and removes the others.
    pub(super) fn clean_blobs(&self, disk: &dyn Disk, blobs: &Path) -> Result<(), EngineError> {
        for (name, clean) in &self.blobs {
            blob::put(disk, blobs, &clean.sha256, &clean.text)?;
            blob::remove(disk, blobs, name)?;
        }
        Ok(())
    }

    /// Removes what is folded from lines, and torn tails that hold the value; returns what was removed.
    pub(super) fn remove_caches(&self, disk: &dyn Disk, place: &Place) -> Result<Vec<String>, EngineError> {
        let mut removed = Vec::new();
        for folder in ["history/.torn", "history/sessions", "history/summaries", "local/checkpoint", "local/calls"] {
            let path = place.context().join(folder);
            for file in disk.list(&path).map_err(LogError::at("list", &path))? {
                let file_path = path.join(&file.name);
                let bytes = disk.read(&file_path).map_err(LogError::at("read", &file_path))?.unwrap_or_default();
                if self.is_in(&bytes) || folder == "local/checkpoint" {
                    disk.remove(&file_path).map_err(LogError::at("remove", &file_path))?;
                    removed.push(format!("{folder}/{}", file.name));
                }
            }
        }
        Ok(removed)
    }

    /// Whether bytes hold the value, as it is or as JSON writes it.
    pub(super) fn is_in(&self, bytes: &[u8]) -> bool {
        let escaped = Json::of(&self.value);
        let escaped = escaped.text().trim_matches('"');
        [self.value.as_bytes(), escaped.as_bytes()].iter().any(|needle| memchr::memmem::find(bytes, needle).is_some())
    }
}

fn find_entry(engine: &Engine, segments: &[Segment], id: EntryId) -> Result<Option<String>, EngineError> {
    let none = Scrubbed::new();
    let mut found = None;
    let mut ordered = Ordered::new(&**engine.disk(), engine.place().history(), &none);
    let parts = segments.iter().cloned().map(Part::whole).collect();
    ordered.each(parts, &mut || {}, &mut |placed, _| {
        if placed.envelope.id() == id {
            found = Some(String::from_utf8_lossy(placed.original).into_owned());
        }
        if found.is_some() { Flow::Enough } else { Flow::More }
    })?;
    Ok(found)
}
