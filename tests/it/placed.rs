//! Where a task acts: what it is not told there, and what stays the person's.

use serde_json::json;

use crate::acting::{RUN, Yard, plan, says, understood, writes};
use crate::program::{Project, run};

/// The adversary: by no name, through a link, as evidence of a check, and from git.
#[test]
fn a_file_that_holds_secrets_reaches_no_model_in_another_way() {
    let yard = Yard::new();
    yard.project.write(".env", "NAME=whale-plugh-1\n");
    std::os::unix::fs::symlink(".env", yard.project.path().join("cfg.txt")).expect("linked");
    yard.commits(".env cfg.txt");
    let looks = [
        ("shell", json!({ "command": "grep -rn whale ." })),
        ("shell", json!({ "command": "cat .e''nv; cp .env copy.txt; cat copy.txt" })),
        ("shell", json!({ "command": "git show HEAD:.env; git log -p" })),
        ("read", json!({ "path": "cfg.txt" })),
        ("search", json!({ "pattern": "whale", "path": "cfg.txt" })),
    ];
    let looks = looks.map(|(tool, input)| {
        says("executor", &json!({ "calls": [{ "tool": tool, "input": input }], "done": false, "output": "" }))
    });
    let checks = [
        json!({ "command_output": "grep -rn whale .", "matches": "plugh" }),
        json!({ "file": ".env", "matches": "^NAME=whale-p" }),
        json!({ "file": "hello.txt", "contains": "hello" }),
    ];
    let criteria = checks.map(|check| json!({ "text": "hello.txt holds a greeting", "check": check }));
    let subtask = json!({ "sequence": 1, "intent": "Write hello into hello.txt", "success_criteria": criteria });
    let plan = says("planner", &json!({ "task_criteria": criteria, "subtasks": [subtask] }));
    yard.script(&[&[understood(), plan][..], &looks, &[writes("hello\n")]].concat());
    let ran = yard.annals(RUN);
    assert!(ran.stderr.contains("these hold secrets by their names") && ran.stderr.contains(".env"), "{ran:?}");
    let history: String = yard.project.days().into_values().collect();
    assert!(history.contains("grep -rn whale .") && history.contains("git show HEAD"), "it was tried");
    assert!(!history.contains("plugh-1"), "{history}");
}

/// Law 1, in a folder without git.
#[test]
fn what_the_person_did_meanwhile_is_not_dropped() {
    let yard = Yard::without_git();
    yard.script(&[understood(), plan(), writes("hello\n")]);
    assert_eq!(yard.annals(RUN).code, Some(0));
    yard.project.write("hello.txt", "hello, and mine\n");
    yard.project.write("mine.txt", "mine\n");
    let refused = yard.annals("task drop");
    assert_ne!(refused.code, Some(0), "{refused:?}");
    assert!(refused.stderr.contains("hello.txt;") && refused.stderr.contains("--copy-to"), "{}", refused.stderr);
    assert_eq!(yard.project.read("hello.txt"), "hello, and mine\n");
    let dropped = yard.annals("task drop --copy-to aside");
    assert_eq!(dropped.stdout, "dropped\n", "{dropped:?}");
    assert!(!yard.project.path().join("hello.txt").exists());
    assert_eq!(yard.project.read("aside/hello.txt"), "hello, and mine\n");
    assert_eq!(yard.project.read("mine.txt"), "mine\n");
}

/// What the planner is shown, what tools and checks are given, and where commands begin is one place.
#[test]
fn a_project_within_a_repository_is_worked_in_where_it_lies() {
    let yard = Yard { project: Project::bare(), state: tempfile::tempdir().expect("a folder") };
    yard.git("init -q");
    yard.project.write("sub/inner/notes.txt", "one\n");
    yard.commits("sub");
    let annals = |words: &str| {
        let mut command = yard.command(words);
        command.current_dir(yard.project.path().join("sub/inner"));
        run(command, "")
    };
    assert_eq!(annals("init").code, Some(0));
    let calls = json!([
        { "tool": "edit", "input": { "path": "notes.txt", "old": "one", "new": "two" } },
        { "tool": "shell", "input": { "command": "cat notes.txt > copy.txt" } },
        { "tool": "write", "input": { "path": "hello.txt", "content": "hello\n" } },
    ]);
    let works = says("executor", &json!({ "calls": calls, "done": true, "output": "hello.txt was written." }));
    yard.script(&[understood(), plan(), works]);
    let ran = annals("run --model scripted:../../script.jsonl greeting");
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let applied = annals("task apply");
    assert_eq!(
        applied.stdout, "applied: sub/inner/copy.txt, sub/inner/hello.txt, sub/inner/notes.txt\n",
        "{applied:?}"
    );
    let here = ["copy.txt", "hello.txt", "notes.txt"].map(|name| yard.project.read(&format!("sub/inner/{name}")));
    assert_eq!(here, ["two\n", "hello\n", "two\n"]);
}

#[test]
fn what_git_ignores_and_what_it_is_checked_by_is_said() {
    let yard = Yard::new();
    let works = json!({ "command": "echo done > notes.txt; mkdir home; touch home/a home/b" });
    let calls = json!([{ "tool": "shell", "input": works }]);
    yard.script(&[says("executor", &json!({ "calls": calls, "done": true, "output": "It is done." }))]);
    let mut command = yard.command("run --model scripted:script.jsonl --check");
    command.args(["grep -q done notes.txt", "say that it is done"]);
    let ran = run(command, "");
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let ignored = "not in it: home: new, and git ignores it; files: 2 (home/a, home/b)";
    let own = "changed by the task, and named by its check: notes.txt (grep -q done notes.txt)";
    let diff = yard.annals("task diff --json");
    let shown: serde_json::Value = serde_json::from_str(&diff.stdout).expect("JSON");
    assert_eq!((&shown["left_out"][0]["files"], &shown["own_checks"][0]["path"]), (&json!(2), &json!("notes.txt")));
    for said in [ran, yard.annals("task diff"), yard.annals("task apply")] {
        assert!(said.stderr.contains(ignored) && said.stderr.contains(own), "{said:?}");
    }
}

/// `rm b.*` names nothing that is forbidden: the files tell, in a clone and in a folder without git.
#[test]
fn what_the_person_forbade_to_change_is_held_against_the_files() {
    let removes = || {
        let calls = json!([{ "tool": "shell", "input": { "command": "echo hello > hello.txt; rm n*.txt" } }]);
        says("executor", &json!({ "calls": calls, "done": true, "output": "hello.txt was written." }))
    };
    let wanted = |yard: &Yard| {
        let mut command = yard.command("run --model scripted:script.jsonl");
        command.arg("write hello into hello.txt, and never touch notes.txt");
        run(command, "")
    };
    let yard = Yard::new();
    yard.script(&[understood(), plan(), removes(), plan(), plan(), plan(), writes("hello\n")]);
    let mended = wanted(&yard);
    assert_eq!(mended.code, Some(0), "{mended:?}");
    assert!(mended.stdout.contains("notes.txt stays as it was: the person forbade to change it"), "{mended:?}");
    assert_eq!(yard.annals("task apply").stdout, "applied: hello.txt\n");
    assert_eq!(yard.annals("replay --all").code, Some(0));

    let yard = Yard::without_git();
    let mut lines = vec![understood(), plan(), removes()];
    lines.extend((0..8).flat_map(|_| [plan(), plan(), plan(), writes("hello\n")]));
    yard.script(&lines);
    let given_up = wanted(&yard);
    assert_eq!(given_up.code, Some(1), "{given_up:?}");
    let told = "changed by the task, and forbidden by your words: notes.txt";
    assert!(given_up.stderr.contains(told), "{given_up:?}");
    let shown: serde_json::Value = serde_json::from_str(&yard.annals("task diff --json").stdout).expect("JSON");
    assert_eq!(shown["forbidden"], json!(["notes.txt"]));
    assert_eq!(yard.annals("task drop").code, Some(0));
    assert_eq!(yard.project.read("notes.txt"), "one\n");
}

/// A new clone in the place of one that is gone would be accepted for what was done in the other.
#[test]
fn a_task_whose_work_is_gone_does_not_go_on() {
    let yard = Yard::new();
    let calls = json!([{ "tool": "shell", "input": { "command": "echo hello > hello.txt" } }]);
    yard.script(&[understood(), plan(), says("executor", &json!({ "calls": calls, "done": false }))]);
    assert_eq!(yard.annals(RUN).code, Some(1), "there is no answer left");
    std::fs::remove_dir_all(yard.state.path().join("tasks")).expect("gone");
    yard.script(&[says("executor", &json!({ "calls": [], "done": true, "output": "hello.txt is there." }))]);
    let resumed = yard.annals("run --model scripted:script.jsonl --resume");
    assert_eq!(resumed.code, Some(2), "{resumed:?}");
    assert!(resumed.stderr.contains("has no workspace any more, and what it did is lost with it"), "{resumed:?}");
    let aborted = yard.annals("task abort");
    assert_eq!(aborted.code, Some(0), "{aborted:?}");
    assert_eq!(yard.annals("replay --all").code, Some(0));
}

/// The adversaries of a run in JSON: what the clone does not have, names that are kept, and an end before the end.
#[test]
fn a_run_in_json_begins_with_what_is_missing_and_ends_with_how_it_ended() {
    let answers = |text: &str| -> Vec<serde_json::Value> {
        text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
    };
    let yard = Yard::new();
    yard.git("init -q inner");
    yard.git("-C inner -c user.name=a -c user.email=a@b.c commit -q --allow-empty -m inner");
    yard.commits("inner");
    yard.script(&[]);
    let wanted = |yard: &Yard| {
        let mut command = yard.command("run --json --model scripted:script.jsonl --check");
        command.args(["grep -q done notes.txt", "never touch b.txt, and say that it is done"]);
        run(command, "")
    };
    let stopped = wanted(&yard);
    assert_eq!(stopped.code, Some(1), "{stopped:?}");
    assert!(stopped.stderr.contains("not in the clone: inner: a repository of its own"), "{}", stopped.stderr);
    let said = answers(&stopped.stdout);
    let (first, last) = (&said[0], &said[said.len() - 1]);
    let missing: Vec<_> = first["left_out"].as_array().expect("rows").iter().map(|row| row["path"].clone()).collect();
    assert_eq!(
        (&first["schema"], missing),
        (&json!("annals.run.begun/v1"), vec![json!("inner"), json!("script.jsonl")])
    );
    let task = first["task"].as_str().expect("its id");
    let go_on = format!("annals run --resume {task} --model scripted:script.jsonl");
    let ended = [&last["schema"], &last["end"], &last["reason"], &last["go_on"], &last["left_out"]];
    let expected = [json!("annals.run.end/v1"), json!("stopped"), json!("no_model"), json!(go_on), json!([])];
    assert_eq!(ended, expected.each_ref(), "{last}");
    assert!(last["why"].as_str().is_some_and(|why| why.contains("has no answer left")), "{last}");
    assert_eq!(yard.annals("task abort").code, Some(0));
    for words in ["task list --json", "task show --json"] {
        let told: serde_json::Value = serde_json::from_str(&yard.annals(words).stdout).expect("JSON");
        let task = told["tasks"].get(0).unwrap_or(&told["task"]);
        assert_eq!((&task["phase"], &task["paused"]), (&json!("ended"), &serde_json::Value::Null), "{told}");
    }

    let yard = Yard::new();
    let works = "echo done > notes.txt; mkdir -p sub .GIT; touch sub/.git git~1 .GIT/x";
    let calls = json!([{ "tool": "shell", "input": { "command": works } }]);
    yard.script(&[says("executor", &json!({ "calls": calls, "done": true, "output": "It is done." }))]);
    let ran = wanted(&yard);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let last = answers(&ran.stdout).pop().expect("it ended");
    let applied = answers(&yard.annals("task apply --json").stdout).pop().expect("an answer");
    assert_eq!(
        (&last["end"], &last["directive"], &last["used"]["calls"]),
        (&json!("result"), &json!("accept"), &json!(1))
    );
    assert_eq!((&applied["schema"], &applied["files"]), (&json!("annals.task.apply/v1"), &json!(["notes.txt"])));
    for told in [last, applied] {
        assert_eq!(told["left_out"][0]["names"], json!([".GIT", "git~1", "sub/.git"]), "{told}");
        assert_eq!((&told["own_checks"][0]["path"], &told["forbidden"]), (&json!("notes.txt"), &json!([])), "{told}");
    }
}
