//! `annals setup` and `annals access`, from outside.

mod guide;

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

/// The command that the project's settings hold for an event.
fn shared_command(project: &Project, agent: &str, file: &str, event: &str) -> String {
    assert_eq!(project.annals(["setup", agent], "").code, Some(0));
    let settings: Value = serde_json::from_str(&project.read(file)).expect("JSON");
    let handler = &settings["hooks"][event][0]["hooks"][0];
    assert_eq!(handler.get("args"), None, "a shell is to run it");
    handler["command"].as_str().expect("a command").to_owned()
}

/// Who shares the project and has no annals notices nothing; who has it gets the payload as it came.
#[test]
fn a_teams_hook_is_silent_where_annals_is_missing() {
    use std::os::unix::fs::PermissionsExt;
    let files = [
        ("claude-code", ".claude/settings.json", "PreToolUse"),
        ("codex", ".codex/hooks.json", "PreToolUse"),
        ("gemini", ".gemini/settings.json", "BeforeTool"),
    ];
    let payload = "{\"a\": \"é $HOME `x` \\\\ '\"}\r\n\n no end";
    for (agent, file, event) in files {
        let project = Project::new();
        let line = shared_command(&project, agent, file, event);
        let (empty, full) = (project.path().join("empty"), project.path().join("full"));
        project.write("empty/README", "");
        project.write("full/annals", "#!/bin/sh\n/bin/cat > \"$OUT\"\necho \"$@\"\nexit 7\n");
        std::fs::set_permissions(full.join("annals"), std::fs::Permissions::from_mode(0o755)).expect("set");
        let run = |path: &std::path::Path| {
            let mut command = std::process::Command::new("/bin/sh");
            command.args(["-c", &line]).env_clear().env("PATH", path).env("OUT", project.path().join("out"));
            command.stdin(std::process::Stdio::piped()).stdout(std::process::Stdio::piped());
            command.stderr(std::process::Stdio::piped());
            crate::program::run(command, payload)
        };
        let missing = run(&empty);
        assert_eq!((missing.code, &*missing.stdout, &*missing.stderr), (Some(0), "", ""), "{agent}");
        let there = run(&full);
        assert_eq!((there.code, there.stdout), (Some(7), format!("hook {agent}\n")), "{agent}: {}", there.stderr);
        assert_eq!(project.read("out"), payload, "{agent}");
    }
}

/// The person's own settings are no team's, and start the program as before.
#[test]
fn setup_says_whose_settings_it_changes() {
    let files = [
        ("claude-code", ".claude/settings.local.json"),
        ("codex", "home/.codex/hooks.json"),
        ("gemini", "home/.gemini/settings.json"),
    ];
    for (agent, file) in files {
        let project = Project::new();
        let local = project.annals(["setup", agent, "--local"], "");
        assert!(local.code == Some(0) && local.stderr.contains("is yours alone"), "{local:?}");
        let text = project.read(file);
        assert!(text.contains("annals") && !text.contains("command -v"), "{text}");
        let shared = project.annals(["setup", agent], "");
        assert!(shared.stderr.contains("goes with the project: who shares it through git shares"), "{shared:?}");
        assert!(shared.stderr.contains(&format!("`annals setup {agent} --local`")), "{shared:?}");
        assert!(shared.stderr.contains("be recorded twice"), "{shared:?}");
        assert_eq!(project.annals(["setup", agent, "--local", "--remove"], "").code, Some(0));
        assert!(!project.path().join(file).exists());
    }
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
    assert!(said("gemini").contains("folders that you trust"));
    assert!(said("claude-code").contains("annals is not on the PATH"));
    let bare = Project::bare();
    assert!(bare.annals(["setup", "claude-code"], "").stderr.contains("there is no .context here"));
}

#[test]
fn settings_that_are_not_json_are_not_touched() {
    let project = Project::new();
    let before = "{\n  'a': 1\n}\n";
    project.write(".gemini/settings.json", before);
    for deed in [&["setup", "gemini"][..], &["setup", "gemini", "--remove"], &["setup", "gemini", "--check"]] {
        let run = project.annals(deed, "");
        assert_eq!((run.code, run.stdout.as_str()), (Some(3), ""));
        assert!(run.stderr.contains("not JSON (line 2, column 3), so nothing was changed"), "{run:?}");
    }
    assert_eq!(project.read(".gemini/settings.json"), before);
}

#[test]
fn comments_in_settings_survive_setup_and_its_removal() {
    let project = Project::new();
    let before = "{\n  // mine\n  \"a\": 1, // about a\n}\n";
    project.write(".gemini/settings.json", before);
    for deed in [&["setup", "gemini"][..], &["setup", "gemini", "--check"], &["setup", "gemini", "--remove"]] {
        assert_eq!(project.annals(deed, "").code, Some(0), "{deed:?}");
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

/// Decision 51: said in a line, chosen by an option, changed later; what a person wrote stays.
#[test]
fn init_says_what_goes_into_git() {
    let project = Project::bare();
    let made = project.annals(["init"], "nothing\n");
    assert_eq!(made.code, Some(0));
    assert!(made.stdout.contains("into git goes the whole history"), "nobody is asked who cannot answer: {made:?}");
    let template = project.read(".context/.gitignore");
    project.write(".context/.gitignore", &format!("{template}/mine/\n"));
    let nothing = project.annals(["init", "--git", "nothing"], "");
    assert!(nothing.stdout.contains("into git goes nothing of the history"), "{nothing:?}");
    assert!(nothing.stderr.contains("`git rm -r --cached .context/history` untracks it"), "{nothing:?}");
    let ignored = project.read(".context/.gitignore");
    assert!(
        ignored.starts_with(&template) && ignored.contains("/mine/\n") && ignored.contains("\n/history/\n/issues/\n"),
        "{ignored}"
    );
    assert_eq!(project.annals(["init", "--git", "nothing"], "").code, Some(0));
    assert_eq!(project.read(".context/.gitignore"), ignored, "a second time changes nothing");
    let json = project.annals(["init", "--json"], "");
    assert!(json.stdout.contains("\"git\":\"nothing\""), "{json:?}");
    let all = project.annals(["init", "--git", "all"], "");
    assert!(all.stdout.contains("into git goes the whole history"), "{all:?}");
    assert_eq!(project.read(".context/.gitignore"), format!("{template}/mine/\n"));
    assert_eq!(project.annals(["init", "--git", "some"], "").code, Some(2));
    let fresh = Project::bare();
    assert!(fresh.annals(["init", "--git", "nothing"], "").stdout.contains("nothing of the history"));
    assert!(fresh.read(".context/.gitignore").contains("\n/history/\n"));
}

/// The template of an older version hid what is pushed. Where somebody changed it, `doctor` says which line it should be.
#[test]
fn an_older_template_is_brought_up_to_date_where_nobody_changed_it() {
    const OLDER: &str =
        "history/*.jsonl merge=union text eol=lf -diff\nhistory/blobs/** binary\nhistory/archive/** binary\n";
    let project = Project::new();
    let current = project.read(".context/.gitattributes");
    assert!(current.contains("linguist-generated") && !current.contains("-diff"), "{current}");
    let mine = format!("{OLDER}*.md text\n");
    project.write(".context/.gitattributes", &mine);
    project.annals(["init"], "");
    assert_eq!(project.read(".context/.gitattributes"), mine);
    let doctor = project.annals(["doctor"], "");
    assert!(doctor.stdout.contains("note  git: .gitattributes says `-diff`: nobody sees what is pushed"), "{doctor:?}");
    project.write(".context/.gitattributes", OLDER);
    assert!(project.annals(["init"], "").stdout.contains("made"));
    assert_eq!(project.read(".context/.gitattributes"), current);
}

fn git(folder: &std::path::Path, arguments: &[&str]) -> String {
    let mut git = std::process::Command::new("git");
    git.current_dir(folder).args(["-c", "user.name=a", "-c", "user.email=a@annals.test"]).args(arguments);
    git.env("HOME", folder).env("GIT_CONFIG_NOSYSTEM", "1");
    String::from_utf8(git.output().expect("git runs").stdout).expect("text")
}

#[test]
fn settings_that_are_the_persons_alone_stay_out_of_git() {
    let project = Project::new();
    git(project.path(), &["init", "-q"]);
    let before = project.read(".git/info/exclude");
    let local = |more: &[&str]| project.annals([&["setup", "claude-code", "--local"], more].concat(), "");
    assert!(local(&[]).stderr.contains("info/exclude keeps it out of git now"));
    assert!(project.read(".git/info/exclude").ends_with("\n/.claude/settings.local.json\n"));
    git(project.path(), &["add", "--all"]);
    assert_eq!(git(project.path(), &["ls-files", ".claude"]), "");
    let after = project.read(".git/info/exclude");
    assert!(local(&[]).stderr.contains("settings.local.json is yours alone\n"));
    assert_eq!(project.read(".git/info/exclude"), after, "a second time changes nothing");
    assert!(local(&["--remove"]).stderr.contains("says nothing of"));
    assert_eq!(project.read(".git/info/exclude"), before);
    project.write(".gitignore", "*.local.json\n");
    assert!(local(&[]).stderr.contains("settings.local.json is yours alone\n"));
    assert_eq!(project.read(".git/info/exclude"), before, "git ignores it already");
    git(project.path(), &["add", "--force", ".claude"]);
    assert!(local(&[]).stderr.contains("git has "));
}

#[test]
fn in_a_work_tree_and_below_the_top_the_clones_own_rules_keep_settings_out() {
    let outer = Project::bare();
    outer.write("main/a [1]/x", "x");
    let main = outer.path().join("main");
    for arguments in
        [&["init", "-q"][..], &["add", "--all"], &["commit", "-qm", "x"], &["worktree", "add", "-q", "../other"]]
    {
        git(&main, arguments);
    }
    assert_eq!(outer.annals(["init", "--context", "other/a [1]/.context"], "").code, Some(0));
    let run = outer.annals(["--context", "other/a [1]/.context", "setup", "claude-code", "--local"], "");
    assert!(run.stderr.contains("main/.git/info/exclude keeps it out"), "{run:?}");
    git(&outer.path().join("other"), &["add", "--all"]);
    assert!(!git(&outer.path().join("other"), &["ls-files"]).contains("settings.local.json"));
}

#[test]
fn rules_of_git_behind_a_link_are_not_changed_and_it_is_said() {
    let project = Project::new();
    git(project.path(), &["init", "-q"]);
    project.write("out", "theirs\n");
    std::fs::remove_file(project.path().join(".git/info/exclude")).expect("removed");
    std::os::unix::fs::symlink("../../out", project.path().join(".git/info/exclude")).expect("linked");
    let run = project.annals(["setup", "claude-code", "--local"], "");
    assert!(run.code == Some(0) && run.stderr.contains("git takes it along until it is ignored"), "{run:?}");
    assert_eq!(project.read("out"), "theirs\n");
}

#[test]
fn settings_with_a_key_twice_are_not_touched() {
    let project = Project::new();
    let stop = r#""Stop":[]"#;
    for (text, key) in [
        (format!("{{\"hooks\":{{}},\"a\":1,\"a\":2,\"hooks\":{{{stop}}}}}\n"), "key hooks twice"),
        (format!("{{\"hooks\":{{{stop},{stop}}}}}\n"), "key hooks.Stop twice"),
    ] {
        project.write(".claude/settings.json", &text);
        for deed in [&[][..], &["--remove"], &["--check"], &["--print"]] {
            let run = project.annals([&["setup", "claude-code"], deed].concat(), "");
            assert!(run.code == Some(3) && run.stderr.contains(key), "{run:?}");
        }
        assert_eq!(project.read(".claude/settings.json"), text);
    }
    project.write(".claude/settings.json", "{\"a\":1,\"a\":2}\n");
    assert_eq!(project.annals(["setup", "claude-code"], "").code, Some(0));
}

/// A project whose repository brought links out of it, and a folder beside it.
fn with_links() -> (Project, std::path::PathBuf) {
    use std::os::unix::fs::symlink;
    let outer = Project::bare();
    let (project, out) = (outer.path().join("p"), outer.path().join("out"));
    for folder in [&project, &project.join(".claude"), &project.join(".gemini"), &out] {
        std::fs::create_dir(folder).expect("made");
    }
    std::fs::write(out.join("other.json"), "{\"other\":\"program\"}").expect("written");
    symlink("../../out/new.json", project.join(".claude/settings.json")).expect("linked");
    symlink("../../out/local.json", project.join(".claude/settings.local.json")).expect("linked");
    symlink("../out", project.join(".codex")).expect("linked");
    symlink("../../out/other.json", project.join(".gemini/settings.json")).expect("linked");
    assert_eq!(outer.annals(["init", "--context", "p/.context"], "").code, Some(0));
    (outer, project)
}

#[test]
fn settings_that_a_repository_made_links_are_refused_and_nothing_outside_changes() {
    let (outer, project) = with_links();
    let cases = [
        (&["claude-code"][..], ".claude/settings.json"),
        (&["claude-code", "--local"], ".claude/settings.local.json"),
        (&["codex"], ".codex"),
        (&["gemini"], ".gemini/settings.json"),
    ];
    for (agent, link) in cases {
        let named = format!("{} is a symbolic link", project.join(link).display());
        for deed in [&[][..], &["--check"], &["--print"], &["--remove"]] {
            let run = outer.annals([&["--context", "p/.context", "setup"], agent, deed].concat(), "");
            assert_eq!(run.code, Some(3), "{agent:?} {deed:?}: {run:?}");
            assert!(run.stderr.contains(&named) && run.stderr.contains("remove it"), "{run:?}");
        }
    }
    let doctor = outer.annals(["--context", "p/.context", "doctor"], "");
    assert!(doctor.stdout.contains("hooks of gemini: cannot read") && doctor.stdout.contains("is a symbolic link"));
    let names = std::fs::read_dir(outer.path().join("out")).expect("a folder").count();
    assert_eq!((names, &*outer.read("out/other.json")), (1, "{\"other\":\"program\"}"));
}

/// The person's own links are followed: settings that are kept elsewhere stay there.
#[test]
fn settings_that_a_person_linked_in_the_home_are_followed() {
    let project = Project::new();
    project.write("kept/settings.json", "{}\n");
    std::os::unix::fs::symlink("../kept", project.path().join("home/.claude"))
        .or_else(|_| {
            std::fs::create_dir(project.path().join("home"))?;
            std::os::unix::fs::symlink("../kept", project.path().join("home/.claude"))
        })
        .expect("linked");
    assert_eq!(project.annals(["setup", "claude-code", "--user"], "").code, Some(0));
    assert!(project.read("kept/settings.json").contains("annals"));
}

#[test]
fn settings_nested_too_deeply_or_too_large_are_named_and_stop_nothing() {
    let project = Project::new();
    let nested = |depth: usize| format!("{{\"a\":{}{}}}", "[".repeat(depth), "]".repeat(depth));
    let cases = [(nested(1000), "brackets in each other"), (nested(400_000), "brackets in each other")];
    for (text, said) in cases.into_iter().chain([(" ".repeat(1 << 21), "at most 1048576")]) {
        project.write(".claude/settings.json", &text);
        let setup = project.annals(["setup", "claude-code"], "");
        assert!(setup.code == Some(3) && setup.stderr.contains(said), "{setup:?}");
        assert!(setup.stderr.contains(".claude/settings.json"), "{setup:?}");
        let doctor = project.annals(["doctor"], "");
        assert_eq!(doctor.code, Some(1));
        assert!(doctor.stdout.contains(said) && doctor.stdout.contains("hooks of gemini: not installed"), "{doctor:?}");
        assert_eq!(project.read(".claude/settings.json"), text);
    }
}
