//! What entries say in a line.

use serde_json::json;

use super::*;
use crate::kernel::json::Json;

fn entry(kind: &str, name: &str, input: &Value, error: Option<&str>) -> HistoryEntry {
    let mut line = json!({
        "id": "01ARZ3NDEKTSV4RRFFQ69G5FAV", "timestamp": "2026-11-21T03:10:00.123Z", "session_id": "s",
        "operation": {"type": kind, "name": name, "input": input, "success": error.is_none()},
    });
    if let Some(error) = error {
        line["operation"]["error"] = json!(error);
    }
    HistoryEntry::read(&line.to_string()).expect("an entry")
}

#[test]
fn an_entry_says_this_in_a_line() {
    let cases = [
        ("tool_call", "Bash", json!({"command": "cargo\n  test", "description": "d"}), None, "cargo"),
        (
            "tool_call",
            "shell",
            json!({"command": ["bash", "-lc", "ls -l"]}),
            Some("\nexit 1\nmore"),
            "bash -lc ls -l → exit 1: more",
        ),
        ("tool_call", "Odd", json!({"b": {"c": 1}}), None, r#"{"b":{"c":1}}"#),
        ("tool_call", "TaskUpdate", json!({"id": 2, "note": "", "status": "done"}), None, "id=2 status=done"),
        ("tool_call", "None", json!({}), None, ""),
        ("tool_call", "edit", json!({"command": "view", "path": "/a/b.rs"}), None, "view /a/b.rs"),
        ("tool_call", "shell", json!({"command": "ls", "path": "/a"}), None, "ls"),
        (
            "tool_call",
            "apply_patch",
            json!({"input": "*** Begin Patch\n*** Update File: a.rs\n@@\n*** Add File: b.rs\n*** End Patch"}),
            None,
            "Update a.rs, Add b.rs",
        ),
        (
            "tool_call",
            "TodoWrite",
            json!({"todos": [
                {"content": "look", "status": "completed"}, {"content": "fix", "status": "in_progress"},
            ]}),
            None,
            "1 of 2 done: fix",
        ),
        ("system_event", "unknown_record", json!({"record": {"type": "hologram", "x": 1}}), None, "hologram"),
        ("user_input", "prompt", json!({"text": "  first\u{1b}[31m \tline\nsecond"}), None, "first [31m line"),
        ("user_input", "command", json!({"command": "/review", "args": "42"}), None, "/review 42"),
        (
            "user_input",
            "rejection",
            json!({"tool": "Bash", "input": {"command": "rm -r x"}, "call": "c", "reason": "no!"}),
            None,
            "Bash rm -r x: no!",
        ),
        ("system_event", "session_start", json!({"tool": "codex", "model": "gpt", "cwd": "/x"}), None, "codex gpt /x"),
        ("system_event", "api_error", json!({}), Some("overloaded"), "overloaded"),
        (
            "agent_message",
            "message",
            json!({"text": {"$blob": {"sha256": "ab", "bytes": 9, "is": "text", "preview": "The beginning\nof"}}}),
            None,
            "The beginning…",
        ),
    ];
    for (kind, name, input, error, expected) in cases {
        assert_eq!(gist(&entry(kind, name, &input, error)), expected, "{name}");
    }
}

#[test]
fn a_file_is_named_as_its_entry_names_it() {
    let mut entry = entry("tool_call", "Read", &json!({"file_path": "/home/ada/engine/src/a.rs"}), None);
    assert_eq!(asked(&entry), "/home/ada/engine/src/a.rs");
    entry.metadata.files_touched = Some(vec!["rc/a.rs".into(), "src/a.rs".into()]);
    assert_eq!(asked(&entry), "src/a.rs");
}

#[test]
fn an_output_says_its_first_line_and_how_many_there_are() {
    let cases = [
        (json!("one\n\ntwo\nthree"), "one (+2 lines)"),
        (json!({"stdout": "", "stderr": "warning: x", "interrupted": false}), "warning: x"),
        (json!({"stdout": "", "stderr": ""}), ""),
        (json!("Chunk ID: 1\nProcess exited with code 0\nOutput:\nmade\nwell"), "made (+1 line)"),
        (json!("Chunk ID: 1\nProcess exited with code 0\nOutput:\n"), ""),
        (json!([{"type": "text", "text": "hello"}]), "hello"),
        (json!({"filePath": "a", "structuredPatch": "x".repeat(200)}), ""),
        (json!({"count": 3}), r#"{"count":3}"#),
        (json!(null), ""),
    ];
    for (output, expected) in cases {
        assert_eq!(outcome(&output), expected, "{output}");
    }
}

#[test]
fn figures_are_short() {
    assert_eq!(
        [0, 999, 1000, 61_500, 3_600_000, 90_000_000].map(duration),
        ["0ms", "999ms", "1.0s", "1m01s", "1h00m", "25h00m"]
    );
    assert_eq!([-5, 9999, 12_345, 4_560_000].map(count), ["-5", "9999", "12.3k", "4.5M"]);
    assert_eq!(
        ["01ARZ3NDEKTSV4RRFFQ69G5FAV", "sweep-1", "größerezeichen"].map(short_id),
        ["Q69G5FAV", "sweep-1", "ezeichen"]
    );
    assert_eq!([cut("größe", 5), cut("größer", 5)], ["größe", "größ…"]);
}

/// Other programs write what an agent said where results stand; of a call that is no speech.
#[test]
fn what_an_agent_said_may_stand_in_the_output() {
    let said = |kind: &str, input: &Value| {
        let mut entry = entry(kind, "message", input, None);
        entry.operation.output = Some(Json::of(&"It is baked."));
        words(&entry)
    };
    assert_eq!(said("agent_message", &json!({})).as_deref(), Some("It is baked."));
    assert_eq!(said("agent_message", &json!({ "text": "Baked." })).as_deref(), Some("Baked."));
    assert_eq!(said("tool_call", &json!({})), None);
}
