//! Lines of every other type, lines that come again, and lines that nobody expected.

use super::*;

#[test]
fn a_compaction_is_one_entry_with_its_summary() {
    let boundary = r#""type":"system","subtype":"compact_boundary","content":"Conversation compacted","compactMetadata":{"trigger":"auto","preTokens":155068}"#;
    let summary = typed("This session is being continued.") + r#","isCompactSummary":true"#;
    check(
        &[&typed("go"), boundary, &summary],
        &[
            r#"01.000 #u1 user user_input/prompt {"text":"go"}"#,
            r#"03.000 #u3 claude-code system_event/compaction {"trigger":"auto","tokens_before":155068,"summary":"This session is being continued."}"#,
        ],
    );
    check(
        &[&typed("go"), boundary, &typed("and on")],
        &[
            r#"01.000 #u1 user user_input/prompt {"text":"go"}"#,
            r#"02.000 #u2 claude-code system_event/compaction {"trigger":"auto","tokens_before":155068}"#,
            r#"03.000 #u3 user user_input/prompt {"text":"and on"}"#,
        ],
    );
    check(
        &[&typed("go"), boundary],
        &[r#"01.000 #u1 user user_input/prompt {"text":"go"}"#, "line 2: a call without a result yet"],
    );
    check(
        &[&summary],
        &[r#"01.000 #u1 claude-code system_event/compaction {"summary":"This session is being continued."}"#],
    );
}

#[test]
fn a_small_compaction_says_what_it_saved() {
    check(
        &[
            r#""type":"system","subtype":"microcompact_boundary","microcompactMetadata":{"trigger":"auto","preTokens":60888,"tokensSaved":21091,"compactedToolIds":["t1"]}"#,
        ],
        &[
            r#"01.000 #u1 claude-code system_event/microcompaction {"trigger":"auto","tokens_before":60888,"tokens_saved":21091,"calls":["t1"]}"#,
        ],
    );
}

#[test]
fn failures_of_the_service_are_no_failed_calls() {
    check(
        &[
            r#""type":"system","subtype":"api_error","error":{"message":"overloaded","status":529},"retryAttempt":2,"maxRetries":10"#,
            r#""type":"assistant","isApiErrorMessage":true,"message":{"id":"x","model":"<synthetic>","content":[{"type":"text","text":"API Error: 500"}]}"#,
        ],
        &[
            r#"01.000 #u1 claude-code system_event/api_error {"error":{"message":"overloaded","status":529},"attempt":2} FAILED Some("overloaded")"#,
            r#"02.000 #u2 claude-code system_event/api_error {"error":"API Error: 500"} FAILED Some("API Error: 500")"#,
        ],
    );
}

#[test]
fn titles_come_before_the_session_or_in_it() {
    check(
        &[
            r#"{"type":"summary","summary":"Parser fixed","leafUuid":"elsewhere"}"#,
            r#"{"type":"summary","summary":"Tests written","leafUuid":"elsewhere"}"#,
            &typed("go"),
            r#"{"type":"custom-title","customTitle":"Parser","sessionId":"ses-1"}"#,
            r#"{"type":"agent-name","agentName":"parser-fixer","sessionId":"ses-1"}"#,
        ],
        &[
            r#"03.001 #20da49578e54d37bf449f73c837a3ecf claude-code system_event/title {"text":"Parser fixed","by":"summary","leaf":"elsewhere"} (synthetic)"#,
            r#"03.002 #91875b2a373072ed6b4b84bee8568bf9 claude-code system_event/title {"text":"Tests written","by":"summary","leaf":"elsewhere"} (synthetic)"#,
            r#"03.000 #u3 user user_input/prompt {"text":"go"}"#,
            r#"03.001 #dacb38956a39e75796f6a4148c95ea7c claude-code system_event/title {"text":"Parser","by":"custom-title"} (synthetic)"#,
            r#"03.002 #2eb6e19fab1059a55c4c3963017077b3 claude-code system_event/title {"text":"parser-fixer","by":"agent-name"} (synthetic)"#,
        ],
    );
}

#[test]
fn a_file_of_titles_only_is_no_session() {
    check(
        &[r#"{"type":"summary","summary":"Parser fixed","leafUuid":"elsewhere"}"#],
        &["line 1: notes of the tool to itself"],
    );
}

#[test]
fn lines_of_no_consequence_are_counted() {
    check(
        &[
            r#"{"type":"file-history-snapshot","messageId":"u1","snapshot":{"trackedFileBackups":{}},"isSnapshotUpdate":false}"#,
            &typed("go"),
            r#"{"type":"permission-mode","permissionMode":"plan","sessionId":"ses-1"}"#,
            r#"{"type":"last-prompt","lastPrompt":"go","sessionId":"ses-1"}"#,
            r#""type":"system","subtype":"stop_hook_summary","hookErrors":[],"preventedContinuation":false,"stopReason":"""#,
            r#""type":"system","subtype":"bridge_status","content":"connected""#,
            r#""type":"system","content":"Running PostToolUse:Edit...","level":"info""#,
            r#""type":"progress","data":{"type":"hook_progress","hookEvent":"Stop"}"#,
            r#""type":"attachment","attachment":{"type":"hook_success","content":"ok"}"#,
            r#""type":"attachment","attachment":{"type":"skill_listing","content":"- review"}"#,
        ],
        &[
            r#"02.000 #u2 user user_input/prompt {"text":"go"}"#,
            "line 1: notes of the tool to itself",
            "line 3: notes of the tool to itself",
            "line 4: a second copy of another record",
            "line 5: notes of the tool to itself",
            "line 6: notes of the tool to itself",
            "line 7: notes of the tool to itself",
            "line 8: progress of something whose end is recorded",
            "line 9: notes of the tool to itself",
            "line 10: text that the tool put before the model",
        ],
    );
}

#[test]
fn lines_with_something_to_say_are_entries() {
    check(
        &[
            &typed("go"),
            r#"{"type":"pr-link","sessionId":"ses-1","prNumber":185,"prUrl":"https://example.org/pull/185","prRepository":"a/b","timestamp":"2026-01-02T03:04:50.000Z"}"#,
            r#""type":"system","subtype":"stop_hook_summary","hookErrors":["lint failed"],"preventedContinuation":true,"stopReason":"lint""#,
        ],
        &[
            r#"01.000 #u1 user user_input/prompt {"text":"go"}"#,
            r#"50.000 #b7534ef7f7b2b990a626f843fa4c4093 claude-code system_event/pull_request {"number":185,"url":"https://example.org/pull/185","repository":"a/b"}"#,
            r#"03.000 #u3 claude-code system_event/stop_hook {"errors":["lint failed"],"prevented_continuation":true,"reason":"lint"}"#,
        ],
    );
}

#[test]
fn what_nobody_knows_is_kept_as_it_was() {
    let deep = format!(r#"{{"type":"user","message":{{"content":{}1{}}}}}"#, "[".repeat(3000), "]".repeat(3000));
    let given = import_lines(&[&typed("go"), &deep]);
    assert_eq!(given.drafts[2].operation.input.text(), format!(r#"{{"record":{deep}}}"#));
    let types =
        import_lines(&[&typed("go"), r#"{"type":"mood"}"#, r#""type":"system","subtype":"aurora""#, "{\"a\":1}"]);
    assert_eq!(types.unread, ["mood", "system/aurora", "without a type"].map(Box::from));
    check(
        &[
            &typed("go"),
            r#"{"type":"mood","mood":[1.50]}"#,
            r#"{"silly":"this"}"#,
            r#"{"type":"user","message":"error","uuid":"u9"}"#,
            r#""type":"system","subtype":"aurora","n":1"#,
            r#""type":"attachment","attachment":{"type":"aurora"}"#,
            r#"{"type":"user","type":"user"}"#,
        ],
        &[
            r#"01.000 #u1 user user_input/prompt {"text":"go"}"#,
            r#"01.001 #b28617355d129f29da974e8d6e8e55ad claude-code system_event/unknown_record {"record":{"type":"mood","mood":[1.50]}} (synthetic)"#,
            r#"01.002 #d8fbc41f134b8281fd967acad62f4028 claude-code system_event/unknown_record {"record":{"silly":"this"}} (synthetic)"#,
            r#"01.003 #a352657282a360353ccae9154a0f350e claude-code system_event/unknown_record {"record":{"type":"user","message":"error","uuid":"u9"}} (synthetic)"#,
            r#"05.000 #u5 claude-code system_event/unknown_record {"record":{"uuid":"u5","sessionId":"ses-1","timestamp":"2026-01-02T03:04:05.000Z","cwd":"/app","version":"2.1.9","gitBranch":"main","type":"system","subtype":"aurora","n":1}}"#,
            r#"06.000 #u6 claude-code system_event/unknown_record {"record":{"uuid":"u6","sessionId":"ses-1","timestamp":"2026-01-02T03:04:06.000Z","cwd":"/app","version":"2.1.9","gitBranch":"main","type":"attachment","attachment":{"type":"aurora"}}}"#,
            r#"06.001 #c78cd0c2eac9bea26860486afa870374 claude-code system_event/unknown_record {"record":{"type":"user","type":"user"}} (synthetic)"#,
        ],
    );
}

#[test]
fn unexpected_members_anywhere_do_no_harm() {
    let deep = "[".repeat(3000) + &"]".repeat(3000);
    let line = format!(
        r#""type":"user","gitBranch2":{deep},"isMeta":"no","toolUseResult":{{"x":{deep}}},"message":{{"later":{deep},"content":[{{"type":"tool_result","tool_use_id":"t1","content":"a","later":{deep}}}]}}"#
    );
    let given = import_lines(&[&called("t1", "Bash", &format!(r#"{{"x":{deep}}}"#)), &line]);
    assert_eq!(given.drafts[1].operation.output.as_ref().map(|output| output.text().len()), Some(6006));
    assert_eq!(given.over, []);
}

#[test]
fn the_same_record_again_is_none() {
    let lines = [typed("go"), said(r#"{"type":"text","text":"Gone."}"#)];
    let once = enveloped(&[&lines[0], &lines[1], r#"{"type":"summary","summary":"Going"}"#]);
    let twice = import_bytes(format!("{once}\n{once}").as_bytes());
    assert_eq!(twice.drafts, import_bytes(once.as_bytes()).drafts);
    assert_eq!(twice.over, [4, 5, 6].map(|line| (PassedOver::Repeated, line)));
}

#[test]
fn any_prefix_gives_a_part_of_the_whole() {
    let lines = [
        r#"{"type":"summary","summary":"Before"}"#.to_owned(),
        typed("go"),
        called("t1", "Bash", "{}"),
        called("t2", "Bash", "{}"),
        gave("t2", r#""b""#, ""),
        r#""type":"system","subtype":"compact_boundary","compactMetadata":{"trigger":"auto"}"#.to_owned(),
        typed("Continued.") + r#","isCompactSummary":true"#,
        typed("what now?"),
        r#"{"type":"custom-title","customTitle":"Going"}"#.to_owned(),
        said(r#"{"type":"text","text":"Gone."}"#),
    ];
    let text = enveloped(&lines.iter().map(String::as_str).collect::<Vec<_>>());
    let whole = import_bytes(text.as_bytes());
    for end in 0..text.len() {
        let part = import_bytes(&text.as_bytes()[..end]);
        assert!(part.drafts.iter().all(|draft| whole.drafts.contains(draft)), "{end} bytes");
    }
}

#[test]
fn a_file_with_two_session_ids_is_one_session_with_an_alias() {
    let other = typed("and on") + r#","slug":"x""#;
    let text = enveloped(&[&typed("go"), &other, &other]).replacen("ses-1", "ses-0", 1);
    let given = import_bytes(text.as_bytes());
    insta::assert_snapshot!(given.told(), @r#"
    01.000 #u1 user user_input/prompt {"text":"go"}
    02.000 #session_alias/ses-1 claude-code system_event/session_alias {"native_id":"ses-1"}
    02.000 #u2 user user_input/prompt {"text":"and on"}
    03.000 #u3 user user_input/prompt {"text":"and on"}
    "#);
}

#[test]
fn records_without_any_time_get_one() {
    let line = r#"{"type":"user","uuid":"u1","sessionId":"ses-9","message":{"content":"go"}}"#;
    let given = import_bytes(line.as_bytes());
    insta::assert_snapshot!(given.told(), @r#"00.001 #u1 user user_input/prompt {"text":"go"} (synthetic)"#);
}
