//! The Copilot CLI: payloads without a name, calls without an id, sub-agents with a name of their own.

use serde_json::{Value, json};

use super::{Agent, Project, went_on};
use crate::hook::{HookAnswer, named};

fn hook(project: &Project, event: &str, payload: &Value) {
    let text = named(&payload.to_string(), Some(event)).into_owned();
    let outcome = project.hook(Agent::Copilot, &serde_json::from_str(&text).expect("JSON"));
    assert!(went_on(&outcome), "{event}: {outcome:?}");
}

fn call(command: &str) -> Value {
    json!({"sessionId": "s1", "timestamp": 1, "cwd": "/nowhere", "toolName": "bash", "toolArgs": {"command": command}})
}

fn ended(command: &str, code: i64) -> Value {
    let mut payload = call(command);
    let text = format!("stone\n<shellId: 1 completed with exit code {code}>");
    payload["toolResult"] = json!({"resultType": "success", "textResultForLlm": text});
    payload
}

#[test]
fn a_session_is_recorded_as_an_import_would() {
    let project = Project::new();
    hook(&project, "sessionStart", &json!({"sessionId": "s1", "cwd": "/nowhere", "source": "new"}));
    hook(&project, "userPromptSubmitted", &json!({"sessionId": "s1", "prompt": "dig"}));
    hook(&project, "preToolUse", &call("dig"));
    hook(&project, "permissionRequest", &json!({"sessionId": "s1", "toolName": "bash"}));
    hook(&project, "postToolUse", &ended("dig", 0));
    hook(&project, "preToolUse", &call("hoe"));
    hook(&project, "postToolUse", &ended("hoe", 3));
    let mut failed = call("rake");
    failed["error"] = json!("no such rake");
    hook(&project, "preToolUse", &call("rake"));
    hook(&project, "postToolUseFailure", &failed);
    hook(&project, "preToolUse", &call("sow"));
    hook(&project, "agentStop", &json!({"sessionId": "s1", "stopReason": "end_turn"}));
    hook(&project, "userPromptSubmitted", &json!({"sessionId": "s1", "prompt": "do not sow"}));
    hook(&project, "sessionEnd", &json!({"sessionId": "s1", "reason": "complete"}));
    let expected = [
        "session_start", "prompt", "bash", "bash: exit code 3", "bash: no such rake", "rejection", "prompt",
        "session_end",
    ];
    assert_eq!(project.names(), expected);
    let entry = &project.entries()[2];
    assert_eq!((entry.operation.input.text(), entry.operation.duration_ms), (r#"{"command":"dig"}"#, Some(2000)));
    assert_eq!(&*entry.annals.source.as_ref().expect("a source").kind, "copilot-cli");
}

#[test]
fn a_sub_agent_has_its_own_name_and_names_the_call_that_started_it() {
    let project = Project::new();
    let transcript = project.path().join("events.jsonl");
    let line = |kind: &str, data: Value| format!("{}\n", json!({"type": kind, "data": data}));
    let text = line("tool.execution_start", json!({"toolCallId": "t1", "toolName": "task"}))
        + &line("tool.execution_complete", json!({"toolCallId": "t1"}))
        + &line("tool.execution_start", json!({"toolCallId": "t2", "toolName": "task"}));
    std::fs::write(&transcript, text).expect("written");
    let child = "730ff4ab-0000-4000-8000-4a0cfbdd8867";
    let of_child = |mut payload: Value| {
        for (key, value) in [("sessionId", child), ("agentId", child), ("agentType", "digger"), ("parentAgentId", "s1")]
        {
            payload[key] = json!(value);
        }
        payload
    };
    let above = json!({"sessionId": "s1", "transcriptPath": transcript, "agentId": child, "agentName": "digger", "parentAgentId": "s1"});
    hook(&project, "subagentStart", &above);
    hook(&project, "userPromptSubmitted", &of_child(json!({"prompt": "dig for me"})));
    hook(&project, "preToolUse", &of_child(call("dig")));
    hook(&project, "postToolUse", &of_child(ended("dig", 0)));
    let mut stop = above.clone();
    stop["response"] = json!("dug");
    hook(&project, "subagentStop", &stop);
    assert_eq!(project.names(), ["session_start", "bash", "message", "session_end"]);
    let entries = project.entries();
    let start = entries[0].operation.input.value();
    assert_eq!((&start["native_id"], &start["parent_call"]), (&json!(format!("s1/{child}")), &json!("t2")));
    assert!(entries.iter().all(|entry| entry.session_id == entries[0].session_id));
}

#[test]
fn what_it_sends_to_the_hooks_of_claude_code_is_passed_over() {
    let project = Project::new();
    let payload = json!({
        "hook_event_name": "PostToolUse", "session_id": "s1", "timestamp": "2026-11-21T12:00:00.000Z", "cwd": "/nowhere",
        "tool_name": "Bash", "tool_input": {"command": "dig"}, "tool_result": {"result_type": "success"},
    });
    assert!(went_on(&project.hook(Agent::ClaudeCode, &payload)));
    assert_eq!(project.entries().len(), 0);
}

#[test]
fn a_call_that_would_write_the_history_is_denied() {
    let project = Project::new();
    let payload = json!({"hook_event_name": "preToolUse", "sessionId": "s1", "toolName": "create",
        "toolArgs": {"path": project.context().join("history/a"), "file_text": ""}});
    assert!(matches!(project.hook(Agent::Copilot, &payload).answer, HookAnswer::Deny(_)));
}

#[test]
fn only_a_payload_without_a_name_gets_one() {
    assert_eq!(named("{\"a\":1}", Some("preToolUse")), "{\"hook_event_name\":\"preToolUse\",\"a\":1}");
    assert_eq!(named(" {}", Some("x")), "{\"hook_event_name\":\"x\"}");
    for (text, event) in
        [("{\"hook_event_name\":\"y\"}", Some("x")), ("[]", Some("x")), ("{}", None), ("{}", Some("a\"b"))]
    {
        assert_eq!(named(text, event), text);
    }
}
