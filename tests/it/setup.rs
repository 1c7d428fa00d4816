//! `annals setup` and `annals access`, from outside.

use serde_json::Value;

use crate::program::Project;

#[test]
fn setup_check_and_remove_leave_no_trace() {
    let files =
        [("claude-code", ".claude/settings.json"), ("codex", ".codex/hooks.json"), ("gemini", ".gemini/settings.json")];
    for (agent, file) in files {
        let project = Project::new();
        let before = "{\n    \"theirs\": [1, 2],\n    \"hooks\": {\n        \"Stop\": [\n            {\"hooks\": []}\n        ]\n    }\n}\n";
        project.write(file, before);
        assert_eq!(project.annals(["setup", agent, "--check"], "").code, Some(1), "{agent}");
        let run = project.annals(["setup", agent], "");
        assert_eq!(run.code, Some(0), "{run:?}");
        assert_eq!(project.annals(["setup", agent, "--check"], "").code, Some(0), "{agent}");
        let text = project.read(file);
        assert!(project.annals(["setup", agent], "").stdout.contains("already call"), "{agent}");
        assert_eq!(project.read(file), text, "{agent}: a second time changes nothing");
        assert_eq!(project.annals(["setup", agent, "--print"], "").stdout, text);
        assert_eq!(project.annals(["setup", agent, "--remove"], "").code, Some(0));
        assert_eq!(project.read(file), before, "{agent}");
    }
}

#[test]
fn a_file_that_only_we_wrote_is_gone_again() {
    let project = Project::new();
    project.annals(["setup", "codex", "--user"], "");
    let path = project.path().join("home/.codex/hooks.json");
    let settings: Value = serde_json::from_str(&std::fs::read_to_string(&path).expect("read")).expect("JSON");
    assert_eq!(settings.as_object().map(serde_json::Map::len), Some(1), "Codex takes no other key beside hooks");
    assert_eq!(settings["hooks"]["PreToolUse"][0]["hooks"][0]["command"], "annals hook codex");
    project.annals(["setup", "codex", "--user", "--remove"], "");
    assert!(!path.exists());
}

#[test]
fn hooks_in_two_places_are_warned_of() {
    let project = Project::new();
    assert!(!project.annals(["setup", "codex", "--user"], "").stderr.contains("twice"));
    assert!(project.annals(["setup", "codex"], "").stderr.contains("twice"));
    project.annals(["setup", "codex", "--remove"], "");
    assert!(!project.annals(["setup", "codex", "--user"], "").stderr.contains("twice"));
}

#[test]
fn each_agent_is_told_what_else_it_takes() {
    let project = Project::new();
    let said = |agent: &str| project.annals(["setup", agent], "").stderr;
    assert!(said("codex").contains("only when you trust it"));
    assert!(said("gemini").contains("only its documented schema is at hand"));
    assert!(said("claude-code").contains("annals is not on the PATH"));
    let bare = Project::bare();
    assert!(bare.annals(["setup", "claude-code"], "").stderr.contains("there is no .context here"));
}

#[test]
fn settings_with_comments_are_not_touched() {
    let project = Project::new();
    let before = "{\n  // mine\n  \"a\": 1\n}\n";
    project.write(".gemini/settings.json", before);
    for deed in [&["setup", "gemini"][..], &["setup", "gemini", "--remove"], &["setup", "gemini", "--check"]] {
        let run = project.annals(deed, "");
        assert_eq!((run.code, run.stdout.as_str()), (Some(3), ""));
        assert!(run.stderr.contains("not plain JSON (line 2, column 3), so nothing was changed"), "{run:?}");
    }
    assert_eq!(project.read(".gemini/settings.json"), before);
}

#[test]
fn only_fail_closed_blocks_and_only_before_a_call() {
    let project = Project::new();
    let file = ".claude/settings.json";
    project.annals(["setup", "claude-code"], "");
    assert!(!project.read(file).contains("onFailure"));
    project.annals(["config", "set", "hook.fail_closed", "true"], "");
    let run = project.annals(["setup", "claude-code", "--check"], "");
    assert!(run.stdout.contains("PreToolUse\tdiffers"), "{run:?}");
    project.annals(["setup", "claude-code"], "");
    let settings: Value = serde_json::from_str(&project.read(file)).expect("JSON");
    for (event, groups) in settings["hooks"].as_object().expect("an object") {
        let blocks = groups[0]["hooks"][0].get("onFailure").is_some();
        assert_eq!(blocks, event == "PreToolUse", "{event}");
    }
}

#[test]
fn access_answers_with_its_exit_code_and_records_nothing() {
    let project = Project::new();
    let ask = |path: &str, more: &[&str]| {
        let arguments = [&["access", path], more].concat();
        project.annals(arguments, "").code
    };
    assert_eq!(ask(".context/memory/a", &["--as", "coder"]), Some(0));
    assert_eq!(ask(".context/memory/a", &["--as", "coder", "--write"]), Some(1));
    assert_eq!(ask(".context/scratchpad/../history/a", &["--as", "coder", "--write"]), Some(1));
    assert_eq!(ask(".context/tools/a", &["--as", "coder", "--execute"]), Some(0));
    assert_eq!(ask(".context/history/a", &["--write"]), Some(1), "not even the user");
    assert_eq!(ask("src/main.rs", &["--as", "coder", "--write"]), Some(0));
    assert_eq!(project.entries(), []);
    let run = project.annals(["access", ".context/memory/a", "--as", "coder", "--write", "--json"], "");
    let answer: Value = serde_json::from_str(&run.stdout).expect("JSON");
    assert_eq!((answer["allowed"].clone(), answer["path"].clone()), (Value::Bool(false), "memory/a".into()));
}

#[test]
fn the_user_gives_and_takes_rights() {
    let project = Project::new();
    let may_write = || project.annals(["access", ".context/memory/a", "--as", "coder", "--write"], "").code == Some(0);
    let refused = project.annals(["access", "grant", "memory", "--to", "coder", "--as", "coder"], "");
    assert_eq!(refused.code, Some(1), "{refused:?}");
    assert_eq!(project.annals(["access", "grant", ".context/memory", "--to", "coder"], "").code, Some(0));
    assert!(may_write());
    assert_eq!(project.annals(["access", "revoke", "memory", "--from", "coder"], "").code, Some(0));
    assert!(!may_write());
    assert_eq!(project.annals(["access", "revoke", "memory", "--from", "coder"], "").code, Some(1));
    assert_eq!(project.annals(["access", "grant", "history", "--to", "coder"], "").code, Some(1));
}
