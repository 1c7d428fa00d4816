//! Rollouts of our own, and what becomes of them.

use insta::assert_snapshot;

use super::import;
use crate::testing::Collected;
use crate::{ImportError, PassedOver};

const META: &str = r#"{"timestamp":"2026-01-01T00:00:05.000Z","type":"session_meta","payload":{"id":"019b0000-0000-7000-8000-000000000001","timestamp":"2026-01-01T00:00:00.000Z","cwd":"/p","cli_version":"0.140.0","source":"cli","git":{"branch":"main"}}}"#;

/// A record at this second; `payload` is without its braces.
fn record(second: u32, kind: &str, payload: &str) -> String {
    format!(r#"{{"timestamp":"2026-01-01T00:00:{second:02}.000Z","type":"{kind}","payload":{{{payload}}}}}"#)
}

fn item(second: u32, payload: &str) -> String {
    record(second, "response_item", payload)
}

fn event(second: u32, payload: &str) -> String {
    record(second, "event_msg", payload)
}

fn call(second: u32, id: &str) -> String {
    item(
        second,
        &format!(r#""type":"function_call","name":"exec_command","arguments":"{{\"cmd\":\"ls\"}}","call_id":"{id}""#),
    )
}

fn output(second: u32, id: &str, output: &str) -> String {
    item(second, &format!(r#""type":"function_call_output","call_id":"{id}","output":"{output}""#))
}

/// A session that begins with `META`.
fn session(records: &[String]) -> Collected {
    Collected::of(import, "rollout.jsonl", &format!("{META}\n{}\n", records.join("\n")))
}

/// What follows the start of the session.
fn lines(records: &[String]) -> String {
    let lines = session(records).lines();
    lines.split_once('\n').map(|(_, rest)| rest.to_owned()).unwrap_or_default()
}

#[test]
fn a_session_begins_when_its_first_record_says() {
    let sink = session(&[]);
    assert_snapshot!(sink.lines(), @r#"00:00.000Z codex system_event session_start {"tool":"codex","native_id":"019b0000-0000-7000-8000-000000000001","cwd":"/p","version":"0.140.0","branch":"main"}"#);
    let source = &sink.drafts[0].source;
    assert_eq!((&*source.record, source.line, &*source.kind), ("session_start", Some(1), "codex"));
}

#[test]
fn a_prompt_comes_from_its_event_and_injected_text_is_passed_over() {
    let sink = session(&[
        item(6, r#""type":"message","role":"developer","content":[{"type":"input_text","text":"rules"}]"#),
        item(6, r#""type":"message","role":"user","content":[{"type":"input_text","text":"<environment_context>x"}]"#),
        item(7, r#""type":"message","role":"user","content":[{"type":"input_text","text":"fix it"}]"#),
        event(7, r#""type":"user_message","message":"fix it","images":["data:image/png;base64,aGVsbG8hIQ=="]"#),
        event(
            8,
            r#""type":"user_message","message":"<user_shell_command><command>ls</command><result>a.rs</result></user_shell_command>""#,
        ),
    ]);
    assert_snapshot!(sink.lines(), @r#"
    00:00.000Z codex system_event session_start {"tool":"codex","native_id":"019b0000-0000-7000-8000-000000000001","cwd":"/p","version":"0.140.0","branch":"main"}
    00:07.000Z user user_input prompt {"text":"fix it","attachments":[{"media_type":"image/png","bytes":7,"sha256":"5831fcd681f6a42b9fafd7b3befb920538c6bee360294067f3ead0413965566e"}]}
    00:08.000Z user user_input shell {"command":"ls"}
    00:08.000Z codex system_event command_output {"text":"a.rs"}
    "#);
    assert_eq!((sink.passed(PassedOver::Injected), sink.passed(PassedOver::Copy)), (2, 1));
}

#[test]
fn calls_are_paired_by_id_and_carry_the_time_of_their_end() {
    assert_snapshot!(lines(&[
        record(6, "turn_context", r#""cwd":"/p","model":"m-1""#),
        call(7, "c1"),
        call(8, "c2"),
        output(9, "c2", "Chunk ID: a\\nWall time: 0.5 seconds\\nProcess exited with code 2\\nOutput:\\nno"),
        output(10, "c1", "done"),
    ]), @r#"
    00:09.000Z codex tool_call exec_command {"cmd":"ls"} output="Chunk ID: a\nWall time: 0.5 seconds\nProcess exited with code 2\nOutput:\nno" ms=500 error=exit code 2 model=m-1
    00:10.000Z codex tool_call exec_command {"cmd":"ls"} output="done" ms=3000 model=m-1
    "#);
}

#[test]
fn a_patch_names_its_files_and_its_end_event_may_say_that_it_failed() {
    let patch = r"*** Begin Patch\n*** Update File: /p/src/a.rs\n@@\n-x\n+y\n*** Add File: b.rs\n+z\n*** End Patch";
    let call = format!(r#""type":"custom_tool_call","name":"apply_patch","call_id":"c1","input":"{patch}""#);
    assert_snapshot!(lines(&[
        item(7, &call),
        event(8, r#""type":"patch_apply_end","call_id":"c1","success":false,"stdout":"","stderr":"no such lines""#),
        item(9, r#""type":"custom_tool_call_output","call_id":"c1","output":"done""#),
    ]), @r#"00:09.000Z codex tool_call apply_patch {"arguments":"*** Begin Patch\n*** Update File: /p/src/a.rs\n@@\n-x\n+y\n*** Add File: b.rs\n+z\n*** End Patch"} output="done" ms=2000 error=no such lines files=src/a.rs,b.rs"#);
}

#[test]
fn a_no_of_a_person_is_a_rejection_and_a_no_of_a_rule_is_a_denial() {
    assert_snapshot!(lines(&[
        call(7, "c1"),
        output(8, "c1", "exec command rejected by user"),
        call(9, "c2"),
        output(10, "c2", "approval policy is Never; reject command"),
    ]), @r#"
    00:08.000Z user user_input rejection {"tool":"exec_command","input":{"cmd":"ls"},"call":"c1","reason":"exec command rejected by user"}
    00:10.000Z codex system_event denial {"tool":"exec_command","input":{"cmd":"ls"},"call":"c2","reason":"approval policy is Never; reject command"}
    "#);
}

#[test]
fn an_interrupt_ends_what_has_no_result() {
    let sink = session(&[call(7, "c1"), event(9, r#""type":"turn_aborted","reason":"interrupted""#), call(10, "c2")]);
    assert_snapshot!(sink.lines(), @r#"
    00:00.000Z codex system_event session_start {"tool":"codex","native_id":"019b0000-0000-7000-8000-000000000001","cwd":"/p","version":"0.140.0","branch":"main"}
    00:09.000Z codex tool_call exec_command {"cmd":"ls"} ms=2000 error=interrupted
    00:09.000Z user user_input interrupt {"text":"interrupted"}
    "#);
    assert_eq!(sink.passed, [(PassedOver::Unanswered, 4)]);
}

#[test]
fn what_the_agent_says_is_taken_once() {
    let sink = session(&[
        event(7, r#""type":"agent_reasoning","text":"hm""#),
        item(7, r#""type":"reasoning","summary":[{"type":"summary_text","text":"hm"}],"encrypted_content":"AAAA""#),
        item(8, r#""type":"message","role":"assistant","content":[{"type":"output_text","text":"done"}]"#),
        event(8, r#""type":"agent_message","message":"done""#),
        item(9, r#""type":"reasoning","summary":[],"encrypted_content":"AAAA""#),
        event(10, r#""type":"agent_reasoning","text":"never finished""#),
        event(11, r#""type":"turn_aborted","reason":"interrupted""#),
        event(12, r#""type":"user_message","message":"go on""#),
        event(13, r#""type":"agent_message","message":"still open""#),
    ]);
    assert_snapshot!(sink.lines(), @r#"
    00:00.000Z codex system_event session_start {"tool":"codex","native_id":"019b0000-0000-7000-8000-000000000001","cwd":"/p","version":"0.140.0","branch":"main"}
    00:07.000Z codex agent_message thinking {"text":"hm"}
    00:08.000Z codex agent_message message {"text":"done"}
    00:11.000Z user user_input interrupt {"text":"interrupted"}
    00:10.000Z codex agent_message thinking {"text":"never finished"}
    00:12.000Z user user_input prompt {"text":"go on"}
    "#);
    assert_eq!((sink.passed(PassedOver::Copy), sink.passed(PassedOver::Empty)), (3, 1));
}

#[test]
fn a_search_of_the_service_is_a_call_without_output() {
    assert_snapshot!(lines(&[
        event(7, r#""type":"web_search_end","call_id":"ws_1","query":"annals""#),
        item(8, r#""type":"web_search_call","status":"completed","action":{"type":"search","query":"annals"}"#),
    ]), @r#"00:08.000Z codex tool_call web_search {"type":"search","query":"annals"}"#);
}

#[test]
fn compaction_interrupt_title_and_unknown_records_have_their_entries() {
    assert_snapshot!(lines(&[
        record(7, "compacted", r#""message":"so far","replacement_history":[]"#),
        event(7, r#""type":"context_compacted""#),
        event(8, r#""type":"thread_name_updated","thread_name":"Repairs""#),
        event(9, r#""type":"stream_error","message":"retrying""#),
        record(10, "hologram", r#""a":1"#),
    ]), @r#"
    00:07.000Z codex system_event compaction {"summary":"so far"}
    00:08.000Z codex system_event title {"text":"Repairs"}
    00:09.000Z codex system_event api_error {"error":"retrying"} error=retrying
    00:10.000Z codex system_event unknown_record {"record":{"timestamp":"2026-01-01T00:00:10.000Z","type":"hologram","payload":{"a":1}}}
    "#);
}

#[test]
fn a_sub_agent_names_its_parent() {
    let meta = r#"{"timestamp":"2026-01-01T00:00:05.000Z","type":"session_meta","payload":{"id":"child","source":{"subagent":{"thread_spawn":{"parent_thread_id":"parent","spawn_call_id":"c9","agent_role":"scout"}}}}}"#;
    let prompt = event(6, r#""type":"user_message","message":"look""#);
    assert_snapshot!(Collected::of(import, "a.jsonl", &format!("{meta}\n{prompt}\n")).lines(), @r#"
    00:05.000Z codex/child system_event session_start {"tool":"codex","native_id":"child","parent_session":"0000000000DX3ZMK6H872Z66RT","parent_call":"c9","agent_type":"scout"}
    00:06.000Z codex user_input prompt {"text":"look"}
    "#);
}

#[test]
fn a_longer_snapshot_gives_the_shorter_one_and_more() {
    let records = [call(7, "c1"), event(8, r#""type":"agent_message","message":"a""#), output(9, "c1", "done")];
    let (short, long) = (session(&records[..2]), session(&records));
    assert_eq!(long.drafts[..short.drafts.len()], short.drafts);
    assert_eq!((short.drafts.len(), long.drafts.len()), (1, 2));
}

#[test]
fn a_shuffled_or_doubled_source_gives_the_same_entries() {
    let records = [call(7, "c1"), output(7, "c1", "done"), event(8, r#""type":"user_message","message":"fix it""#)];
    let straight = session(&records);
    let shuffled = format!("{}\n{}\n{META}\n{}\n{META}\n", records[1], records[2], records[0]);
    let mut shuffled = Collected::of(import, "rollout.jsonl", &shuffled);
    for (draft, straight) in shuffled.drafts.iter_mut().zip(&straight.drafts) {
        draft.source.line = straight.source.line;
    }
    assert_eq!(shuffled.drafts, straight.drafts);
    assert_eq!(shuffled.passed(PassedOver::Repeated), 1);
}

#[test]
fn records_without_a_session_are_named_by_the_file_or_by_the_first_of_them() {
    let text = event(7, r#""type":"user_message","message":"fix it""#);
    let id = "019ed836-b1da-78f1-8a0c-e598363d10f4";
    let named = Collected::of(import, &format!("rollout-2026-06-18T00-57-05-{id}.jsonl"), &text);
    assert_eq!(&*named.drafts[1].source.session, id);
    let nameless = Collected::of(import, "a.jsonl", &text);
    assert_eq!(nameless.drafts[1].source.session, nameless.drafts[1].source.record);
}

#[test]
fn a_record_without_a_time_takes_a_synthetic_one() {
    let text = r#"{"type":"event_msg","payload":{"type":"user_message","message":"fix it"}}"#;
    let sink = Collected::of(import, "a.jsonl", text);
    assert_eq!(sink.drafts[1].source.time.as_deref(), Some("synthetic"));
    assert_eq!(sink.drafts[1].at.millis(), 1000);
}

#[test]
fn another_kind_of_source_is_refused() {
    let mut sink = Collected::default();
    let refused = import(&"a.jsonl".into(), &mut &b"{\"type\":\"user\",\"uuid\":\"1\"}\n"[..], &mut sink);
    assert!(matches!(refused, Err(ImportError::WrongKind { .. })));
    assert_eq!(sink, Collected::default());
}
