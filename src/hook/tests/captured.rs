//! Payloads and schemas of real programs, where `ANNALS_HOOK_DATA` says that they are at hand; our answers always.

use std::path::PathBuf;

use serde_json::Value;

use super::{Agent, HookAnswer, Project};

/// The folder of captured payloads, if this machine has it.
#[expect(clippy::disallowed_methods, clippy::print_stdout, reason = "a test that looks for data of this machine")]
fn data() -> Option<PathBuf> {
    let folder = std::env::var_os("ANNALS_HOOK_DATA").map(PathBuf::from).filter(|folder| folder.is_dir());
    if folder.is_none() {
        println!("skipped: ANNALS_HOOK_DATA names no folder");
    }
    folder
}

#[test]
fn captured_runs_make_the_entries_that_they_should() {
    let Some(data) = data() else { return };
    let spoken = ["session_start", "prompt"];
    let cases = [
        (Agent::ClaudeCode, "claude-code-2.1.329/success", "Bash"),
        (Agent::ClaudeCode, "claude-code-2.1.329/failure", "Bash: Exit code 3"),
        (Agent::ClaudeCode, "claude-code-2.1.329/denied", "denial"),
        (Agent::Codex, "codex-0.169.0/success", "exec_command"),
        (Agent::Codex, "codex-0.169.0/failure", "exec_command"),
    ];
    for (agent, file, call) in cases {
        let project = Project::new();
        let text = std::fs::read_to_string(data.join(file).with_extension("jsonl")).expect("captured payloads");
        for line in text.lines() {
            let outcome = project.hook(agent, &serde_json::from_str(line).expect("JSON"));
            assert!(super::went_on(&outcome), "{file}: {outcome:?}");
        }
        let expected: Vec<_> = spoken.into_iter().chain([call, "message", "session_end"]).collect();
        assert_eq!(project.names(), expected, "{file}");
        assert_eq!(project.open_calls(), 0, "{file}");
    }
}

/// As much of JSON Schema as the schemas of Codex use.
fn fits(value: &Value, schema: &Value, root: &Value) -> Result<(), String> {
    if let Some(name) = schema["$ref"].as_str() {
        let name = name.rsplit('/').next().unwrap_or_default();
        return fits(value, &root["definitions"][name], root);
    }
    for part in schema["allOf"].as_array().into_iter().flatten() {
        fits(value, part, root)?;
    }
    if let Some(options) = schema["enum"].as_array()
        && !options.contains(value)
    {
        return Err(format!("{value} is none of {options:?}"));
    }
    if let Some(only) = schema.get("const")
        && only != value
    {
        return Err(format!("{value} is not {only}"));
    }
    let is_type = |name: &Value| match name.as_str().unwrap_or_default() {
        "object" => value.is_object(),
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "null" => value.is_null(),
        other => panic!("the type {other} is not known to this test"),
    };
    let types = schema.get("type");
    if !types.is_none_or(|types| types.as_array().map_or_else(|| is_type(types), |all| all.iter().any(is_type))) {
        return Err(format!("{value} is not of type {types:?}"));
    }
    let Some(members) = value.as_object() else { return Ok(()) };
    for (key, member) in members {
        match schema["properties"].get(key) {
            Some(property) => fits(member, property, root)?,
            None if schema["additionalProperties"] == Value::Bool(false) => {
                return Err(format!("{key} is not allowed"));
            }
            None => {}
        }
    }
    let missing = schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str);
    let mut missing = missing.filter(|key| !members.contains_key(*key));
    missing.next().map_or(Ok(()), |key| Err(format!("{key} is missing")))
}

#[test]
fn codex_accepts_every_answer() {
    let Some(data) = data() else { return };
    let answer = |answer: &HookAnswer| {
        serde_json::from_str::<Value>(&Agent::Codex.write(answer).unwrap_or_else(|| "{}".to_owned())).expect("JSON")
    };
    let (go, tell) = (answer(&HookAnswer::Go), answer(&HookAnswer::Tell("a word".to_owned())));
    let deny = answer(&HookAnswer::Deny("because".to_owned()));
    let mut count = 0;
    for entry in std::fs::read_dir(data.join("codex-schemas")).expect("schemas") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if !name.ends_with(".output.json") {
            continue;
        }
        let schema: Value = serde_json::from_slice(&std::fs::read(&path).expect("read")).expect("JSON");
        let all = [Some(&go), Some(&tell), Some(&deny).filter(|_| name.starts_with("pre-tool-use"))];
        for value in all.into_iter().flatten() {
            assert_eq!(fits(value, &schema, &schema), Ok(()), "{name}: {value}");
        }
        count += 1;
    }
    assert!(count >= 10, "only {count} schemas");
}

#[test]
fn the_check_itself_refuses_what_codex_refuses() {
    let schema = serde_json::json!({
        "type": "object", "additionalProperties": false, "required": ["a"],
        "properties": {"a": {"allOf": [{"$ref": "#/definitions/A"}]}, "b": {"const": "x"}},
        "definitions": {"A": {"enum": ["deny"], "type": "string"}},
    });
    let fits = |text: &str| fits(&serde_json::from_str(text).expect("JSON"), &schema, &schema).is_ok();
    assert!(fits(r#"{"a": "deny", "b": "x"}"#));
    for bad in [r#"{"a": "ask"}"#, r#"{"a": 1}"#, r"{}", r#"{"a": "deny", "c": 1}"#, r#"{"a": "deny", "b": "y"}"#, "[]"]
    {
        assert!(!fits(bad), "{bad}");
    }
}

#[test]
fn a_denial_is_written_as_each_agent_reads_it() {
    let deny = HookAnswer::Deny("no \"quotes\"".to_owned());
    let claude = Agent::ClaudeCode.write(&deny).expect("an answer");
    assert_eq!(
        claude,
        r#"{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"no \"quotes\""}}"#
    );
    assert_eq!(Agent::Codex.write(&deny), Some(claude));
    let gemini = Agent::Gemini.write(&deny).expect("an answer");
    assert_eq!(gemini, r#"{"decision":"deny","reason":"no \"quotes\""}"#);
    let copilot = Agent::Copilot.write(&deny).expect("an answer");
    assert_eq!(copilot, r#"{"permissionDecision":"deny","permissionDecisionReason":"no \"quotes\""}"#);
    for agent in Agent::ALL {
        assert_eq!(agent.write(&HookAnswer::Go), None);
        assert_eq!(agent.write(&HookAnswer::Fail), None);
    }
}
