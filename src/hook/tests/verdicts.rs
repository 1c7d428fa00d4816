//! Who said no, and when: each call comes out once, with the verdict that it had.

use serde_json::{Value, json};

use super::{Agent, Project, call, event, went_on};
use crate::hook::spool;
use crate::kernel::entry::OperationType;
use crate::log::disk::{Disk, RealDisk};

const CLAUDE: Agent = Agent::ClaudeCode;

/// A payload with other members.
fn with(mut payload: Value, members: &Value) -> Value {
    for (key, value) in members.as_object().expect("an object") {
        payload[key] = value.clone();
    }
    payload
}

fn prompt(id: &str, text: &str) -> Value {
    with(event("UserPromptSubmit"), &json!({"prompt_id": id, "prompt": text}))
}

/// The answers of a batch: ids, and what the model got.
fn batch(answers: &[(&str, &str)]) -> Value {
    let calls = answers.iter().map(|(id, answer)| {
        json!({"tool_name": "Bash", "tool_input": {"command": "x"}, "tool_use_id": id, "tool_response": answer})
    });
    with(event("PostToolBatch"), &json!({"tool_calls": calls.collect::<Vec<_>>()}))
}

fn run(project: &Project, payloads: &[Value]) {
    for payload in payloads {
        assert!(went_on(&project.hook(CLAUDE, payload)), "{payload}");
    }
}

/// Files that are kept for calls, whatever they say.
fn kept(project: &Project) -> usize {
    RealDisk.list(&project.context().join("local/calls")).expect("listed").len()
}

#[test]
fn the_next_prompt_turns_down_a_call_that_waited_for_a_yes() {
    let project = Project::new();
    let asked = with(call("PreToolUse", "t1", "dig"), &json!({"prompt_id": "p1"}));
    run(&project, &[prompt("p1", "dig here"), asked, prompt("p2", "no, there"), event("SessionEnd")]);
    assert_eq!(project.names(), ["prompt", "rejection", "prompt", "session_end"]);
    let entries = project.entries();
    let no = &entries[1];
    assert_eq!((no.operation.kind.clone(), no.operation.success), (OperationType::UserInput, true));
    assert_eq!(no.operation.input.text(), r#"{"tool":"Bash","input":{"command":"dig"},"call":"t1"}"#);
    assert_eq!(no.provenance.agent_id.as_ref().expect("a person").as_str(), "user");
    assert_eq!(&*no.annals.source.as_ref().expect("a source").record, "t1");
    assert_eq!(no.timestamp, entries[2].timestamp, "when the person went on");
}

#[test]
fn what_runs_for_the_same_prompt_is_not_turned_down() {
    let project = Project::new();
    let asked = with(call("PreToolUse", "t1", "dig"), &json!({"prompt_id": "p1"}));
    run(&project, &[asked, prompt("p1", "and deeper"), call("PostToolUse", "t1", "dig")]);
    assert_eq!(project.names(), ["prompt", "Bash"]);
}

#[test]
fn a_turn_of_another_prompt_turns_down_too_and_one_of_the_same_does_not() {
    let asked = with(call("PreToolUse", "t1", "dig"), &json!({"prompt_id": "p1"}));
    let stop = |id: &str| with(event("Stop"), &json!({"prompt_id": id, "last_assistant_message": "well"}));
    let project = Project::new();
    run(&project, &[asked.clone(), stop("p2")]);
    assert_eq!(project.names(), ["rejection", "message"]);
    let project = Project::new();
    run(&project, &[asked, stop("p1"), event("SessionEnd")]);
    assert_eq!(project.names(), ["message", "Bash: interrupted", "session_end"]);
}

#[test]
fn sub_agents_go_on_when_a_person_goes_on() {
    let project = Project::new();
    let of_child = |name, id: &str| with(call(name, id, "weed"), &json!({"agent_id": "a1", "agent_type": "gardener"}));
    run(&project, &[of_child("PreToolUse", "t1"), prompt("p2", "meanwhile"), of_child("PostToolUse", "t1")]);
    assert_eq!(project.names(), ["prompt", "Bash"]);
}

#[test]
fn gemini_turns_down_what_was_open_when_the_next_turn_begins() {
    let project = Project::new();
    let before = json!({"session_id": "s1", "hook_event_name": "BeforeTool", "tool_name": "write_file", "tool_input": {"content": "x"}});
    let next = json!({"session_id": "s1", "hook_event_name": "BeforeAgent", "prompt": "another"});
    for payload in [before, next] {
        assert!(went_on(&project.hook(Agent::Gemini, &payload)));
    }
    assert_eq!(project.names(), ["rejection", "prompt"]);
    assert_eq!(project.entries()[0].operation.input.text(), r#"{"tool":"write_file","input":{"content":"x"}}"#);
}

#[test]
fn what_the_agent_refused_before_it_ran_is_a_failed_call() {
    let project = Project::new();
    run(
        &project,
        &[batch(&[("t1", "<tool_use_error>Nothing to replace</tool_use_error>"), ("t2", "Error: no such tool")])],
    );
    assert_eq!(project.names(), ["Bash: Nothing to replace", "Bash: Error: no such tool"]);
    assert_eq!(project.entries()[0].operation.duration_ms, None);
}

#[test]
fn a_call_whose_end_was_told_is_not_told_again_by_its_batch() {
    let project = Project::new();
    let failed = with(call("PostToolUseFailure", "t2", "dig"), &json!({"error": "Exit code 3\nstone"}));
    run(
        &project,
        &[
            call("PreToolUse", "t1", "dig"),
            call("PreToolUse", "t2", "dig"),
            call("PostToolUse", "t1", "dig"),
            failed,
            call("PostToolUse", "t3", "unseen until now"),
            batch(&[
                ("t1", "done"),
                ("t2", "Exit code 3\nstone"),
                ("t3", "done"),
                ("t4", "The user doesn't want to proceed with this tool use"),
            ]),
        ],
    );
    assert_eq!(project.names(), ["Bash", "Bash: Exit code 3\nstone", "Bash", "rejection"]);
}

#[test]
fn a_call_that_annals_denied_is_not_denied_again_by_its_batch() {
    let project = Project::new();
    let path = project.context().join("history/x.jsonl");
    let asked = with(
        call("PreToolUse", "t1", ""),
        &json!({"tool_name": "Write", "tool_input": {"file_path": path, "content": "x"}}),
    );
    project.hook(CLAUDE, &asked);
    run(&project, &[batch(&[("t1", "PreToolUse:Write hook error: annals: claude-code may not write")])]);
    let denials = project.names().iter().filter(|name| *name == "denial").count();
    assert_eq!(denials, 1, "{:?}", project.names());
}

#[test]
fn hooks_that_are_installed_twice_tell_of_a_call_once_and_hold_nothing_up() {
    let project = Project::new();
    let twice = |event: &str| [call(event, "t1", "dig"), call(event, "t1", "dig")];
    run(&project, &twice("PreToolUse"));
    run(&project, &twice("PostToolUse"));
    run(&project, &[batch(&[("t1", "done")]), batch(&[("t1", "done")])]);
    assert_eq!(project.names(), ["Bash"]);
    // The same id once more: it is another report of the same call.
    run(&project, &[call("PreToolUse", "t1", "dig"), call("PostToolUseFailure", "t1", "dig")]);
    run(&project, &[call("PreToolUse", "t2", "dig"), call("PostToolUse", "t2", "dig")]);
    assert_eq!(project.names().len(), 3, "{:?}", project.names());
}

#[test]
fn what_is_remembered_of_ended_calls_does_not_grow() {
    let project = Project::new();
    for round in 0..5 {
        let ids: Vec<String> = (0..3).map(|number| format!("t{round}-{number}")).collect();
        for id in &ids {
            run(&project, &[call("PreToolUse", id, "dig"), call("PostToolUse", id, "dig")]);
        }
        let answers: Vec<_> = ids.iter().map(|id| (id.as_str(), "done")).collect();
        run(&project, &[batch(&answers)]);
        assert_eq!(kept(&project), 3, "those of the last batch");
    }
    run(&project, &[event("SessionEnd")]);
    let calls = project.names().iter().filter(|name| *name == "Bash").count();
    assert_eq!((kept(&project), calls), (0, 15));
}

#[test]
fn what_a_dead_session_left_goes_with_a_later_one() {
    let project = Project::new();
    run(&project, &[call("PreToolUse", "t1", "dig"), call("PostToolUse", "t1", "dig")]);
    assert_eq!(kept(&project), 1);
    // Marks have the times of the machine, and the clock of the test stands on a day of its own.
    project.wait_hours(24 * 3650);
    run(&project, &[with(event("SessionStart"), &json!({"session_id": "s2"}))]);
    assert_eq!(kept(&project), 0);
}

#[test]
fn a_beginning_that_is_recorded_late_ends_only_what_began_before_it() {
    let project = Project::new();
    project.configure("[hook]\nlock_wait_ms = 5\n");
    project.hook(CLAUDE, &call("PreToolUse", "t0", "left behind"));
    let lock = RealDisk.lock(&project.context().join("local/lock")).expect("free");
    for payload in [event("SessionStart"), call("PreToolUse", "t1", "dig"), call("PostToolUse", "t1", "dig")] {
        project.hook(CLAUDE, &payload);
    }
    project.hook(CLAUDE, &call("PreToolUse", "t2", "still digging"));
    drop(lock);
    run(&project, &[batch(&[("t1", "done")]), call("PostToolUse", "t2", "still digging")]);
    assert_eq!(project.names(), ["Bash: interrupted", "session_start", "Bash", "Bash"]);
    assert_eq!((project.open_calls(), project.waiting()), (0, 0));
}

#[test]
fn behind_what_another_process_records_a_payload_keeps_its_place() {
    let project = Project::new();
    project.configure("[hook]\nlock_wait_ms = 5\n");
    let log = RealDisk.lock(&project.context().join("local/lock")).expect("free");
    project.hook(CLAUDE, &call("PostToolUse", "t1", "dig"));
    drop(log);
    let other = RealDisk.lock(&project.context().join("local/spool.lock")).expect("free");
    run(&project, &[batch(&[("t1", "done")])]);
    assert_eq!((project.entries().len(), project.waiting()), (0, 2));
    drop(other);
    assert_eq!(spool::drain(&project.engine()).expect("recorded"), spool::Drained::All(2));
    assert_eq!(project.names(), ["Bash"]);
}

#[test]
fn an_agent_of_the_tools_own_makes_no_session() {
    let project = Project::new();
    let own = json!({"agent_id": "a9", "agent_type": "", "last_assistant_message": "In short: apples."});
    run(&project, &[with(event("PreCompact"), &json!({"trigger": "manual"})), with(event("SubagentStop"), &own)]);
    assert_eq!(project.entries().len(), 0);
}
