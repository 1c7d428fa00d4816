//! Stories of a few entries.

use serde_json::json;

use super::*;

fn entry(number: u32, line: u64, operation: &Value) -> HistoryEntry {
    let line = json!({
        "id": format!("01ARZ3NDEKTSV4RRFFQ69G{number:04}"), "timestamp": "2026-11-21T03:10:00.123Z",
        "session_id": if number == 9 { "child" } else { "s" }, "operation": operation,
        "provenance": {"agent_id": "coder"},
        "extensions": {"annals": {"source": {"kind": "k", "session": "s", "record": "r", "line": line}}},
    });
    HistoryEntry::read(&line.to_string()).expect("an entry")
}

#[test]
fn entries_of_one_millisecond_stand_in_the_order_of_their_records() {
    let said =
        |text: &str| json!({"type": "agent_message", "name": "message", "input": {"text": text}, "success": true});
    let mut entries = [entry(1, 30, &said("c")), entry(2, 10, &said("a")), entry(3, 20, &said("b"))];
    in_reading_order(&mut entries);
    let texts: Vec<_> = entries.iter().filter_map(gist::words).collect();
    assert_eq!(texts, ["a", "b", "c"]);
}

#[test]
fn a_story_has_words_calls_marks_and_children() {
    let operation = |kind: &str, name: &str, input: Value, success: bool| json!({"type": kind, "name": name, "input": input, "success": success});
    let mut failed = operation("tool_call", "Bash", json!({"command": "ls"}), false);
    failed["error"] = json!("exit 2\nno such file");
    failed["duration_ms"] = json!(7);
    let entries = [
        entry(1, 1, &operation("system_event", "session_start", json!({"tool": "k"}), true)),
        entry(2, 2, &operation("user_input", "prompt", json!({"text": "go"}), true)),
        entry(3, 3, &failed),
        entry(4, 4, &operation("user_input", "interrupt", json!({"text": "stop"}), true)),
        entry(5, 5, &operation("system_event", "api_error", json!({"error": "busy"}), false)),
        entry(9, 6, &operation("system_event", "session_start", json!({"parent_session": "s"}), true)),
    ];
    let pieces: Vec<_> = steps("s", &entries).into_iter().map(|step| step.piece).collect();
    let mark = |mark, name: &str, text: &str| Piece::Mark { mark, name: name.to_owned(), text: text.to_owned() };
    let expected = [
        Piece::Words { voice: StoryVoice::Person, text: "go".to_owned() },
        Piece::Call {
            name: "Bash".to_owned(),
            input: "ls".to_owned(),
            outcome: Err("exit 2: no such file".to_owned()),
            duration_ms: Some(7),
        },
        mark(StoryMark::Stop, "interrupt", "stop"),
        mark(StoryMark::Failure, "api_error", "busy"),
        Piece::Child { session: "child".to_owned() },
    ];
    assert_eq!(pieces, expected);
}
