//! Trajectories of our own, and what becomes of them.

use insta::assert_snapshot;

use super::import;
use crate::testing::Collected;
use crate::{ImportError, PassedOver};

const STEPS: &str = r#"
    {"action": "open a.py\n", "observation": "[File: a.py]", "response": "Look.\n```\nopen a.py\n```", "state": "{}", "thought": "Look.\n"},
    {"action": "edit 1:1\nx\nend_of_edit", "observation": "Your proposed edit has introduced new syntax error(s). Try again.\n\nERRORS:", "response": "", "thought": "", "execution_time": 0.25},
    {"action": "", "observation": "Your output was not formatted correctly.", "response": "I am done.", "thought": ""},
    {"action": "submit", "observation": null, "response": "", "thought": ""}"#;

const HISTORY: &str = r#"
    {"role": "system", "content": "rules", "agent": "primary"},
    {"role": "user", "content": "an example", "is_demo": true, "agent": "primary"},
    {"role": "user", "content": "fix a.py", "agent": "primary"},
    {"role": "assistant", "content": "Look.", "thought": "Look.\n", "action": "open a.py\n", "agent": "primary"},
    {"role": "user", "content": "[File: a.py]\nbash-$", "agent": "primary"},
    {"role": "assistant", "content": "", "agent": "primary", "tool_calls": [
        {"id": "c1", "type": "function", "function": {"name": "edit", "arguments": "{\"path\":\"a.py\"}"}},
        {"id": "c2", "type": "function", "function": {"name": "bash", "arguments": "{\"command\":\"ls\"}"}}]},
    {"role": "tool", "content": [{"type": "text", "text": "a.py"}], "tool_call_ids": ["c2"], "agent": "primary"},
    {"role": "tool", "content": "edited", "tool_call_ids": ["c1"], "agent": "primary"},
    {"role": "assistant", "content": "I submit.", "action": "submit", "agent": "primary"}"#;

const INFO: &str = r#"{"exit_status": "submitted", "submission": "diff", "model_stats": {"instance_cost": 0.5, "tokens_sent": 100, "tokens_received": 10, "api_calls": 3}}"#;

fn run(text: &str) -> Collected {
    Collected::of(import, "some/folder/task.traj", text)
}

#[test]
fn the_trajectory_tells_the_run_and_the_history_the_task() {
    let sink =
        run(&format!(r#"{{"environment": "main", "trajectory": [{STEPS}], "history": [{HISTORY}], "info": {INFO}}}"#));
    assert_snapshot!(sink.lines(), @r#"
    00:00.000Z swe-agent system_event session_start {"tool":"swe-agent","native_id":"a8175b9277329b12ad54a02999868979","environment":"main"}
    00:01.000Z swe-agent agent_message thinking {"text":"Look."}
    00:01.500Z swe-agent tool_call run {"command":"open a.py"} output="[File: a.py]" files=a.py
    00:02.500Z swe-agent tool_call run {"command":"edit 1:1\nx\nend_of_edit"} output="Your proposed edit has introduced new syntax error(s). Try again.\n\nERRORS:" ms=250 error=Your proposed edit has introduced new syntax error(s). Try again.
    00:03.000Z swe-agent agent_message message {"text":"I am done."}
    00:04.500Z swe-agent tool_call run {"command":"submit"}
    00:00.003Z user user_input prompt {"text":"fix a.py"}
    00:05.000Z swe-agent system_event session_end {"reason":"submitted","submission":"diff"} usage={"requests":3,"input":100,"output":10,"cost_micro_usd":500000}
    "#);
    assert_eq!((sink.passed(PassedOver::Example), sink.passed(PassedOver::Injected)), (1, 1));
    assert_eq!(sink.passed(PassedOver::Copy), 6);
    let source = &sink.drafts[1].source;
    assert_eq!((&*source.record, source.time.as_deref(), source.line), ("step/1/thinking", Some("synthetic"), None));
}

#[test]
fn a_demonstration_is_told_by_its_history() {
    let sink = run(&format!(r#"{{"history": [{HISTORY}]}}"#));
    assert_snapshot!(sink.lines(), @r#"
    00:00.000Z swe-agent system_event session_start {"tool":"swe-agent","native_id":"0662307a2f417f749a12085e117945d0"}
    00:00.003Z user user_input prompt {"text":"fix a.py"}
    00:01.000Z swe-agent agent_message thinking {"text":"Look."}
    00:01.500Z swe-agent tool_call run {"command":"open a.py"} output="[File: a.py]\nbash-$" files=a.py
    00:02.500Z swe-agent tool_call bash {"command":"ls"} output=[{"type": "text", "text": "a.py"}]
    00:02.500Z swe-agent tool_call edit {"path":"a.py"} output="edited" files=a.py
    00:03.000Z swe-agent agent_message message {"text":"I submit."}
    "#);
    assert_eq!(sink.passed(PassedOver::Unanswered), 1);
}

#[test]
fn the_end_of_the_run_ends_what_has_no_result() {
    let sink = run(&format!(r#"{{"history": [{HISTORY}], "info": {INFO}}}"#));
    let last: Vec<_> = sink.lines().lines().rev().take(2).map(str::to_owned).collect();
    assert_snapshot!(last.join("\n"), @r#"
    00:04.000Z swe-agent system_event session_end {"reason":"submitted","submission":"diff"} usage={"requests":3,"input":100,"output":10,"cost_micro_usd":500000}
    00:04.000Z swe-agent tool_call run {"command":"submit"} error=interrupted
    "#);
}

#[test]
fn a_run_that_goes_on_gives_the_entries_it_had_and_its_tokens_only_at_the_end() {
    let first = r#"{"action": "ls", "observation": "a", "thought": ""}"#;
    let second = r#"{"action": "pwd", "observation": "/", "thought": ""}"#;
    let stats = r#"{"model_stats": {"tokens_sent": 100}}"#;
    let short = run(&format!(r#"{{"trajectory": [{first}], "info": {stats}}}"#));
    let long = run(&format!(r#"{{"trajectory": [{first}, {second}], "info": {INFO}}}"#));
    assert_eq!(long.drafts[..short.drafts.len()], short.drafts);
    assert!(short.usage().is_zero());
    assert_eq!((long.usage().input, long.usage().cost_micro_usd), (100, 500_000));
}

#[test]
fn a_run_is_known_by_its_environment_its_file_and_its_first_step_but_not_by_its_folder() {
    let text = r#"{"environment": "e", "trajectory": [{"action": "ls", "observation": "a"}]}"#;
    let session = |file: &str, text: &str| Collected::of(import, file, text).drafts[0].source.session.clone();
    assert_eq!(session("x/a.traj", text), session("a.traj", text));
    assert_ne!(session("b.traj", text), session("a.traj", text));
    assert_ne!(session("a.traj", &text.replace("ls", "pwd")), session("a.traj", text));
}

#[test]
fn a_document_without_steps_is_refused() {
    let refused = import(&"a.json".into(), &mut &b"{\"messages\": []}"[..], &mut Collected::default());
    assert!(matches!(refused, Err(ImportError::WrongKind { .. })));
}
