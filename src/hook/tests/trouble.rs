//! A log that is blocked, broken or gone; crashes between the two ends of a call.

use std::os::unix::fs::PermissionsExt;

use serde_json::json;

use super::{Agent, HookAnswer, Project, call, event, went_on};
use crate::hook::spool::Drained;
use crate::hook::{Around, handle};
use crate::import::watch;
use crate::log::disk::{Disk, RealDisk};

const CLAUDE: Agent = Agent::ClaudeCode;

#[test]
fn a_payload_that_comes_while_the_log_is_locked_is_recorded_by_the_next() {
    let project = Project::new();
    project.configure("[hook]\nlock_wait_ms = 5\n");
    let lock = RealDisk.lock(&project.context().join("local/lock")).expect("free");
    let told = project.hook(CLAUDE, &event("UserPromptSubmit"));
    assert!(
        matches!(&told.answer, HookAnswer::Tell(message) if message.contains("kept for the next command")),
        "{told:?}"
    );
    assert!(went_on(&project.hook(CLAUDE, &call("PreToolUse", "t1", "ls"))), "a beginning needs no lock");
    let post = project.hook(CLAUDE, &call("PostToolUse", "t1", "ls"));
    assert_eq!((post.answer, post.problem.is_some()), (HookAnswer::Go, true));
    assert_eq!((project.entries().len(), project.waiting()), (0, 2));
    drop(lock);
    assert!(went_on(&project.hook(CLAUDE, &event("SessionEnd"))));
    assert_eq!(project.names(), ["prompt", "Bash", "session_end"]);
    assert_eq!((project.waiting(), project.open_calls()), (0, 0));
    let entries = project.entries();
    let seconds: Vec<_> = entries.iter().map(|entry| entry.timestamp.to_string()[17..19].to_owned()).collect();
    assert_eq!(seconds, ["01", "03", "04"], "each has the time at which it came");
    assert_eq!(entries[1].operation.duration_ms, Some(1000));
    assert!(entries.windows(2).all(|pair| pair[0].id < pair[1].id));
}

#[test]
fn what_waits_is_recorded_by_any_command() {
    let project = Project::new();
    project.configure("[hook]\nlock_wait_ms = 5\n");
    let lock = RealDisk.lock(&project.context().join("local/lock")).expect("free");
    project.hook(CLAUDE, &event("UserPromptSubmit"));
    drop(lock);
    assert_eq!(crate::hook::spool::drain(&project.engine()).expect("recorded"), Drained::All(1));
    assert_eq!(crate::hook::spool::drain(&project.engine()).expect("nothing left"), Drained::All(0));
    assert_eq!(project.names(), ["prompt"]);
}

#[test]
fn a_payload_that_cannot_be_read_again_stops_no_other() {
    let project = Project::new();
    let spool = project.context().join("local/spool");
    std::fs::create_dir_all(&spool).expect("made");
    std::fs::write(spool.join("0000000000001-a.json"), "").expect("written");
    assert!(went_on(&project.hook(CLAUDE, &event("UserPromptSubmit"))));
    assert_eq!((project.names(), project.waiting()), (vec!["prompt".to_owned()], 0));
    assert!(spool.join("0000000000001-a.unreadable").exists());
}

#[test]
fn a_crash_between_the_two_ends_of_a_call_loses_nothing() {
    let project = Project::new();
    project.hook(CLAUDE, &event("SessionStart"));
    project.hook(CLAUDE, &call("PreToolUse", "t1", "make"));
    // The agent dies here. Another session begins: too early to say that the call is dead, then late enough.
    let mut other = event("SessionStart");
    other["session_id"] = json!("s2");
    project.hook(CLAUDE, &other);
    assert_eq!(project.open_calls(), 1);
    project.wait_hours(25);
    other["session_id"] = json!("s3");
    project.hook(CLAUDE, &other);
    assert_eq!(project.open_calls(), 0);
    let entries = project.entries();
    let dead = entries.iter().find(|entry| &*entry.operation.name == "Bash").expect("the call");
    assert_eq!(dead.operation.error.as_deref(), Some("interrupted"));
    assert_eq!((dead.operation.success, dead.operation.duration_ms), (false, None));
    assert_eq!(dead.session_id, entries[0].session_id);
    assert_eq!(dead.operation.input.text(), r#"{"command":"make"}"#);
}

#[test]
fn a_session_that_goes_on_ends_the_calls_that_it_left_open() {
    let project = Project::new();
    project.hook(CLAUDE, &call("PreToolUse", "t1", "make"));
    let mut again = event("SessionStart");
    again["source"] = json!("resume");
    project.hook(CLAUDE, &again);
    assert_eq!(project.names(), ["Bash: interrupted", "session_start"]);
}

#[test]
fn an_end_without_a_beginning_is_recorded_without_a_duration() {
    let project = Project::new();
    project.hook(CLAUDE, &call("PostToolUse", "t1", "ls"));
    assert_eq!(project.names(), ["Bash"]);
    assert_eq!(project.entries()[0].operation.duration_ms, None);
}

#[test]
fn a_broken_configuration_ends_no_recording() {
    let project = Project::new();
    project.configure("[hook\n");
    for payload in [event("UserPromptSubmit"), call("PreToolUse", "t1", "ls"), call("PostToolUse", "t1", "ls")] {
        assert!(went_on(&project.hook(CLAUDE, &payload)));
    }
    assert_eq!(project.names(), ["prompt", "Bash"]);
}

/// As a disk does that fails: the file is there, and cannot be read.
#[test]
fn a_configuration_that_is_no_file_keeps_the_payload_and_lets_the_agent_go_on() {
    let project = Project::new();
    std::fs::create_dir(project.context().join("config.toml")).expect("made");
    let outcome = project.hook(CLAUDE, &event("UserPromptSubmit"));
    assert!(matches!(&outcome.answer, HookAnswer::Tell(message) if message.contains("config.toml")), "{outcome:?}");
    assert_eq!(project.hook(CLAUDE, &call("PreToolUse", "t1", "ls")).answer, HookAnswer::Fail);
    std::fs::remove_dir(project.context().join("config.toml")).expect("removed");
    assert!(went_on(&project.hook(CLAUDE, &event("SessionEnd"))));
    assert_eq!(project.names(), ["prompt", "session_end"]);
}

#[test]
fn a_folder_where_files_should_be_blocks_nobody() {
    let project = Project::new();
    for name in ["history", "local"] {
        std::fs::remove_dir_all(project.context().join(name)).expect("removed");
        std::fs::write(project.context().join(name), "in the way").expect("written");
    }
    for payload in [event("SessionStart"), call("PreToolUse", "t1", "ls"), call("PostToolUse", "t1", "ls")] {
        let outcome = project.hook(CLAUDE, &payload);
        assert!(!matches!(outcome.answer, HookAnswer::Deny(_)), "{outcome:?}");
        assert!(outcome.problem.is_some_and(|problem| problem.contains("it is lost")));
    }
}

/// Whether permissions bind us: they do not bind root.
fn are_permissions_real(project: &Project) -> bool {
    std::fs::write(project.context().join("local/probe"), "").is_err()
}

#[test]
#[expect(clippy::print_stdout, reason = "a test that cannot run everywhere says so")]
fn a_folder_that_cannot_be_written_blocks_nobody() {
    let project = Project::new();
    let set = |mode| {
        for name in ["history", "local"] {
            let path = project.context().join(name);
            std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).expect("set");
        }
    };
    set(0o555);
    if are_permissions_real(&project) {
        let outcome = project.hook(CLAUDE, &call("PostToolUse", "t1", "ls"));
        assert_eq!(outcome.answer, HookAnswer::Go);
        assert!(outcome.problem.is_some());
    } else {
        println!("skipped: permissions do not bind root");
    }
    set(0o755);
}

#[test]
fn fail_closed_blocks_the_next_call_when_something_could_not_be_recorded() {
    let project = Project::new();
    project.configure("[hook]\nlock_wait_ms = 5\nfail_closed = true\n");
    assert!(went_on(&project.hook(CLAUDE, &call("PreToolUse", "t1", "ls"))));
    let lock = RealDisk.lock(&project.context().join("local/lock")).expect("free");
    let post = project.hook(CLAUDE, &call("PostToolUse", "t1", "ls"));
    assert_eq!(post.answer, HookAnswer::Go, "what has happened cannot be blocked");
    let next = project.hook(CLAUDE, &call("PreToolUse", "t2", "ls"));
    assert!(matches!(&next.answer, HookAnswer::Deny(reason) if reason.contains("hook.fail_closed is set")), "{next:?}");
    drop(lock);
    assert!(went_on(&project.hook(CLAUDE, &call("PreToolUse", "t3", "ls"))));
    assert_eq!(project.names(), ["Bash"]);
}

#[test]
fn nothing_is_recorded_where_interception_is_off() {
    let project = Project::new();
    project.configure("[history]\ninterception_enabled = false\n");
    for payload in [event("SessionStart"), call("PreToolUse", "t1", "ls"), call("PostToolUse", "t1", "ls")] {
        assert!(went_on(&project.hook(CLAUDE, &payload)));
    }
    assert_eq!((project.entries().len(), project.open_calls()), (0, 0));
}

#[test]
fn what_is_no_payload_is_tolerated() {
    let project = Project::new();
    for text in ["", "null", "[]", "{", "{\"hook_event_name\": 7}", "{}"] {
        let around = Around { context: project.context(), clock: project.clock(), ..Around::default() };
        let outcome = handle(CLAUDE, text, around);
        assert_eq!(outcome.answer, HookAnswer::Go, "{text}");
    }
    let odd = json!({"session_id": 7, "cwd": [], "hook_event_name": "PostToolUse", "tool_name": null, "tool_input": 3});
    assert!(went_on(&project.hook(CLAUDE, &odd)));
}

#[test]
fn a_secret_that_waits_for_its_end_is_not_kept_in_the_clear() {
    let project = Project::new();
    let path = project.context().join("local/calls");
    project.hook(CLAUDE, &call("PreToolUse", "t1", "ls"));
    let file = std::fs::read_dir(path).expect("a folder").next().expect("a file").expect("an entry").path();
    let stored = std::fs::read_to_string(file).expect("read");
    let kept: crate::engine::calls::OpenCall = serde_json::from_str(&stored).expect("an open call");
    assert_eq!(kept.entry.operation.input.text(), r#"{"command":"ls"}"#);
}

#[test]
fn hooks_are_counted_for_the_doctor() {
    let project = Project::new();
    project.hook(CLAUDE, &event("Notification"));
    project.hook(CLAUDE, &event("Notification"));
    project.hook(Agent::Codex, &event("SessionStart"));
    let seen = crate::hook::seen::read(&RealDisk, project.engine().place()).expect("read");
    assert_eq!(seen.0["claude-code"].events["Notification"].count, 2);
    assert_eq!(seen.0["codex"].last.to_string(), "2026-11-21T12:00:03.000Z");
    assert_eq!(seen.0["codex"].session, "s1");
}

#[test]
fn an_event_that_nobody_knows_is_counted_and_only_kept_where_somebody_asks_for_it() {
    let project = Project::new();
    let payload = |name: &str| {
        let mut payload = event(name);
        payload["system_prompt"] = json!("what the person wrote for the agent alone");
        payload
    };
    for name in ["DreamEnded", "DreamEnded", "Mood Changed"] {
        assert!(went_on(&project.hook(CLAUDE, &payload(name))));
    }
    assert_eq!(project.names(), ["import_note"; 3]);
    let written = project.entries().iter().map(|entry| entry.operation.input.text().to_owned()).collect::<String>();
    assert!(written.contains(r#""DreamEnded":{"count":1,"bytes":"#) && !written.contains("alone"), "{written}");
    let told: Vec<_> = watch::checks(&project.engine()).expect("read").into_iter().map(|check| check.says).collect();
    assert!(
        matches!(&*told, [text] if text.contains("DreamEnded 2 (") && text.contains("MoodChanged 1 (")),
        "{told:?}"
    );
    project.configure("[import]\nkeep_unknown = true\n");
    assert!(went_on(&project.hook(CLAUDE, &payload("DreamEnded"))));
    assert_eq!(project.names()[3], "unknown_record");
}
