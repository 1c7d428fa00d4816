//! What is told of earlier sessions: how an error ended, what was left open; and what a session made of what it was told.

use serde_json::{Value, json};

use super::{asks, begins, context, fails, hook, prompt, says};
use crate::program::Project;

fn call(project: &Project, session: &str, number: u32, tool: &str, input: &Value) {
    let mut payload = json!({
        "session_id": session, "hook_event_name": "PreToolUse", "tool_name": tool, "tool_input": input,
        "tool_use_id": format!("w{number}"),
    });
    hook(project, "claude-code", &payload);
    payload["hook_event_name"] = "PostToolUse".into();
    payload["tool_response"] = json!({ "stdout": "ok", "stderr": "", "interrupted": false });
    context(&hook(project, "claude-code", &payload));
}

fn edits(project: &Project, session: &str, number: u32, file: &str) {
    let input = json!({ "file_path": file, "old_string": "a", "new_string": "b" });
    call(project, session, number, "Edit", &input);
}

fn works(project: &Project, session: &str) {
    call(project, session, 9, "Bash", &json!({ "command": "cargo test login" }));
}

#[test]
fn who_meets_an_error_again_hears_how_it_ended() {
    let project = Project::hooked();
    prompt(&project, "s1", "fix the flaky login test");
    fails(&project, "s1", 1);
    assert!(!fails(&project, "s1", 2).contains("has ended"), "it never has");
    works(&project, "s1");
    prompt(&project, "s2", "mend the login once more");
    fails(&project, "s2", 1);
    let second = fails(&project, "s2", 2);
    assert!(second.contains("has ended 1 time before"), "{second}");
    let (_, command) = second.split_once("`annals log").expect("a command");
    let (command, _) = command.split_once('`').expect("its end");
    let shown = project.done(&format!("log{command}"));
    assert!(shown.contains("cargo test login") && shown.lines().count() < 8, "{shown}");
    let report: Value = serde_json::from_str(&project.done("voice report --json")).expect("JSON");
    let failure = &report["followed"]["failure"];
    assert_eq!((failure["errors"].as_u64(), failure["ended"].as_u64()), (Some(2), Some(1)), "{report}");
}

#[test]
fn a_session_hears_what_the_last_one_left_open() {
    let project = Project::hooked();
    prompt(&project, "s1", "fix the flaky login test");
    fails(&project, "s1", 1);
    fails(&project, "s1", 2);
    let heard = begins(&project, "s2", "startup");
    assert!(heard.contains("Left open by the last session") && heard.contains("1 failing check"), "{heard}");
    works(&project, "s1");
    assert!(!begins(&project, "s3", "startup").contains("Left open"));
}

#[test]
fn an_agent_hears_of_votes_and_issues_that_wait_for_it() {
    let project = Project::hooked();
    asks(&project, &["agent", "add", "claude-code", "--role", "critic"]);
    asks(&project, &["issue", "new", "Mend the login", "--assignee", "claude-code"]);
    let heard = begins(&project, "s1", "startup");
    assert!(heard.contains("Waits for you: 1 issue (`annals issue list`)."), "{heard}");
}

#[test]
fn an_item_of_the_request_that_nothing_touched_is_told_once() {
    let project = Project::hooked();
    prompt(&project, "s1", "Please:\n1. Fix the typo in src/a.rs\n2. Rename f in src/b.rs\n3. Update docs/c.md\n");
    edits(&project, "s1", 1, "src/a.rs");
    edits(&project, "s1", 2, "src/b.rs");
    let told = says(&project, "s1", "All three items are done.");
    let words = told["systemMessage"].as_str().unwrap_or_default();
    assert!(words.contains("2 were touched") && words.contains("item 3"), "{told}");
    edits(&project, "s1", 3, "docs/c.md");
    assert_eq!(says(&project, "s1", "All three items are done now."), Value::Null);
}

#[test]
fn a_belief_that_was_told_and_used_is_as_strong_as_on_its_first_day() {
    let project = Project::hooked();
    asks(
        &project,
        &["hivemind", "add", "decision", "use-sqlite", "SQLite stores everything: one file, no server process"],
    );
    prompt(&project, "s1", "where do we keep the accounts?");
    assert!(begins(&project, "s1", "resume").contains("use-sqlite"));
    says(&project, "s1", "I looked at the folder.");
    project.done("status");
    let used = |project: &Project| {
        let report: Value = serde_json::from_str(&project.done("voice report --json")).expect("JSON");
        report["beliefs_used"].as_u64()
    };
    assert_eq!(used(&project), Some(0));
    says(
        &project,
        "s1",
        "The accounts go into SQLite, which stores everything here in one file without a server process.",
    );
    project.done("status");
    assert_eq!(used(&project), Some(1));
    says(&project, "s1", "As I said, SQLite stores everything without a server process.");
    project.done("status");
    assert_eq!(used(&project), Some(1), "once a telling");
}
