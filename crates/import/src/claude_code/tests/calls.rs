//! Calls and their results.

use super::*;

#[test]
fn a_finished_call_is_one_entry_at_the_time_of_its_result() {
    let given = import_lines(&[
        &called("t1", "Edit", r#"{ "file_path": "/app/src/a.rs", "n": 1.50 }"#),
        &gave(
            "t1",
            r#""ok""#,
            r#","toolUseResult":{"filePath":"/app/src/a.rs","originalFile":"old","structuredPatch":[]}"#,
        ),
    ]);
    insta::assert_snapshot!(line_of(&given.drafts[1]), @r#"{"id":"01KDYAK06G0YHWEZ5GSXJ2KSWE","timestamp":"2026-01-02T03:04:02.000Z","session_id":"0000000000A6NJN5CME79AE3F8","operation":{"type":"tool_call","name":"Edit","input":{ "file_path": "/app/src/a.rs", "n": 1.50 },"output":{"filePath":"/app/src/a.rs","structuredPatch":[]},"duration_ms":1000,"success":true},"provenance":{"agent_id":"claude-code","model_id":"opus","parent_message_id":"msg_1"},"metadata":{"files_touched":["src/a.rs"]},"extensions":{"annals":{"source":{"kind":"claude-code","session":"ses-1","record":"t1","file":"ses-1.jsonl","line":2}}}}"#);
}

#[test]
fn the_structured_result_is_the_output_where_there_is_one() {
    check(
        &[
            &called("t1", "Bash", r#"{"command":"ls"}"#),
            &gave("t1", r#""a.rs""#, r#","toolUseResult":{"stdout":"a.rs","stderr":"","interrupted":false}"#),
            &called("t2", "LS", r#"{"path":"/app"}"#),
            &gave("t2", r#""- src""#, r#","toolUseResult":"- src""#),
            &called("t3", "mcp__tracker__get", r#"{"id":7}"#),
            &gave("t3", r#"[{"type":"text","text":"open"}]"#, r#","toolUseResult":[{"type":"text","text":"open"}]"#),
            &called("t4", "Old", "[1]"),
            &gave("t4", r#""none""#, ""),
        ],
        &[
            r#"02.000 #t1 claude-code tool_call/Bash {"command":"ls"} → {"stdout":"a.rs","stderr":"","interrupted":false} 1000ms"#,
            r#"04.000 #t2 claude-code tool_call/LS {"path":"/app"} → "- src" 1000ms ["."]"#,
            r#"06.000 #t3 claude-code tool_call/mcp__tracker__get {"id":7} → [{"type":"text","text":"open"}] 1000ms"#,
            r#"08.000 #t4 claude-code tool_call/Old {"arguments":[1]} → "none" 1000ms"#,
        ],
    );
}

#[test]
fn the_tool_knows_best_how_long_it_took() {
    check(
        &[
            &called("t1", "Glob", r#"{"pattern":"*"}"#),
            &gave("t1", r#""""#, r#","toolUseResult":{"durationMs":33}"#),
            &called("t2", "Task", r#"{"prompt":"look"}"#),
            &gave("t2", r#""""#, r#","toolUseResult":{"totalDurationMs":40843}"#),
            &called("t3", "WebSearch", r#"{"query":"q"}"#),
            &gave("t3", r#""""#, r#","toolUseResult":{"durationSeconds":15.7355}"#),
        ],
        &[
            r#"02.000 #t1 claude-code tool_call/Glob {"pattern":"*"} → {"durationMs":33} 33ms"#,
            r#"04.000 #t2 claude-code tool_call/Task {"prompt":"look"} → {"totalDurationMs":40843} 40843ms"#,
            r#"06.000 #t3 claude-code tool_call/WebSearch {"query":"q"} → {"durationSeconds":15.7355} 15736ms"#,
        ],
    );
}

#[test]
fn parallel_calls_are_answered_in_any_order() {
    check(
        &[
            &called("t1", "Read", r#"{"file_path":"/app/a"}"#),
            &called("t2", "Read", r#"{"file_path":"/etc/b"}"#),
            &gave("t2", r#""b""#, ""),
            &gave("t1", r#""a""#, ""),
        ],
        &[
            r#"03.000 #t2 claude-code tool_call/Read {"file_path":"/etc/b"} → "b" 1000ms ["/etc/b"]"#,
            r#"04.000 #t1 claude-code tool_call/Read {"file_path":"/app/a"} → "a" 3000ms ["a"]"#,
        ],
    );
}

#[test]
fn a_line_may_answer_several_calls() {
    let both = r#""type":"user","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":"a"},{"type":"tool_result","tool_use_id":"t2","content":"b"}]},"toolUseResult":{"stdout":"a"}"#;
    check(
        &[&called("t1", "Bash", "{}"), &called("t2", "Bash", "{}"), both],
        &[
            r#"03.000 #t1 claude-code tool_call/Bash {} → "a" 2000ms"#,
            r#"03.000 #t2 claude-code tool_call/Bash {} → "b" 1000ms"#,
        ],
    );
}

#[test]
fn a_result_may_stand_before_its_call() {
    check(
        &[&gave("t1", r#""a""#, ""), &called("t1", "Read", r#"{"file_path":"/app/a"}"#)],
        &[r#"01.000 #t1 claude-code tool_call/Read {"file_path":"/app/a"} → "a" 0ms ["a"]"#],
    );
}

#[test]
fn failures_are_told_from_refusals() {
    let no = "The user doesn't want to proceed with this tool use. The tool use was rejected.";
    check(
        &[
            &called("t1", "Bash", r#"{"command":"false"}"#),
            &failed("t1", "Exit code 1\nno"),
            &called("t2", "Edit", r#"{"file_path":"/app/a"}"#),
            &failed("t2", "<tool_use_error>File has not been read yet.</tool_use_error>"),
            &called("t3", "Bash", r#"{"command":"rm"}"#),
            &failed("t3", &format!("{no} To tell you how to proceed, the user said:\nask first")),
            &called("t4", "Bash", r#"{"command":"rm"}"#),
            &failed("t4", no),
            &called("t5", "Bash", r#"{"command":"rm"}"#),
            &failed("t5", "PreToolUse:Bash hook error: no rm here"),
            &called("t6", "Bash", r#"{"command":"sleep 9"}"#),
            &failed("t6", "[Request interrupted by user for tool use]"),
            &called("t7", "Bash", r#"{"command":"sleep 9"}"#),
            &gave("t7", r#""""#, r#","toolUseResult":{"stdout":"half","interrupted":true}"#),
            &called("t8", "Bash", r#"{"command":"rm"}"#),
            &(failed("t8", "not on this machine") + r#","toolDenialKind":"permission-rule""#),
        ],
        &[
            r#"02.000 #t1 claude-code tool_call/Bash {"command":"false"} 1000ms FAILED Some("Exit code 1\nno")"#,
            r#"04.000 #t2 claude-code tool_call/Edit {"file_path":"/app/a"} 1000ms FAILED Some("File has not been read yet.") ["a"]"#,
            r#"06.000 #t3 user user_input/rejection {"tool":"Bash","input":{"command":"rm"},"call":"t3","reason":"ask first"}"#,
            r#"08.000 #t4 user user_input/rejection {"tool":"Bash","input":{"command":"rm"},"call":"t4"}"#,
            r#"10.000 #t5 claude-code system_event/denial {"tool":"Bash","input":{"command":"rm"},"call":"t5","reason":"PreToolUse:Bash hook error: no rm here"}"#,
            r#"12.000 #t6 claude-code tool_call/Bash {"command":"sleep 9"} 1000ms FAILED Some("interrupted")"#,
            r#"14.000 #t7 claude-code tool_call/Bash {"command":"sleep 9"} → {"stdout":"half","interrupted":true} 1000ms FAILED Some("interrupted")"#,
            r#"16.000 #t8 claude-code system_event/denial {"tool":"Bash","input":{"command":"rm"},"call":"t8","reason":"not on this machine"}"#,
        ],
    );
}

#[test]
fn a_long_failure_is_whole_in_the_output_and_begins_in_the_error() {
    let given = import_lines(&[&called("t1", "Bash", "{}"), &failed("t1", &"é".repeat(5000))]);
    let operation = &given.drafts[1].operation;
    assert_eq!(operation.error.as_deref(), Some(&*format!("{}…", "é".repeat(2000))));
    assert_eq!(operation.output.as_ref().map(|output| output.text().chars().count()), Some(5002));
}

#[test]
fn a_call_without_a_result_waits_until_something_proves_that_none_can_come() {
    let open = called("t1", "Bash", r#"{"command":"sleep 9"}"#);
    check(
        &[&typed("go"), &open],
        &[r#"01.000 #u1 user user_input/prompt {"text":"go"}"#, "line 2: a call without a result yet"],
    );
    check(
        &[&typed("go"), &open, &said(r#"{"type":"text","text":"Meanwhile."}"#)],
        &[
            r#"01.000 #u1 user user_input/prompt {"text":"go"}"#,
            r#"03.000 #u3 claude-code agent_message/message {"text":"Meanwhile."}"#,
            "line 2: a call without a result yet",
        ],
    );
    check(
        &[&typed("go"), &open, &typed("what now?")],
        &[
            r#"01.000 #u1 user user_input/prompt {"text":"go"}"#,
            r#"03.000 #u3 user user_input/prompt {"text":"what now?"}"#,
            r#"03.000 #t1 claude-code tool_call/Bash {"command":"sleep 9"} FAILED Some("interrupted")"#,
        ],
    );
    check(
        &[&typed("go"), &open, r#""type":"user","message":{"content":"[Request interrupted by user]"}"#],
        &[
            r#"01.000 #u1 user user_input/prompt {"text":"go"}"#,
            r#"03.000 #u3 user user_input/interrupt {"text":"[Request interrupted by user]"}"#,
            r#"03.000 #t1 claude-code tool_call/Bash {"command":"sleep 9"} FAILED Some("interrupted")"#,
        ],
    );
    check(
        &[&typed("go"), &open, r#""type":"system","subtype":"turn_duration","durationMs":9"#],
        &[
            r#"01.000 #u1 user user_input/prompt {"text":"go"}"#,
            r#"03.000 #t1 claude-code tool_call/Bash {"command":"sleep 9"} FAILED Some("interrupted")"#,
            "line 3: notes of the tool to itself",
        ],
    );
}

#[test]
fn proof_to_the_contrary_beats_proof() {
    check(
        &[&called("t1", "Bash", "{}"), &typed("what now?"), &gave("t1", r#""late""#, "")],
        &[
            r#"02.000 #u2 user user_input/prompt {"text":"what now?"}"#,
            r#"03.000 #t1 claude-code tool_call/Bash {} → "late" 2000ms"#,
        ],
    );
}

#[test]
fn halves_without_another_half_are_counted() {
    check(
        &[&gave("t0", r#""from before the file""#, ""), &called("t1", "Read", "{}")],
        &["line 1: a result without its call", "line 2: a call without a result yet"],
    );
}

#[test]
fn a_call_or_a_result_told_twice_counts_once() {
    check(
        &[
            &called("t1", "Bash", "{}"),
            &called("t1", "Bash", "{}"),
            &gave("t1", r#""a""#, ""),
            &gave("t1", r#""a""#, ""),
            &called("t1", "Bash", "{}"),
        ],
        &[
            r#"03.000 #t1 claude-code tool_call/Bash {} → "a" 2000ms"#,
            "line 2: the same record again",
            "line 4: the same record again",
            "line 5: the same record again",
        ],
    );
}

#[test]
fn what_waits_is_bounded() {
    let big = format!("{:?}", "x".repeat(1 << 20));
    let orphans: Vec<_> = (0..40).map(|n| gave(&format!("t{n}"), &big, "")).collect();
    let call = called("t0", "Bash", "{}");
    let lines: Vec<_> = orphans.iter().chain([&call]).map(String::as_str).collect();
    let given = import_lines(&lines);
    assert_eq!(given.over[0], (PassedOver::Orphaned, 1));
    assert_eq!(given.over.len(), 41);
    assert_eq!(given.drafts.len(), 1, "the result of t0 was let go before its call came");
}
