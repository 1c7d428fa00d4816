//! Runs that go on in the background: how the start of one is told from its end, and to which run a look belongs.
//!
//! What a run came to is told by the last look at it. Reads texts as Claude Code, Codex and Copilot write them.

use serde_json::Value;

/// What tools print before the name of a run that goes on.
const STARTS: [&str; 5] = [
    "running in background with id:", "running in the background with id:", "process running with session id",
    "started in background with id:", "<backgroundtaskid>",
];

/// Arguments that name a run at which a call looks.
const NAMES: [&str; 6] = ["bash_id", "shell_id", "task_id", "session_id", "shellId", "taskId"];

/// How a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RunEnd {
    /// As it should.
    Well,
    /// With this exit code, or -1 where none is told.
    Badly(i64),
}

/// The name of the run that a call began and left running, by what the call printed.
pub fn begun(printed: &str) -> Option<&str> {
    let lower = printed.to_ascii_lowercase();
    let behind = STARTS.iter().find_map(|start| Some(lower.find(start)? + start.len()))?;
    let name = printed[behind..].trim_start();
    let end = name.find(|letter: char| !letter.is_alphanumeric() && !matches!(letter, '_' | '-')).unwrap_or(name.len());
    Some(&name[..end]).filter(|name| !name.is_empty())
}

/// Whether a line may tell of a run that was begun: cheap, and wrong only in that it says yes too often.
pub fn may_begin(line: &[u8]) -> bool {
    [&b"ackground"[..], b"running with session"].iter().any(|part| memchr::memmem::find(line, part).is_some())
}

/// The run at which a call looks, by its arguments.
pub fn looked_at(arguments: &Value) -> Option<String> {
    let named = NAMES.iter().find_map(|name| arguments.get(name))?;
    match named {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => None,
    }
}

/// How a run ended, by what a look at it printed; nothing while it goes on.
pub fn ended(printed: &str) -> Option<RunEnd> {
    const CODES: [&str; 4] = ["<exit_code>", "process exited with code ", "exited with exit code ", "\"exitcode\":"];
    let lower = printed.to_ascii_lowercase();
    let code = CODES.iter().find_map(|words| number(&lower[lower.find(words)? + words.len()..]));
    if let Some(code) = code {
        return Some(if code == 0 { RunEnd::Well } else { RunEnd::Badly(code) });
    }
    if lower.contains("<status>completed</status>") {
        return Some(RunEnd::Well);
    }
    ["<status>failed</status>", "<status>killed</status>"]
        .iter()
        .any(|status| lower.contains(status))
        .then_some(RunEnd::Badly(-1))
}

fn number(text: &str) -> Option<i64> {
    let text = text.trim_start();
    let end = text.find(|letter: char| !letter.is_ascii_digit() && letter != '-').unwrap_or(text.len());
    text[..end].parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn the_start_of_a_run_is_told_from_its_end() {
        for (printed, name) in [
            ("Command running in background with ID: bash_1. Output is written to: /x", Some("bash_1")),
            ("Chunk ID: a\nWall time: 1 s\nProcess running with session ID 4711\nOutput:\n", Some("4711")),
            ("Process exited with code 0\nOutput:\nok", None),
            ("it is running in the background", None),
            ("", None),
        ] {
            assert_eq!(begun(printed), name, "{printed}");
            assert!(name.is_none() || may_begin(printed.as_bytes()), "{printed}");
        }
        for (printed, end) in [
            ("<status>completed</status>\n\n<exit_code>0</exit_code>", Some(RunEnd::Well)),
            ("<status>failed</status>\n\n<exit_code>101</exit_code>", Some(RunEnd::Badly(101))),
            ("<status>running</status>\n<stdout>x</stdout>", None),
            ("<status>killed</status>", Some(RunEnd::Badly(-1))),
            ("Process exited with code 3\nOutput:\n", Some(RunEnd::Badly(3))),
            ("Process running with session ID 4711", None),
        ] {
            assert_eq!(ended(printed), end, "{printed}");
        }
    }

    #[test]
    fn a_look_names_its_run() {
        for (arguments, name) in [
            (json!({ "bash_id": "bash_1" }), Some("bash_1")),
            (json!({ "task_id": "b7", "block": true }), Some("b7")),
            (json!({ "session_id": 4711, "chars": "" }), Some("4711")),
            (json!({ "command": "ls" }), None),
        ] {
            assert_eq!(looked_at(&arguments).as_deref(), name, "{arguments}");
        }
    }
}
