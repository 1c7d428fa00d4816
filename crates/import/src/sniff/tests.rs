//! Which source is of which kind: a table of cases for each.

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
    let is_told = |kind: &&Kind| cases.iter().any(|(_, told)| told == *kind);
    let untold: Vec<_> = Kind::ALL.iter().filter(|kind| !is_told(kind)).collect();
    assert!(untold.is_empty(), "give the first record of these kinds above, with its marks in sniff.rs: {untold:?}");
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
    ];
    for (text, error) in cases {
        assert_eq!(found(text), Err(error.to_owned()), "{text}");
    }
}

#[test]
fn of_what_is_not_known_it_is_said_what_is() {
    for text in ["words", ""] {
        assert_eq!(found(text), Err(format!("is of no kind that is known; known are {}", Kind::names())), "{text}");
    }
}

#[test]
fn one_key_of_another_program_does_not_make_a_source_its() {
    let cases = [
        (r#"{"id":"e","source":"agent","kind":"ActionEvent","issue_type":"bug"}"#, Ok(Kind::OpenHands)),
        (r#"{"instance_id":"t","issue_type":"bug","instruction":"x","history":[]}"#, Ok(Kind::OpenHands)),
        (r#"{"issue_type":"bug","instance_id":"t","test_result":{"git_patch":"long and cut"#, Ok(Kind::OpenHands)),
        (
            r#"[{"id":0,"source":"agent","action":"read","issue_type":"bug"},{"id":1,"observation":"read","cause":0}]"#,
            Ok(Kind::OpenHands),
        ),
        (
            r#"{"id":"1","title":"x","status":"open","issue_type":"bug","source":"agent"}"#,
            Err(NotImportable::Foreign("a tracker of beads (for `annals issue import beads`)")),
        ),
        (
            "{\"type\":\"summary\",\"summary\":\"x\"}\n{\"type\":\"user\",\"uuid\":\"u\",\"action\":1}",
            Ok(Kind::ClaudeCode),
        ),
    ];
    for (text, kind) in cases {
        assert_eq!(weigh(text.as_bytes(), "unnamed").kind, kind, "{text}");
    }
}

#[test]
fn what_may_be_either_is_said() {
    let both = r#"{"sessionId":"s","uuid":"u","kind":"MessageEvent"}"#;
    let unclear = weigh(both.as_bytes(), "unnamed");
    assert_eq!(unclear.kind, Err(NotImportable::Unclear("claude-code", "openhands")));
    assert_eq!(
        unclear.kind.map_err(|error| error.to_string()),
        Err("may as well be claude-code as openhands: name its kind before it".to_owned())
    );
    let near = r#"{"sessionId":"s","uuid":"u","parentUuid":null,"kind":"MessageEvent"}"#;
    let expected = Sniffed { kind: Ok(Kind::ClaudeCode), runner_up: Some("openhands") };
    assert_eq!(weigh(near.as_bytes(), "unnamed"), expected);
    let alone = r#"{"sessionId":"s","uuid":"u","parentUuid":null,"action":1}"#;
    assert_eq!(weigh(alone.as_bytes(), "unnamed"), Sniffed { kind: Ok(Kind::ClaudeCode), runner_up: None });
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
