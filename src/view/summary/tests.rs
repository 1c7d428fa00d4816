//! Summaries of small sessions, whole.

use serde_json::{Value, json};

use super::*;
use crate::kernel::envelope::{Envelope, Span};
use crate::world::World;

/// Entries of one session, a second apart, folded.
fn session(steps: &[(&str, &str, Value, Result<(), &str>)]) -> (Session, Vec<HistoryEntry>) {
    let mut world = World::default();
    let mut entries = Vec::new();
    for (number, (kind, name, input, end)) in steps.iter().enumerate() {
        let mut line = json!({
            "id": format!("01ARZ3NDEKTSV4RRFFQ69G{number:04}"),
            "timestamp": format!("2026-11-21T03:10:{number:02}.000Z"),
            "session_id": "s",
            "operation": {"type": kind, "name": name, "input": input, "success": end.is_ok()},
            "provenance": {},
            "metadata": {"files_touched": input.get("file_path").into_iter().collect::<Vec<_>>()},
        });
        if let Err(error) = end {
            line["operation"]["error"] = json!(error);
        }
        let entry = HistoryEntry::read(&line.to_string()).expect("an entry");
        let line = entry.to_line();
        let span = Span::scan(line.as_bytes()).expect("our own shape");
        world.apply(&Envelope::new(line.as_bytes(), &span));
        entries.push(entry);
    }
    (world.rooms.session.session(&"s".into()).expect("the session").clone(), entries)
}

#[test]
fn a_session_is_summarized_from_its_own_words() {
    let (session, entries) = session(&[
        ("user_input", "prompt", json!({"text": "Make `parse()` faster\nand do not break it"}), Ok(())),
        ("tool_call", "Bash", json!({"command": "cd app && cargo test --lib"}), Err("exit 101\ntest failed")),
        ("tool_call", "Edit", json!({"file_path": "src/parse.rs"}), Ok(())),
        ("tool_call", "Bash", json!({"command": ["bash", "-lc", "cargo test"]}), Ok(())),
        ("tool_call", "str_replace_editor", json!({"command": "view", "path": "src/parse.rs"}), Ok(())),
        ("agent_message", "message", json!({"text": "Done: `parse()` in `src/parse.rs` is twice as fast."}), Ok(())),
    ]);
    let summary = summarize(&session, &entries);
    insta::assert_snapshot!(format!("{}\n\n{}", summary.title, summary.body), @r"
    Make `parse()` faster

    ## Asked

    - Make `parse()` faster

    ## Files changed

    - `src/parse.rs`

    ## Commands run

    - `cargo test` (2×)

    ## Failures

    - Bash: exit 101: test failed

    ## How it ended

    Done: `parse()` in `src/parse.rs` is twice as fast.
    ");
    let entities: Vec<_> = summary.entities.iter().map(|e| (&*e.kind, &*e.name, e.mentions)).collect();
    assert_eq!(entities, [("command", "cargo test", 2), ("function", "parse", 2), ("file", "src/parse.rs", 2)]);
}

#[test]
fn an_interrupt_is_how_it_ended_and_a_prompt_without_an_answer_too() {
    let prompt = ("user_input", "prompt", json!({"text": "go"}), Ok(()));
    let message = ("agent_message", "message", json!({"text": "going"}), Ok(()));
    let stop = ("user_input", "interrupt", json!({"text": "stop"}), Ok(()));
    let ending = |steps: &[_]| {
        let (session, entries) = session(steps);
        summarize(&session, &entries).body.lines().last().unwrap_or_default().to_owned()
    };
    assert_eq!(ending(&[prompt.clone(), message.clone(), stop]), "A person stopped the agent.");
    assert_eq!(ending(&[prompt.clone(), message, prompt]), "The last prompt was not answered.");
}

#[test]
fn what_was_typed_while_the_agent_worked_was_asked_once_whether_its_turn_made_a_prompt_or_not() {
    let typed = |name: &'static str, text: &str| ("user_input", name, json!({"text": text}), Ok(()));
    for steps in [
        vec![typed("prompt", "dig"), typed("queued", "weed"), typed("prompt", "weed")],
        vec![typed("prompt", "dig"), typed("queued", "weed")],
        vec![typed("prompt", "dig"), typed("prompt", "weed")],
    ] {
        let (session, entries) = session(&steps);
        let body = summarize(&session, &entries).body;
        assert!(body.starts_with("## Asked\n\n- dig\n- weed\n\n"), "{body}");
    }
}

#[test]
fn a_long_session_has_a_short_summary() {
    let steps: Vec<_> = (0..50)
        .map(|number| ("user_input", "prompt", json!({"text": format!("{number} {}", "very ".repeat(500))}), Ok(())))
        .collect();
    let (session, entries) = session(&steps);
    let summary = summarize(&session, &entries);
    assert!(summary.body.len() < 8 << 10, "{} bytes", summary.body.len());
    assert!(summary.body.contains("- … and 30 more\n"), "{}", summary.body);
}
