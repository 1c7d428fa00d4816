//! A secret in every field of an entry that holds a text, whichever way the entry comes: no file holds it, and a scrub finds
//! what an earlier version has left there.

use std::path::Path;

use annals::kernel::entry::HistoryEntry;
use serde_json::{Value, json};

use crate::program::Project;

/// A token for each field, in pieces so that no scanner takes this source for a leak.
pub(super) fn token(number: usize) -> String {
    let letters = "k3J9xQ2mV7tR4wZ8bN1cL6yH5dF0sA3gE9uP";
    let (head, tail) = letters.split_at(number % letters.len());
    format!("{}{tail}{head}", ["gh", "p_"].concat())
}

pub(super) fn has(folder: &Path, text: &str) -> bool {
    let files = walkdir::WalkDir::new(folder).into_iter().filter_map(Result::ok);
    let mut texts = files.filter_map(|file| std::fs::read(file.path()).ok());
    texts.any(|bytes| String::from_utf8_lossy(&bytes).contains(text))
}

/// An entry with a text at a path of keys.
fn entry(path: &str, text: &str) -> Value {
    let mut entry = json!({"operation": {"type": "tool_call", "name": "Bash", "input": {}, "success": true}});
    let place = path.split('.').fold(&mut entry, |value, key| &mut value[key]);
    *place = text.into();
    entry
}

const FIELDS: [&str; 14] = [
    "session_id", "project_id", "operation.type", "operation.name", "operation.unknown", "operation.error",
    "provenance.agent_id", "provenance.model_id", "provenance.parent_message_id", "provenance.unknown",
    "metadata.unknown", "extensions.other", "extensions.annals.unknown", "unknown",
];

#[test]
fn no_field_of_a_given_entry_holds_a_secret() {
    let project = Project::new();
    let mut leaked = Vec::new();
    for (number, field) in FIELDS.into_iter().enumerate() {
        let run = project.annals(["record", "--stdin"], &entry(field, &token(number)).to_string());
        assert_eq!(run.code, Some(0), "{field}: {}", run.stderr);
        leaked.extend(has(project.path(), &token(number)).then_some(field));
    }
    for (number, name) in ["kind", "session", "record", "file"].into_iter().enumerate() {
        let mut given = entry("unknown", "1");
        given["extensions"]["annals"]["source"] = json!({"kind": "x", "session": "s", "record": "r", "file": "f"});
        given["extensions"]["annals"]["source"][name] = token(20 + number).into();
        assert_eq!(project.annals(["record", "--stdin"], &given.to_string()).code, Some(0), "{name}");
        leaked.extend(has(project.path(), &token(20 + number)).then_some(name));
    }
    assert_eq!(leaked, Vec::<&str>::new());
    let is_given = |entry: &HistoryEntry| entry.annals.r.is_none();
    let given = project.entries().into_iter().filter(is_given);
    let whole: Vec<_> = given.filter(|entry| entry.metadata.redacted != Some(true)).collect();
    assert_eq!(whole, []);
    assert_eq!(project.annals(["verify"], "").code, Some(0));
}

#[test]
fn of_the_address_of_a_project_only_the_password_goes() {
    let project = Project::new();
    let address = ["https://ann:", "s3cr3tpw@git.annals.test/a/b.git"].concat();
    project.annals(["record", "--stdin"], &entry("project_id", &address).to_string());
    let kept = project.last().project_id.expect("a project");
    assert_eq!(&*kept, "https://ann:[REDACTED_PASSWORD]@git.annals.test/a/b.git");
}

#[test]
fn names_with_a_secret_stay_apart_and_usual_ones_stay_as_they_are() {
    let project = Project::new();
    let session = |name: &str| {
        project.annals(["record", "--type", "note", "--name", "n", "--session", name, "--agent", name], "");
        let entry = project.last();
        let agent = entry.provenance.agent_id.expect("an agent").to_string();
        (entry.session_id.to_string(), agent)
    };
    let (one, other) = (format!("run-{}", token(1)), format!("run-{}", token(2)));
    let (first, second) = (session(&one), session(&other));
    assert!(first.0.starts_with("redacted-") && first.1.starts_with("redacted-"), "{first:?}");
    assert_ne!(first, second);
    assert_eq!(session(&one), first);
    for name in [
        "01M7Y3G61M0000000000000000",
        "b0846297-e746-4b1f-b90c-1fb4c85928e0",
        "claude-code",
        "claude-code/a1b2c3d4",
        "b0846297-e746-4b1f-b90c-1fb4c85928e0/agent-7",
        "toolu_01A09q90qw90lq917835lq9",
        "prompt/0123456789abcdef0123456789abcdef",
        first.0.as_str(),
    ] {
        assert_eq!(session(name), (name.to_owned(), name.to_owned()));
    }
}

#[test]
fn who_decides_is_written_without_a_secret_and_replays() {
    let project = Project::new();
    let actor = token(3);
    let run = project.annals(["issue", "new", "A title", "--as", &actor], "");
    assert!(run.stderr.starts_with("refused: redacted-") && !run.stderr.contains(&actor), "{}", run.stderr);
    let mut session = project.command(["issue", "new", "Another"]);
    session.env("ANNALS_SESSION", token(4));
    assert_eq!(crate::program::run(session, "").code, Some(0));
    assert!(!has(project.path(), &actor) && !has(project.path(), &token(4)));
    let replayed = project.annals(["replay", "--all"], "");
    assert_eq!(replayed.code, Some(0), "{}", replayed.stdout);
}

#[test]
fn no_name_that_a_hook_gives_is_written_with_a_secret() {
    let project = Project::new();
    let mut leaked = Vec::new();
    let fields = ["session_id", "hook_event_name", "model", "prompt_id", "agent_id", "tool_use_id", "cwd"];
    for (agent, base) in [("claude-code", 0), ("codex", 10), ("gemini", 20)] {
        for (number, field) in fields.into_iter().enumerate() {
            let mut payload = json!({
                "session_id": "s1", "hook_event_name": "SessionStart", "source": "startup", "cwd": project.path(),
                "tool_name": "Bash", "tool_input": {"command": "ls"}, "tool_response": {"stdout": "a"}, "prompt": "p",
            });
            match field {
                "prompt_id" => payload["hook_event_name"] = "UserPromptSubmit".into(),
                "tool_use_id" => payload["hook_event_name"] = "PostToolUse".into(),
                _ => {}
            }
            payload[field] = token(base + number).into();
            assert_eq!(project.annals(["hook", agent], &payload.to_string()).code, Some(0));
            leaked.extend(has(project.path(), &token(base + number)).then(|| format!("{agent} {field}")));
        }
    }
    assert_eq!(leaked, Vec::<String>::new());
}

#[test]
fn a_setting_with_a_secret_is_refused_and_patterns_are_not() {
    let project = Project::new();
    let before = project.read(".context/config.toml");
    let files = format!("[\"{}/**\"]", token(5));
    let run = project.annals(["config", "set", "sanitization.excluded_files", &files], "");
    assert_eq!((run.code, run.stderr.contains("looks like a secret")), (Some(2), true), "{}", run.stderr);
    assert!(!run.stderr.contains(&token(5)));
    assert_eq!(project.read(".context/config.toml"), before);
    let patterns = r#"[{"name":"token","pattern":"ghp_[A-Za-z0-9]{36}|password=(\\S+)","replacement":"[X]"}]"#;
    assert_eq!(project.annals(["config", "set", "sanitization.custom_patterns", patterns], "").code, Some(0));
}

/// No rule knows these words, so that they stand there as an earlier version has left them.
#[test]
fn a_scrub_finds_the_value_in_every_field_but_ids() {
    const VALUE: &str = "Quokka 417 lamp";
    let project = Project::new();
    for field in FIELDS.into_iter().filter(|field| *field != "session_id") {
        let given = entry(field, &format!("my {VALUE} one"));
        assert_eq!(project.annals(["record", "--stdin"], &given.to_string()).code, Some(0), "{field}");
    }
    let run = project.annals(["scrub", "--value", VALUE, "--yes"], "");
    assert_eq!((run.code, run.stderr.contains("still there")), (Some(0), false), "{}", run.stderr);
    assert!(!has(&project.context(), VALUE));
    assert_eq!(project.annals(["verify"], "").code, Some(0));
}
