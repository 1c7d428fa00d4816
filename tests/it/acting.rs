//! Tasks of the control loop by the program itself: in a workspace, killed, gone on with, applied and dropped.

use std::process::{Command, Stdio};

use serde_json::{Value, json};

use crate::program::{Project, Run, run};

/// A project under git, and a place for workspaces beside it.
pub struct Yard {
    pub project: Project,
    pub state: tempfile::TempDir,
}

impl Yard {
    pub fn new() -> Self {
        let yard = Self::without_git();
        yard.git("init -q");
        yard.commits("notes.txt .gitignore");
        yard
    }

    pub fn without_git() -> Self {
        let yard = Self { project: Project::new(), state: tempfile::tempdir().expect("a folder") };
        yard.project.write("notes.txt", "one\n");
        yard.project.write(".gitignore", "/home\n/script.jsonl\n");
        yard
    }

    pub fn git(&self, words: &str) {
        let mut git = Command::new("git");
        git.args(words.split(' ')).current_dir(self.project.path()).env_clear();
        git.env("PATH", "/usr/local/bin:/usr/bin:/bin");
        assert!(git.status().expect("git runs").success(), "git {words}");
    }

    pub fn commits(&self, files: &str) {
        self.git(&format!("add {files}"));
        self.git("-c user.name=a -c user.email=a@b.c commit -qm base");
    }

    pub fn command(&self, words: &str) -> Command {
        let mut command = self.project.command(words.split(' '));
        command.env("XDG_STATE_HOME", self.state.path()).env("HOME", self.state.path().join("home"));
        command
    }

    pub fn annals(&self, words: &str) -> Run {
        run(self.command(words), "")
    }

    pub fn script(&self, lines: &[Value]) {
        let text: Vec<_> = lines.iter().map(Value::to_string).collect();
        self.project.write("script.jsonl", &text.join("\n"));
    }

    /// The person's own configuration: what stands under `[models]`.
    pub fn models(&self, text: &str) {
        let folder = self.state.path().join("home/.config/annals");
        std::fs::create_dir_all(&folder).expect("made");
        std::fs::write(folder.join("config.toml"), format!("[models]\n{text}")).expect("written");
    }

    /// Whether a file was made in the workspace of a task.
    pub fn made(&self, name: &str) -> bool {
        let tasks = std::fs::read_dir(self.state.path().join("tasks")).into_iter().flatten();
        tasks.filter_map(Result::ok).any(|task| task.path().join("tree").join(name).exists())
    }

    /// How many messages are on the record.
    pub fn messages(&self) -> usize {
        self.project.days().values().map(|text| text.matches("\"tasks.message.sent\"").count()).sum()
    }
}

pub fn says(role: &str, answer: &Value) -> Value {
    json!({ "role": role, "answer": answer })
}

pub fn understood() -> Value {
    says("perceiver", &json!({ "slug": "greet", "intent": "Write a greeting into hello.txt" }))
}

pub fn plan() -> Value {
    let check = json!({ "file": "hello.txt", "contains": "hello" });
    let criterion = json!([{ "text": "hello.txt holds a greeting", "check": check }]);
    let subtask = json!({ "sequence": 1, "intent": "Write hello into hello.txt", "success_criteria": criterion });
    says("planner", &json!({ "task_criteria": criterion, "subtasks": [subtask] }))
}

pub fn writes(content: &str) -> Value {
    let call = json!({ "tool": "write", "input": { "path": "hello.txt", "content": content } });
    says("executor", &json!({ "calls": [call], "done": true, "output": "hello.txt was written." }))
}

/// R1 may not leave the words of the person: `greeting` is one of the intent, too.
pub const RUN: &str = "run --model scripted:script.jsonl greeting";

/// What the solver says to memory stands there: `tasks::remember`.
#[test]
fn a_task_changes_the_project_only_when_the_person_applies_it() {
    let yard = Yard::new();
    yard.script(&[understood(), plan(), writes("hello\n")]);
    let ran = yard.annals(RUN);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(ran.stdout.contains("accept: D 0, gate accepted"), "{}", ran.stdout);
    assert!(!yard.project.path().join("hello.txt").exists());
    let diff = yard.annals("task diff");
    assert!(diff.stdout.contains("+hello"), "{diff:?}");
    let applied = yard.annals("task apply");
    assert_eq!(applied.stdout, "applied: hello.txt\n", "{applied:?}");
    assert_eq!(yard.project.read("hello.txt"), "hello\n");
    let again = yard.annals("task drop");
    assert_eq!(again.code, Some(1), "{again:?}");
    assert!(yard.annals("task list").stdout.contains("accept, applied"));
    assert!(yard.annals("memory list").stdout.contains("intent:greeting"));
}

/// A check that tells, and a file that is asked for whole: one question, and only the line that differs is changed.
#[test]
fn what_the_person_checks_it_by_costs_one_question_and_loses_no_byte() {
    let yard = Yard::new();
    yard.project.write("notes.txt", "one\r\ntwo  \nthree");
    yard.script(&[says("executor", &json!("```\none\nzwei\nthree\n```"))]);
    let mut command = yard.command("run --model scripted:script.jsonl --check");
    command.args(["grep -q zwei notes.txt", "the second line of notes.txt is to be zwei"]);
    let ran = run(command, "");
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let shown: Value = serde_json::from_str(&yard.annals("task show --json").stdout).expect("JSON");
    assert_eq!(shown["sequential_calls"], 1, "{shown}");
    assert_eq!(yard.annals("task apply").stdout, "applied: notes.txt\n");
    assert_eq!(yard.project.read("notes.txt"), "one\r\nzwei\nthree");
    assert_eq!(yard.annals("replay --all").code, Some(0));
}

/// The adversary: a check that cannot fail, one that destroys, and one that never holds while the model says it does.
#[test]
fn a_check_that_proves_nothing_is_refused_and_one_that_fails_is_believed() {
    let yard = Yard::new();
    yard.script(&[]);
    for (check, said) in
        [("true", "proves nothing"), ("echo ok", "proves nothing"), ("git push --force", "hard to undo")]
    {
        let mut command = yard.command("run --model scripted:script.jsonl --check");
        command.args([check, "greet"]);
        let refused = run(command, "");
        assert_eq!(refused.code, Some(2), "{refused:?}");
        assert!(refused.stderr.contains(said) && refused.stderr.contains(check), "{}", refused.stderr);
    }
    assert_eq!(yard.messages(), 0, "no task was begun");
    yard.script(&[says("*", &json!("```\nAll tests pass.\n```"))]);
    let mut command = yard.command("run --model scripted:script.jsonl --check");
    command.args(["grep -q never hello.txt", "write a greeting into hello.txt"]);
    assert_eq!(run(command, "").code, Some(1));
    assert!(!yard.annals("task show").stdout.contains("accept"));
}

#[test]
fn what_is_dropped_leaves_nothing_and_what_is_kept_is_a_branch() {
    let yard = Yard::new();
    for (words, said) in [("task drop", "dropped"), ("task keep", "kept: branch annals/")] {
        yard.script(&[understood(), plan(), writes("hello\n")]);
        assert_eq!(yard.annals(RUN).code, Some(0));
        let done = yard.annals(words);
        assert!(done.stdout.starts_with(said), "{done:?}");
        assert!(!yard.project.path().join("hello.txt").exists());
    }
}

/// Law 0.
#[test]
fn who_only_says_that_it_is_done_is_not_believed() {
    let yard = Yard::new();
    let claims =
        says("executor", &json!({ "calls": [], "done": true, "output": "hello.txt was written. All tests pass." }));
    yard.script(&[understood(), plan(), claims.clone(), claims.clone(), claims]);
    let ran = yard.annals(RUN);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    let shown = yard.annals("task show").stdout;
    assert!(!shown.contains("accept"), "{shown}");
}

/// Law 1.
#[test]
fn what_cannot_be_taken_back_is_not_done_where_nobody_answers() {
    let yard = Yard::new();
    let push = json!({ "tool": "shell", "input": { "command": "git push --force origin main" } });
    let pushes = says("executor", &json!({ "calls": [push], "done": true, "output": "" }));
    yard.script(&[understood(), plan(), pushes, writes("hello\n")]);
    let ran = yard.annals(RUN);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(ran.stderr.contains("Nobody is there to say yes: no"), "{}", ran.stderr);
    assert!(ran.stdout.contains("approval: no"), "{}", ran.stdout);
}

#[test]
fn a_run_that_was_killed_goes_on_and_asks_nobody_twice() {
    for kill_at in [1, 4, 5, 6] {
        let yard = Yard::new();
        // The command waits for a file that nobody makes before the kill: the run is in the middle then.
        let waits = json!({ "tool": "shell", "input": { "command": "while ! test -e go; do :; done; echo hello > hello.txt" } });
        let executor = says("executor", &json!({ "calls": [waits], "done": true, "output": "hello.txt was written." }));
        yard.script(&[understood(), plan(), executor, writes("hello\n")]);
        let mut command = yard.command(RUN);
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("started");
        while yard.messages() < kill_at {
            assert_eq!(child.try_wait().expect("asked"), None, "it has not ended yet");
            std::thread::yield_now();
        }
        child.kill().expect("killed");
        child.wait().expect("waited");
        // Where the command had not begun, nobody would end it now.
        yard.script(&[understood(), plan(), writes("hello\n"), writes("hello\n")]);
        let resumed = yard.annals("run --model scripted:script.jsonl --resume");
        assert_eq!(resumed.code, Some(0), "killed at {kill_at}: {resumed:?}");
        let listed = yard.annals("task list --json").stdout;
        let listed: Value = serde_json::from_str(&listed).expect("JSON");
        assert_eq!(listed["tasks"][0]["end"], "accept", "killed at {kill_at}");
        assert_eq!(yard.annals("replay --all").code, Some(0), "killed at {kill_at}");
    }
}

#[test]
fn a_task_that_a_repository_brings_does_not_go_on_here() {
    let (theirs, mine) = (Yard::new(), Yard::new());
    for yard in [&theirs, &mine] {
        yard.script(&[says("perceiver", &json!({ "slug": "note_two", "intent": "Write two into notes.txt" }))]);
    }
    let stopped = theirs.annals("run write-two --model scripted:script.jsonl");
    assert!(stopped.stderr.contains("annals run --resume"), "{}", stopped.stderr);
    for (day, text) in theirs.project.days() {
        mine.project.write(&format!(".context/history/{day}"), &text);
    }
    let listed: Value = serde_json::from_str(&mine.annals("task list --json").stdout).expect("JSON");
    let task = listed["tasks"][0]["id"].as_str().expect("it is listed").to_owned();
    let before = mine.messages();
    for words in ["run --resume".to_owned(), format!("run --resume {task}")] {
        let refused = mine.annals(&format!("{words} --model scripted:script.jsonl"));
        assert_eq!(refused.code, Some(2), "{refused:?}");
        assert!(refused.stderr.contains("begins"), "{}", refused.stderr);
    }
    assert_eq!(mine.messages(), before);
}

#[test]
fn a_run_without_answers_stops_and_can_be_ended() {
    let yard = Yard::new();
    yard.script(&[understood()]);
    let ran = yard.annals(RUN);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert!(ran.stderr.contains("has no answer left for planner"), "{}", ran.stderr);
    let ended = yard.annals("task abort");
    assert_eq!(ended.code, Some(0), "{ended:?}");
    assert!(ended.stdout.starts_with("given up: "), "{}", ended.stdout);
}

#[test]
fn the_demonstration_fails_twice_and_is_planned_anew() {
    let yard = Yard::new();
    let mut command = yard.command("run --demo");
    command.env("TMPDIR", yard.state.path());
    let shown = run(command, "");
    assert_eq!(shown.code, Some(0), "{shown:?}");
    let says = ["break_symmetry: D 1", "change_approach: D 0.5", "round 3", "accept: D 0, gate accepted", "+42 EUR"];
    assert!(says.iter().all(|words| shown.stdout.contains(words)), "{}", shown.stdout);
}

/// Nobody is asked before the person wrote down whom.
#[test]
fn without_a_model_nothing_is_begun() {
    let yard = Yard::new();
    let ran = yard.annals("run greeting");
    assert_eq!(ran.code, Some(2), "{ran:?}");
    assert!(ran.stderr.contains("no model is configured for perceiver"), "{}", ran.stderr);
    assert_eq!(yard.messages(), 0);
}

/// What models answer is counted: by role in the task, and against the budget that the person wrote down.
#[test]
fn what_is_used_up_is_shown_and_a_budget_ends_a_run() {
    let yard = Yard::new();
    yard.script(&[understood(), plan(), writes("hello\n")]);
    yard.models("[models.budget.task]\ntokens = 600\n");
    let ran = yard.annals(RUN);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert!(ran.stderr.contains("the budget is used up: the task has used"), "{}", ran.stderr);
    yard.models("");
    assert_eq!(yard.annals(&format!("{RUN} --resume").replace(" greeting", "")).code, Some(0));
    let shown: Value = serde_json::from_str(&yard.annals("task show --json").stdout).expect("JSON");
    let calls: Vec<_> = shown["account"].as_array().expect("rows").iter().map(|row| &row["calls"]).collect();
    assert_eq!(calls, [1, 1, 1], "{shown}");
    assert_eq!(shown["sequential_calls"], 3);
}

/// AFS 11.3.
#[test]
fn a_file_that_holds_secrets_is_told_to_no_model() {
    let yard = Yard::new();
    yard.project.write(".env", "TOKEN=xyzzy-plugh\n");
    let call = |tool: &str, input: Value| json!({ "tool": tool, "input": input });
    let looks = [
        says("executor", &json!({ "calls": [call("read", json!({ "path": ".env" }))], "done": false, "output": "" })),
        says(
            "executor",
            &json!({ "calls": [call("shell", json!({ "command": "cat .env" }))], "done": false, "output": "" }),
        ),
        says(
            "executor",
            &json!({ "calls": [call("search", json!({ "pattern": "TOKEN" }))], "done": false, "output": "" }),
        ),
    ];
    let lines = [&[understood(), plan()][..], &looks, &[writes("hello\n")]].concat();
    yard.script(&lines);
    assert_eq!(yard.annals(RUN).code, Some(0));
    let history: String = yard.project.days().into_values().collect();
    assert!(history.contains("holds secrets") && !history.contains("plugh"), "{history}");
}

#[test]
fn what_cannot_be_read_is_named() {
    let yard = Yard::new();
    yard.script(&[json!({ "role": "nobody", "answer": "x" })]);
    let ran = yard.annals(RUN);
    assert_eq!(ran.code, Some(2), "{ran:?}");
    assert!(ran.stderr.contains("line 1: there is no role \"nobody\""), "{}", ran.stderr);
    for words in ["run --model gpt greet", "task show", "task show nothing", "run --model scripted:none greet"] {
        assert_ne!(yard.annals(words).code, Some(0), "{words}");
    }
}
