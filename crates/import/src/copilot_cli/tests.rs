//! Events of our own, and what becomes of them.

use insta::assert_snapshot;

use super::import;
use crate::testing::Collected;
use crate::{ImportError, PassedOver};
use annals_kernel::annals::Usage;

/// An event at this second, with this type and data.
fn event(second: u32, kind: &str, data: &str) -> String {
    format!(
        r#"{{"type":"{kind}","data":{{{data}}},"id":"e{second}","timestamp":"2026-01-01T00:00:{second:02}.000Z","parentId":null}}"#
    )
}

fn start() -> String {
    event(
        1,
        "session.start",
        r#""sessionId":"s1","copilotVersion":"1.0.64","startTime":"2026-01-01T00:00:00.500Z","selectedModel":"m-1","context":{"cwd":"/p","branch":"main"}"#,
    )
}

fn session(events: &[String]) -> Collected {
    Collected::of(import, "events.jsonl", &format!("{}\n{}\n", start(), events.join("\n")))
}

fn call(second: u32, id: &str) -> String {
    event(
        second,
        "tool.execution_start",
        &format!(r#""toolCallId":"{id}","toolName":"view","arguments":{{"path":"/p/a.rs"}}"#),
    )
}

fn complete(second: u32, id: &str, rest: &str) -> String {
    event(second, "tool.execution_complete", &format!(r#""toolCallId":"{id}",{rest}"#))
}

#[test]
fn prompts_messages_and_calls_have_their_entries() {
    let sink = session(&[
        event(2, "hook.start", r#""hookType":"sessionStart""#),
        event(3, "system.message", r#""role":"system","content":"rules""#),
        event(
            4,
            "user.message",
            r#""content":"fix it","transformedContent":"<now/> fix it","attachments":[{"type":"file","path":"/p/a.rs"}]"#,
        ),
        event(
            5,
            "assistant.message",
            r#""messageId":"m","model":"m-2","content":"I look.","reasoningText":"hm","toolRequests":[],"outputTokens":7"#,
        ),
        call(6, "c1"),
        call(7, "c2"),
        complete(8, "c2", r#""success":false,"error":{"message":"no such file","code":"failure"}"#),
        complete(9, "c1", r#""success":true,"result":{"content":"text","detailedContent":"diff"}"#),
        event(10, "assistant.message", r#""model":"m-2","content":"","toolRequests":[],"outputTokens":3"#),
        event(11, "hologram", r#""a":1"#),
    ]);
    assert_snapshot!(sink.lines(), @r#"
    00:00.500Z copilot-cli system_event session_start {"tool":"copilot-cli","native_id":"s1","cwd":"/p","version":"1.0.64","model":"m-1","branch":"main"}
    00:04.000Z user user_input prompt {"text":"fix it"} files=a.rs
    00:05.000Z copilot-cli agent_message message {"text":"I look."} model=m-2 usage={"requests":1,"output":7}
    00:05.000Z copilot-cli agent_message thinking {"text":"hm"} model=m-2
    00:08.000Z copilot-cli tool_call view {"path":"/p/a.rs"} output={"message":"no such file","code":"failure"} ms=1000 error=no such file model=m-1 files=a.rs
    00:09.000Z copilot-cli tool_call view {"path":"/p/a.rs"} output="text" ms=3000 model=m-1 files=a.rs
    00:10.000Z copilot-cli system_event usage {} model=m-2 usage={"requests":1,"output":3}
    00:11.000Z copilot-cli system_event unknown_record {"record":{"type":"hologram","data":{"a":1},"id":"e11","timestamp":"2026-01-01T00:00:11.000Z","parentId":null}}
    "#);
    assert_eq!(sink.passed, [(PassedOver::Bookkeeping, 2), (PassedOver::Injected, 3)]);
    assert_eq!(&*sink.drafts[3].source.record, "e5/thinking");
}

#[test]
fn the_end_of_the_session_brings_the_totals_by_model() {
    let metrics = r#"{"m-1":{"requests":{"count":2},"usage":{"inputTokens":100,"outputTokens":12,"cacheReadTokens":60,"cacheWriteTokens":0,"reasoningTokens":4}}}"#;
    let sink = session(&[
        event(5, "assistant.message", r#""model":"m-1","content":"a","outputTokens":7"#),
        event(9, "session.shutdown", &format!(r#""shutdownType":"routine","modelMetrics":{metrics}"#)),
    ]);
    assert_snapshot!(sink.lines(), @r#"
    00:00.500Z copilot-cli system_event session_start {"tool":"copilot-cli","native_id":"s1","cwd":"/p","version":"1.0.64","model":"m-1","branch":"main"}
    00:05.000Z copilot-cli agent_message message {"text":"a"} model=m-1 usage={"requests":1,"output":7}
    00:09.000Z copilot-cli system_event usage {} model=m-1 usage={"requests":1,"input":40,"cache_read":60,"output":5,"reasoning":4}
    00:09.000Z copilot-cli system_event session_end {"reason":"routine"}
    "#);
    let expected = Usage { requests: 2, input: 40, cache_read: 60, output: 12, reasoning: 4, ..Usage::default() };
    assert_eq!(sink.usage(), expected);
}

#[test]
fn a_person_says_no_and_a_rule_says_no() {
    let sink = session(&[
        call(2, "c1"),
        event(3, "permission.requested", r#""requestId":"r1","permissionRequest":{"kind":"read","toolCallId":"c1"}"#),
        event(4, "permission.completed", r#""requestId":"r1","result":{"kind":"denied-interactively-by-user"}"#),
        complete(5, "c1", r#""success":false,"error":{"message":"not permitted","code":"failure"}"#),
        call(6, "c2"),
        complete(7, "c2", r#""success":false,"error":{"message":"by policy","code":"denied"}"#),
    ]);
    assert_snapshot!(sink.lines(), @r#"
    00:00.500Z copilot-cli system_event session_start {"tool":"copilot-cli","native_id":"s1","cwd":"/p","version":"1.0.64","model":"m-1","branch":"main"}
    00:05.000Z user user_input rejection {"tool":"view","input":{"path":"/p/a.rs"},"call":"c1","reason":"denied-interactively-by-user"} files=a.rs
    00:07.000Z copilot-cli system_event denial {"tool":"view","input":{"path":"/p/a.rs"},"call":"c2","reason":"by policy"} files=a.rs
    "#);
}

#[test]
fn a_question_that_ends_without_a_yes_turns_its_call_down() {
    let sink = session(&[
        call(2, "c1"),
        event(3, "permission.completed", r#""requestId":"r1","toolCallId":"c1","result":{"kind":"cancelled"}"#),
        call(4, "c2"),
        event(5, "abort", r#""reason":"user_initiated""#),
    ]);
    let names: Vec<_> = sink.drafts.iter().map(|draft| &*draft.operation.name).collect();
    assert_eq!(names, ["session_start", "rejection", "view", "interrupt"]);
    let errors: Vec<_> = sink.drafts.iter().filter_map(|draft| draft.operation.error.as_deref()).collect();
    assert_eq!(errors, ["interrupted"], "what had begun was stopped");
}

#[test]
fn a_shell_that_ended_with_an_exit_code_failed_whatever_the_flag_says() {
    let told = |second, id, code| {
        let content = format!("out\\n<shellId: 6 completed with exit code {code}>");
        complete(second, id, &format!(r#""success":true,"result":{{"content":"{content}"}}"#))
    };
    let sink = session(&[call(2, "c1"), told(3, "c1", 0), call(4, "c2"), told(5, "c2", 3)]);
    let errors: Vec<_> = sink.drafts.iter().filter_map(|draft| draft.operation.error.as_deref()).collect();
    assert_eq!(errors, ["exit code 3"]);
}

#[test]
fn an_abort_or_the_next_prompt_ends_what_is_open() {
    let sink = session(&[
        call(2, "c1"),
        event(3, "abort", r#""reason":"user_initiated""#),
        call(4, "c2"),
        event(5, "user.message", r#""content":"go on""#),
        call(6, "c3"),
    ]);
    assert_snapshot!(sink.lines(), @r#"
    00:00.500Z copilot-cli system_event session_start {"tool":"copilot-cli","native_id":"s1","cwd":"/p","version":"1.0.64","model":"m-1","branch":"main"}
    00:03.000Z copilot-cli tool_call view {"path":"/p/a.rs"} ms=1000 error=interrupted model=m-1 files=a.rs
    00:03.000Z user user_input interrupt {"text":"user_initiated"}
    00:05.000Z copilot-cli tool_call view {"path":"/p/a.rs"} ms=1000 error=interrupted model=m-1 files=a.rs
    00:05.000Z user user_input prompt {"text":"go on"}
    "#);
    assert_eq!(sink.passed, [(PassedOver::Unanswered, 6)]);
}

#[test]
fn a_sub_agent_is_a_session_of_its_own() {
    let sink = session(&[
        call(2, "c1"),
        event(3, "subagent.started", r#""toolCallId":"c1","agentName":"scout""#),
        event(4, "assistant.message", r#""content":"found","parentToolCallId":"c1","outputTokens":1"#),
        complete(5, "c1", r#""success":true,"result":{"content":"found"}"#),
    ]);
    assert_snapshot!(sink.lines(), @r#"
    00:00.500Z copilot-cli system_event session_start {"tool":"copilot-cli","native_id":"s1","cwd":"/p","version":"1.0.64","model":"m-1","branch":"main"}
    00:03.000Z copilot-cli/c1 system_event session_start {"tool":"copilot-cli","native_id":"s1/c1","cwd":"/p","parent_session":"0000000000EN417BF4DT24W8C3","parent_call":"c1","version":"1.0.64","agent_type":"scout"}
    00:04.000Z copilot-cli/c1 agent_message message {"text":"found"} model=m-1 usage={"requests":1,"output":1}
    00:05.000Z copilot-cli tool_call view {"path":"/p/a.rs"} output="found" ms=3000 model=m-1 files=a.rs
    "#);
    assert_eq!(&*sink.drafts[2].source.session, "s1/c1");
}

#[test]
fn a_compaction_a_title_and_an_error_have_their_entries() {
    let sink = session(&[
        event(
            2,
            "session.compaction_complete",
            r#""success":true,"preCompactionTokens":900,"summaryContent":"so far""#,
        ),
        event(3, "session.title_changed", r#""title":"Repairs""#),
        event(4, "session.error", r#""errorType":"quota","message":"no more""#),
    ]);
    assert_snapshot!(sink.lines(), @r#"
    00:00.500Z copilot-cli system_event session_start {"tool":"copilot-cli","native_id":"s1","cwd":"/p","version":"1.0.64","model":"m-1","branch":"main"}
    00:02.000Z copilot-cli system_event compaction {"tokens_before":900,"summary":"so far"}
    00:03.000Z copilot-cli system_event title {"text":"Repairs"}
    00:04.000Z copilot-cli system_event api_error {"error":"no more"} error=no more
    "#);
}

#[test]
fn another_kind_of_source_is_refused() {
    let mut sink = Collected::default();
    let refused = import(&"a.jsonl".into(), &mut &b"{\"type\":\"user\",\"uuid\":\"1\"}\n"[..], &mut sink);
    assert!(matches!(refused, Err(ImportError::WrongKind { .. })));
}
