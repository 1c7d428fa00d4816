//! The scanner against the reader: on every line that it takes it must find what the reader finds.

use crate::entry::HistoryEntry;

use super::*;
use crate::json::Json;

const PLAIN: &str = concat!(
    r#"{"id":"01ARZ3NDEKTSV4RRFFQ69G5FAV","timestamp":"2026-11-21T03:10:00.123Z","session_id":"s1","#,
    r#""operation":{"type":"tool_call","name":"Bash","input":{"command":"ls"},"output":{"stdout":"a\"b"},"duration_ms":12,"success":true},"#,
    r#""provenance":{"agent_id":"coder","model_id":"m\u00fc","parent_entry_id":"01ARZ3NDEKTSV4RRFFQ69G5FAA"},"#,
    r#""metadata":{"tags":["x"],"files_touched":["src/a.rs","b \" c"],"token_count":7,"redacted":true},"later":{"a":[1]},"#,
    r#""extensions":{"other":1,"annals":{"v":1,"r":1,"source":{"kind":"k","session":"s","record":"r"},"usage":{"input":5},"#,
    r#""w":"k3f9x2ab","n":42,"p":"9f86d081884c7d659a2feaa0c55ad015","s":{"zzzzzzzz":[3,"9f86d081884c7d659a2feaa0c55ad015"]}}}}"#
);

/// What both sides say of a line.
#[track_caller]
fn agree(line: &str) {
    let entry = HistoryEntry::read(line).expect("an entry");
    let span = Span::scan(line.as_bytes()).expect("a line of our own shape");
    let envelope = Envelope::new(line.as_bytes(), &span);
    let texts = |list: Option<Vec<Box<str>>>| list.unwrap_or_default().iter().map(ToString::to_string).collect();
    let seen: (Vec<String>, Vec<String>) = (
        envelope.tags().into_iter().map(Cow::into_owned).collect(),
        envelope.files().into_iter().map(Cow::into_owned).collect(),
    );
    assert_eq!(seen, (texts(entry.metadata.tags), texts(entry.metadata.files_touched)));
    assert_eq!((envelope.id(), envelope.at()), (entry.id, entry.timestamp));
    assert_eq!(
        (envelope.session().as_ref(), envelope.name().as_ref()),
        (entry.session_id.as_str(), &*entry.operation.name)
    );
    assert_eq!(envelope.kind(), entry.operation.kind);
    assert_eq!(envelope.project().as_deref(), entry.project_id.as_deref());
    assert_eq!(envelope.input::<Json>(), Some(entry.operation.input));
    assert_eq!(envelope.output::<Json>(), entry.operation.output);
    assert_eq!(envelope.ending() == Ending::Succeeded, entry.operation.success);
    assert_eq!(envelope.error().as_deref(), entry.operation.error.as_deref());
    assert_eq!(envelope.duration_ms(), entry.operation.duration_ms);
    assert_eq!(envelope.agent().as_deref(), entry.provenance.agent_id.as_ref().map(super::super::id::AgentId::as_str));
    assert_eq!(envelope.model().as_deref(), entry.provenance.model_id.as_ref().map(super::super::id::ModelId::as_str));
    assert_eq!(envelope.parent_entry(), entry.provenance.parent_entry_id);
    assert_eq!(envelope.token_count(), entry.metadata.token_count);
    assert_eq!(envelope.is_redacted(), entry.metadata.redacted.unwrap_or(false));
    assert_eq!(envelope.rules(), entry.annals.r.map(u64::from));
    assert_eq!((envelope.usage(), envelope.source()), (entry.annals.usage, entry.annals.source));
    assert_eq!(envelope.link(), entry.annals.link);
}

#[test]
fn the_scanner_finds_what_the_reader_finds() {
    agree(PLAIN);
}

#[test]
fn failures_and_sparse_lines_are_scanned() {
    agree(&PLAIN.replace(r#""success":true"#, r#""success":false,"error":"exit 1, \"quoted\"""#));
    agree(&PLAIN.replace(r#""success":true"#, r#""success":false"#));
    agree(&PLAIN.replace(r#","duration_ms":12"#, ""));
    agree(&PLAIN.replace(r#","output":{"stdout":"a\"b"}"#, ""));
    agree(&PLAIN.replace(r#""session_id":"s1","#, r#""session_id":"s1","project_id":"p","#));
}

#[test]
fn a_payload_that_looks_like_an_entry_does_not_mislead() {
    let nested = r#"{"success":false,"error":"no"},"provenance":{"agent_id":"liar"},"metadata":{},"extensions":{"annals":{"n":1}}"#;
    agree(&PLAIN.replace(r#"{"stdout":"a\"b"}"#, &format!(r#"{{"x":{nested}}}"#)));
    agree(&PLAIN.replace(r#"{"a":[1]}"#, &format!(r#"{{"x":{nested}}}"#)));
    agree(&PLAIN.replace(r#""other":1"#, &format!(r#""other":{{"y":{nested}}}"#)));
}

#[test]
fn lines_of_another_shape_are_left_to_the_reader() {
    let glued = format!("{PLAIN}{PLAIN}");
    let torn_and_glued = format!("{}{PLAIN}", &PLAIN[..200]);
    let camel = PLAIN.replace("session_id", "sessionId");
    let spaced = PLAIN.replace(r#""metadata":{"#, r#""metadata": {"#);
    let overflowing = PLAIN.replace("01ARZ3NDEKTSV4RRFFQ69G5FAV", "8ZZZZZZZZZZZZZZZZZZZZZZZZZ");
    let outcome_missing = PLAIN.replace(r#","success":true"#, "");
    let null_agent = PLAIN.replace(r#""agent_id":"coder""#, r#""agent_id":null"#);
    for line in [&glued, &torn_and_glued, &camel, &spaced, &overflowing, &outcome_missing, &null_agent] {
        assert!(Span::scan(line.as_bytes()).is_none(), "{line}");
    }
}

#[test]
fn every_prefix_of_a_line_is_refused() {
    for end in 0..PLAIN.len() {
        assert!(Span::scan(&PLAIN.as_bytes()[..end]).is_none(), "cut at {end}");
    }
}

#[test]
fn what_the_reader_writes_is_scanned() {
    let loose = PLAIN.replace(r#""metadata":{"#, r#" "metadata" : {"#).replace("session_id", "sessionId");
    let entry = HistoryEntry::read(&loose).expect("an entry");
    assert_eq!(entry.to_line(), PLAIN.replace(r"m\u00fc", "mü"));
    agree(&entry.to_line());
}
