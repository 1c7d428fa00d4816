//! What failed, and what memory advises against, is not done again in another spelling.

use serde_json::{Value, json};

use super::player::{Player, passes, plan, understood, worked, writes};
use crate::bus::Party;
use crate::criterion::CheckState;
use crate::ggs::{CallResult, Terminal};
use crate::message::{BusMessage, MemoryAction, MemoryAnswer, Remembered};
use crate::run::ToolJob;
use crate::tool::ToolCall;

fn misses(job: &ToolJob) -> ToolCall {
    let is_missing = job.request.input["path"].as_str().is_some_and(|path| path.ends_with("missing.txt"));
    let result = if is_missing { CallResult::Failed } else { CallResult::Worked };
    let output = if is_missing { "no such file" } else { "wrote the greeting" };
    ToolCall { result, output: output.to_owned(), ..worked(job) }
}

fn reads(path: &str) -> Value {
    json!({ "calls": [{ "tool": "read", "input": { "path": path } }], "done": true, "output": "" })
}

#[test]
fn a_blocked_target_is_not_read_by_another_spelling_in_the_next_round() {
    let used = |second: &str| {
        let mut player = Player { tool: misses, check: |_| CheckState::Unmet, ..Player::default() };
        player.otherwise = |role| if role == Party::Planner { plan().to_string() } else { String::new() };
        let first = vec![reads("missing.txt"); 3];
        let mut player = player
            .script(Party::Perceiver, &[understood()])
            .script(Party::Executor, &first)
            .script(Party::Executor, &[reads(second), reads(second), reads(second)]);
        let played = player.play();
        let rounds = played.kinds().iter().filter(|kind| **kind == "dispatch_manifest").count();
        assert!(rounds > 1, "{:?}", played.kinds());
        let paths = played.used.iter().filter_map(|job| job.request.input["path"].as_str());
        paths.filter(|path| *path == second).count()
    };
    for second in ["./missing.txt", ".//missing.txt", "x/../missing.txt", "missing.txt/"] {
        assert_eq!(used(second), 0, "{second}");
    }
    for second in ["other.txt", "Missing.md", "sub/notes.txt"] {
        assert!(used(second) > 0, "{second}");
    }
}

/// Every query is answered so: that of the intent, and that of each target of the plan.
fn remembers(space: &str, entity: &str, content: &str) -> MemoryAnswer {
    let (space, entity, content) = (space.to_owned(), entity.to_owned(), vec![content.to_owned()]);
    MemoryAnswer { remembered: vec![Remembered { space, entity, action: MemoryAction::Avoid, content }] }
}

#[test]
fn a_plan_that_memory_advises_against_is_not_sent_out() {
    let tried = "Tried: 'Write hello into hello.txt'; 0 of 1 subtasks matched";
    for (memory, is_sent) in [
        (remembers("intent:write_a_greeting", "env:local", tried), false),
        (remembers("tool:write", "path:hello.txt", "it is locked"), false),
        (remembers("tool:write", "path:other.txt", "it is locked"), true),
        (remembers("intent:write_a_greeting", "env:local", "Tried: 'Draw a picture'; "), true),
    ] {
        let mut player = Player { memory, ..Player::default() }
            .script(Party::Perceiver, &[understood()])
            .script(Party::Planner, &vec![plan(); 9])
            .script(Party::Executor, &[writes()])
            .script(Party::AgentValidator, &[passes()]);
        let played = player.play();
        assert_eq!(played.kinds().contains(&"dispatch_manifest".to_owned()), is_sent, "{:?}", player.memory);
        assert_eq!(played.result().directive == Terminal::Accept, is_sent);
    }
}

/// What is given up tells memory how it was worded.
#[test]
fn what_is_given_up_is_remembered_with_what_was_tried() {
    let mut player = Player { check: |_| CheckState::Unmet, otherwise: super::ways::insists, ..Player::default() };
    player = player.script(Party::Perceiver, &[understood()]);
    let played = player.play();
    assert_eq!(played.result().directive, Terminal::Abandon);
    let megram =
        |message: &BusMessage| if let BusMessage::Megram(note) = message { Some(note.content.clone()) } else { None };
    let notes: Vec<_> = played.said.iter().filter_map(|said| megram(&said.message)).collect();
    let is_told = |note: &String| note.contains("Tried: 'Write hello into hello.txt'");
    assert!(notes.iter().any(is_told), "{notes:?}");
}
