//! `annals hook` as an agent starts it: a process for each payload.

use std::path::Path;

use annals::log::disk::{Disk, RealDisk};
use serde_json::{Value, json};

use crate::program::{Project, Run};

fn hook(project: &Project, agent: &str, payload: &Value) -> Run {
    project.annals(["hook", agent], &payload.to_string())
}

fn call(event: &str, id: &str) -> Value {
    json!({
        "session_id": "s1", "hook_event_name": event, "tool_name": "Bash", "tool_input": {"command": "make"},
        "tool_use_id": id, "tool_response": {"stdout": "made"}, "prompt": "hello",
    })
}

fn went_on() -> Run {
    Run { code: Some(0), stdout: String::new(), stderr: String::new() }
}

fn names(project: &Project) -> Vec<String> {
    project.entries().iter().map(|entry| entry.operation.name.to_string()).collect()
}

#[test]
fn a_call_is_recorded_by_the_process_that_sees_its_end() {
    let project = Project::hooked();
    for event in ["SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "SessionEnd"] {
        assert_eq!(hook(&project, "claude-code", &call(event, "t1")), went_on(), "{event}");
    }
    assert_eq!(names(&project), ["session_start", "prompt", "Bash", "session_end", "history.head.sign"]);
    let list = project.annals(["session", "list"], "");
    assert!(list.stdout.contains("completed") && list.stdout.contains("hello"), "{list:?}");
}

#[test]
fn no_wrong_use_blocks_an_agent() {
    let project = Project::hooked();
    let wrong: [&[&str]; 6] = [
        &["hook"],
        &["hook", "nobody"],
        &["hook", "codex", "--loud"],
        &["--as", "x", "hook", "codex", "more"],
        &["--context", "a", "--bad", "hook", "codex"],
        &["hook", "codex", "--at"],
    ];
    for arguments in wrong {
        let run = project.annals(arguments, "{}");
        assert_eq!((run.code, run.stdout.as_str()), (Some(1), ""), "{arguments:?}: {run:?}");
        assert!(!run.stderr.is_empty(), "{arguments:?}");
    }
    assert_eq!(project.annals(["state", "--bad"], "").code, Some(2), "elsewhere a wrong use is 2");
    for text in ["", "null", "{\"hook_event_name\":", "\u{0}"] {
        let run = project.annals(["hook", "codex"], text);
        assert_eq!((run.code, run.stdout.as_str()), (Some(0), ""), "{text:?}: {run:?}");
    }
}

#[test]
fn a_configuration_that_is_no_file_fails_without_blocking() {
    let project = Project::hooked();
    let config = project.context().join("config.toml");
    std::fs::remove_file(&config).expect("removed");
    std::fs::create_dir(&config).expect("made");
    let run = hook(&project, "codex", &call("PreToolUse", "t1"));
    assert_eq!((run.code, run.stdout.as_str()), (Some(1), ""), "{run:?}");
    let run = hook(&project, "codex", &call("PostToolUse", "t1"));
    assert_eq!((run.code, run.stdout.as_str()), (Some(0), ""), "{run:?}");
    std::fs::remove_dir(&config).expect("removed");
    project.done("session list");
    assert_eq!(names(&project), ["exec_command"], "both waited");
}

/// The agent shows it to the person.
#[test]
fn what_an_agent_is_told_moves_no_cursor() {
    let project = Project::hooked();
    let link = project.context().join("history/2026-11-21.\u{1b}]0;title\u{7}\u{202e}.jsonl");
    std::os::unix::fs::symlink("elsewhere", link).expect("linked");
    for agent in ["claude-code", "codex"] {
        let told = hook(&project, agent, &call("UserPromptSubmit", "t1"));
        let answer: Value = serde_json::from_str(&told.stdout).expect("JSON");
        let message = answer["systemMessage"].as_str().expect("a message");
        assert!(message.contains("\\u{1b}") && !message.contains(['\u{1b}', '\u{7}', '\u{202e}']), "{message:?}");
    }
}

#[test]
fn without_a_context_there_is_nothing_to_do() {
    let project = Project::bare();
    assert_eq!(hook(&project, "claude-code", &call("PostToolUse", "t1")), went_on());
    let named = project.annals(["hook", "codex", "--context", "nowhere"], "{}");
    assert_eq!(named, went_on());
    assert_eq!(std::fs::read_dir(project.path()).expect("a folder").count(), 0);
}

#[test]
fn the_project_is_found_where_the_agent_works() {
    let (project, elsewhere) = (Project::hooked(), Project::bare());
    std::fs::create_dir_all(project.path().join("src/deep")).expect("made");
    let mut payload = call("PostToolUse", "t1");
    payload["cwd"] = json!(project.path().join("src/deep"));
    assert_eq!(hook(&elsewhere, "claude-code", &payload), went_on());
    payload["cwd"] = json!("/");
    payload["tool_use_id"] = json!("t2");
    let mut command = elsewhere.command(["hook", "claude-code"]);
    command.env("CLAUDE_PROJECT_DIR", project.path());
    assert_eq!(crate::program::run(command, &payload.to_string()), went_on());
    assert_eq!(names(&project), ["Bash", "Bash"]);
}

#[test]
fn a_lock_that_another_process_holds_delays_but_loses_nothing() {
    let project = Project::hooked();
    project.write(".context/config.toml", "[hook]\nlock_wait_ms = 20\nbackground = false\n");
    // The test itself is the other process.
    let lock = RealDisk.lock(&project.context().join("local/lock")).expect("free");
    let told = hook(&project, "codex", &call("UserPromptSubmit", "t1"));
    assert_eq!(told.code, Some(0));
    let answer: Value = serde_json::from_str(&told.stdout).expect("JSON");
    assert!(
        answer["systemMessage"].as_str().is_some_and(|text| text.contains("kept for the next command")),
        "{told:?}"
    );
    drop(lock);
    assert_eq!(project.annals(["state", "--hash"], "").code, Some(0));
    assert_eq!(names(&project), ["prompt"]);
}

#[test]
fn many_hooks_at_once_lose_nothing() {
    let project = Project::hooked();
    hook(&project, "claude-code", &call("SessionStart", "t0"));
    let payloads: Vec<_> = (0..24).map(|number| call("PostToolUse", &format!("t{number}")).to_string()).collect();
    let project = &project;
    let runs: Vec<Run> = std::thread::scope(|scope| {
        let start = |payload| scope.spawn(move || project.annals(["hook", "claude-code"], payload));
        let threads: Vec<_> = payloads.iter().map(String::as_str).map(start).collect();
        threads.into_iter().map(|thread| thread.join().expect("ended")).collect()
    });
    assert!(runs.iter().all(|run| run.stdout.is_empty()), "{runs:?}");
    project.annals(["state", "--hash"], "");
    let entries = project.entries();
    let mut records: Vec<_> =
        entries.iter().filter_map(|entry| Some(entry.annals.source.as_ref()?.record.clone())).collect();
    records.sort();
    records.dedup();
    assert_eq!((entries.len(), records.len()), (25, 25));
    assert!(entries.windows(2).all(|pair| pair[0].id < pair[1].id), "ids are in the order of the lines");
}

#[test]
fn a_denial_is_told_in_the_agents_own_schema() {
    let project = Project::hooked();
    let payload = json!({
        "session_id": "s1", "cwd": project.path(), "hook_event_name": "PreToolUse", "tool_name": "Bash",
        "tool_input": {"command": "rm .context/history/*.jsonl"}, "tool_use_id": "t1",
    });
    let run = hook(&project, "codex", &payload);
    assert_eq!(run.code, Some(0));
    let answer: Value = serde_json::from_str(&run.stdout).expect("JSON");
    assert_eq!(answer["hookSpecificOutput"]["permissionDecision"], "deny");
    assert_eq!(names(&project), ["access.path.attempt", "denial"]);
}

/// The process is nobody's child: the hook has long ended when it signs, and the test waits for that by the file it removes.
#[test]
fn what_a_session_sets_off_is_done_in_the_background() {
    let project = Project::hooked();
    project.write(".context/config.toml", "");
    for event in ["SessionStart", "SessionEnd"] {
        let run = hook(&project, "claude-code", &call(event, "t1"));
        assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
    }
    // As the process does, at the same time or after it: whoever comes second finds nothing.
    let deadline = 200;
    let signed = (0..deadline).any(|_| {
        project.annals(["hook", "--settle"], "");
        names(&project).iter().any(|name| name == "history.head.sign")
    });
    assert!(signed, "{:?}", names(&project));
    assert_eq!(names(&project), ["session_start", "session_end", "history.head.sign"]);
}

const SESSION: &str = "7b0c9f6e-0f5d-4f0e-9d53-0c1f6a5b1d11";

/// A message of a session, as Claude Code writes it.
fn said(session: &str, text: &str) -> String {
    let message = json!({"role": "assistant", "id": "m1", "model": "m", "content": [{"type": "text", "text": text}]});
    let record = json!({"type": "assistant", "uuid": text, "sessionId": session, "timestamp": "2026-11-20T00:00:00.000Z",
        "cwd": "/p", "version": "2.1.330", "message": message});
    format!("{record}\n")
}

/// A turn that ends with this transcript, and what is done in the background after it: what is recorded.
fn turn(agent: &str, path: &Path) -> Vec<String> {
    let project = Project::new();
    project.write(".context/config.toml", "");
    // Nobody works in the background until it is asked to.
    let lock = RealDisk.lock(&project.context().join("local/background.lock")).expect("free");
    for event in ["PostToolUse", "Stop"] {
        let mut payload = call(event, "t1");
        (payload["session_id"], payload["transcript_path"]) = (json!(SESSION), json!(path));
        assert_eq!(hook(&project, agent, &payload), went_on(), "{agent} {}", path.display());
    }
    drop(lock);
    assert_eq!(project.annals(["hook", "--settle"], "").code, Some(0));
    let left = std::fs::read_dir(project.context().join("local/transcripts")).expect("made").count();
    assert_eq!(left, 0, "{agent} {}", path.display());
    names(&project)
}

#[test]
fn the_transcript_of_a_turn_is_imported_in_the_background() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join(format!("{SESSION}.jsonl"));
    std::fs::write(&path, said(SESSION, "m")).expect("written");
    assert_eq!(turn("claude-code", &path), ["session_start", "message", "Bash"]);
}

/// A payload may name any path: nobody waits for a pipe or a device, and what another session said stays where it is.
#[test]
fn what_is_not_the_transcript_of_the_session_is_not_read() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = |name: &str| {
        std::fs::create_dir_all(folder.path().join(name).parent().expect("a folder")).expect("made");
        folder.path().join(name)
    };
    let own = format!("{SESSION}.jsonl");
    let private = at("other.jsonl");
    std::fs::write(&private, said("another", "private")).expect("written");
    let (pipe, link, fold) = (at(&format!("pipe/{own}")), at(&format!("link/{own}")), at(&format!("folder/{own}")));
    rustix::fs::mkfifoat(rustix::fs::CWD, &pipe, rustix::fs::Mode::RWXU).expect("made");
    std::os::unix::fs::symlink(&private, &link).expect("linked");
    std::fs::create_dir(&fold).expect("made");
    let gone = at(&format!("gone/{own}"));
    for path in [&*private, &*pipe, &*link, &*fold, &*gone, Path::new("/dev/zero"), Path::new("/dev/tty")] {
        for (agent, tool) in [("claude-code", "Bash"), ("codex", "exec_command")] {
            assert_eq!(turn(agent, path), [tool], "{agent} {}", path.display());
        }
    }
}
