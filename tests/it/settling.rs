//! How tasks end by the program itself: where, in which time, after a kill; and that nothing of a person's is lost by it.

use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};

use crate::acting::{RUN, Yard, plan, says, understood, writes};
use crate::at_work::at_work;
use crate::program::{Run, run};

/// The command in another folder of the same machine.
fn annals_in(yard: &Yard, folder: &Path, words: &str) -> Run {
    let mut command = yard.command(words);
    command.current_dir(folder);
    run(command, "")
}

/// A task that ended well, and wrote hello.txt; gives what was said.
fn ended(yard: &Yard) -> String {
    yard.script(&[understood(), plan(), writes("hello\n")]);
    let ran = yard.annals(RUN);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    ran.stderr
}

fn latest(yard: &Yard) -> String {
    let rows: Value = serde_json::from_str(&yard.annals("task list --json").stdout).expect("JSON");
    rows["tasks"][0]["id"].as_str().expect("an id").to_owned()
}

/// A project's record comes along with a clone, a work tree and a copy; the task's workspace is the first one's.
#[test]
fn nothing_becomes_of_a_task_in_a_clone_a_work_tree_or_a_copy_of_its_project() {
    let yard = Yard::new();
    ended(&yard);
    yard.commits(".context");
    let beside = tempfile::tempdir().expect("a folder");
    let [clone, tree, copy] = ["clone", "tree", "copy"].map(|name| beside.path().join(name));
    yard.git(&format!("clone -q . {}", clone.display()));
    yard.git(&format!("worktree add -q {}", tree.display()));
    let copied = Command::new("cp").arg("-a").arg(yard.project.path()).arg(&copy).status();
    assert!(copied.expect("copied").success());
    let (task, here) = (latest(&yard), yard.project.path().canonicalize().expect("there"));
    for folder in [&clone, &tree, &copy] {
        for word in ["apply", "keep", "drop", "abort"] {
            for words in [format!("task {word}"), format!("task {word} {task}")] {
                let refused = annals_in(&yard, folder, &words);
                assert_eq!(refused.code, Some(2), "{words} {refused:?}");
                let is_named = refused.stderr.contains(&*here.to_string_lossy());
                assert!(is_named || refused.stderr.contains("began no task yet"), "{}", refused.stderr);
                assert!(!folder.join("hello.txt").exists() && !yard.project.path().join("hello.txt").exists());
            }
        }
    }
    let resumed = annals_in(&yard, &copy, &format!("run --model scripted:script.jsonl --resume {task}"));
    assert_ne!(resumed.code, Some(0), "{resumed:?}");
    assert_eq!(yard.annals("task apply").stdout, "applied: hello.txt\n");
}

/// What lies at the old place now is not the project.
#[test]
fn of_a_project_that_was_moved_is_said_what_was_moved_and_how_to_go_on() {
    for is_old_place_taken in [false, true] {
        let yard = Yard::new();
        ended(&yard);
        let (old, beside) = (yard.project.path().to_owned(), tempfile::tempdir().expect("a folder"));
        let new = beside.path().join("new");
        std::fs::rename(&old, &new).expect("moved");
        if is_old_place_taken {
            std::fs::create_dir(&old).expect("made");
        }
        let refused = annals_in(&yard, &new, "task apply");
        assert_eq!(refused.code, Some(2), "{refused:?}");
        assert!(
            refused.stderr.contains("move it back") && refused.stderr.contains(&*new.to_string_lossy()),
            "{}",
            refused.stderr
        );
        assert!(!old.join("hello.txt").exists() && !new.join("hello.txt").exists());
        assert!(annals_in(&yard, &new, "task diff").stdout.contains("+hello"), "it can be had all the same");
        assert_eq!(annals_in(&yard, &new, "task drop").stdout, "dropped\n");
        std::fs::create_dir_all(&old).expect("made");
    }
}

/// What lies at the old place of a folder without git is not undone.
#[test]
fn of_a_folder_without_git_that_was_moved_nothing_is_dropped_at_its_old_place() {
    let yard = Yard::without_git();
    ended(&yard);
    let (old, beside) = (yard.project.path().to_owned(), tempfile::tempdir().expect("a folder"));
    let new = beside.path().join("new");
    std::fs::rename(&old, &new).expect("moved");
    std::fs::create_dir(&old).expect("made");
    std::fs::copy(new.join("hello.txt"), old.join("hello.txt")).expect("copied");
    let refused = annals_in(&yard, &new, "task drop");
    assert!(refused.code == Some(2) && refused.stderr.contains("move it back"), "{refused:?}");
    assert!(old.join("hello.txt").exists() && new.join("hello.txt").exists());
}

/// An earlier version could be killed between the removal of a workspace and the entry.
#[test]
fn a_task_whose_workspace_is_gone_can_be_settled_by_what_holds_already() {
    let gone = |yard: &Yard| {
        let folder = yard.state.path().join("tasks").join(latest(yard));
        std::fs::remove_dir_all(folder).expect("removed");
    };
    let yard = Yard::new();
    ended(&yard);
    gone(&yard);
    for word in ["apply", "keep"] {
        let refused = yard.annals(&format!("task {word}"));
        assert!(refused.code == Some(2) && refused.stderr.contains("annals task drop"), "{refused:?}");
    }
    assert!(yard.annals("task drop").stdout.starts_with("dropped: its workspace"));
    let yard = Yard::without_git();
    ended(&yard);
    gone(&yard);
    assert!(yard.annals("task apply").stdout.starts_with("applied: "), "it is there");
    assert_eq!(yard.project.read("hello.txt"), "hello\n");
}

/// Killed behind the entry: the workspace is of no use any more, and goes at the next occasion.
#[test]
fn what_a_kill_leaves_of_a_settled_task_is_swept_and_what_is_not_settled_stays() {
    let yard = Yard::new();
    ended(&yard);
    let first = latest(&yard);
    ended(&yard);
    let tasks = yard.state.path().join("tasks");
    let saved = yard.state.path().join("saved");
    let copied = Command::new("cp").arg("-a").arg(tasks.join(&first)).arg(&saved).status();
    assert!(copied.expect("copied").success());
    assert_eq!(yard.annals(&format!("task drop {first}")).code, Some(0));
    std::fs::rename(&saved, tasks.join(&first)).expect("back");
    std::fs::write(tasks.join(&first).join("ending"), "done dropped\n").expect("written");
    std::fs::create_dir_all(tasks.join(".gone-x/tree")).expect("made");
    assert_eq!(yard.annals(&format!("task apply {first}")).code, Some(1), "it is settled");
    let names: Vec<_> = std::fs::read_dir(&tasks).expect("read").map(|entry| entry.expect("one").file_name()).collect();
    assert_eq!(names, [latest(&yard).as_str()]);
    assert_eq!(yard.annals("task apply").stdout, "applied: hello.txt\n");
}

/// What is not said of the past is not done in it.
#[test]
fn at_shows_a_task_as_it_was_and_settles_nothing() {
    let yard = Yard::new();
    ended(&yard);
    let task = latest(&yard);
    for words in [format!("show {task}"), format!("why {task}"), format!("compare {task} {task}"), "show".to_owned()] {
        let past = yard.annals(&format!("--at 2020-01-01T00:00:00Z task {words}"));
        assert_eq!((past.code, past.stdout.as_str()), (Some(2), ""), "{words}: {past:?}");
        assert_eq!(yard.annals(&format!("--at {task} task {words}")).code, Some(0), "{words}: its first entry");
    }
    let shown = |words: &str| -> Value { serde_json::from_str(&yard.annals(words).stdout).expect("JSON") };
    let (then, now) = (shown(&format!("--at {task} task show --json")), shown("task show --json"));
    assert_eq!((&then["result"], &then["messages"]), (&Value::Null, &json!([])), "it had just begun");
    assert_ne!((&now["result"], &now["messages"]), (&then["result"], &then["messages"]));
    for word in ["apply", "keep", "drop", "abort"] {
        let refused = yard.annals(&format!("--at {task} task {word}"));
        assert!(refused.code == Some(2) && refused.stderr.contains("--at looks at the past"), "{refused:?}");
    }
    assert!(!yard.project.path().join("hello.txt").exists());
}

/// Two at once could not be told apart there: the drop of one would undo the other's.
#[test]
fn in_a_folder_without_git_one_task_is_at_work_and_what_that_means_is_said() {
    let yard = Yard::without_git();
    let said = ended(&yard);
    assert!(said.contains("is not under git: the task works in the folder itself"), "{said}");
    assert!(said.contains("then annals task apply or drop"), "{said}");
    let kept = yard.annals("task keep");
    assert_eq!(kept.code, Some(3), "{kept:?}");
    assert!(kept.stderr.contains("annals task apply"), "{kept:?}");
    let first = latest(&yard);
    // Else the plan would prove nothing.
    std::fs::remove_file(yard.project.path().join("hello.txt")).expect("removed");
    let mut child = at_work(&yard);
    let entries = yard.project.entries().len();
    for words in [RUN.to_owned(), format!("task drop {first}"), format!("task apply {first}")] {
        let refused = yard.annals(&words);
        assert!(refused.code == Some(2) && refused.stderr.contains("is not under git"), "{words} {refused:?}");
    }
    assert_eq!(yard.project.entries().len(), entries, "no task began");
    child.kill().expect("killed");
    child.wait().expect("ended");
    assert_eq!(yard.annals("task abort").code, Some(0));
}

#[test]
fn a_task_that_was_killed_is_listed_as_stopped_with_how_to_go_on() {
    let yard = Yard::new();
    let mut child = at_work(&yard);
    assert!(yard.annals("task list").stdout.contains("\trunning\t"));
    child.kill().expect("killed");
    child.wait().expect("ended");
    let task = latest(&yard);
    let listed = yard.annals("task list");
    assert!(listed.stdout.contains("\tstopped\t"), "{listed:?}");
    assert!(listed.stderr.contains(&format!("annals run --resume {task}")), "{listed:?}");
    assert!(yard.annals("task show").stdout.contains("  stopped\n"));
}

/// Whatever keeps a workspace from being made is found before a task is on the record.
#[test]
fn where_no_workspace_can_be_made_no_task_begins_and_the_folder_is_left_alone() {
    type Hinders = fn(&Yard);
    let table: [(Hinders, &str); 3] = [
        (|yard| yard.project.write(".git/HEAD", ""), "git cannot use it"),
        (|yard| yard.project.write(".git/config", "[core\n"), "git cannot use it"),
        (
            |yard| {
                std::fs::remove_dir_all(yard.project.path().join(".git")).expect("removed");
                yard.project.write(".git", "gitdir: /no/such/place\n");
            },
            "git cannot use it",
        ),
    ];
    for (hinders, words) in table {
        let yard = Yard::new();
        yard.script(&[writes("hello\n")]);
        hinders(&yard);
        let refused = yard.annals(RUN);
        assert!(refused.code != Some(0) && refused.stderr.contains(words), "{refused:?}");
        assert!(yard.annals("task list").stdout.is_empty());
        assert!(!yard.project.path().join("hello.txt").exists());
    }
    let yard = Yard::new();
    yard.script(&[writes("hello\n")]);
    let mut within = yard.command(RUN);
    within.env("XDG_STATE_HOME", yard.project.path().join("state"));
    assert!(run(within, "").stderr.contains("lie within each other"));
    let mut all = yard.command(RUN);
    all.env("HOME", yard.project.path());
    assert!(run(all, "").stderr.contains("is no project"));
    assert!(yard.annals("task list").stdout.is_empty());
}

/// The patch goes through a pipe to git.
#[test]
fn a_diff_in_a_pipe_is_the_very_bytes() {
    let yard = Yard::new();
    let bytes = b"hello\r\ncaf\xe9 \x1b[31mred\r\nno end";
    let call = json!({ "command": r"printf 'hello\r\ncaf\351 \033[31mred\r\nno end' > hello.txt" });
    let calls = json!([{ "tool": "shell", "input": call }]);
    let executor = says("executor", &json!({ "calls": calls, "done": true, "output": "hello.txt was written." }));
    yard.script(&[understood(), plan(), executor]);
    let ran = yard.annals(RUN);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let patch = yard.command("task diff").output().expect("ran").stdout;
    std::fs::write(yard.state.path().join("patch"), &patch).expect("written");
    yard.git(&format!("apply {}", yard.state.path().join("patch").display()));
    assert_eq!(std::fs::read(yard.project.path().join("hello.txt")).expect("read"), bytes);
    let answer: Value = serde_json::from_str(&yard.annals("task diff --json").stdout).expect("JSON");
    assert_eq!(answer["patch"], Value::Null);
    let decoded = annals::kernel::base64::decode(answer["patch_base64"].as_str().expect("a text")).expect("base64");
    assert_eq!(decoded, patch);
    std::fs::remove_file(yard.project.path().join("hello.txt")).expect("removed");
    yard.project.write("hello.txt", "mine\n");
    let refused = yard.annals("task apply");
    assert!(refused.stderr.contains("annals task keep") && refused.stderr.contains("annals task diff"), "{refused:?}");
    assert_eq!(yard.project.read("hello.txt"), "mine\n");
}
