//! Whether a line is whole JSON and an entry, to its last byte. The fold does not look that closely.
//!
//! Keeps nothing of the line. Does not check chains.

use serde::de::{Error, IgnoredAny, Visitor};
use serde::{Deserialize, Deserializer};

use annals_kernel::annals::{Head, LineHash, Source, Usage};
use annals_kernel::entry::{BadEntry, HistoryEntry};
use annals_kernel::id::{EntryId, WriterId};
use annals_kernel::time::Timestamp;

/// Says what is wrong with a line, given without its newline.
pub(super) fn check(line: &[u8]) -> Result<(), String> {
    let text = simdutf8::compat::from_utf8(line).map_err(|error| error.to_string())?;
    if serde_json::from_str::<Entry>(text).is_ok() {
        return Ok(());
    }
    // What the quick look refuses may still be an entry (a key that is there twice, a number with a fraction).
    HistoryEntry::read(text).map(drop).map_err(|error| without_line(&error))
}

/// Every entry is one line, so that its number would only confuse: the column is that of the value which is named.
fn without_line(error: &BadEntry) -> String {
    error.to_string().replace(" at line 1 column ", ", column ")
}

/// Any text.
struct Text;

impl<'de> Deserialize<'de> for Text {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct AnyText;

        impl Visitor<'_> for AnyText {
            type Value = Text;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("a string")
            }

            fn visit_str<E: Error>(self, _: &str) -> Result<Text, E> {
                Ok(Text)
            }
        }

        deserializer.deserialize_str(AnyText)
    }
}

/// The types that `HistoryEntry::read` asks for, and nothing that it would refuse.
#[derive(Deserialize)]
#[expect(dead_code, reason = "only whether it can be read is of interest")]
struct Entry {
    id: EntryId,
    timestamp: Timestamp,
    #[serde(alias = "sessionId")]
    session_id: Text,
    #[serde(alias = "projectId")]
    project_id: Option<Text>,
    operation: Operation,
    provenance: Option<Provenance>,
    metadata: Option<Metadata>,
    extensions: Option<Extensions>,
}

#[derive(Deserialize)]
#[expect(dead_code, reason = "only whether it can be read is of interest")]
struct Operation {
    #[serde(rename = "type")]
    kind: Text,
    name: Text,
    input: Option<IgnoredAny>,
    output: Option<IgnoredAny>,
    #[serde(alias = "durationMs")]
    duration_ms: Option<u64>,
    success: bool,
    error: Option<Text>,
}

#[derive(Deserialize)]
#[expect(dead_code, reason = "only whether it can be read is of interest")]
#[expect(clippy::struct_field_names, reason = "the protocol names them")]
struct Provenance {
    #[serde(alias = "agentId")]
    agent_id: Option<Text>,
    #[serde(alias = "modelId")]
    model_id: Option<Text>,
    #[serde(alias = "parentMessageId")]
    parent_message_id: Option<Text>,
    #[serde(alias = "parentEntryId")]
    parent_entry_id: Option<EntryId>,
}

#[derive(Deserialize)]
#[expect(dead_code, reason = "only whether it can be read is of interest")]
struct Metadata {
    tags: Option<Vec<Text>>,
    #[serde(alias = "filesTouched")]
    files_touched: Option<Vec<Text>>,
    #[serde(alias = "tokenCount")]
    token_count: Option<u64>,
    redacted: Option<bool>,
}

#[derive(Deserialize)]
#[expect(dead_code, reason = "only whether it can be read is of interest")]
struct Extensions {
    annals: Option<Annals>,
}

#[derive(Deserialize)]
#[expect(dead_code, reason = "only whether it can be read is of interest")]
struct Annals {
    v: Option<u32>,
    r: Option<u32>,
    source: Option<Source>,
    usage: Option<Usage>,
    scrubbed: Option<Vec<LineHash>>,
    w: Option<Text>,
    n: Option<u64>,
    p: Option<LineHash>,
    s: Option<std::collections::BTreeMap<WriterId, Head>>,
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINE: &str = concat!(
        r#"{"id":"01ARZ3NDEKTSV4RRFFQ69G5FAV","timestamp":"2026-11-21T03:10:00.123Z","session_id":"s1","#,
        r#""operation":{"type":"tool_call","name":"Bash","input":{"command":"ls"},"output":[1,"\u00fc"],"duration_ms":12,"success":true},"#,
        r#""provenance":{"agent_id":"coder","parent_entry_id":"01ARZ3NDEKTSV4RRFFQ69G5FAA"},"#,
        r#""metadata":{"tags":["x"],"token_count":7},"later":{"a":[1]},"#,
        r#""extensions":{"annals":{"v":1,"w":"k3f9x2ab","n":42,"p":"9f86d081884c7d659a2feaa0c55ad015"}}}"#
    );

    fn problem(from: &str, to: &str) -> String {
        let line = LINE.replace(from, to);
        assert_ne!(line, LINE, "{from} is not there");
        check(line.as_bytes()).expect_err(&line)
    }

    #[test]
    fn what_a_fold_passes_over_is_looked_at() {
        assert_eq!(check(LINE.as_bytes()), Ok(()));
        assert!(problem(r#"[1,"\u00fc"]"#, r#"[1"\u00fc"]"#).starts_with("entry: "));
        assert!(problem(r#"{"a":[1]}"#, r#"{"a":[1}}"#).starts_with("entry: "));
        assert!(problem(r#""command":"ls""#, "\"command\":\"l\u{1}s\"").starts_with("entry: "));
        assert!(problem("01ARZ3NDEKTSV4RRFFQ69G5FAA", "01ARZ").starts_with("provenance.parent_entry_id: "));
        assert!(problem(r#"["x"]"#, "[5]").starts_with("metadata.tags: "));
        assert!(problem("9f86d081", "9F86d081").starts_with("extensions.annals.p: "));
    }

    #[test]
    fn the_reader_has_the_last_word() {
        for (from, to) in
            [("12,", "12.5,"), (r#""later":{"#, r#""id":"","later":{"#), (r#""n":42,"#, r#""n":"x","p":5,"#)]
        {
            let line = LINE.replace(from, to);
            assert_eq!(
                check(line.as_bytes()),
                HistoryEntry::read(&line).map(drop).map_err(|error| without_line(&error))
            );
        }
    }

    #[test]
    fn every_changed_byte_is_judged_as_the_reader_judges_it() {
        for at in 0..LINE.len() {
            for change in [1, 2, 16] {
                let mut line = LINE.as_bytes().to_vec();
                line[at] ^= change;
                let text = std::str::from_utf8(&line).expect("ASCII");
                assert_eq!(check(&line).is_ok(), HistoryEntry::read(text).is_ok(), "{text}");
            }
        }
    }
}
