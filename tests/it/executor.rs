//! A whole agent as executor: real processes, walls and hooks, with an agent of paper that claims, steals, floods and hangs.
//!
//! Where this machine has no walls that hold an agent, nothing can be tried.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};

use crate::acting::{Yard, says, understood};
use crate::program::{Run, run};

const AGENT: &str = include_str!("executor/claude.sh");
const SECRET: &str = "the-key-of-the-person";

/// A project, a person with a key, and an agent on their search path.
struct Agents {
    yard: Yard,
}

impl Agents {
    fn new() -> Self {
        let agents = Self { yard: Yard::new() };
        for folder in ["bin", "home/.ssh"] {
            fs::create_dir_all(agents.at(folder)).expect("made");
        }
        fs::write(agents.at("home/.ssh/id_rsa"), SECRET).expect("written");
        agents.install("bin/claude");
        agents
    }

    fn at(&self, name: &str) -> PathBuf {
        self.yard.state.path().join(name)
    }

    /// Nobody writes to it any more when it is started.
    fn install(&self, name: &str) {
        fs::write(self.at("new"), AGENT).expect("written");
        fs::set_permissions(self.at("new"), fs::Permissions::from_mode(0o755)).expect("set");
        fs::rename(self.at("new"), self.at(name)).expect("moved");
    }

    fn command(&self, words: &str) -> Command {
        let mut command = self.yard.command(words);
        let path = format!("{}:/usr/local/bin:/usr/bin:/bin", self.at("bin").display());
        command.env("PATH", path).env("ANTHROPIC_API_KEY", "sk-of-the-person");
        command
    }

    fn annals(&self, words: &str) -> Run {
        run(self.command(words), "")
    }

    /// What the subtask says, and how often it is planned.
    fn plan(&self, play: &str, more: &str) {
        let check = json!({ "file": "hello.txt", "contains": "hello" });
        let criterion = json!([{ "text": "hello.txt holds a greeting", "check": check }]);
        let intent = format!("Write hello into hello.txt (play:{play}) {more}");
        let subtask = json!({ "sequence": 1, "intent": intent, "success_criteria": criterion });
        let plan = says("planner", &json!({ "task_criteria": criterion, "subtasks": [subtask] }));
        self.yard.script(&[understood(), plan]);
    }

    /// Nothing where this machine does not hold agents.
    fn task(&self, play: &str, more: &str) -> Option<Run> {
        self.plan(play, more);
        let ran = self.annals(TASK);
        (!ran.stderr.contains("needs walls that this machine does not have")).then_some(ran)
    }

    /// What came of each attempt.
    fn outcomes(&self) -> Vec<Value> {
        let entries = self.entries();
        entries.into_iter().filter(|entry| entry["operation"]["name"] == "agent_run").collect()
    }

    fn entries(&self) -> Vec<Value> {
        let text: String = self.yard.project.days().into_values().collect();
        text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
    }

    /// How the attempts came out, as R4a was told.
    fn statuses(&self) -> Vec<String> {
        let is_result = |entry: &Value| entry["operation"]["input"]["command"]["kind"] == "execution_result";
        let status =
            |entry: Value| entry["operation"]["input"]["command"]["body"]["status"].as_str().map(str::to_owned);
        self.entries().into_iter().filter(is_result).filter_map(status).collect()
    }
}

const TASK: &str = "run --model scripted:script.jsonl --executor claude greeting";

/// Whether a process runs that has this among its words.
fn is_running(word: &str) -> bool {
    let entries = fs::read_dir("/proc").expect("listed").flatten();
    let mut lines = entries.filter_map(|entry| fs::read(entry.path().join("cmdline")).ok());
    lines.any(|line| line.split(|byte| *byte == 0).any(|part| part == word.as_bytes()))
}

#[test]
fn an_agent_does_a_task_and_its_hooks_are_on_record() {
    let agents = Agents::new();
    let Some(ran) = agents.task("good", "") else { return };
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(ran.stdout.contains("claude is at work") && ran.stdout.contains("accept: D 0"), "{}", ran.stdout);
    assert!(!agents.yard.project.path().join("hello.txt").exists());
    let outcome = &agents.outcomes()[0]["operation"]["output"];
    assert_eq!((&outcome["end"], &outcome["hooks"]), (&json!("exited"), &json!(2)), "{outcome}");
    let wrote =
        |entry: &Value| entry["operation"]["name"] == "Write" && entry["provenance"]["agent_id"] == "claude-code";
    let entries = agents.entries();
    let written: Vec<_> = entries.iter().filter(|entry| wrote(entry)).collect();
    assert_eq!(written.len(), 1, "{entries:?}");
    assert_eq!(written[0]["metadata"]["files_touched"], json!(["hello.txt"]));
    assert_eq!(written[0]["extensions"]["annals"]["source"]["session"], outcome["session"]);
    let shown: Value = serde_json::from_str(&agents.annals("task show --json").stdout).expect("JSON");
    let executor = shown["account"].as_array().expect("rows").iter().find(|row| row["role"] == "executor");
    assert_eq!(executor.map(|row| &row["answer_tokens"]), Some(&json!(7)), "{shown}");
    assert_eq!(agents.annals("task apply").code, Some(0));
    assert_eq!(agents.yard.project.read("hello.txt"), "hello\n");
    assert_eq!(agents.annals("replay --all").code, Some(0));
}

/// Law 0.
#[test]
fn an_agent_that_only_claims_is_not_believed_and_a_retry_is_told_why() {
    let agents = Agents::new();
    let Some(ran) = agents.task("claims", "") else { return };
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert_eq!(agents.outcomes().len(), 3, "one attempt and two retries");
    assert!(!agents.annals("task show").stdout.contains("accept"));
    let Some(ran) = agents.task("retry", "") else { return };
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert_eq!(agents.outcomes().len(), 5);
}

#[test]
fn a_hostile_agent_reaches_nothing_beyond_its_clone() {
    let agents = Agents::new();
    agents.yard.project.write(".env", &format!("TOKEN={SECRET}\n"));
    let (person, project) = (agents.at("home"), agents.yard.project.path().to_owned());
    let Some(ran) = agents.task("hostile", &format!("PERSON={} PROJECT={} .", person.display(), project.display()))
    else {
        return;
    };
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(!person.join("stolen").exists() && !project.join("stolen").exists());
    assert!(!agents.yard.project.context().join("history/evil.jsonl").exists());
    let record: String = agents.yard.project.days().into_values().collect();
    assert!(!record.contains(SECRET) && !record.contains("forged.txt"), "{record}");
    let outcome = &agents.outcomes()[0]["operation"]["output"];
    assert_eq!(outcome["refused"], json!({ "127.0.0.1:22": 1, "evil.example.com:443": 1 }), "{outcome}");
    assert_eq!(outcome["output"].as_str().expect("a text").matches("HTTP/1.1 403 Forbidden").count(), 2, "{outcome}");
    assert!(outcome["output"].as_str().is_some_and(|text| text.contains("permissionDecision")), "the guard says no");
    assert!(ran.stderr.contains("--allow-host evil.example.com:443"), "{}", ran.stderr);
    // A link to elsewhere that it left is not brought into the project.
    assert_ne!(agents.annals("task apply").code, Some(0));
}

#[test]
fn a_hundred_megabytes_are_bounded_and_do_not_hide_the_end() {
    let agents = Agents::new();
    let Some(ran) = agents.task("floods", "") else { return };
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let record: usize = agents.yard.project.days().values().map(String::len).sum();
    assert!(record < 1 << 20, "what is long is a blob, {record}");
}

#[test]
fn an_agent_without_end_has_the_time_of_the_task_and_no_more() {
    let agents = Agents::new();
    let seconds = format!("4711{}", std::process::id());
    assert_eq!(agents.annals("config set ggs.time_budget_ms 1000").code, Some(0));
    let Some(ran) = agents.task("endless", &format!("SECONDS={seconds} .")) else { return };
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert_eq!(agents.outcomes()[0]["operation"]["output"]["end"], "out_of_time");
    assert!(!is_running(&seconds));
}

#[test]
fn what_an_agent_did_that_was_ended_is_for_the_checks_to_say() {
    let agents = Agents::new();
    let Some(ran) = agents.task("dies", "") else { return };
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert_eq!(agents.statuses(), ["uncertain"]);
    let Some(ran) = agents.task("fails", "") else { return };
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert_eq!(agents.statuses().last().map(String::as_str), Some("failed"));
    assert!(agents.annals("task show").stdout.contains("no credit is left"));
}

/// Ended by the person, and by a kill: nothing is left running, and the outcome that is missing stays so.
#[test]
fn an_agent_ends_with_its_run_and_is_not_started_again_for_what_it_began() {
    for signal in [Signal::INT, Signal::KILL] {
        let agents = Agents::new();
        let seconds = format!("4712{}{}", std::process::id(), signal.as_raw());
        agents.plan("endless", &format!("SECONDS={seconds} ."));
        let mut child = agents.command(TASK).stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("started");
        while !is_running(&seconds) {
            if let Some(status) = child.try_wait().expect("asked") {
                assert_eq!(status.code(), Some(2), "it ends only where this machine does not hold agents");
                return;
            }
            std::thread::yield_now();
        }
        kill_process(Pid::from_child(&child), signal).expect("told");
        child.wait().expect("waited");
        while is_running(&seconds) {
            std::thread::yield_now();
        }
        // Who executes is part of the task's setting.
        let resumed = agents.annals("run --model scripted:script.jsonl --resume");
        assert_eq!(resumed.code, Some(0), "{signal:?}: {resumed:?}");
        let keys: Vec<_> = agents.outcomes().iter().map(|entry| entry["operation"]["success"].clone()).collect();
        assert_eq!(keys, [json!(false)], "{signal:?}: the checks held, and nothing was started");
        assert_eq!(agents.statuses(), ["uncertain"]);
    }
}

#[test]
fn an_agent_that_is_not_there_or_not_logged_in_is_said_before_a_task_begins() {
    let agents = Agents::new();
    agents.plan("good", "");
    let rows = [
        ("run --model scripted:script.jsonl --executor codex greeting", "codex is not installed: npm install"),
        (
            "run --model scripted:script.jsonl --executor claude greeting",
            "claude is not logged in: `claude auth login`",
        ),
        ("run --executor cursor greeting", "claude, codex"),
        ("run --executor claude --allow-host *.com greeting", "is no host"),
    ];
    for (words, said) in rows {
        let mut command = agents.command(words);
        command.env_remove("ANTHROPIC_API_KEY");
        let ran = run(command, "");
        assert_eq!(ran.code, Some(2), "{words}: {ran:?}");
        assert!(ran.stderr.contains(said), "{words}: {}", ran.stderr);
    }
    assert_eq!(agents.yard.messages(), 0);
}
