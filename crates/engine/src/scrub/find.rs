//! The value to take out, and the lines and blobs that hold it.
//!
//! Found in decoded strings: escapes, nested JSON and keys are no hiding place. Ids, times and chains are never changed.
//! Other files are cleaned in `places`.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::Value;
use serde_json::value::RawValue;

use super::needle::{MARK, Needle, Numbers};
use super::{Request, What};
use crate::parts::{Names, Parts, each_part};
use crate::{Engine, EngineError};
use annals_kernel::annals::LineHash;
use annals_kernel::entry::HistoryEntry;
use annals_kernel::id::EntryId;
use annals_kernel::json::{Json, Members, sha256_hex};
use annals_log::blob::{self, BlobRef};
use annals_log::disk::Disk;
use annals_log::rewrite::content;
use annals_log::segment::Segment;
use annals_rules::domain::Command;
use annals_rules::domain::blind::command::{Command as Blind, Opinion};
use annals_rules::domain::erasure::ScrubbedLine;

/// The value to take out.
pub(super) struct Target {
    pub(super) needle: Needle,
    /// Blobs that hold it, by hash, and what they become.
    blobs: BTreeMap<String, CleanBlob>,
    /// Blobs that cannot be read whole, but hold it in what can be read of them.
    damaged: Vec<String>,
}

struct CleanBlob {
    sha256: String,
    text: String,
}

/// What becomes of a line that holds the value.
pub(super) enum Cleaned {
    /// An entry, with the proof that only the value went.
    Entry(ScrubbedLine, Vec<u8>),
    /// Something in no chain: another program's, or damaged.
    Foreign(Vec<u8>),
}

impl Target {
    /// Looks it up where the request says; `None` where nothing is.
    pub(super) fn find(engine: &Engine, segments: &[Segment], request: &Request) -> Result<Option<Self>, EngineError> {
        let value = match &request.what {
            What::Value(value) => Some(value.clone()),
            What::At { entry, path, part } => {
                let mut found = None;
                for line in lines_of(engine, segments, *entry)? {
                    found = found.or(leaked(engine, &line, path, part.as_deref())?);
                }
                found
            }
        };
        let Some(value) = value else { return Ok(None) };
        let mut target = Self { needle: Needle::new(value)?, blobs: BTreeMap::new(), damaged: Vec::new() };
        target.look_into_blobs(&**engine.disk(), &engine.place().blobs())?;
        // What hashes of texts with the value there are is known when all texts were seen.
        for segment in segments {
            let bytes = content(&**engine.disk(), engine.place().history(), segment)?;
            bytes.split(|byte| *byte == b'\n').for_each(|line| target.meet(line));
        }
        target.needle.learn();
        // A large value may hold a hash that was not known to be one.
        target.blobs.clear();
        target.damaged.clear();
        target.look_into_blobs(&**engine.disk(), &engine.place().blobs())?;
        Ok(Some(target))
    }

    /// Sees a line before any is changed.
    fn meet(&mut self, line: &[u8]) {
        let Some(Cleaned::Entry(_, clean)) = self.clean_line(line) else { return };
        let read = |line: &[u8]| HistoryEntry::read(std::str::from_utf8(line).ok()?).ok();
        let (Some(with), Some(without)) = (read(line).as_ref().and_then(seals), read(&clean).as_ref().and_then(seals))
        else {
            return;
        };
        with.iter().zip(&without).for_each(|(from, to)| self.needle.replace_hash(from, to));
    }

    /// A line without the value; `None` where it does not hold it.
    pub(super) fn clean_line(&self, line: &[u8]) -> Option<Cleaned> {
        let names_blob = self.names_blob(line);
        if !names_blob && !self.needle.is_in(line) {
            return None;
        }
        let entry = std::str::from_utf8(line).ok().and_then(|text| HistoryEntry::read(text).ok());
        let Some(mut entry) = entry else { return self.needle.clean_bytes(line).map(Cleaned::Foreign) };
        let points_elsewhere = names_blob && self.point_elsewhere(&mut entry);
        if !clean_entry(&self.needle, &mut entry) && !points_elsewhere {
            return None;
        }
        let hash = LineHash::of(line);
        entry.annals.scrubbed.push(hash);
        entry.metadata.redacted = Some(true);
        let new = entry.to_line();
        let changed = ScrubbedLine { entry: entry.id, before: hash, after: LineHash::of(new.as_bytes()) };
        Some(Cleaned::Entry(changed, new.into_bytes()))
    }

    /// What a person wrote about the scrub, without the value.
    pub(super) fn clean_text(&self, text: &str) -> Box<str> {
        self.needle.clean_text(text).unwrap_or_else(|| text.to_owned()).into()
    }

    fn names_blob(&self, line: &[u8]) -> bool {
        memchr::memmem::find(line, BLOB).is_some()
            && self.blobs.keys().any(|name| memchr::memmem::find(line, name.as_bytes()).is_some())
    }

    fn point_elsewhere(&self, entry: &mut HistoryEntry) -> bool {
        let operation = &mut entry.operation;
        let input = self.pointing_elsewhere(&operation.input);
        let output = operation.output.as_ref().and_then(|output| self.pointing_elsewhere(output));
        let is_changed = input.is_some() || output.is_some();
        operation.input = input.unwrap_or_else(|| operation.input.clone());
        operation.output = output.or_else(|| operation.output.take());
        is_changed
    }

    /// References to blobs that hold the value become references to the cleaned ones, however deep they stand.
    fn pointing_elsewhere(&self, json: &Json) -> Option<Json> {
        let (text, mut new, mut plain) = (json.text(), String::new(), 0);
        for from in memchr::memmem::find_iter(text.as_bytes(), BLOB) {
            let mut values = serde_json::Deserializer::from_str(&text[from..]).into_iter::<Value>();
            let Some(Ok(value)) = values.next() else { continue };
            let reference = BlobRef::of(&value);
            let Some((reference, clean)) = reference.and_then(|one| Some((one.is, self.blobs.get(&one.sha256)?)))
            else {
                continue;
            };
            new.push_str(&text[plain..from]);
            new.push_str(&BlobRef::to(&clean.text, reference).into_value().to_string());
            plain = from + values.byte_offset();
        }
        (plain > 0).then(|| Json::from_text(new + &text[plain..]).expect("BUG: a reference is no JSON"))
    }

    /// The blobs that hold the value, by hash.
    pub(super) fn blobs(&self) -> Vec<String> {
        self.blobs.keys().chain(&self.damaged).cloned().collect()
    }

    /// Whether a blob of this name holds the value.
    pub(super) fn is_blob(&self, name: &str) -> bool {
        self.blobs.contains_key(name) || self.damaged.iter().any(|damaged| damaged == name)
    }

    fn look_into_blobs(&mut self, disk: &dyn Disk, blobs: &Path) -> Result<(), EngineError> {
        for name in blob::list(disk, blobs)? {
            let Ok(text) = blob::load(disk, blobs, &name) else {
                if self.needle.is_in(&blob::readable(disk, blobs, &name)) {
                    self.damaged.push(name);
                }
                continue;
            };
            let Some(clean) = self.needle.clean_bytes(text.as_bytes()) else { continue };
            let text = String::from_utf8(clean).expect("BUG: a text without a value is no text");
            self.blobs.insert(name, CleanBlob { sha256: sha256_hex(text.as_bytes()), text });
        }
        Ok(())
    }

    /// Writes the cleaned blobs, beside those that hold the value.
    pub(super) fn put_clean_blobs(&self, disk: &dyn Disk, blobs: &Path) -> Result<(), EngineError> {
        Ok(self.blobs.values().try_for_each(|clean| blob::put(disk, blobs, &clean.sha256, &clean.text))?)
    }
}

/// How a reference to a blob begins.
const BLOB: &[u8] = br#"{"$blob":"#;

/// Takes the value out of all that an entry says; whether it was there. The names of those who acted may hold it, too.
/// What a decision asked is known by its name, which stays.
fn clean_entry(needle: &Needle, entry: &mut HistoryEntry) -> bool {
    // A number of a decision that became a text would not fit its field, and the fold could not read the line any
    // more.
    let numbers = if entry.annals.is_decision() { Numbers::Kept } else { Numbers::Looked };
    let mut cleaner = NumberCleaner { needle, numbers, is_changed: false };
    each_part(entry, &mut cleaner);
    cleaner.is_changed
}

/// Numbers are kept in decisions, and there alone.
struct NumberCleaner<'n> {
    needle: &'n Needle,
    numbers: Numbers,
    is_changed: bool,
}

impl NumberCleaner<'_> {
    fn other(&mut self, text: &str) -> Option<String> {
        let clean = self.needle.clean_text(text);
        self.is_changed |= clean.is_some();
        clean
    }
}

impl Parts for NumberCleaner<'_> {
    fn call(&mut self, json: &mut Json) {
        if let Some(clean) = self.needle.clean_json(json.text(), self.numbers) {
            self.is_changed = true;
            *json = Json::from_text(clean).expect("BUG: JSON without a value is no JSON");
        }
    }

    fn error(&mut self, text: &mut Box<str>) {
        self.text(text);
    }

    fn name(&mut self, text: &mut Box<str>) {
        match self.numbers {
            Numbers::Looked => self.text(text),
            Numbers::Kept => {}
        }
    }

    fn text(&mut self, text: &mut Box<str>) {
        if let Some(clean) = self.other(text) {
            *text = clean.into();
        }
    }

    fn members(&mut self, members: &mut Members) {
        if members.is_empty() {
            return;
        }
        let mut json = Json::of(members);
        let before = json.clone();
        self.call(&mut json);
        if json != before {
            *members = json.read().expect("BUG: members without a value are no object");
        }
    }

    /// Sessions and records keep theirs: what is left is named.
    fn id(&mut self, names: Names, id: &str) -> Option<Box<str>> {
        match names {
            Names::Actor | Names::Model => self.other(id).map(Into::into),
            Names::Session | Names::Source => None,
        }
    }
}

/// The hashes by which sealed opinions of a line are known: chance, which is in the line, too, does not protect them.
fn seals(entry: &HistoryEntry) -> Option<Vec<String>> {
    let input = entry.operation.input.read::<BTreeMap<String, Json>>().ok()?;
    let Ok(Command::Blind(Blind::Reveal(reveal))) = Command::read(&entry.operation.name, input.get("command")?) else {
        return None;
    };
    let opinion =
        input.get("observed")?.read::<BTreeMap<String, Json>>().ok()?.get("opinion")?.read::<Opinion>().ok()?;
    Some(vec![opinion.seal(&reveal.issue, &reveal.agent).into()])
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
fn leaked(engine: &Engine, line: &str, path: &str, part: Option<&str>) -> Result<Option<String>, EngineError> {
    let mut value = Json::from_text(line.to_owned()).unwrap_or_else(|_| Json::empty_object());
    for step in path.split('.') {
        value = expanded(engine, below(&value, step).unwrap_or_else(|| Json::of(&Value::Null)));
    }
    let text = value.read::<String>().unwrap_or_else(|_| value.text().to_owned());
    match part {
        Some(part) => Ok(text.contains(part).then(|| part.to_owned())),
        None if value.text() == "null" || text.contains(MARK) => Ok(None),
        None if value.read::<String>().is_ok() => Ok(Some(text)),
        None => Err(EngineError::NotAText { path: path.into() }),
    }
}

/// A member or an item, without reading what is below it: it may be too deep for a tree.
fn below(json: &Json, step: &str) -> Option<Json> {
    let raw = |raw: &RawValue| Json::of_raw(raw);
    if let (Ok(index), Ok(items)) = (step.parse::<usize>(), json.read::<Vec<Json>>()) {
        return items.get(index).cloned();
    }
    let members = serde_json::from_str::<BTreeMap<String, &RawValue>>(json.text()).ok()?;
    members.get(step).map(|value| raw(value))
}

/// A value that is kept in a blob is looked for there.
fn expanded(engine: &Engine, json: Json) -> Json {
    let Ok(mut value) = json.read::<Value>() else { return json };
    match blob::expand(&**engine.disk(), &engine.place().blobs(), &mut value) {
        Ok(()) => Json::of(&value),
        Err(_) => json,
    }
}
