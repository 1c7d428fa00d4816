//! Which tool wrote a source, by what stands at its beginning: every kind is weighed, and the one for which most speaks is
//! taken. Names and folders may lie: a name is asked last.
//!
//! Does not read a source to its end and does not check that it is whole.

use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fmt;

use memchr::memmem;
use serde::Deserializer;
use serde::de::{DeserializeSeed, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;

use super::Kind;
use super::object::text;

/// So much of a source is enough; what is given beyond it is not looked at.
pub const HEAD_BYTES: usize = 256 << 10;

/// Why a source cannot be imported.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NotImportable {
    /// It is known, but holds no session that can be imported.
    #[error("is {0}, which cannot be imported")]
    Foreign(&'static str),
    /// It may be either.
    #[error("may as well be {0} as {1}: name its kind before it")]
    Unclear(&'static str, &'static str),
    /// It is not known.
    #[error("is of no kind that is known; known are {}", Kind::names())]
    Unknown,
}

/// What a source was found to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sniffed {
    /// Its kind; for one that cannot be imported, why.
    pub kind: Result<Kind, NotImportable>,
    /// For what nearly as much speaks.
    pub runner_up: Option<&'static str>,
}

/// The kind of a source, by its first bytes and its name.
pub fn sniff(head: &[u8], file_name: &str) -> Option<Kind> {
    recognise(head, file_name).ok()
}

/// The kind of a source; for one that cannot be imported, what it is.
pub fn recognise(head: &[u8], file_name: &str) -> Result<Kind, NotImportable> {
    weigh(head, file_name).kind
}

/// Weighs what speaks for each kind, and for each foreign thing that is known; the name is asked where nothing speaks.
pub fn weigh(head: &[u8], file_name: &str) -> Sniffed {
    let head = &head[..head.len().min(HEAD_BYTES)];
    // Editors of other systems put a byte order mark before the first record, and a crash leaves NUL bytes there.
    let start = head.iter().position(|byte| !byte.is_ascii_whitespace() && !b"\xEF\xBB\xBF\0".contains(byte));
    let head = &head[start.unwrap_or(head.len())..];
    let alone = |kind| Sniffed { kind, runner_up: None };
    let found = match head.first() {
        // Asked first, because its lines begin as an array of JSON does.
        Some(b'[') if is_chatdev(head) => Some(alone(Err(NotImportable::Foreign("a log of ChatDev")))),
        Some(b'{' | b'[') => records(head).verdict(),
        Some(_) if is_aider(head) => Some(alone(Ok(Kind::Aider))),
        Some(_) => lines(head).verdict(),
        None => None,
    };
    found.unwrap_or_else(|| alone(by_name(file_name).ok_or(NotImportable::Unknown)))
}

/// `[2025-31-12 23:59:59 INFO] …`, day before month.
fn is_chatdev(head: &[u8]) -> bool {
    let shape = b"[dddd-dd-dd dd:dd:dd ";
    let fits = |(byte, shape): (&u8, &u8)| if *shape == b'd' { byte.is_ascii_digit() } else { byte == shape };
    head.len() > shape.len() && head.iter().zip(shape).all(fits)
}

/// Aider's header, at the beginning or behind the rest of an older session. Inside JSON no line begins like that.
fn is_aider(head: &[u8]) -> bool {
    let header = b"# aider chat started at ";
    head.starts_with(header) || memmem::find(head, b"\n# aider chat started at ").is_some()
}

fn by_name(file_name: &str) -> Option<Kind> {
    let name = super::entries::without_folders(file_name);
    let ending = std::path::Path::new(name).extension().and_then(std::ffi::OsStr::to_str);
    match ending {
        Some("traj") => Some(Kind::SweAgent),
        Some("jsonl") if name.starts_with("rollout-") => Some(Kind::Codex),
        _ if name.ends_with("aider.chat.history.md") => Some(Kind::Aider),
        _ => None,
    }
}

/// So many records are weighed.
const MOST_RECORDS: usize = 20;

/// The records of a source: one a line, or those of one document, which may be cut off.
fn records(head: &[u8]) -> Scores {
    let first = head.split(|byte| *byte == b'\n').next().unwrap_or(head);
    if serde_json::from_slice::<IgnoredAny>(first.trim_ascii_end()).is_ok() && first.len() < head.len() {
        return lines(head);
    }
    let mut scores = Scores::default();
    scores.document(head, head);
    if scores.is_empty() { lines(head) } else { scores }
}

/// The records of lines: one before them may be torn.
fn lines(head: &[u8]) -> Scores {
    let mut scores = Scores::default();
    let objects = head.split(|byte| *byte == b'\n').filter_map(|line| {
        let start = line.iter().position(|byte| *byte == b'{')?;
        Some(&line[start..])
    });
    for object in objects.take(MOST_RECORDS) {
        scores.document(object, object);
    }
    scores
}

/// The keys of an object, and the texts that tell most.
#[derive(Debug, Default)]
struct Keys<'h> {
    all: Vec<Cow<'h, str>>,
    kind: Option<Cow<'h, str>>,
    record: Option<Cow<'h, str>>,
}

impl Keys<'_> {
    fn has(&self, key: &str) -> bool {
        self.all.iter().any(|found| found == key)
    }

    fn have(&self, keys: &[&str]) -> bool {
        keys.iter().all(|key| self.has(key))
    }

    fn has_any(&self, keys: &[&str]) -> bool {
        keys.iter().any(|key| self.has(key))
    }

    fn is_record(&self, known: &[&str]) -> bool {
        self.record.as_deref().is_some_and(|record| known.contains(&record))
    }

    fn record_begins(&self, prefixes: &[&str]) -> bool {
        self.record.as_deref().is_some_and(|record| prefixes.iter().any(|prefix| record.starts_with(prefix)))
    }
}

/// What a source can be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum SniffedSource {
    Importable(Kind),
    Foreign(&'static str),
}

impl SniffedSource {
    fn name(self) -> &'static str {
        match self {
            Self::Importable(kind) => kind.as_str(),
            Self::Foreign(name) => name,
        }
    }
}

const ANNALS: SniffedSource = SniffedSource::Foreign("a history of Annals");
const BEADS: SniffedSource = SniffedSource::Foreign("a tracker of beads (for `annals issue import beads`)");
const EXEC_STREAM: SniffedSource = SniffedSource::Foreign("the output of codex exec --json");
const GOOSE: SniffedSource = SniffedSource::Foreign("a session of goose");
const WHO_AND_WHEN: SniffedSource = SniffedSource::Foreign("a failure log of Who&When (for `annals swarm replay`)");
const CLAUDE_CODE: SniffedSource = SniffedSource::Importable(Kind::ClaudeCode);
const CODEX: SniffedSource = SniffedSource::Importable(Kind::Codex);
const COPILOT_CLI: SniffedSource = SniffedSource::Importable(Kind::CopilotCli);
const GEMINI_CLI: SniffedSource = SniffedSource::Importable(Kind::GeminiCli);
const OPEN_HANDS: SniffedSource = SniffedSource::Importable(Kind::OpenHands);
const SWE_AGENT: SniffedSource = SniffedSource::Importable(Kind::SweAgent);

/// Something in a record that speaks for a kind, and how much.
struct Mark {
    of: SniffedSource,
    points: u32,
    is_there: fn(&Keys<'_>, &[u8]) -> bool,
}

const fn mark(of: SniffedSource, points: u32, is_there: fn(&Keys<'_>, &[u8]) -> bool) -> Mark {
    Mark { of, points, is_there }
}

/// A key that only one tool writes has 6 points, one that a few share has 2 to 4, and what belongs to it 1 or 2 more.
const MARKS: &[Mark] = &[
    mark(WHO_AND_WHEN, 9, |keys, _| keys.has("mistake_agent")),
    mark(GOOSE, 6, |keys, _| keys.have(&["working_dir", "message_count"])),
    mark(BEADS, 3, |keys, _| keys.has("issue_type")),
    mark(BEADS, 2, |keys, _| keys.have(&["issue_type", "title"]) && keys.has_any(&["status", "priority"])),
    mark(BEADS, 2, |keys, _| keys.has("issue_type") && keys.has_any(&["dependencies", "close_reason", "created_at"])),
    mark(BEADS, 5, |keys, _| keys.have(&["issue_id", "event_type"])),
    mark(ANNALS, 9, |keys, _| {
        keys.have(&["id", "timestamp", "operation"]) && keys.has_any(&["session_id", "sessionId"])
    }),
    mark(EXEC_STREAM, 6, |keys, _| keys.record_begins(&["thread.", "turn.", "item."]) && !keys.has("data")),
    mark(CODEX, 6, |keys, _| {
        let records = ["session_meta", "turn_context", "response_item", "event_msg", "compacted"];
        keys.is_record(&records) && keys.has("payload")
    }),
    mark(COPILOT_CLI, 6, |keys, _| {
        keys.record.as_deref().is_some_and(|record| record.contains('.')) && keys.has("data")
    }),
    mark(GEMINI_CLI, 6, |keys, _| keys.has("projectHash") && keys.has_any(&["sessionId", "messages"])),
    mark(OPEN_HANDS, 4, |keys, _| keys.has("instance_id")),
    mark(OPEN_HANDS, 4, |keys, _| {
        keys.has("instance_id") && keys.has_any(&["history", "instruction", "metadata", "test_result"])
    }),
    mark(OPEN_HANDS, 4, |keys, _| keys.kind.as_deref().is_some_and(|kind| kind.ends_with("Event"))),
    mark(OPEN_HANDS, 4, |keys, _| keys.have(&["kind", "source"])),
    mark(OPEN_HANDS, 4, |keys, _| keys.have(&["messages", "response"])),
    mark(OPEN_HANDS, 2, |keys, _| keys.has_any(&["action", "observation"])),
    mark(OPEN_HANDS, 2, |keys, _| keys.has_any(&["action", "observation"]) && keys.has_any(&["source", "cause"])),
    mark(SWE_AGENT, 6, |keys, _| keys.has("trajectory")),
    mark(SWE_AGENT, 4, |keys, head| {
        keys.has("history") && !keys.has("instance_id") && memmem::find(head, b"\"agent\"").is_some()
    }),
    mark(CLAUDE_CODE, 2, |keys, _| keys.has("sessionId")),
    mark(CLAUDE_CODE, 2, |keys, _| keys.has("uuid")),
    mark(CLAUDE_CODE, 2, |keys, _| keys.has_any(&["parentUuid", "isSidechain", "leafUuid"])),
    mark(CLAUDE_CODE, 2, |keys, _| keys.is_record(&["summary", "file-history-snapshot", "queue-operation"])),
    mark(CLAUDE_CODE, 2, |keys, _| keys.is_record(&["user", "assistant"]) && keys.has("message")),
];

/// What speaks for each source.
#[derive(Debug, Default)]
struct Scores(BTreeMap<SniffedSource, u32>);

impl Scores {
    fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Weighs the first object of a text, or the first objects of an array.
    fn document(&mut self, text: &[u8], head: &[u8]) {
        let text = String::from_utf8_lossy(text);
        let objects = RefCell::new(Vec::new());
        // Where it is cut off, the keys before the cut are there.
        let _ = serde_json::Deserializer::from_str(&text).deserialize_any(FirstKeys(&objects));
        for keys in objects.into_inner() {
            for mark in MARKS.iter().filter(|mark| (mark.is_there)(&keys, head)) {
                *self.0.entry(mark.of).or_default() += mark.points;
            }
        }
    }

    /// The best; close to it is what has two thirds of its points.
    fn verdict(&self) -> Option<Sniffed> {
        let mut ranked: Vec<(SniffedSource, u32)> = self.0.iter().map(|(source, points)| (*source, *points)).collect();
        ranked.sort_by_key(|(source, points)| (std::cmp::Reverse(*points), *source));
        let (best, most) = *ranked.first()?;
        let second = ranked.get(1).filter(|(_, points)| points * 3 >= most * 2);
        let kind = match (best, second) {
            (_, Some((other, points))) if *points == most => Err(NotImportable::Unclear(best.name(), other.name())),
            (SniffedSource::Importable(kind), _) => Ok(kind),
            (SniffedSource::Foreign(what), _) => Err(NotImportable::Foreign(what)),
        };
        Some(Sniffed { kind, runner_up: second.map(|(other, _)| other.name()) })
    }
}

/// Collects the keys of the first objects: the value itself, or elements of an array.
#[derive(Clone, Copy)]
struct FirstKeys<'k, 'h>(&'k RefCell<Vec<Keys<'h>>>);

impl<'de> DeserializeSeed<'de> for FirstKeys<'_, 'de> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for FirstKeys<'_, 'de> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object or an array of objects")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut elements: A) -> Result<(), A::Error> {
        while self.0.borrow().len() < MOST_RECORDS && elements.next_element_seed(self)?.is_some() {}
        while elements.next_element::<IgnoredAny>()?.is_some() {}
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let own = self.0.borrow().len();
        self.0.borrow_mut().push(Keys::default());
        while let Some(key) = map.next_key::<Cow<'de, str>>()? {
            self.0.borrow_mut()[own].all.push(key.clone());
            let value: &'de RawValue = map.next_value()?;
            match &*key {
                "type" => self.0.borrow_mut()[own].record = text(value),
                "kind" => self.0.borrow_mut()[own].kind = text(value),
                _ => {}
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
