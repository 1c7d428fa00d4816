//! `annals blame` and `annals why` on real repositories: commits, names, branches, and a repository that means harm.
//!
//! Whose a line is by what calls did is told in `crates/blame`; here it is what the program makes of it.

use std::process::Command;

use serde_json::{Value, json};

use crate::program::Project;

/// A project under git, with an empty `.context` that git does not have.
fn repository() -> Project {
    let project = Project::bare();
    git(&project, 0, &["init", "-q", "-b", "main"]);
    assert_eq!(project.annals(["init", "--git", "nothing"], "").code, Some(0));
    project
}

/// Runs git so many minutes after the beginning.
fn git(project: &Project, minute: u32, arguments: &[&str]) {
    let mut git = Command::new("git");
    git.current_dir(project.path())
        .args(arguments)
        .env_clear()
        .env("HOME", project.path())
        .env("GIT_CONFIG_NOSYSTEM", "1");
    git.env("PATH", "/usr/local/bin:/usr/bin:/bin");
    for who in ["AUTHOR", "COMMITTER"] {
        git.env(format!("GIT_{who}_DATE"), format!("2026-11-21T00:{minute:02}:00Z"));
        git.env(format!("GIT_{who}_NAME"), "A").env(format!("GIT_{who}_EMAIL"), "a@example.org");
    }
    let output = git.output().expect("git runs");
    assert!(output.status.success(), "git {arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
}

fn commit(project: &Project, minute: u32) {
    git(project, minute, &["add", "--all"]);
    git(project, minute, &["commit", "-q", "-m", "work"]);
}

/// A session of Claude Code with a prompt and a call, so many minutes after the beginning, in a folder.
fn session(project: &Project, minute: u32, folder: &str, tool: &str, input: &Value) {
    let record = |kind: &str, id: &str, second: u32, message: Value| {
        json!({
            "type": kind, "uuid": format!("{id}{minute}"), "sessionId": format!("s{minute}"), "cwd": folder, "version": "2.1.0",
            "timestamp": format!("2026-11-21T00:{minute:02}:{second:02}.000Z"), "message": message,
        })
    };
    let call = json!([{ "type": "tool_use", "id": format!("t{minute}"), "name": tool, "input": input }]);
    let result = json!([{ "type": "tool_result", "tool_use_id": format!("t{minute}"), "content": "done" }]);
    let records = [
        record("user", "u", 1, json!({ "role": "user", "content": format!("Prompt of minute {minute}") })),
        record(
            "assistant",
            "a",
            2,
            json!({ "role": "assistant", "id": format!("m{minute}"), "model": "m-1", "content": call }),
        ),
        record("user", "r", 3, json!({ "role": "user", "content": result })),
    ];
    let lines: String = records.iter().flat_map(|record| [record.to_string(), "\n".to_owned()]).collect();
    let name = format!("home/s{minute}.jsonl");
    project.write(&name, &lines);
    let run = project.annals(["import", "claude-code", &name], "");
    assert_eq!(run.code, Some(0), "{}", run.stderr);
}

fn edit(project: &Project, minute: u32, old: &str, new: &str) {
    let folder = project.path().to_string_lossy().into_owned();
    let input = json!({ "file_path": format!("{folder}/src/a.rs"), "old_string": old, "new_string": new });
    session(project, minute, &folder, "Edit", &input);
    let text = project.read("src/a.rs").replace(old, new);
    project.write("src/a.rs", &text);
}

/// For each line the minute of its prompt, or a dot.
fn blamed(project: &Project, words: &str) -> String {
    let answer: Value = serde_json::from_str(&project.done(&format!("blame {words} --json"))).expect("JSON");
    let calls = answer["calls"].as_array().expect("calls");
    let minute = |call: &Value| {
        let call = calls.iter().find(|one| one["entry"] == *call).expect("a call that is told");
        call["prompt"]["text"].as_str().expect("a prompt").rsplit(' ').next().expect("a minute").to_owned()
    };
    let lines = answer["lines"].as_array().expect("lines").iter();
    lines
        .map(|line| if line["call"].is_null() { ".".to_owned() } else { minute(&line["call"]) })
        .collect::<Vec<_>>()
        .join(" ")
}

fn worked() -> Project {
    let project = repository();
    project.write(".gitignore", "home\n");
    project.write("src/a.rs", "first\nsecond\n");
    commit(&project, 1);
    edit(&project, 2, "first\n", "first\nof the call\n");
    commit(&project, 3);
    edit(&project, 4, "second\n", "second, mended\n");
    project.write("src/a.rs", &(project.read("src/a.rs") + "of a person\n"));
    project
}

#[test]
fn each_line_has_its_call_across_commits_and_in_the_work_tree() {
    let project = worked();
    assert_eq!(blamed(&project, "src/a.rs"), ". 2 4 .");
    assert_eq!(blamed(&project, "src/a.rs:2-3"), "2 4");
    assert_eq!(blamed(&project, "src/a.rs --rev HEAD"), ". 2 .");
    assert_eq!(blamed(&project, "src/a.rs --rev HEAD~1"), ". .");
    commit(&project, 5);
    git(&project, 6, &["mv", "src/a.rs", "src/b.rs"]);
    commit(&project, 6);
    assert_eq!(blamed(&project, "src/b.rs"), ". 2 4 .");
    let of_line = project.done("blame src/b.rs:2");
    for said in ["src/b.rs:2  of the call", "claude-code", "Prompt of minute 2", " Edit"] {
        assert!(of_line.contains(said), "{said} is not in {of_line}");
    }
}

#[test]
fn what_cannot_be_told_is_said() {
    let project = worked();
    for (words, said) in [
        ("blame src/none.rs", "there is no file src/none.rs"),
        ("blame src/a.rs:9", "src/a.rs has 4 lines"),
        ("blame src/a.rs:0", "lines are counted from 1"),
        ("blame ../a.rs", "lies outside the project"),
        ("blame src/a.rs --rev none", "none names no commit here"),
    ] {
        let run = project.annals(words.split(' '), "");
        assert_ne!(run.code, Some(0), "{words}");
        assert!(run.stderr.contains(said), "{words}: {}", run.stderr);
    }
    session(
        &project,
        8,
        "/elsewhere/copy",
        "Write",
        &json!({ "file_path": "/elsewhere/copy/src/a.rs", "content": "of a person\n" }),
    );
    let run = project.annals(["blame", "src/a.rs"], "");
    assert!(run.stderr.contains("1 call of sessions that ran in another folder"), "{}", run.stderr);
    assert_eq!(blamed(&project, "src/a.rs"), ". 2 4 .");
}

#[test]
fn a_branch_that_is_left_takes_its_lines_along() {
    let project = worked();
    commit(&project, 5);
    git(&project, 6, &["switch", "-q", "-c", "side", "HEAD~1"]);
    edit(&project, 7, "first\n", "first\nof the side\n");
    commit(&project, 8);
    git(&project, 9, &["switch", "-q", "main"]);
    assert_eq!(blamed(&project, "src/a.rs"), ". 2 4 .");
    let typed = project.read("src/a.rs").replace("first\n", "first\nof the side\n");
    project.write("src/a.rs", &typed);
    assert_eq!(blamed(&project, "src/a.rs"), ". . 2 4 .", "a person typed what the other branch has");
    git(&project, 10, &["checkout", "-q", "--", "src/a.rs"]);
    git(&project, 11, &["merge", "-q", "--no-edit", "side"]);
    assert_eq!(blamed(&project, "src/a.rs"), ". 7 2 4 .");
}

#[test]
fn a_commit_and_a_file_name_their_sessions() {
    let project = worked();
    commit(&project, 5);
    let answer =
        |words: &str| -> Value { serde_json::from_str(&project.done(&format!("why {words} --json"))).expect("JSON") };
    let commit = answer("HEAD");
    assert_eq!((&commit["added"], &commit["unknown"]), (&json!(2), &json!(1)));
    assert_eq!(commit["sessions"][0]["prompts"][0]["prompt"]["text"], "Prompt of minute 4");
    assert_eq!(commit["files"], json!([{ "file": "src/a.rs", "added": 2, "by_agents": 1 }]));
    let file = answer("src/a.rs");
    let texts: Vec<_> =
        file["sessions"].as_array().expect("sessions").iter().map(|one| &one["prompts"][0]["prompt"]["text"]).collect();
    assert_eq!(texts, ["Prompt of minute 4", "Prompt of minute 2"]);
    assert_eq!((&file["lines"], &file["unknown"]), (&json!(4), &json!(2)));
}

#[test]
fn a_file_that_is_gone_names_its_sessions() {
    let project = worked();
    commit(&project, 5);
    let texts = |words: &str| -> Vec<Value> {
        let file: Value = serde_json::from_str(&project.done(&format!("why {words} --json"))).expect("JSON");
        assert_eq!((&file["file"], &file["lines"], &file["unknown"]), (&json!("src/a.rs"), &Value::Null, &json!(0)));
        file["sessions"]
            .as_array()
            .expect("sessions")
            .iter()
            .map(|one| one["prompts"][0]["prompt"]["text"].clone())
            .collect()
    };
    std::fs::remove_file(project.path().join("src/a.rs")).expect("removed");
    for words in ["src/a.rs", "./src/a.rs"] {
        assert_eq!(texts(words), ["Prompt of minute 4", "Prompt of minute 2"], "not committed, {words}");
    }
    commit(&project, 6);
    assert_eq!(texts("src/a.rs"), ["Prompt of minute 4", "Prompt of minute 2"], "committed");
    let never = project.annals(["why", "src/never.rs"], "");
    assert_ne!(never.code, Some(0));
    assert!(never.stderr.contains("no line stands behind src/never.rs"), "{}", never.stderr);
}

/// What stands in a repository's configuration may name programs.
#[test]
fn nothing_of_a_repository_is_run() {
    let project = worked();
    commit(&project, 5);
    project.write("home/evil", "#!/bin/sh\ntouch \"$HOME/ran\"\n");
    let path = project.path().join("home/evil");
    std::fs::set_permissions(&path, std::os::unix::fs::PermissionsExt::from_mode(0o755)).expect("set");
    let path = path.to_string_lossy().into_owned();
    for key in [
        "core.fsmonitor", "diff.external", "diff.x.textconv", "diff.x.command", "filter.x.smudge", "core.pager",
        "gpg.program",
    ] {
        git(&project, 6, &["config", key, &path]);
    }
    git(&project, 6, &["config", "log.showSignature", "true"]);
    project.write(".git/info/attributes", "* diff=x filter=x\n");
    for words in ["blame src/a.rs", "blame src/a.rs --rev HEAD~1", "why HEAD", "why src/a.rs"] {
        project.done(words);
    }
    assert!(!project.path().join("home/ran").exists());
}
