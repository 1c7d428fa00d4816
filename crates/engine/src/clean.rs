//! Takes secrets out of an entry before it is written, then moves what is too large out of its line.
//!
//! There is no other way into the log. The entry's own structure is not looked at: its id, times and chain. A name by which
//! something is found (an actor's, a session's) becomes another name where a secret is in it, always the same.

use super::command_line;
use super::parts::{Names, Parts, each_part};
use super::sealed::{Sealing, seal};
use super::settings::{INLINE_BYTES, LARGE_VALUES, LargeValues};
use super::{By, Engine, EngineError};
use annals_kernel::entry::HistoryEntry;
use annals_kernel::id::{AgentId, EntryId, SessionId};
use annals_kernel::json::{Json, Members};
use annals_kernel::time::Timestamp;
use annals_log::blob;
use annals_rules::domain::{Ask, Command};
use annals_sanitizer::{Context, Sanitizer, Source};

impl Engine {
    pub(super) fn clean(&self, entry: HistoryEntry) -> Result<HistoryEntry, EngineError> {
        let mut entry = self.sanitize(entry);
        shallow(&mut entry);
        self.shrink(&mut entry)?;
        Ok(entry)
    }

    /// An entry as it would stand in the log: clean, with its large values elsewhere.
    pub fn as_recorded(&self, entry: HistoryEntry) -> Result<HistoryEntry, EngineError> {
        self.clean(entry)
    }

    /// The first half: nothing goes to blobs yet.
    pub(super) fn sanitize(&self, mut entry: HistoryEntry) -> HistoryEntry {
        let tool = entry.operation.name.clone();
        let file = entry.metadata.files_touched.as_ref().and_then(|files| files.first()).cloned();
        let context = Context { source: Source::History, tool_name: Some(&tool), file_path: file.as_deref() };
        let mut cleaner = Cleaner::new(&self.sanitizer);
        let sealing = seal(&mut entry.operation);
        // One list of parts serves this and `scrub`, so that neither can forget a field: names of sessions and agents
        // once reached the disk as they were given.
        each_part(&mut entry, &mut CallCleaner { cleaner: &mut cleaner, context });
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

    /// A text as it is written: what is read out of a text, or made of it, is made of that.
    #[must_use]
    pub fn clean_text(&self, text: &str) -> Box<str> {
        Cleaner::new(&self.sanitizer).text(text.into(), &Context::of(Source::History))
    }

    /// A name by which something is found, as it is written: an agent's, a session's, a record's.
    #[must_use]
    pub fn clean_name(&self, name: &str) -> Box<str> {
        Cleaner::new(&self.sanitizer).other_name(name).unwrap_or_else(|| name.into())
    }

    /// Who asks, as it is written: what is decided is decided for that name.
    pub(super) fn clean_by(&self, by: &By) -> By {
        let (actor, session) = (self.clean_name(by.actor.as_str()), self.clean_name(by.session.as_str()));
        By {
            actor: AgentId::from(actor),
            session: SessionId::from(session),
            proof: by.proof.clone(),
            shell: by.shell.clone(),
        }
    }

    fn shrink(&self, entry: &mut HistoryEntry) -> Result<(), EngineError> {
        let limit = self.settings().get(&INLINE_BYTES);
        let blobs = self.place().blobs();
        let keep = self.settings().get(&LARGE_VALUES);
        let shrink = |json: Json| match keep {
            LargeValues::Blob => blob::shrink(&**self.disk(), &blobs, json, limit),
            // Only where it is configured, because retention never loses a byte by itself (decision 5).
            LargeValues::Truncate => Ok(blob::truncate(json, limit)),
        };
        let operation = &mut entry.operation;
        operation.input = as_object(shrink(operation.input.clone())?);
        operation.output = operation.output.take().map(shrink).transpose()?;
        Ok(())
    }
}

/// How deep a value of an operation may be: `jq` up to 1.6 reads no line that is nested deeper than 256, and three of
/// them are the entry's own.
const DEPTH: usize = 250;

/// What is deeper is kept as its text.
fn shallow(entry: &mut HistoryEntry) {
    let as_text = |json: &Json| Json::of(json.text());
    let operation = &mut entry.operation;
    if operation.input.is_deeper_than(DEPTH) {
        let mut members: Members = operation.input.read().unwrap_or_default();
        let names: Vec<String> = members.iter().map(|(name, _)| name.to_owned()).collect();
        for name in names {
            let deep = members.get(&name).filter(|value| value.is_deeper_than(DEPTH - 1)).map(as_text);
            if let Some(text) = deep {
                members.set(&name, text);
            }
        }
        operation.input = Json::of(&members);
    }
    // A name may be there twice.
    if operation.input.is_deeper_than(DEPTH) {
        operation.input = Json::of(&serde_json::json!({ "value": operation.input.text() }));
    }
    if let Some(output) = operation.output.as_mut().filter(|output| output.is_deeper_than(DEPTH)) {
        *output = as_text(output);
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

    pub(super) fn json(&mut self, json: &Json, context: &Context<'_>) -> Json {
        let cleaned = self.sanitizer.sanitize_json(json.text(), context);
        if !cleaned.is_redacted() {
            return json.clone();
        }
        self.is_redacted = true;
        Json::from_text(cleaned.text.into_owned()).expect("BUG: the sanitizer made something that is not JSON")
    }

    /// Lists of words, as of `exec`, read as the line that they are: `["mysql", "-p…"]`.
    fn command_lines(&mut self, json: Json, context: &Context<'_>) -> Json {
        let clean = |line: &str| self.sanitizer.sanitize_text(line, context).text.into_owned();
        let Some(cleaned) = command_line::cleaned(&json, clean) else { return json };
        self.is_redacted = true;
        cleaned
    }

    pub(super) fn text(&mut self, text: Box<str>, context: &Context<'_>) -> Box<str> {
        let cleaned = self.sanitizer.sanitize_text(&text, context);
        if !cleaned.is_redacted() {
            return text;
        }
        self.is_redacted = true;
        cleaned.text.into()
    }

    /// What stands in the place of a name that holds a secret: names that differ stay apart.
    fn other_name(&mut self, name: &str) -> Option<Box<str>> {
        // The digits of the time are the same in all derived ids and tell nothing apart.
        const TIME_DIGITS: usize = 10;
        if !self.sanitizer.sanitize_text(name, &Context::of(Source::History)).is_redacted() {
            return None;
        }
        self.is_redacted = true;
        let hash = EntryId::derived(Timestamp::from_millis(0), &["redacted", name]).to_string();
        Some(format!("redacted-{}", &hash[TIME_DIGITS..]).into())
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

/// Cleans an entry. The context is that of the call itself.
struct CallCleaner<'c, 's> {
    cleaner: &'c mut Cleaner<'s>,
    context: Context<'c>,
}

impl Parts for CallCleaner<'_, '_> {
    fn call(&mut self, json: &mut Json) {
        let clean = self.cleaner.json(json, &self.context);
        *json = self.cleaner.command_lines(clean, &self.context);
    }

    fn error(&mut self, text: &mut Box<str>) {
        *text = self.cleaner.text(std::mem::take(text), &self.context);
    }

    fn name(&mut self, text: &mut Box<str>) {
        self.text(text);
    }

    fn text(&mut self, text: &mut Box<str>) {
        *text = self.cleaner.text(std::mem::take(text), &Context::of(Source::History));
    }

    fn members(&mut self, members: &mut Members) {
        self.cleaner.members(members);
    }

    fn id(&mut self, names: Names, id: &str) -> Option<Box<str>> {
        match names {
            Names::Actor | Names::Session | Names::Source => self.cleaner.other_name(id),
            Names::Model => Some(self.cleaner.text(id.into(), &Context::of(Source::History))),
        }
    }
}

/// An input is an object; a reference to a blob is one, too.
fn as_object(json: Json) -> Json {
    if json.is_object() { json } else { Json::of(&serde_json::json!({ "value": json })) }
}
