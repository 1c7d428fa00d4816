//! Sessions of our own, and what becomes of them.

use insta::assert_snapshot;

use super::import;
use crate::testing::Collected;
use crate::{ImportError, PassedOver};

/// A message at this second; `rest` is without braces.
fn message(second: u32, kind: &str, rest: &str) -> String {
    format!(r#"{{"id":"m{second}","timestamp":"2026-01-01T00:00:{second:02}.000Z","type":"{kind}",{rest}}}"#)
}

fn session(messages: &[String]) -> Collected {
    let head = r#""sessionId":"s1","projectHash":"h","startTime":"2026-01-01T00:00:00.000Z","lastUpdated":"later""#;
    Collected::of(import, "session.json", &format!("{{{head},\"messages\":[\n{}\n]}}", messages.join(",\n")))
}

/// A call that ended at this second.
fn call(second: u32, name: &str, status: &str, response: &str) -> String {
    let id = format!("{name}-1767225601500-ab");
    format!(
        r#"{{"id":"{id}","name":"{name}","args":{{"file_path":"a.md"}},"status":"{status}","timestamp":"2026-01-01T00:00:{second:02}.000Z","result":[{{"functionResponse":{{"id":"{id}","name":"{name}","response":{response}}}}}]}}"#
    )
}

const TOKENS: &str =
    r#""tokens":{"input":100,"output":10,"cached":60,"thoughts":5,"tool":1,"total":116},"model":"m-1""#;

#[test]
fn every_part_of_a_reply_is_an_entry() {
    let calls = [
        call(3, "write_file", "success", r#"{"output":"done"}"#),
        call(4, "run_shell_command", "success", r#"{"output":"Command: x\nExit Code: 2\nSignal: 0"}"#),
        call(5, "read_file", "error", r#"{"error":"no such file\nat all"}"#),
        call(6, "replace", "cancelled", r#"{"error":"not allowed"}"#),
    ];
    let thoughts =
        r#""thoughts":[{"subject":"Look","description":"First I look.","timestamp":"2026-01-01T00:00:01.500Z"}]"#;
    let sink = session(&[
        message(1, "user", r#""content":"fix it""#),
        message(2, "gemini", &format!(r#""content":"I look.",{thoughts},{TOKENS},"toolCalls":[{}]"#, calls.join(","))),
        message(7, "info", r#""content":"Update available""#),
        message(8, "error", r#""content":"quota""#),
        message(9, "gemini", r#""content":"""#),
        message(10, "hologram", r#""content":"x""#),
    ]);
    assert_snapshot!(sink.lines(), @r#"
    00:00.000Z gemini-cli system_event session_start {"tool":"gemini-cli","native_id":"s1"}
    00:01.000Z user user_input prompt {"text":"fix it"}
    00:01.500Z gemini-cli agent_message thinking {"text":"Look\n\nFirst I look."} model=m-1
    00:02.000Z gemini-cli agent_message message {"text":"I look."} model=m-1
    00:02.000Z gemini-cli system_event usage {} model=m-1 usage={"requests":1,"input":41,"cache_read":60,"output":15,"reasoning":5}
    00:03.000Z gemini-cli tool_call write_file {"file_path":"a.md"} output={"output":"done"} ms=1500 model=m-1 files=a.md
    00:04.000Z gemini-cli tool_call run_shell_command {"file_path":"a.md"} output={"output":"Command: x\nExit Code: 2\nSignal: 0"} ms=2500 error=exit code 2 model=m-1 files=a.md
    00:05.000Z gemini-cli tool_call read_file {"file_path":"a.md"} output={"error":"no such file\nat all"} ms=3500 error=no such file model=m-1 files=a.md
    00:06.000Z user user_input rejection {"tool":"replace","input":{"file_path":"a.md"},"call":"replace-1767225601500-ab","reason":"not allowed"} files=a.md
    00:08.000Z gemini-cli system_event api_error {"error":"quota"} error=quota
    00:10.000Z gemini-cli system_event unknown_record {"record":{"id":"m10","timestamp":"2026-01-01T00:00:10.000Z","type":"hologram","content":"x"}}
    "#);
    assert_eq!(sink.passed, [(PassedOver::Bookkeeping, 4), (PassedOver::Empty, 6)]);
    let records: Vec<_> = sink.drafts.iter().map(|draft| &*draft.source.record).take(6).collect();
    assert_eq!(records, ["session_start", "m1", "m2/thought/1", "m2", "m2/tokens", "write_file-1767225601500-ab"]);
}

#[test]
fn a_call_that_runs_waits_and_the_next_prompt_ends_it() {
    let running =
        message(2, "gemini", &format!(r#""content":"","toolCalls":[{}]"#, call(2, "read_file", "executing", "{}")));
    let waiting = session(std::slice::from_ref(&running));
    assert_eq!((waiting.drafts.len(), waiting.passed(PassedOver::Unanswered)), (1, 1));
    assert_snapshot!(session(&[running, message(9, "user", r#""content":"go on""#)]).lines(), @r#"
    00:00.000Z gemini-cli system_event session_start {"tool":"gemini-cli","native_id":"s1"}
    00:09.000Z gemini-cli tool_call read_file {"file_path":"a.md"} ms=7500 error=interrupted files=a.md
    00:09.000Z user user_input prompt {"text":"go on"}
    "#);
}

#[test]
fn a_message_that_comes_again_with_more_in_it_keeps_the_entries_it_had() {
    let short = message(2, "gemini", r#""content":"I look.","model":"m-1""#);
    let long = message(
        2,
        "gemini",
        &format!(r#""content":"I look.",{TOKENS},"toolCalls":[{}]"#, call(3, "a", "success", "{}")),
    );
    let (short, long) = (session(&[short]), session(&[long]));
    assert_eq!(long.drafts[..short.drafts.len()], short.drafts);
    assert_eq!((short.drafts.len(), long.drafts.len()), (2, 4));
}

#[test]
fn a_session_that_is_cut_short_gives_what_is_whole() {
    let text = format!(r#"{{"sessionId":"s1","messages":[{},{{"id":"m2""#, message(1, "user", r#""content":"fix it""#));
    let sink = Collected::of(import, "session.json", &text);
    assert_eq!((sink.named("prompt"), sink.passed.as_slice()), (1, [(PassedOver::Damaged, 1)].as_slice()));
}

#[test]
fn a_document_without_a_session_id_before_its_messages_is_refused() {
    let refused = |text: &str| import(&"a.json".into(), &mut text.as_bytes(), &mut Collected::default());
    assert!(matches!(refused(r#"{"messages":[{}],"sessionId":"s1"}"#), Err(ImportError::WrongKind { .. })));
    assert!(matches!(refused(r#"{"history":[]}"#), Err(ImportError::WrongKind { .. })));
}
