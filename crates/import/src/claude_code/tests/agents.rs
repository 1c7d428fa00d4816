//! Sub-agents: in the same file, in a file of their own, wrapped in progress.

use super::*;
use annals_kernel::id::SessionId;

const TASK: &str = r#"{"description":"Look","subagent_type":"Explore","prompt":"Find the parser."}"#;

/// A line of a sub-agent, as it stands among its parent's or in a file of its own.
fn aside(more: &str, members: &str) -> String {
    format!(r#"{members},"isSidechain":true{more}"#)
}

/// The same, wrapped in a line of progress.
fn wrapped(n: u32, members: &str) -> String {
    format!(
        r#""type":"progress","parentToolUseID":"t1","data":{{"type":"agent_progress","agentId":"a7","prompt":"Find the parser.","message":{{"uuid":"s{n}","timestamp":"2026-01-02T03:05:{n:02}.000Z",{members}}}}}"#
    )
}

#[test]
fn wrapped_lines_of_a_sub_agent_are_a_session_of_its_own() {
    check(
        &[
            &called("t1", "Task", TASK),
            &wrapped(1, &typed("Find the parser.")),
            &wrapped(2, &called("t2", "Grep", r#"{"pattern":"fn parse","path":"/app/src"}"#)),
            &wrapped(3, &gave("t2", r#""src/parse.rs""#, "")),
            r#""type":"progress","data":{"type":"agent_progress","agentId":"a7"}"#,
            r#""type":"progress","data":{"type":"bash_progress","output":"…"}"#,
            &gave("t1", r#""In src/parse.rs.""#, ""),
        ],
        &[
            r#"01.000 #session_start claude-code/a7 system_event/session_start {"tool":"claude-code","native_id":"ses-1/a7","cwd":"/app","version":"2.1.9","branch":"main","parent_session":"0000000000A6NJN5CME79AE3F8","parent_call":"t1","agent_type":"Explore"}"#,
            r#"01.000 #s1 claude-code agent_message/task {"text":"Find the parser."}"#,
            r#"03.000 #t2 claude-code/a7 tool_call/Grep {"pattern":"fn parse","path":"/app/src"} → "src/parse.rs" 1000ms ["src"]"#,
            r#"07.000 #t1 claude-code tool_call/Task {"description":"Look","subagent_type":"Explore","prompt":"Find the parser."} → "In src/parse.rs." 6000ms"#,
            "line 5: progress of something whose end is recorded",
            "line 6: progress of something whose end is recorded",
        ],
    );
}

#[test]
fn a_sub_agent_names_its_parent() {
    let given = import_lines(&[&called("t1", "Task", TASK), &wrapped(1, &typed("Find the parser."))]);
    let start = given.drafts.iter().find(|draft| draft.source.session.contains('/')).expect("a child");
    let parent = SessionId::derived("claude-code", "ses-1");
    assert!(start.operation.input.text().contains(&format!(r#""parent_session":"{parent}","parent_call":"t1""#)));
    assert_eq!(start.session(), SessionId::derived("claude-code", "ses-1/a7"));
}

#[test]
fn a_file_of_a_sub_agent_alone_gives_the_same_session() {
    let with = r#","agentId":"a7""#;
    check(
        &[&aside(with, &typed("Find the parser.")), &aside(with, &said(r#"{"type":"text","text":"Found."}"#))],
        &[
            r#"01.000 #session_start claude-code/a7 system_event/session_start {"tool":"claude-code","native_id":"ses-1/a7","cwd":"/app","version":"2.1.9","branch":"main","parent_session":"0000000000A6NJN5CME79AE3F8"}"#,
            r#"01.000 #u1 claude-code agent_message/task {"text":"Find the parser."}"#,
            r#"02.000 #u2 claude-code/a7 agent_message/message {"text":"Found."}"#,
        ],
    );
}

#[test]
fn lines_of_a_sub_agent_without_an_id_follow_their_chain() {
    check(
        &[
            &called("t1", "Task", TASK),
            &aside("", &typed("Find the parser.")),
            &aside(r#","parentUuid":"u2""#, &said(r#"{"type":"text","text":"Found."}"#)),
            &aside(r#","parentUuid":null"#, &typed("Warm up.")),
            &aside(r#","parentUuid":"u3""#, &said(r#"{"type":"text","text":"Bye."}"#)),
        ],
        &[
            r#"02.000 #session_start claude-code/u2 system_event/session_start {"tool":"claude-code","native_id":"ses-1/u2","cwd":"/app","version":"2.1.9","branch":"main","parent_session":"0000000000A6NJN5CME79AE3F8","parent_call":"t1","agent_type":"Explore"}"#,
            r#"02.000 #u2 claude-code agent_message/task {"text":"Find the parser."}"#,
            r#"03.000 #u3 claude-code/u2 agent_message/message {"text":"Found."}"#,
            r#"04.000 #session_start claude-code/u4 system_event/session_start {"tool":"claude-code","native_id":"ses-1/u4","cwd":"/app","version":"2.1.9","branch":"main","parent_session":"0000000000A6NJN5CME79AE3F8"}"#,
            r#"04.000 #u4 claude-code agent_message/task {"text":"Warm up."}"#,
            r#"05.000 #u5 claude-code/u2 agent_message/message {"text":"Bye."}"#,
            "line 1: a call without a result yet",
        ],
    );
}

#[test]
fn a_prompt_ends_no_call_of_a_sub_agent() {
    check(
        &[&wrapped(1, &called("t2", "Grep", "{}")), &(typed("what now?") + r#","slug":"x""#)],
        &[
            r#"01.000 #session_start claude-code/a7 system_event/session_start {"tool":"claude-code","native_id":"ses-1/a7","cwd":"/app","version":"2.1.9","branch":"main","parent_session":"0000000000A6NJN5CME79AE3F8","parent_call":"t1"}"#,
            r#"02.000 #u2 user user_input/prompt {"text":"what now?"}"#,
            "line 1: a call without a result yet",
        ],
    );
}
