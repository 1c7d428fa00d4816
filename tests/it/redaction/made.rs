//! What is made of a text before it is written (a claim, a tag, its beginning) is made of the clean text, so that no half of
//! a secret, and no secret in other letters, gets past the sanitizer.

use serde_json::json;

use super::fields::{has, token};
use crate::program::Project;

/// Whether any file of the project has a part of a token, in whatever letters.
fn has_part(project: &Project, number: usize) -> bool {
    let token = token(number);
    let part = &token[4..16];
    has(project.path(), part) || has(project.path(), &part.to_lowercase())
}

#[test]
fn claims_and_tags_are_made_of_the_clean_text() {
    let project = Project::hooked();
    let said = |number: usize| format!("Seryn has {} eyes.", token(number));
    project.annals(["canon", "state", "seryn-eyes", &said(1)], "");
    project.annals(["canon", "check", &said(2), "--override"], "");
    project.annals(["memory", "write", "--intent", &format!("use {} now", token(3)), "--text", "x"], "");
    project.annals(["memory", "write", "--intent", "DB_PASSWORD=Sommer2024 deploy now", "--text", "x"], "");
    let leaked: Vec<_> = (1..4).filter(|number| has_part(&project, *number)).collect();
    assert_eq!(leaked, Vec::<usize>::new());
    assert!(!has(project.path(), "sommer2024"));
    assert!(!project.entries().is_empty());
}

#[test]
fn of_a_long_failure_no_half_of_a_secret_is_kept() {
    let project = Project::hooked();
    for before in 1960..2000 {
        let text = format!("{} {} and so on {}", "x".repeat(before), token(4), "and on ".repeat(20));
        let payload = json!({
            "hook_event_name": "PostToolUseFailure", "session_id": "s1", "cwd": ".", "tool_name": "Bash",
            "tool_use_id": format!("toolu_{before}"), "tool_input": {"command": "make"}, "error": text,
        });
        project.annals(["hook", "claude-code"], &payload.to_string());
    }
    assert!(project.entries().iter().any(|entry| entry.operation.error.is_some()));
    assert!(!has_part(&project, 4));
}

#[test]
fn why_a_call_was_refused_waits_without_a_secret() {
    let project = Project::hooked();
    project.annals(["session", "start", "One"], "");
    let lock = locked(&project);
    let path = format!(".context/history/{}", token(5));
    let payload = json!({
        "hook_event_name": "PreToolUse", "session_id": "s", "cwd": project.path(), "tool_name": "Write",
        "tool_use_id": "toolu_2", "tool_input": {"file_path": path},
    });
    project.annals(["hook", "claude-code"], &payload.to_string());
    let waits = std::fs::read_dir(project.context().join("local/spool")).expect("a spool").count();
    assert_eq!((waits, has_part(&project, 5)), (1, false));
    drop(lock);
    project.annals(["status"], "");
    assert!(!has_part(&project, 5));
}

/// Holds the lock of the log, as another process would.
fn locked(project: &Project) -> std::fs::File {
    let lock = std::fs::File::options().append(true).open(project.context().join("local/lock")).expect("a lock");
    lock.lock().expect("locked");
    lock
}

#[test]
fn a_password_in_a_word_of_its_own_is_taken_out_of_a_command() {
    let project = Project::hooked();
    for words in [
        vec!["mysql", "-u", "root", "-pSommer2024x"],
        vec!["true", "--password", "Sommer2024x"],
        vec!["curl", "-u", "ann:Sommer2024x", "http://localhost:1"],
        vec!["sshpass", "-p", "Sommer2024x", "true"],
    ] {
        project.annals([vec!["exec", "--"], words].concat(), "");
    }
    assert_eq!(project.entries().iter().filter(|entry| &*entry.operation.name == "exec").count(), 4);
    assert!(!has(project.path(), "Sommer2024x"));
}
