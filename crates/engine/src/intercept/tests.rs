//! Calls that are recorded by a program of one's own.

use std::path::Path;
use std::sync::Arc;

use super::*;
use crate::clock::Clock;
use annals_log::disk::RealDisk;

fn engine(context: &Path, second: i64) -> Engine {
    let clock = Clock::new(Some(Timestamp::from_millis(1_795_262_400_000 + 1000 * second)), Some(format!("s{second}")));
    Engine::open(Arc::new(RealDisk), context, clock).expect("opened")
}

fn entries(context: &Path) -> Vec<HistoryEntry> {
    let text = std::fs::read_to_string(context.join("history/2026-11-21.jsonl")).unwrap_or_default();
    text.lines().map(|line| HistoryEntry::read(line).expect("an entry")).collect()
}

fn params(text: &str) -> Json {
    Json::from_text(text.to_owned()).expect("JSON")
}

#[test]
fn a_call_is_written_when_it_ends() {
    let folder = tempfile::tempdir().expect("a folder");
    let engine = engine(folder.path(), 0);
    let calls = Interceptor::new(&engine, "01K7ZC5QW4M0N4T7V5R2B8XQ6D".into());
    let provenance = Provenance { agent_id: Some("coder".into()), ..Provenance::default() };
    let good = calls.on_tool_call_start("read", &params(r#"{"path":"a"}"#), provenance).expect("begun");
    let bad = calls.on_tool_call_start("sum", &params("[1,2]"), Provenance::default()).expect("begun");
    assert_eq!(entries(folder.path()), []);
    let second = calls.on_tool_call_error(&bad, "no numbers", Duration::from_millis(7)).expect("ended");
    let first = calls.on_tool_call_complete(&good, &params("\"text\""), Duration::from_millis(5)).expect("ended");
    let entries = entries(folder.path());
    assert_eq!(entries.iter().map(|entry| entry.id).collect::<Vec<_>>(), [second, first]);
    let line = |entry: &HistoryEntry| serde_json::to_string(&entry.operation).expect("JSON");
    assert_eq!(
        line(&entries[0]),
        r#"{"type":"tool_call","name":"sum","input":{"arguments":[1,2]},"duration_ms":7,"success":false,"error":"no numbers"}"#
    );
    assert_eq!(
        line(&entries[1]),
        r#"{"type":"tool_call","name":"read","input":{"path":"a"},"output":"text","duration_ms":5,"success":true}"#
    );
    assert_eq!(entries[1].provenance.agent_id, Some("coder".into()));
    assert_eq!(engine.open_calls().expect("listed"), []);
}

#[test]
fn a_call_ends_once() {
    let folder = tempfile::tempdir().expect("a folder");
    let engine = engine(folder.path(), 0);
    let calls = Interceptor::new(&engine, "s".into());
    let call = calls.on_tool_call_start("t", &params("{}"), Provenance::default()).expect("begun");
    calls.on_tool_call_complete(&call, &params("1"), Duration::ZERO).expect("ended");
    let again = calls.on_tool_call_complete(&call, &params("1"), Duration::ZERO).expect_err("it has ended");
    assert_eq!(again.to_string(), format!("no call {call} is open"));
    assert_eq!(entries(folder.path()).len(), 1);
}

#[test]
fn a_handle_survives_the_process_that_got_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let handle = {
        let engine = engine(folder.path(), 0);
        let calls = Interceptor::new(&engine, "s".into());
        calls.on_tool_call_start("t", &params("{}"), Provenance::default()).expect("begun").to_string()
    };
    let engine = engine(folder.path(), 9);
    let call = CallKey::parse(&handle).expect("a handle");
    Interceptor::new(&engine, "s".into()).on_tool_call_complete(&call, &params("1"), Duration::ZERO).expect("ended");
    assert_eq!(entries(folder.path())[0].timestamp.to_string(), "2026-11-21T12:00:09.000Z");
}

#[test]
fn calls_of_a_process_that_died_are_recovered_in_the_order_in_which_they_began() {
    let folder = tempfile::tempdir().expect("a folder");
    for (second, (session, tool)) in [("s", "first"), ("other", "elsewhere"), ("s", "second")].into_iter().enumerate() {
        let engine = engine(folder.path(), i64::try_from(second).expect("small"));
        let calls = Interceptor::new(&engine, session.into());
        calls.on_tool_call_start(tool, &params("{}"), Provenance::default()).expect("begun");
    }
    let engine = engine(folder.path(), 60);
    let at = engine.clock().now();
    assert_eq!(engine.recover_calls(Unfinished::InSession(&"s".into()), at).expect("recovered"), 2);
    assert_eq!(engine.recover_calls(Unfinished::BegunBefore(at), at).expect("recovered"), 1);
    assert_eq!(engine.recover_calls(Unfinished::BegunBefore(at), at).expect("recovered"), 0);
    let entries = entries(folder.path());
    let names: Vec<_> = entries.iter().map(|entry| &*entry.operation.name).collect();
    assert_eq!(names, ["first", "second", "elsewhere"]);
    assert!(entries.iter().all(|entry| entry.operation.error.as_deref() == Some(INTERRUPTED)));
    assert!(entries.iter().all(|entry| !entry.operation.success && entry.timestamp == at));
}

#[test]
fn a_beginning_that_a_power_cut_left_empty_is_swept() {
    let folder = tempfile::tempdir().expect("a folder");
    let calls = folder.path().join("local/calls");
    std::fs::create_dir_all(&calls).expect("made");
    std::fs::write(calls.join("0123-4567.json"), "").expect("written");
    let engine = engine(folder.path(), 0);
    assert_eq!(engine.recover_calls(Unfinished::InSession(&"s".into()), Timestamp::default()).expect("swept"), 0);
    assert_eq!(engine.open_calls().expect("listed"), []);
}
