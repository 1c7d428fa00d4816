//! One session, told by hooks and by its transcript, in five orders: whichever came first, the same is counted and shown.
//!
//! The rows are ours, in the shapes of Claude Code, Codex and the Gemini CLI. Real processes; merges are git's.

use std::process::Command;

use serde_json::{Value, json};

use crate::program::Project;

const SESSION: &str = "11111111-2222-4333-8444-555555555555";

/// A line of the transcript.
fn line(second: u32, id: u32, rest: &Value) -> String {
    let mut line = json!({
        "uuid": format!("aaaaaaaa-0000-4000-8000-{id:012}"), "sessionId": SESSION, "version": "2.1.330", "cwd": "/p",
        "timestamp": format!("2026-11-22T06:00:{second:02}.000Z"),
    });
    line.as_object_mut().expect("an object").extend(rest.as_object().expect("an object").clone());
    line.to_string()
}

fn asks(second: u32, id: u32, text: &str) -> String {
    line(second, id, &json!({"type": "user", "message": {"role": "user", "content": text}}))
}

fn says(second: u32, id: u32, block: &Value) -> String {
    let usage = json!({"input_tokens": 100, "cache_creation_input_tokens": 0, "cache_read_input_tokens": 0, "output_tokens": 10});
    let message =
        json!({"id": format!("msg_{id}"), "role": "assistant", "model": "m-1", "content": [block], "usage": usage});
    line(second, id, &json!({"type": "assistant", "message": message}))
}

fn calls(second: u32, id: u32, call: &str, command: &str) -> String {
    says(second, id, &json!({"type": "tool_use", "id": call, "name": "Bash", "input": {"command": command}}))
}

fn gives(second: u32, id: u32, call: &str, text: &str, is_error: bool) -> String {
    let result = json!({"type": "tool_result", "tool_use_id": call, "content": text, "is_error": is_error});
    line(second, id, &json!({"type": "user", "message": {"role": "user", "content": [result]}, "toolUseResult": text}))
}

const NO: &str = "The user doesn't want to proceed with this tool use. The tool use was rejected.";

/// A prompt, a call that does well, one that fails, one that a person turns down, what is said, and the same prompt again.
fn transcript() -> Vec<String> {
    vec![
        asks(0, 1, "dig"),
        calls(1, 2, "toolu_1", "dig"),
        gives(2, 3, "toolu_1", "stone", false),
        calls(3, 4, "toolu_2", "hoe"),
        gives(4, 5, "toolu_2", "Exit code 3\nno hoe", true),
        calls(5, 6, "toolu_3", "sow"),
        gives(6, 7, "toolu_3", NO, true),
        asks(7, 8, "dig"),
        says(8, 9, &json!({"type": "text", "text": "All is dug."})),
    ]
}

fn payload(event: &str, rest: &Value) -> Value {
    let mut payload =
        json!({"session_id": SESSION, "transcript_path": "/nowhere/t.jsonl", "cwd": "/p", "hook_event_name": event});
    payload.as_object_mut().expect("an object").extend(rest.as_object().expect("an object").clone());
    payload
}

/// What the hooks were told of it.
fn hooks() -> Vec<Value> {
    let bash =
        |id: &str, command: &str| json!({"tool_name": "Bash", "tool_use_id": id, "tool_input": {"command": command}});
    let with = |mut call: Value, key: &str, value: Value| {
        call[key] = value;
        call
    };
    vec![
        payload("SessionStart", &json!({"source": "startup"})),
        payload("UserPromptSubmit", &json!({"prompt": "dig", "prompt_id": "p1"})),
        payload("PreToolUse", &bash("toolu_1", "dig")),
        payload("PostToolUse", &with(bash("toolu_1", "dig"), "tool_response", json!({"stdout": "stone"}))),
        payload("PreToolUse", &bash("toolu_2", "hoe")),
        payload("PostToolUseFailure", &with(bash("toolu_2", "hoe"), "error", json!("Exit code 3\nno hoe"))),
        payload("PreToolUse", &bash("toolu_3", "sow")),
        payload("UserPromptSubmit", &json!({"prompt": "dig", "prompt_id": "p2"})),
        payload("Stop", &json!({"last_assistant_message": "All is dug."})),
        payload("SessionEnd", &json!({"reason": "other"})),
    ]
}

fn hear(project: &Project, agent: &str, payloads: &[Value]) {
    for payload in payloads {
        let run = project.annals(["hook", agent], &payload.to_string());
        assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""), "{payload}");
    }
}

fn import(project: &Project, kind: &str, file: &str, lines: &[String]) -> Value {
    project.write(file, &format!("{}\n", lines.join("\n")));
    let run = project.annals(["import", "--json", kind, file], "");
    assert_eq!(run.code, Some(0), "{run:?}");
    serde_json::from_str(&run.stdout).expect("JSON")
}

/// What is counted, and what the session's page shows: calls, prompts, messages, failed, refused, tokens.
fn told(project: &Project) -> Value {
    let stats: Value = serde_json::from_str(&project.annals(["stats", "--json"], "").stdout).expect("JSON");
    let tokens: i64 = stats["models"].as_object().into_iter().flatten().map(|(_, tally)| tokens(&tally["usage"])).sum();
    let list: Value = serde_json::from_str(&project.annals(["session", "list", "--json"], "").stdout).expect("JSON");
    let id = list["sessions"][0]["id"].as_str().expect("a session").to_owned();
    let page: Value =
        serde_json::from_str(&project.annals(["session", "show", &id, "--json"], "").stdout).expect("JSON");
    let entries = page["entries"].as_array().expect("entries");
    let count = |fits: &dyn Fn(&Value) -> bool| entries.iter().filter(|entry| fits(&entry["operation"])).count();
    json!({
        "tools": stats["totals"]["by_tool"].as_object().into_iter().flatten().map(|(name, tool)| {
            json!([name, tool["calls"], tool["failed"]])
        }).collect::<Vec<_>>(),
        "tokens": tokens,
        "shown": {
            "calls": count(&|operation| operation["type"] == "tool_call"),
            "failed": count(&|operation| operation["type"] == "tool_call" && operation["success"] == false),
            "refused": count(&|operation| operation["name"] == "rejection"),
            "prompts": count(&|operation| operation["name"] == "prompt"),
            "messages": count(&|operation| operation["name"] == "message"),
        },
    })
}

fn tokens(usage: &Value) -> i64 {
    ["input", "cache_write", "cache_read", "output"].iter().filter_map(|key| usage[key].as_i64()).sum()
}

fn all() -> Value {
    json!({
        "tools": [["Bash", 2, 1]],
        "tokens": 440,
        "shown": {"calls": 2, "failed": 1, "refused": 1, "prompts": 2, "messages": 1},
    })
}

#[test]
fn hooks_alone_know_all_but_the_tokens() {
    let project = Project::hooked();
    hear(&project, "claude-code", &hooks());
    let mut known = all();
    known["tokens"] = json!(0);
    assert_eq!(told(&project), known);
}

#[test]
fn a_transcript_alone_knows_all() {
    let project = Project::hooked();
    import(&project, "claude-code", "t.jsonl", &transcript());
    assert_eq!(told(&project), all());
}

#[test]
fn a_transcript_completes_what_hooks_have_told_once() {
    let project = Project::hooked();
    hear(&project, "claude-code", &hooks());
    let first = import(&project, "claude-code", "t.jsonl", &transcript());
    assert_eq!(told(&project), all(), "{first}");
    let again = import(&project, "claude-code", "t.jsonl", &transcript());
    assert_eq!(again["added"], 0, "{again}");
    assert_eq!(told(&project), all());
    let log = project.annals(["log"], "").stdout;
    assert!(!log.contains("completion"), "{log}");
}

#[test]
fn an_import_in_the_middle_of_a_session_and_one_at_its_end_tell_it_once() {
    for middle in 1..hooks().len() {
        let project = Project::hooked();
        let (before, after) = (&hooks()[..middle], &hooks()[middle..]);
        hear(&project, "claude-code", before);
        import(&project, "claude-code", "t.jsonl", &transcript()[..middle.min(5)]);
        hear(&project, "claude-code", after);
        import(&project, "claude-code", "t.jsonl", &transcript());
        assert_eq!(told(&project), all(), "after {middle}");
    }
}

#[test]
fn hooks_on_one_branch_and_the_import_on_another_merge_into_one_story() {
    let git = |folder: &Project, words: &[&str]| {
        let identity = ["-c", "user.name=t", "-c", "user.email=t@t"];
        let done = Command::new("git").args(identity).args(words).current_dir(folder.path()).output().expect("git");
        assert!(done.status.success(), "{words:?}: {done:?}");
    };
    let project = Project::hooked();
    git(&project, &["init", "-q", "-b", "main", "."]);
    project.annals(["log"], "");
    git(&project, &["add", "-A", "."]);
    git(&project, &["commit", "-q", "-m", "begun"]);
    git(&project, &["switch", "-q", "-c", "other"]);
    import(&project, "claude-code", "t.jsonl", &transcript());
    git(&project, &["add", "-A", "."]);
    git(&project, &["commit", "-q", "-m", "imported"]);
    git(&project, &["switch", "-q", "main"]);
    hear(&project, "claude-code", &hooks());
    git(&project, &["add", "-A", "."]);
    git(&project, &["commit", "-q", "-m", "heard"]);
    git(&project, &["merge", "-q", "--no-edit", "other"]);
    assert_eq!(told(&project), all());
    assert_eq!(project.annals(["verify"], "").code, Some(0));
}

#[test]
fn a_fork_repeats_records_and_adds_nothing_of_them() {
    let project = Project::hooked();
    import(&project, "claude-code", "t.jsonl", &transcript());
    let other = "99999999-2222-4333-8444-555555555555";
    let mut fork: Vec<String> = transcript().iter().map(|line| line.replace(SESSION, other)).collect();
    fork.push(says(20, 30, &json!({"type": "text", "text": "And sown."})).replace(SESSION, other));
    let report = import(&project, "claude-code", "fork.jsonl", &fork);
    let usage = project.annals(["stats"], "").stdout;
    assert!(usage.contains("total\ttokens\t550\n"), "{usage} {report}");
    assert!(usage.contains("tool\tBash\t2\t1\t"), "{usage}");
}

#[test]
fn calls_without_an_id_are_joined_by_what_was_asked() {
    let project = Project::hooked();
    let id = "b035cd17-35b3-4d6b-af3f-e211ff42c98d";
    let hook = |event: &str, rest: Value| {
        let mut payload = json!({"session_id": id, "transcript_path": "/nowhere", "cwd": "/p", "hook_event_name": event,
            "timestamp": "2026-11-22T07:06:43.000Z", "tool_name": "run_shell_command", "tool_input": {"command": "ls"}});
        payload.as_object_mut().expect("an object").extend(rest.as_object().expect("an object").clone());
        payload
    };
    let once =
        [hook("BeforeTool", json!({})), hook("AfterTool", json!({"tool_response": {"llmContent": "Output: a"}}))];
    let squeezed = hook("PreCompress", json!({"trigger": "auto"}));
    hear(&project, "gemini", &[&once[..], &once[..], &[squeezed]].concat());
    let call = |number: u32| {
        let call = format!("run_shell_command_{number}");
        json!({"id": call, "name": "run_shell_command", "args": {"command": "ls"}, "status": "success",
            "timestamp": format!("2026-11-22T07:06:{:02}.790Z", 43 + number),
            "result": [{"functionResponse": {"id": call, "name": "run_shell_command", "response": {"output": "Output: a"}}}]})
    };
    let head = json!({"sessionId": id, "projectHash": "x", "startTime": "2026-11-22T07:06:42.162Z", "lastUpdated": "2026-11-22T07:06:42.162Z", "kind": "main"});
    let reply = json!({"id": "m1", "timestamp": "2026-11-22T07:06:42.793Z", "type": "gemini", "content": "", "thoughts": [],
        "tokens": {"input": 10, "output": 5, "cached": 0, "thoughts": 0, "tool": 0, "total": 15}, "model": "g",
        "toolCalls": [call(1), call(2), call(3)]});
    let report = import(
        &project,
        "gemini-cli",
        "session-2026-11-22T07-06-b035cd17.jsonl",
        &[head.to_string(), reply.to_string()],
    );
    let stats = project.annals(["stats"], "").stdout;
    assert!(stats.contains("tool\trun_shell_command\t3\t0\t"), "{stats} {report}");
    assert!(project.entries().iter().all(|entry| &*entry.operation.name != "compaction"));
}

#[test]
fn paths_that_hooks_and_transcripts_tell_are_short() {
    let project = Project::hooked();
    let root = project.path().to_string_lossy().into_owned();
    let inside =
        |text: &str| text.replace("/p\"", &format!("{root}\"")).replace("dig", &format!("cat {root}/src/a.rs"));
    let payloads: Vec<Value> =
        hooks().iter().map(|payload| serde_json::from_str(&inside(&payload.to_string())).expect("JSON")).collect();
    hear(&project, "claude-code", &payloads);
    let lines: Vec<String> = transcript().iter().map(|line| inside(line)).collect();
    import(&project, "claude-code", "t.jsonl", &lines);
    assert_eq!(told(&project), all());
    for entry in project.entries().iter().filter(|entry| entry.annals.source.is_some()) {
        let text = format!("{} {:?}", entry.operation.input.text(), entry.metadata.files_touched);
        assert!(!text.contains(&root), "{text}");
    }
}

#[test]
fn as_many_failures_are_listed_as_are_asked_for_whatever_was_told_of_them_later() {
    let project = Project::hooked();
    let failure = |number: u32| {
        let rest = json!({"tool_name": "Bash", "tool_use_id": format!("toolu_{number}"), "error": "Exit code 3",
            "tool_input": {"command": format!("dig {number}")}});
        payload("PostToolUseFailure", &rest)
    };
    hear(&project, "claude-code", &(0..6).map(failure).collect::<Vec<_>>());
    // The transcript says that the last four did well.
    let told = |number: u32| {
        let id = format!("toolu_{number}");
        let call = calls(number, 2 * number, &id, &format!("dig {number}"));
        [call, gives(number, 2 * number + 1, &id, "stone", number < 2)]
    };
    import(&project, "claude-code", "t.jsonl", &(0..6).flat_map(told).collect::<Vec<_>>());
    let listed = |arguments: [&str; 4]| {
        let lines = project.annals(arguments, "").stdout;
        lines.lines().map(|line| line.rsplit('\t').next().unwrap_or_default().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(listed(["log", "--failed", "-n", "1"]).len(), 1);
    assert!(
        listed(["log", "--failed", "-n", "1"])[0].starts_with("dig 1"),
        "{:?}",
        listed(["log", "--failed", "-n", "1"])
    );
    assert_eq!(listed(["log", "--failed", "-n", "2"]).len(), 2);
    assert_eq!(listed(["log", "--failed", "-n", "9"]).len(), 2);
    assert_eq!(listed(["log", "--succeeded", "-n", "3"]).len(), 3);
}

/// An agent that would like its failure to be a success.
#[test]
fn what_a_transcript_knows_comes_only_from_a_transcript() {
    let project = Project::hooked();
    let failure =
        json!({"tool_name": "Bash", "tool_use_id": "t1", "error": "Exit code 3", "tool_input": {"command": "dig"}});
    hear(&project, "claude-code", &[payload("PostToolUseFailure", &failure)]);
    let hooked = project.entries().remove(0);
    let source = |file: Option<&str>| json!({"kind": "claude-code", "session": SESSION, "record": "t1", "file": file});
    let completion = json!({"type": "system_event", "name": "completion", "success": true,
        "input": {"of": hooked.id, "verdict": "done", "tool": "Bash"}});
    let call = json!({"type": "tool_call", "name": "Bash", "input": {"command": "dig"}, "success": true});
    let end = json!({"type": "system_event", "name": "background_end", "input": {"call": "t1"}, "success": true});
    for (operation, source, is_taken) in [
        (&completion, Some(source(Some("t.jsonl"))), false),
        (&completion, Some(source(None)), false),
        (&call, Some(source(Some("t.jsonl"))), false),
        (&end, Some(source(None)), false),
        // What claims no record of the tool completes nothing, and what claims to be its hook knows no better.
        (&completion, None, true),
        (&call, Some(source(None)), true),
    ] {
        for session in [hooked.session_id.as_str(), "elsewhere"] {
            let extensions = source.as_ref().map_or(json!({}), |source| json!({"annals": {"source": source}}));
            let given = json!({"session_id": session, "operation": operation, "extensions": extensions});
            let run = project.annals(["record", "--as", "eve"], &given.to_string());
            assert_eq!(run.code == Some(0), is_taken, "{given} {run:?}");
        }
    }
    let shown = project.annals(["show", &hooked.id.to_string()], "").stdout;
    assert!(shown.lines().next().is_some_and(|line| line.contains("failed")), "{shown}");
    let id = hooked.session_id.as_str();
    let page: Value =
        serde_json::from_str(&project.annals(["session", "show", id, "--json"], "").stdout).expect("JSON");
    let entries = page["entries"].as_array().expect("entries");
    let calls: Vec<_> = entries.iter().filter(|entry| entry["operation"]["type"] == "tool_call").collect();
    assert!(matches!(&*calls, [call] if call["operation"]["success"] == false), "{calls:#?}");
}
