//! Codex: one name for each tool, and how calls ended, from the rollout beside its hooks.

use serde_json::{Value, json};

use super::{Agent, Project, went_on};

const CODEX: Agent = Agent::Codex;

struct Scene {
    project: Project,
    rollout: std::path::PathBuf,
}

impl Scene {
    fn new() -> Self {
        let project = Project::new();
        let rollout = project.path().join("rollout.jsonl");
        Self { project, rollout }
    }

    fn writes(&self, payload: &Value) {
        let line = json!({"type": "event_msg", "payload": payload});
        let before = std::fs::read_to_string(&self.rollout).unwrap_or_default();
        std::fs::write(&self.rollout, format!("{before}{line}\n")).expect("written");
    }

    fn hook(&self, event: &str, members: &Value) {
        let mut payload = json!({"session_id": "th-1", "hook_event_name": event, "transcript_path": self.rollout});
        for (key, value) in members.as_object().expect("an object") {
            payload[key] = value.clone();
        }
        assert!(went_on(&self.project.hook(CODEX, &payload)), "{payload}");
    }

    fn call(&self, event: &str, id: &str) {
        let input = json!({"command": "dig"});
        self.hook(
            event,
            &json!({"tool_name": "Bash", "tool_input": input, "tool_use_id": id, "turn_id": "u1", "tool_response": ""}),
        );
    }
}

#[test]
fn a_command_has_the_name_and_the_arguments_of_the_rollout() {
    let scene = Scene::new();
    scene.call("PreToolUse", "c1");
    scene.writes(&json!({"type": "item_completed", "item": {"type": "CommandExecution", "id": "c1", "exit_code": 3}}));
    scene.call("PostToolUse", "c1");
    let entries = scene.project.entries();
    assert_eq!(scene.project.names(), ["exec_command: exit code 3"]);
    assert_eq!(entries[0].operation.input.text(), r#"{"cmd":"dig"}"#);
    assert_eq!(entries[0].annals.source.as_ref().expect("a source").tool.as_deref(), Some("Bash"));
    assert_eq!(entries[0].metadata.tags, None);
}

#[test]
fn another_tool_for_commands_keeps_its_own_name() {
    let scene = Scene::new();
    scene.writes(&json!({"type": "function_call", "call_id": "c1", "name": "shell_command", "arguments": "{}"}));
    scene.writes(&json!({"type": "exec_command_end", "call_id": "c1", "exit_code": 0}));
    scene.call("PostToolUse", "c1");
    let entry = &scene.project.entries()[0];
    assert_eq!((&*entry.operation.name, entry.operation.input.text()), ("shell_command", r#"{"command":"dig"}"#));
    assert!(entry.operation.success);
}

#[test]
fn a_patch_is_the_same_call_as_an_imported_one() {
    let scene = Scene::new();
    let patch = "*** Begin Patch\n*** Add File: a\n+x\n*** End Patch";
    let members = json!({"tool_name": "apply_patch", "tool_input": {"command": patch}, "tool_use_id": "c1", "tool_response": "ok"});
    scene.hook("PostToolUse", &members);
    let entry = &scene.project.entries()[0];
    assert_eq!(entry.operation.input.value(), json!({"arguments": patch}));
    assert_eq!(entry.metadata.files_touched.as_deref(), Some(&["a".into()][..]));
}

#[test]
fn what_was_refused_without_a_hook_is_told_by_the_rollout() {
    let scene = Scene::new();
    for id in ["c1", "c2"] {
        scene.call("PreToolUse", id);
    }
    let output = |id: &str, text: &str| json!({"type": "function_call_output", "call_id": id, "output": text});
    scene.writes(&output("c1", "exec command rejected by user"));
    scene.hook("SessionEnd", &json!({"reason": "other"}));
    assert_eq!(scene.project.names(), ["rejection", "exec_command: interrupted", "session_end"]);
}

#[test]
fn a_tool_without_an_exit_code_leaves_none_open() {
    let scene = Scene::new();
    scene.hook(
        "PostToolUse",
        &json!({"tool_name": "view_image", "tool_input": {"path": "a"}, "tool_use_id": "c1", "tool_response": ""}),
    );
    scene.call("PostToolUse", "c2");
    let tags: Vec<_> = scene.project.entries().into_iter().map(|entry| entry.metadata.tags).collect();
    assert_eq!(tags, [None, Some(vec!["outcome-unknown".into()])]);
}
