//! Calls that would write inside `.context`.

use serde_json::{Value, json};

use super::{Agent, HookAnswer, Project, went_on};
use crate::domain::access::command::Grant;
use crate::domain::access::{self};
use crate::engine::By;
use crate::kernel::json::Json;

fn reason(answer: HookAnswer) -> String {
    match answer {
        HookAnswer::Deny(reason) => reason,
        HookAnswer::Go
        | HookAnswer::Tell(_)
        | HookAnswer::Context { .. }
        | HookAnswer::Block(_)
        | HookAnswer::Ask(_)
        | HookAnswer::Fail => panic!("it went on"),
    }
}

fn write(project: &Project, path: &str) -> Value {
    json!({
        "session_id": "s1", "cwd": project.path(), "hook_event_name": "PreToolUse", "tool_name": "Write",
        "tool_input": {"file_path": path, "content": "x"}, "tool_use_id": "toolu_1",
    })
}

#[test]
fn a_call_that_would_write_the_history_is_refused_and_both_are_recorded() {
    let project = Project::new();
    let outcome = project.hook(Agent::ClaudeCode, &write(&project, ".context/history/2026-11-21.jsonl"));
    assert_eq!(outcome.problem, None);
    let reason = reason(outcome.answer);
    assert!(reason.starts_with("annals: claude-code may not write history/2026-11-21.jsonl"), "{reason}");
    let entries = project.entries();
    let names: Vec<_> = entries.iter().map(|entry| &*entry.operation.name).collect();
    assert_eq!(names, ["access.path.attempt", "denial"]);
    assert_eq!(entries[0].session_id, entries[1].session_id);
    assert_eq!(entries[1].provenance.parent_entry_id, Some(entries[0].id));
    assert_eq!(entries[0].provenance.agent_id, Some("claude-code".into()));
    assert!(entries[1].operation.success, "a refusal is no failure");
    assert_eq!(project.open_calls(), 0, "it never began");
}

#[test]
fn every_way_into_the_folder_is_looked_at() {
    let refused = [
        "echo x >> .context/history/a.jsonl",
        "cat > .context/memory/note.md <<'E'\nx\nE",
        "sed -i s/a/b/ .context/config.toml",
        "cd .context && rm -f local/lock",
        "rm -rf .context",
        "rm -rf .",
        "mv .context /tmp/elsewhere",
        "bash -c 'echo x | tee .context/history/a'",
        "find .context -name '*.jsonl' -delete",
        "cp x .context/history/",
        "true && (cd src; cd ..; touch ./.context/history/../history/a)",
    ];
    let allowed = [
        "cat .context/history/*.jsonl | jq .", "grep -r x .context > /tmp/found",
        "echo x > .context/scratchpad/note.md", "cd .context/scratchpad && touch a", "rm -rf target",
        "echo '> .context/history/a'", "git commit -m 'rm .context/history'",
    ];
    for (commands, is_refused) in [(&refused[..], true), (&allowed[..], false)] {
        for command in commands {
            let project = Project::new();
            let payload = json!({
                "session_id": "s1", "cwd": project.path(), "hook_event_name": "PreToolUse", "tool_name": "Bash",
                "tool_input": {"command": command}, "tool_use_id": "toolu_1",
            });
            let outcome = project.hook(Agent::ClaudeCode, &payload);
            assert_eq!(matches!(outcome.answer, HookAnswer::Deny(_)), is_refused, "{command}: {outcome:?}");
        }
    }
}

#[test]
fn a_link_into_the_folder_does_not_help() {
    let project = Project::new();
    std::os::unix::fs::symlink(".context", project.path().join("notes")).expect("linked");
    let outcome = project.hook(Agent::ClaudeCode, &write(&project, "notes/history/a.jsonl"));
    assert!(reason(outcome.answer).contains("history/a.jsonl"));
}

#[test]
fn a_granted_folder_may_be_written() {
    let project = Project::new();
    let payload = write(&project, ".context/memory/trees.md");
    assert!(reason(project.hook(Agent::ClaudeCode, &payload).answer).contains("memory is read-only"));
    let grant = access::Command::from(Grant { agent: "claude-code".into(), folder: "memory".into() });
    let by = By::new("user", "access");
    let answer = project.engine().decide(grant, &Json::empty_object(), &by).expect("decided");
    assert_eq!(answer.refusal, None);
    assert!(went_on(&project.hook(Agent::ClaudeCode, &payload)));
}

#[test]
fn the_history_is_closed_even_when_nobody_can_be_asked() {
    let project = Project::new();
    project.configure("[hook]\nlock_wait_ms = 5\n");
    let lock = crate::log::disk::Disk::lock(&crate::log::disk::RealDisk, &project.context().join("local/lock"));
    let closed = project.hook(Agent::ClaudeCode, &write(&project, ".context/history/a.jsonl"));
    assert!(closed.problem.is_some());
    assert!(reason(closed.answer).contains(".context/history is for Annals alone"));
    let readable = project.hook(Agent::ClaudeCode, &write(&project, ".context/memory/a.md"));
    assert!(went_on(&readable), "somebody may have been let in: {readable:?}");
    drop(lock);
    project.hook(Agent::ClaudeCode, &super::event("Notification"));
    project.hook(Agent::ClaudeCode, &super::event("UserPromptSubmit"));
    assert_eq!(project.names(), ["denial", "prompt"]);
}

#[test]
fn other_agents_are_refused_in_their_own_words() {
    let project = Project::new();
    let patch = "*** Begin Patch\n*** Update File: .context/history/a.jsonl\n*** End Patch";
    let codex = json!({
        "session_id": "s1", "cwd": project.path(), "hook_event_name": "PreToolUse", "tool_name": "apply_patch",
        "tool_input": {"command": patch}, "tool_use_id": "call_1",
    });
    assert!(reason(project.hook(Agent::Codex, &codex).answer).starts_with("annals: codex may not write"));
    let gemini = json!({
        "session_id": "s1", "cwd": project.path(), "hook_event_name": "BeforeTool", "tool_name": "write_file",
        "tool_input": {"file_path": project.context().join("history/a"), "content": ""},
    });
    assert!(reason(project.hook(Agent::Gemini, &gemini).answer).starts_with("annals: gemini-cli may not write"));
}
