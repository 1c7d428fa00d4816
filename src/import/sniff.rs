//! Which tool wrote a source, by what stands at its beginning. Names and folders may lie: a name is asked last.
//!
//! Does not read a source to its end and does not check that it is whole.

use std::borrow::Cow;
use std::cell::RefCell;
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
    /// It is not known.
    #[error("is of no kind that is known; known are {}", Kind::names())]
    Unknown,
}

/// The kind of a source, by its first bytes and its name.
pub fn sniff(head: &[u8], file_name: &str) -> Option<Kind> {
    recognise(head, file_name).ok()
}

/// The kind of a source; for one that cannot be imported, what it is.
pub fn recognise(head: &[u8], file_name: &str) -> Result<Kind, NotImportable> {
    let head = &head[..head.len().min(HEAD_BYTES)];
    let start = head.iter().position(|byte| !byte.is_ascii_whitespace() && !b"\xEF\xBB\xBF\0".contains(byte));
    let head = &head[start.unwrap_or(head.len())..];
    let found = match head.first() {
        Some(b'[') if is_chatdev(head) => Some(Err(NotImportable::Foreign("a log of ChatDev"))),
        Some(b'{' | b'[') => whole(head).or_else(|| by_line(head)),
        Some(_) => markdown(head).or_else(|| by_line(head)),
        None => None,
    };
    found.or_else(|| by_name(file_name).map(Ok)).unwrap_or(Err(NotImportable::Unknown))
}

type Found = Result<Kind, NotImportable>;

/// `[2025-31-12 23:59:59 INFO] …`, day before month.
fn is_chatdev(head: &[u8]) -> bool {
    let shape = b"[dddd-dd-dd dd:dd:dd ";
    let fits = |(byte, shape): (&u8, &u8)| if *shape == b'd' { byte.is_ascii_digit() } else { byte == shape };
    head.len() > shape.len() && head.iter().zip(shape).all(fits)
}

/// Aider's header, at the beginning or behind the rest of an older session. Inside JSON no line begins like that.
fn markdown(head: &[u8]) -> Option<Found> {
    let header = b"# aider chat started at ";
    let begins = head.starts_with(header) || memmem::find(head, b"\n# aider chat started at ").is_some();
    begins.then_some(Ok(Kind::Aider))
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

/// The first value of the source as one document or record, which may be cut off.
fn whole(head: &[u8]) -> Option<Found> {
    let text = String::from_utf8_lossy(head);
    let keys = RefCell::new(Keys::default());
    // Where it is cut off, the keys before the cut are there.
    let _ = serde_json::Deserializer::from_str(&text).deserialize_any(First(&keys));
    classify(&keys.into_inner(), head)
}

/// The first record that tells, line by line: a line before it may be torn.
fn by_line(head: &[u8]) -> Option<Found> {
    head.split(|byte| *byte == b'\n').find_map(|line| {
        let start = line.iter().position(|byte| *byte == b'{')?;
        whole(&line[start..])
    })
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
}

fn classify(keys: &Keys<'_>, head: &[u8]) -> Option<Found> {
    let foreign = |what| Some(Err(NotImportable::Foreign(what)));
    let record = keys.record.as_deref().unwrap_or_default();
    if keys.has("mistake_agent") {
        return foreign("a failure log of Who&When (for `annals swarm replay`)");
    }
    if keys.have(&["working_dir", "message_count"]) {
        return foreign("a session of goose");
    }
    if keys.has("issue_type") || keys.have(&["issue_id", "event_type"]) {
        return foreign("a tracker of beads (for `annals issue import beads`)");
    }
    if keys.have(&["id", "timestamp", "operation"]) && (keys.has("session_id") || keys.has("sessionId")) {
        return foreign("a history of Annals");
    }
    if is_exec_stream(record) && !keys.has("data") {
        return foreign("the output of codex exec --json");
    }
    importable(keys, record, head).map(Ok)
}

fn is_exec_stream(record: &str) -> bool {
    ["thread.", "turn.", "item."].iter().any(|prefix| record.starts_with(prefix))
}

fn importable(keys: &Keys<'_>, record: &str, head: &[u8]) -> Option<Kind> {
    const CODEX: [&str; 5] = ["session_meta", "turn_context", "response_item", "event_msg", "compacted"];
    const CLAUDE: [&str; 3] = ["summary", "file-history-snapshot", "queue-operation"];
    let evaluated = keys.has("instance_id") && ["history", "instruction", "metadata"].iter().any(|key| keys.has(key));
    let sdk = keys.kind.as_deref().is_some_and(|kind| kind.ends_with("Event") || keys.has("source"));
    let event = keys.has("action") || keys.has("observation");
    if CODEX.contains(&record) && keys.has("payload") {
        Some(Kind::Codex)
    } else if record.contains('.') && keys.has("data") {
        Some(Kind::CopilotCli)
    } else if keys.has("projectHash") && (keys.has("sessionId") || keys.has("messages")) {
        Some(Kind::GeminiCli)
    } else if evaluated || sdk || keys.have(&["messages", "response"]) {
        Some(Kind::OpenHands)
    } else if keys.has("trajectory") || keys.has("history") && memmem::find(head, b"\"agent\"").is_some() {
        Some(Kind::SweAgent)
    } else if event {
        Some(Kind::OpenHands)
    } else if keys.has("sessionId") || keys.has("uuid") || CLAUDE.contains(&record) {
        Some(Kind::ClaudeCode)
    } else {
        None
    }
}

/// Collects the keys of the first object: the value itself, or the first element of an array.
#[derive(Clone, Copy)]
struct First<'k, 'h>(&'k RefCell<Keys<'h>>);

impl<'de> DeserializeSeed<'de> for First<'_, 'de> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for First<'_, 'de> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object or an array of objects")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut elements: A) -> Result<(), A::Error> {
        elements.next_element_seed(self)?;
        while elements.next_element::<IgnoredAny>()?.is_some() {}
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some(key) = map.next_key::<Cow<'de, str>>()? {
            self.0.borrow_mut().all.push(key.clone());
            let value: &'de RawValue = map.next_value()?;
            match &*key {
                "type" => self.0.borrow_mut().record = text(value),
                "kind" => self.0.borrow_mut().kind = text(value),
                _ => {}
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Result<Kind, String> {
        recognise(text.as_bytes(), "unnamed").map_err(|error| error.to_string())
    }

    #[test]
    fn every_kind_is_known_by_its_content() {
        let cases = [
            (r#"{"parentUuid":null,"sessionId":"s","type":"user"}"#, Kind::ClaudeCode),
            (r#"{"type":"summary","summary":"x","leafUuid":"u"}"#, Kind::ClaudeCode),
            (r#"{"timestamp":"t","type":"session_meta","payload":{}}"#, Kind::Codex),
            (r#"{"type":"session.start","data":{},"id":"e"}"#, Kind::CopilotCli),
            ("{\n \"sessionId\": \"s\",\n \"projectHash\": \"h\",\n \"messages\": [", Kind::GeminiCli),
            ("{\"sessionId\":\"s\",\"projectHash\":\"h\"}\n{\"id\":\"m\",\"type\":\"user\"}", Kind::GeminiCli),
            (r#"{"environment":"e","trajectory":[{"action":"#, Kind::SweAgent),
            (r#"{"history":[{"role":"system","content":"x","agent":"main"}]}"#, Kind::SweAgent),
            (r#"[{"id":0,"source":"user","action":"message"}"#, Kind::OpenHands),
            (r#"{"id":"e","source":"agent","kind":"ActionEvent"}"#, Kind::OpenHands),
            (r#"{"instance_id":"t","instruction":"long and cut"#, Kind::OpenHands),
            (r#"{"messages":[],"tools":[],"response":{}}"#, Kind::OpenHands),
            ("> lint\n\n# aider chat started at 2026-01-01 00:00:00\n", Kind::Aider),
        ];
        for (text, kind) in cases {
            assert_eq!(found(text), Ok(kind), "{text}");
        }
    }

    #[test]
    fn what_cannot_be_imported_is_named() {
        let cases = [
            (
                r#"{"id":"1","issue_type":"bug"}"#,
                "is a tracker of beads (for `annals issue import beads`), which cannot be imported",
            ),
            (r#"{"working_dir":"/","message_count":1}"#, "is a session of goose, which cannot be imported"),
            (
                r#"{"history":[{"role":"a"}],"mistake_agent":"a"}"#,
                "is a failure log of Who&When (for `annals swarm replay`), which cannot be imported",
            ),
            ("[2026-31-12 10:00:00 INFO] A: **B**", "is a log of ChatDev, which cannot be imported"),
            (
                r#"{"type":"thread.started","thread_id":"t"}"#,
                "is the output of codex exec --json, which cannot be imported",
            ),
            (
                r#"{"id":"0","timestamp":"t","session_id":"s","operation":{}}"#,
                "is a history of Annals, which cannot be imported",
            ),
            (
                "words",
                "is of no kind that is known; known are claude-code, codex, copilot-cli, gemini-cli, swe-agent, openhands, aider",
            ),
            (
                "",
                "is of no kind that is known; known are claude-code, codex, copilot-cli, gemini-cli, swe-agent, openhands, aider",
            ),
        ];
        for (text, error) in cases {
            assert_eq!(found(text), Err(error.to_owned()), "{text}");
        }
    }

    #[test]
    fn mangled_sources_are_known_too() {
        let record = r#"{"type":"session_meta","payload":{}}"#;
        for text in [
            format!("\u{FEFF}{record}\r\n"),
            format!("\0\0\n\n{record}"),
            format!("null\n42\n{record}"),
            format!("{{\"type\":\"event_m\n{record}"),
            format!("pe\":1}}\n{record}"),
            format!("{{\"deep\":{}{}}}\n{record}", "[".repeat(3000), "]".repeat(3000)),
        ] {
            assert_eq!(found(&text), Ok(Kind::Codex), "{}", &text[..text.len().min(80)]);
        }
    }

    #[test]
    fn the_name_is_asked_where_the_content_tells_nothing() {
        assert_eq!(sniff(b"{\"a\":1}", "folder/x.traj"), Some(Kind::SweAgent));
        assert_eq!(sniff(b"{\"type\":\"compacted\",\"payload\":{}}", "x.traj"), Some(Kind::Codex));
        assert_eq!(sniff(b"", "a/.aider.chat.history.md"), Some(Kind::Aider));
        assert_eq!(sniff(b"\0\0", "rollout-2026-01-01T00-00-00-x.jsonl"), Some(Kind::Codex));
    }
}
