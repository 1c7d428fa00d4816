//! Sub-agents: which call has started each.

use serde_json::{Value, json};

use super::{Agent, Project, went_on};

fn task(event: &str, id: &str, kind: &str) -> Value {
    json!({
        "session_id": "s1", "cwd": "/nowhere", "hook_event_name": event, "tool_name": "Agent",
        "tool_input": {"prompt": "weed", "subagent_type": kind}, "tool_use_id": id,
    })
}

fn begins(id: &str, kind: &str) -> Value {
    json!({"session_id": "s1", "hook_event_name": "SubagentStart", "agent_id": id, "agent_type": kind})
}

fn launched(id: &str, child: &str) -> Value {
    let mut payload = task("PostToolUse", id, "gardener");
    payload["tool_response"] = json!({"status": "async_launched", "agentId": child});
    payload
}

/// Agents and the calls that are said to have started them, in the order in which they began.
fn parents(agent: Agent, payloads: &[Value]) -> Vec<(String, Option<String>)> {
    let project = Project::new();
    for payload in payloads {
        assert!(went_on(&project.hook(agent, payload)), "{payload}");
    }
    let start = |entry: &crate::kernel::entry::HistoryEntry| {
        let input = entry.operation.input.value();
        let text = |key: &str| input[key].as_str().map(str::to_owned);
        input["parent_session"].as_str().map(|_| (text("native_id").expect("an id"), text("parent_call")))
    };
    project.entries().iter().filter_map(start).collect()
}

fn claude(payloads: &[Value]) -> Vec<(String, Option<String>)> {
    parents(Agent::ClaudeCode, payloads)
}

fn pair(child: &str, call: &str) -> (String, Option<String>) {
    (child.to_owned(), Some(call.to_owned()))
}

#[test]
fn of_several_open_calls_each_has_started_one_agent() {
    let asked =
        [task("PreToolUse", "t1", "gardener"), task("PreToolUse", "t2", "cook"), task("PreToolUse", "t3", "gardener")];
    let begun = [begins("a1", "gardener"), begins("a2", "gardener"), begins("a3", "cook"), begins("a4", "cook")];
    let found = claude(&[asked.as_slice(), &begun].concat());
    let expected = [pair("s1/a1", "t1"), pair("s1/a2", "t3"), pair("s1/a3", "t2"), ("s1/a4".to_owned(), None)];
    assert_eq!(found, expected);
}

#[test]
fn a_call_that_went_to_the_background_names_its_agent() {
    let asked = [task("PreToolUse", "t1", "gardener"), task("PreToolUse", "t2", "gardener")];
    let begun = [launched("t2", "a2"), begins("a2", "gardener"), begins("a1", "gardener"), launched("t1", "a1")];
    assert_eq!(claude(&[asked.as_slice(), &begun].concat()), [pair("s1/a2", "t2"), pair("s1/a1", "t1")]);
}

#[test]
fn nothing_of_it_is_left_when_the_session_ends() {
    let project = Project::new();
    let end = json!({"session_id": "s1", "hook_event_name": "SessionEnd", "reason": "other"});
    for payload in [task("PreToolUse", "t1", "gardener"), begins("a1", "gardener"), launched("t1", "a1"), end] {
        assert!(went_on(&project.hook(Agent::ClaudeCode, &payload)));
    }
    assert_eq!(std::fs::read_dir(project.context().join("local/calls")).expect("a folder").count(), 0);
}

#[test]
fn codex_says_it_in_the_rollout_of_the_session_above() {
    let folder = tempfile::tempdir().expect("a folder");
    let item = json!({"payload": {"type": "item_completed", "item": {
        "type": "SubAgentActivity", "kind": "started", "id": "call_9", "agent_thread_id": "th-2",
    }}});
    std::fs::write(folder.path().join("rollout-1-th-1.jsonl"), format!("{item}\n")).expect("written");
    let own = folder.path().join("rollout-2-th-2.jsonl");
    let begins = json!({
        "session_id": "th-1", "hook_event_name": "SubagentStart", "agent_id": "th-2", "agent_type": "default",
        "transcript_path": own,
    });
    assert_eq!(parents(Agent::Codex, &[begins]), [pair("th-2", "call_9")]);
}
