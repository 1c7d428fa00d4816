//! Settings before and after.

use proptest::prelude::*;
use serde_json::{Value, json};
use std::path::Path;

use super::*;

fn plan(agent: Agent) -> Plan {
    let (on_failure, readers) = (OnFailure::Continue, Readers::Person);
    Plan { agent, program: "annals".to_owned(), on_failure, readers, through: None }
}

fn settings(text: &str) -> Settings {
    Settings { file: SettingsFile::of_person("settings.json".into()), text: Some(text.to_owned()) }
}

fn pretty(value: &Value) -> String {
    format!("{}\n", serde_json::to_string_pretty(value).expect("JSON"))
}

#[test]
fn what_is_there_stays_as_it_is() {
    let before = r#"{
    "model": "opus",   "permissions": {"allow": ["Bash(ls:*)"]},
    "hooks": {
        "PreToolUse": [
            {"matcher": "Bash", "hooks": [{"type": "command", "command": "./mine.sh"}]}
        ]
    }
}"#;
    let after = settings(before).with(&plan(Agent::ClaudeCode)).expect("put in");
    insta::assert_snapshot!(after.lines().take(22).collect::<Vec<_>>().join("\n"), @r#"
    {
        "model": "opus",   "permissions": {"allow": ["Bash(ls:*)"]},
        "hooks": {
            "PreToolUse": [
                {"matcher": "Bash", "hooks": [{"type": "command", "command": "./mine.sh"}]},
                {
                    "hooks": [
                        {
                            "type": "command",
                            "command": "annals",
                            "args": [
                                "hook",
                                "claude-code"
                            ],
                            "timeout": 10
                        }
                    ]
                }
            ],
            "SessionStart": [
                {
                    "hooks": [
    "#);
    let removed = settings(&after).without(Agent::ClaudeCode).expect("taken out");
    assert_eq!(removed.as_deref(), Some(before));
}

#[test]
fn a_second_time_changes_nothing() {
    for agent in Agent::ALL {
        let once = settings("{\n  \"a\": 1\n}\n").with(&plan(agent)).expect("put in");
        assert_eq!(settings(&once).with(&plan(agent)).expect("put in"), once);
        let standing = settings(&once).standing(&plan(agent)).expect("read");
        assert!(standing.iter().all(|(_, standing)| *standing == HooksStanding::Installed), "{standing:?}");
    }
}

#[test]
fn what_another_configuration_put_there_is_renewed_in_its_place() {
    let open = settings("{}").with(&plan(Agent::ClaudeCode)).expect("put in");
    let closed =
        Plan { on_failure: OnFailure::Block, program: "/opt/my tools/annals".to_owned(), ..plan(Agent::ClaudeCode) };
    let standing = settings(&open).standing(&closed).expect("read");
    assert!(standing.iter().all(|(_, standing)| *standing == HooksStanding::Differs));
    let renewed = settings(&open).with(&closed).expect("put in");
    assert_eq!(renewed.matches("onFailure").count(), 1);
    assert_eq!(settings(&renewed).with(&plan(Agent::ClaudeCode)).expect("put in"), open);
    let codex = Plan { agent: Agent::Codex, ..closed };
    let quoted = settings("{}").with(&codex).expect("put in");
    assert!(quoted.contains("\"'/opt/my tools/annals' hook codex\""), "{quoted}");
    assert_eq!(settings(&quoted).without(Agent::Codex).expect("taken out"), None);
}

fn team(agent: Agent) -> Plan {
    Plan { readers: Readers::Team, ..plan(agent) }
}

/// Of every older form, too: what the program itself put there it takes out again.
#[test]
fn both_forms_are_known_for_ours() {
    for agent in Agent::ALL {
        let (own, shared) = (plan(agent), team(agent));
        let before = settings("{}").with(&own).expect("put in");
        assert!(
            settings(&before)
                .standing(&shared)
                .expect("read")
                .iter()
                .all(|(_, standing)| *standing == HooksStanding::Differs)
        );
        let after = settings(&before).with(&shared).expect("put in");
        // Where a hook that fails stops the agent, the shell stays to go on.
        let run = if agent.is_stopped_by_failure() { "" } else { "exec " };
        let line = format!("command -v annals >/dev/null 2>&1 || exit 0; {run}annals hook {}", agent.name());
        assert_eq!(after.matches(&line).count(), shared.events().len());
        assert_eq!(settings(&after).with(&shared).expect("put in"), after);
        for text in [before, after] {
            assert_eq!(settings(&text).without(agent).expect("taken out"), None);
        }
        let spaced = Plan { program: "/opt/my tools/annals".to_owned(), ..shared };
        let text = settings("{}").with(&spaced).expect("put in");
        let quoted = "'/opt/my tools/annals'";
        assert!(text.contains(&format!("command -v {quoted} >/dev/null 2>&1 || exit 0; {run}{quoted} hook")));
        assert_eq!(settings(&text).without(agent).expect("taken out"), None);
    }
}

#[test]
fn a_line_that_only_looks_like_ours_stays() {
    let theirs = [
        "command -v annals >/dev/null 2>&1 || exit 0; exec annals-fork hook codex",
        "command -v annals >/dev/null 2>&1 || exit 0; exec sh -c 'annals hook codex'",
        "echo x; command -v annals >/dev/null 2>&1 || exit 0; exec annals hook codex",
        "annals hook codex && ./guard.sh",
        "annals hook codex; rm x",
    ];
    for line in theirs {
        let text = pretty(&json!({"hooks": {"Stop": [{"hooks": [{"type": "command", "command": line}]}]}}));
        assert_eq!(settings(&text).without(Agent::Codex).expect("read"), Some(text));
    }
}

#[test]
fn only_ours_is_taken_out_and_only_for_this_agent() {
    let theirs = json!({"hooks": {"Stop": [
        {"hooks": [
            {"type": "command", "command": "annals-fork hook codex"},
            {"type": "command", "command": "/usr/bin/annals hook codex --loud"},
            {"type": "command", "command": "echo annals hook codex"},
        ]},
        {"hooks": [{"type": "command", "command": "annals hook claude-code"}]},
    ]}});
    let left = settings(&pretty(&theirs)).without(Agent::Codex).expect("taken out").expect("something is left");
    let commands: Vec<_> = left.lines().filter(|line| line.contains("\"command\":")).map(str::trim).collect();
    assert_eq!(
        commands,
        [
            "\"command\": \"annals-fork hook codex\",",
            "\"command\": \"echo annals hook codex\",",
            "\"command\": \"annals hook claude-code\",",
        ]
    );
}

#[test]
fn settings_of_another_shape_are_refused() {
    let refused = |text: &str| settings(text).with(&plan(Agent::Gemini)).expect_err("refused").to_string();
    assert_eq!(refused("{\n  'a': 1\n}"), "settings.json is not JSON (line 2, column 3), so nothing was changed");
    assert_eq!(refused("// only a comment"), "settings.json: it is not an object, so nothing was changed");
    assert_eq!(refused("[]"), "settings.json: it is not an object, so nothing was changed");
    assert_eq!(refused("{\"hooks\": []}"), "settings.json: hooks is not an object, so nothing was changed");
    assert_eq!(
        refused("{\"hooks\": {\"AfterTool\": {}}}"),
        "settings.json: hooks.AfterTool is not a list, so nothing was changed"
    );
}

/// What the agents read and plain JSON is not, and every layout that people have.
#[test]
fn comments_and_layout_come_back_byte_for_byte() {
    let texts = [
        "// top\n{\n  // mine\n  \"a\": 1, // about a\n  /* b */ \"b\": [1, [2, [3, /* 4 */],],],\n  // last\n}\n// end\n",
        "{ // nothing yet\n}\n",
        "{\r\n\t\"a\": [\r\n\t\t[1, 2],\r\n\t\t[],\r\n\t],\r\n}\r\n",
        "{\n\t\"hooks\": { // none yet\n\t},\n\t\"z\": 1\n}",
        "{\n  \"hooks\": {\n    \"Stop\": [\n      // nothing yet\n    ], // stop\n    // more?\n  }\n}",
        "{\n  \"hooks\": {\n    \"SessionStart\": [\n      {\"hooks\": [{\"type\": \"command\", /* x */ \"command\": \"x\"}]}, // x\n    ],\n  },\n}",
        "{\"a\": 1, /* one line */}",
    ];
    for (text, agent) in texts.iter().flat_map(|text| Agent::ALL.map(|agent| (*text, agent))) {
        let after = settings(text).with(&plan(agent)).expect("put in");
        let standing = settings(&after).standing(&plan(agent)).expect("read");
        assert!(standing.iter().all(|(_, standing)| *standing == HooksStanding::Installed), "{after}");
        assert_eq!(settings(&after).with(&plan(agent)).expect("put in"), after);
        assert_eq!(settings(&after).without(agent).expect("taken out").as_deref(), Some(text), "{after}");
    }
}

#[test]
fn nothing_is_taken_out_where_nothing_of_ours_is() {
    for text in ["{}", "{ /* mine */ }", "{ \"hooks\": {} }", "{\"hooks\":{\"Stop\":[]}}"] {
        assert_eq!(settings(text).without(Agent::Codex).expect("read").as_deref(), Some(text));
    }
}

#[test]
fn a_persons_links_and_permissions_stay() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let folder = tempfile::tempdir().expect("a folder");
    let (real, link) = (folder.path().join("kept.json"), folder.path().join("settings.json"));
    std::fs::write(&real, "{}").expect("written");
    std::fs::set_permissions(&real, std::fs::Permissions::from_mode(0o600)).expect("set");
    symlink(&real, &link).expect("linked");
    let read = Settings::read(SettingsFile::of_person(link.clone())).expect("read");
    read.store(Some(&read.with(&plan(Agent::Codex)).expect("put in"))).expect("written");
    assert!(std::fs::symlink_metadata(&link).expect("there").is_symlink());
    assert_eq!(std::fs::metadata(&real).expect("there").permissions().mode() & 0o777, 0o600);
    assert!(std::fs::read_to_string(&real).expect("read").contains("annals hook codex"));
    assert_eq!(std::fs::read_dir(folder.path()).expect("a folder").count(), 2);
}

#[test]
fn in_a_project_no_link_is_followed_for_reading_writing_or_removing() {
    use std::os::unix::fs::symlink;
    let folder = tempfile::tempdir().expect("a folder");
    let (project, out) = (folder.path().join("p"), folder.path().join("out"));
    std::fs::create_dir_all(project.join(".gemini")).expect("made");
    std::fs::create_dir(&out).expect("made");
    std::fs::write(out.join("other.json"), "{\"other\": 1}").expect("written");
    symlink("../../out/other.json", project.join(".gemini/settings.json")).expect("linked");
    symlink("../out", project.join(".codex")).expect("linked");
    for (name, link) in [(".gemini/settings.json", ".gemini/settings.json"), (".codex/hooks.json", ".codex")] {
        let file = SettingsFile::in_project(&project, Path::new(name));
        let named = format!("{} is a symbolic link", project.join(link).display());
        let refused = Settings::read(file.clone()).expect_err("refused").to_string();
        assert!(refused.contains(&named) && refused.contains("remove it"), "{refused}");
        // Whoever puts the link there between reading and writing gains nothing.
        let raced = Settings { file, text: Some("{}".to_owned()) };
        let stored = raced.store(Some("{\"ours\": 1}")).expect_err("refused").to_string();
        assert!(stored.contains(&named), "{stored}");
        let _ = raced.store(None);
    }
    assert_eq!(std::fs::read_to_string(out.join("other.json")).expect("there"), "{\"other\": 1}");
    assert_eq!(std::fs::read_dir(&out).expect("a folder").count(), 1);
}

/// Settings as people have them, without empty objects and lists: those would not come back.
fn somebodys_settings() -> impl Strategy<Value = Value> {
    let scalar = prop_oneof!["[a-z\"\\\\{}\\[\\],:é ]{0,8}".prop_map(Value::from), any::<i32>().prop_map(Value::from)];
    let tree = scalar.prop_recursive(3, 16, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 1..4).prop_map(Value::from),
            prop::collection::btree_map("[a-z.]{1,6}", inner, 1..4)
                .prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    });
    let handler = "[a-z ]{1,9}".prop_map(|command| json!({"type": "command", "command": command, "timeout": 5}));
    let group = prop::collection::vec(handler, 1..3).prop_map(|hooks| json!({"matcher": "Bash", "hooks": hooks}));
    let event = prop::sample::select(vec!["PreToolUse", "Stop", "SessionStart", "BeforeTool", "Elsewhere"]);
    let hooks = prop::collection::btree_map(event.prop_map(String::from), prop::collection::vec(group, 1..3), 0..4);
    (prop::collection::btree_map("[a-z]{1,6}", tree, 1..4), hooks).prop_map(|(members, hooks)| {
        let mut root: serde_json::Map<String, Value> = members.into_iter().collect();
        root.remove("hooks");
        if !hooks.is_empty() {
            root.insert("hooks".to_owned(), json!(hooks));
        }
        if root.is_empty() { json!({ "a": 1 }) } else { Value::Object(root) }
    })
}

proptest! {
    #[test]
    fn setup_and_remove_give_back_the_bytes(value in somebodys_settings(), which in 0..3usize, shared in any::<bool>()) {
        let agent = Agent::ALL[which];
        let plan = if shared { team(agent) } else { plan(agent) };
        let before = pretty(&value);
        let after = settings(&before).with(&plan).expect("put in");
        let mut expected: Value = serde_json::from_str(&after).expect("JSON");
        prop_assert!(settings(&after).standing(&plan).expect("read").iter().all(|(_, s)| *s == HooksStanding::Installed));
        prop_assert_eq!(settings(&after).without(agent).expect("taken out"), Some(before.clone()));
        // The agent's own view: nothing of what was there has changed.
        for (key, old) in value.as_object().expect("an object").iter().filter(|(key, _)| *key != "hooks") {
            prop_assert_eq!(expected.as_object_mut().expect("an object").remove(key), Some(old.clone()));
        }
    }
}

#[test]
fn copilot_has_a_file_of_its_own_without_groups() {
    let plan = team(Agent::Copilot);
    // There is no file yet.
    let none = Settings { text: None, ..settings("") };
    let text = none.with(&plan).expect("put in");
    let read: Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(read["version"], 1);
    let handler = &read["hooks"]["preToolUse"][0];
    assert_eq!((&handler["type"], &handler["timeoutSec"]), (&"command".into(), &10.into()));
    let line = handler["bash"].as_str().expect("a line");
    assert!(line.ends_with("; annals hook copilot preToolUse || exit 0"), "{line}");
    assert_eq!(settings(&text).without(Agent::Copilot).expect("taken out"), None, "the file goes");
    let theirs = r#"{"version": 1, "hooks": {"preToolUse": [{"type": "command", "bash": "lint"}]}}"#;
    let both = settings(theirs).with(&plan).expect("put in");
    let left = settings(&both).without(Agent::Copilot).expect("taken out").expect("theirs");
    assert_eq!(
        serde_json::from_str::<Value>(&left).expect("JSON"),
        serde_json::from_str::<Value>(theirs).expect("JSON")
    );
}

#[test]
fn codex_is_asked_for_no_more_time_than_it_gives() {
    let text = settings("{}").with(&plan(Agent::Codex)).expect("put in");
    let read: Value = serde_json::from_str(&text).expect("JSON");
    let timeout = |event: &str| read["hooks"][event][0]["hooks"][0]["timeout"].as_u64();
    assert_eq!((timeout("SessionEnd"), timeout("Interrupt"), timeout("Stop")), (Some(3), Some(3), Some(10)));
}
