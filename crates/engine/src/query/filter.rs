//! Which entries somebody asks for. An entry must fit every field that was given, and one value of each.
//!
//! Does not read files; texts that lie in blobs come through `Blobs`.

use std::collections::BTreeSet;

use memchr::memmem::Finder;
use serde_json::Value;

use annals_kernel::envelope::{Ending, Envelope};
use annals_kernel::id::{EntryId, SessionId};
use annals_kernel::record::{Event, Kind};
use annals_log::blob::{BlobKind, BlobRef};
use annals_log::prefilter::Chance;

/// Which entries somebody asks for.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Filter {
    /// Entries of this session.
    pub session: Option<SessionId>,
    /// With those of the session, the entries that begin a session below it.
    pub children: Children,
    /// Types; `*` stands for anything, here and below.
    pub kinds: Vec<String>,
    /// Names.
    pub names: Vec<String>,
    /// Who acted.
    pub agents: Vec<String>,
    /// Tags.
    pub tags: Vec<String>,
    /// Files: a path, the end of one, or a folder.
    pub files: Vec<String>,
    /// From this turn in the fold on: ids carry the time.
    pub since: EntryId,
    /// Up to this turn, with it; `None`: no end.
    pub until: Option<EntryId>,
    /// With an id from one to another, both with it, whatever its turn.
    pub named: Option<(EntryId, EntryId)>,
    /// Ids.
    pub ids: BTreeSet<EntryId>,
    /// How the id must end.
    pub id_end: Option<String>,
    /// What a text of the operation must hold.
    pub text: Option<String>,
    /// What one of the lines may hold: of entries that neither do, nor have a large value, none is handed over. Others may be.
    pub mentions: Vec<String>,
    /// How it ended.
    pub ending: Option<Ending>,
    /// Whether entries that only complete others are wanted.
    pub completions: Completions,
}

/// Whether entries that only complete others are wanted.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Completions {
    /// Yes: as they stand in the log.
    #[default]
    Shown,
    /// No: what they say is shown with what they complete.
    Hidden,
}

/// Whether entries that begin a session below the one that is asked for are wanted, too.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Children {
    /// No.
    #[default]
    LeftOut,
    /// Yes.
    Begun,
}

/// Finds the text of a blob; `None` where it cannot be read.
pub type Blobs<'b> = dyn Fn(&BlobRef) -> Option<String> + 'b;

fn is_completion(entry: &Envelope<'_>) -> bool {
    entry.record() == Event::Completion.into()
}

impl Filter {
    /// The range of turns that can fit.
    pub(super) fn turns(&self) -> (EntryId, EntryId) {
        (self.since, self.until.unwrap_or(EntryId::MAX))
    }

    /// Whether an entry is asked for.
    pub fn fits(&self, entry: &Envelope<'_>, blobs: &Blobs<'_>) -> bool {
        let (since, until) = self.turns();
        (since..=until).contains(&entry.turn())
            && self.named.is_none_or(|(first, last)| (first..=last).contains(&entry.id()))
            && (self.ids.is_empty() || self.ids.contains(&entry.id()))
            && self.ending.is_none_or(|ending| ending == entry.ending())
            && self.id_end.as_deref().is_none_or(|end| entry.id().to_string().ends_with(end))
            && any(&self.kinds, |kind| matches(kind, &entry.kind_text()))
            && any(&self.names, |name| matches(name, &entry.name()))
            && any(&self.agents, |agent| entry.agent().is_some_and(|name| matches(agent, &name)))
            && any(&self.tags, |tag| entry.tags().iter().any(|name| matches(tag, name)))
            && any(&self.files, |file| entry.files().iter().any(|path| is_file(file, path)))
            && (self.completions == Completions::Shown || !is_completion(entry))
            && self.is_of_session(entry)
            && self.text.as_deref().is_none_or(|text| says(entry, text, blobs))
    }

    fn is_of_session(&self, entry: &Envelope<'_>) -> bool {
        let Some(session) = &self.session else { return true };
        entry.session() == session.as_str()
            || self.children == Children::Begun && parent_of(entry).as_deref() == Some(session.as_str())
    }

    /// Judges the bytes of a line: of every field that was given it must hold something, as every program writes it.
    pub(super) fn prefilter(&self) -> impl Fn(&[u8]) -> Chance + Sync + use<> {
        let session = self.session.as_ref().map(|session| vec![LineNeedle::stretch(session.as_str())]);
        // What lies in a blob is not in the line, so that a line with a blob is never ruled out.
        let text =
            self.text.as_deref().map(|text| vec![LineNeedle::stretch(text), Some(LineNeedle::of(r#""$blob":"#))]);
        // The word alone, because some programs write a blank before it.
        let failed = (self.ending == Some(Ending::Failed)).then(|| vec![Some(LineNeedle::of("false"))]);
        let fields = [&self.kinds, &self.names, &self.agents, &self.tags].into_iter().filter(|field| !field.is_empty());
        let fields = fields.map(|field| field.iter().map(|pattern| LineNeedle::pattern(pattern)).collect());
        let mentions = self.mentions.iter().map(|text| LineNeedle::stretch(text));
        let mentions = mentions.chain([Some(LineNeedle::of(r#""$blob":"#))]).collect::<Vec<_>>();
        let mentions = Some(mentions).filter(|_| !self.mentions.is_empty());
        let fields = fields.chain(session).chain(text).chain(failed).chain(mentions);
        // Where one of several values has nothing that could be looked for, the field says nothing.
        let fields: Vec<Vec<LineNeedle>> = fields.filter_map(|needles: Vec<_>| needles.into_iter().collect()).collect();
        let id_end = self.id_end.clone();
        move |line| {
            // A line of our own shape has its id at a known place.
            let id_ends = |end: &String| line.get(7..33).is_some_and(|id| id.ends_with(end.as_bytes()));
            let holds = |needles: &Vec<LineNeedle>| needles.iter().any(|needle| needle.is_in(line));
            if id_end.iter().all(id_ends) && fields.iter().all(holds) { Chance::Possible } else { Chance::Impossible }
        }
    }
}

/// The session that a starting session names as its parent.
pub fn parent_of(entry: &Envelope<'_>) -> Option<String> {
    let text = |value: &Value| value.as_str().map(str::to_owned);
    let input = || entry.input::<Value>();
    match entry.record() {
        Kind::Event(Event::SessionStart) => text(input()?.get("parent_session")?),
        Kind::Event(Event::SessionStarted) => text(input()?.pointer("/command/parent_session_id")?),
        Kind::Call | Kind::Input(_) | Kind::Speech(_) | Kind::Event(_) | Kind::State | Kind::Other => None,
    }
}

fn any(wanted: &[String], fits: impl FnMut(&String) -> bool) -> bool {
    wanted.is_empty() || wanted.iter().any(fits)
}

/// Whether a text is as a pattern has it, where `*` stands for anything.
pub fn matches(pattern: &str, text: &str) -> bool {
    let Some((head, rest)) = pattern.split_once('*') else { return pattern == text };
    let Some(mut text) = text.strip_prefix(head) else { return false };
    let mut parts: Vec<&str> = rest.split('*').collect();
    let tail = parts.pop().unwrap_or_default();
    for part in parts {
        let Some(at) = text.find(part) else { return false };
        text = &text[at + part.len()..];
    }
    text.ends_with(tail)
}

fn is_file(wanted: &str, path: &str) -> bool {
    let wanted = wanted.strip_prefix("./").unwrap_or(wanted).trim_end_matches('/');
    let below = |whole: &str| whole.strip_prefix(wanted).is_some_and(|rest| rest.starts_with('/'));
    let ends = path.strip_suffix(wanted).is_some_and(|rest| rest.ends_with('/'));
    matches(wanted, path) || below(path) || ends
}

/// Whether a text of the operation holds another: its name, its error, any text in input and output.
fn says(entry: &Envelope<'_>, text: &str, blobs: &Blobs<'_>) -> bool {
    entry.name().contains(text)
        || entry.error().is_some_and(|error| error.contains(text))
        || payload_says(entry, text, blobs)
}

fn payload_says(entry: &Envelope<'_>, text: &str, blobs: &Blobs<'_>) -> bool {
    if let Some(input) = entry.input::<Value>() {
        let output = entry.output::<Value>().unwrap_or_default();
        return value_says(&input, text, blobs) || value_says(&output, text, blobs);
    }
    // Nested too deep for a tree: the bytes must do.
    let quoted = Value::from(text).to_string();
    memchr::memmem::find(entry.line(), &quoted.as_bytes()[1..quoted.len() - 1]).is_some()
}

fn value_says(value: &Value, text: &str, blobs: &Blobs<'_>) -> bool {
    if let Some(blob) = BlobRef::of(value) {
        return blobs(&blob).is_some_and(|content| match (blob.is, serde_json::from_str::<Value>(&content)) {
            (BlobKind::Json, Ok(value)) => value_says(&value, text, blobs),
            (BlobKind::Json, Err(_)) | (BlobKind::Text, _) => content.contains(text),
        });
    }
    match value {
        Value::String(own) => own.contains(text),
        Value::Array(items) => items.iter().any(|item| value_says(item, text, blobs)),
        Value::Object(members) => members.values().any(|item| value_says(item, text, blobs)),
        Value::Null | Value::Bool(_) | Value::Number(_) => false,
    }
}

/// Bytes that a line must hold to be worth decoding.
struct LineNeedle(Finder<'static>);

/// Whether every program writes a letter alike in a text: none of those that some of them escape.
fn is_plain(letter: char) -> bool {
    matches!(letter, ' '..='~') && !matches!(letter, '"' | '\\' | '/' | '<' | '>' | '&' | '\'')
}

impl LineNeedle {
    fn of(bytes: &str) -> Self {
        Self(Finder::new(bytes).into_owned())
    }

    /// The longest stretch of a text that every program writes alike; `None` where there is none.
    fn stretch(text: &str) -> Option<Self> {
        let longest = text.split(|letter| !is_plain(letter)).max_by_key(|stretch| stretch.len())?;
        (!longest.is_empty()).then(|| Self::of(longest))
    }

    /// The same for a pattern; one without a star is a whole text.
    fn pattern(pattern: &str) -> Option<Self> {
        if pattern.chars().all(|letter| is_plain(letter) && letter != '*') {
            return Some(Self::of(&format!("\"{pattern}\"")));
        }
        pattern.split('*').filter_map(Self::stretch).max_by_key(|needle| needle.0.needle().len())
    }

    fn is_in(&self, line: &[u8]) -> bool {
        self.0.find(line).is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_star_stands_for_anything() {
        let cases = [
            ("Bash", "Bash", true),
            ("Bash", "BashOutput", false),
            ("history.session.*", "history.session.started", true),
            ("*.started", "history.session.started", true),
            ("mcp__*__read*", "mcp__files__read_file", true),
            ("a*a", "a", false),
            ("*", "", true),
        ];
        for (pattern, text, expected) in cases {
            assert_eq!(matches(pattern, text), expected, "{pattern} {text}");
        }
    }

    #[test]
    fn a_file_is_named_whole_by_its_end_or_by_its_folder() {
        let fits = |wanted: &&str| is_file(wanted, "src/log/read.rs");
        let wanted = ["src/log/read.rs", "./src/log/read.rs", "read.rs", "log/read.rs", "src", "src/log/", "*.rs"];
        assert!(wanted.iter().all(fits));
        assert!(!["ad.rs", "src/lo", "log"].iter().any(fits));
    }

    #[test]
    fn only_bytes_that_nobody_escapes_are_looked_for() {
        let bytes =
            |needle: Option<LineNeedle>| needle.map(|needle| String::from_utf8_lossy(needle.0.needle()).into_owned());
        assert_eq!(bytes(LineNeedle::stretch(r#"say "hello" <b>"#)).as_deref(), Some("hello"));
        assert_eq!(bytes(LineNeedle::stretch("Größe 7")).as_deref(), Some("e 7"));
        assert_eq!(bytes(LineNeedle::stretch("\"ü/\n")), None);
        assert_eq!(bytes(LineNeedle::pattern("Bash")).as_deref(), Some("\"Bash\""));
        assert_eq!(bytes(LineNeedle::pattern("mcp__*__read")).as_deref(), Some("__read"));
        assert_eq!(bytes(LineNeedle::pattern("*")), None);
    }
}
