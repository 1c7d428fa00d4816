//! A task at work: by one process, which stops when it is told to; and what it may reach.

use std::io::{Read as _, Write as _};
use std::process::Stdio;

use rustix::process::{Pid, Signal, kill_process};
use serde_json::json;

use crate::acting::{RUN, Yard, plan, says, understood, writes};
use crate::program::{ended, run};
use crate::screen::Terminal;

/// A run whose command goes on until a file is there that nobody makes; gives it when the command is at work.
pub fn at_work(yard: &Yard) -> std::process::Child {
    let waits =
        json!({ "tool": "shell", "input": { "command": "touch begun; while ! test -e go; do :; done; touch late" } });
    let executor = says("executor", &json!({ "calls": [waits], "done": true, "output": "hello.txt was written." }));
    yard.script(&[understood(), plan(), executor, writes("hello\n")]);
    let mut command = yard.command(RUN);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("started");
    while !yard.made("begun") && !yard.project.path().join("begun").exists() {
        assert_eq!(child.try_wait().expect("asked"), None, "it has not ended yet");
        std::thread::yield_now();
    }
    child
}

/// The adversaries of a task at work: another run of it, and its end in the middle.
#[test]
fn one_process_is_at_work_on_a_task_and_an_abort_reaches_it() {
    let yard = Yard::new();
    let mut child = at_work(&yard);
    let process = format!("is at work in process {}", child.id());
    let again = yard.annals("run --model scripted:script.jsonl --resume");
    assert_eq!(again.code, Some(2), "{again:?}");
    assert!(again.stderr.contains(&process), "{}", again.stderr);
    let messages = yard.messages();
    let aborted = yard.annals("task abort");
    assert_eq!(aborted.code, Some(0), "{aborted:?}");
    assert!(aborted.stderr.contains(&process) && aborted.stdout.starts_with("given up: "), "{aborted:?}");
    assert_eq!(child.wait().expect("waited").code(), Some(1));
    let mut said = String::new();
    child.stderr.take().expect("piped").read_to_string(&mut said).expect("read");
    assert!(said.contains("stopped here: another process ends it"), "{said}");
    assert!(!yard.made("late"), "nothing is done behind the final result");
    assert!(yard.messages() > messages);
    let resumed = yard.annals("run --model scripted:script.jsonl --resume");
    assert!(resumed.stderr.contains("has ended"), "{}", resumed.stderr);
    assert_eq!(yard.annals("replay --all").code, Some(0));
}

/// The adversaries of consent: an agent at a terminal that says yes, and one that says to be the person.
#[test]
fn no_agent_allows_what_cannot_be_taken_back() {
    let push = json!({ "tool": "shell", "input": { "command": "git push --force origin main" } });
    let pushes = says("executor", &json!({ "calls": [push], "done": true, "output": "" }));
    for (words, variable, value) in [
        (RUN.to_owned(), "CLAUDECODE", "1"),
        (RUN.to_owned(), "ANNALS_AS", "bot"),
        (RUN.to_owned(), "AI_AGENT", "robot"),
        (format!("--as user {RUN}"), "CODEX_CI", "1"),
    ] {
        let yard = Yard::new();
        let Some(Terminal { mut master, slave }) = Terminal::new(200) else { return };
        master.write_all(b"y\ny\ny\n").expect("typed before it is asked");
        yard.script(&[understood(), plan(), pushes.clone(), writes("hello\n")]);
        let mut command = yard.command(&words);
        command.env(variable, value).stdin(slave);
        let ran = ended(&command.output().expect("ran"));
        let said = ran.stdout.clone() + &ran.stderr;
        let is_no = said.contains("is at the terminal, and not the person: no");
        assert!(is_no || said.contains("nobody is the user without the user's token"), "{variable}: {said}");
        let shown = yard.annals("history list --json").stdout + &yard.annals("task show").stdout;
        assert!(!shown.contains("\"is_granted\":true") && !shown.contains("approval: yes"), "{shown}");
    }
}

/// An agent ends what it began, in its own name; of the person's, and of other agents', it ends nothing.
#[test]
fn an_agent_ends_its_own_tasks_alone() {
    let as_one = |yard: &Yard, words: &str, agent: Option<&str>| {
        let mut command = yard.command(words);
        command.envs(agent.map(|agent| ("ANNALS_AS", agent)));
        run(command, "")
    };
    for (began, ends, code, said) in [
        (None, Some("bot"), 2, "bot is at the terminal, and not the person"),
        (Some("bot"), Some("other"), 2, "other is at the terminal, and not the person"),
        (Some("bot"), Some("bot"), 0, "bot, who began it, wants no more of it"),
        (Some("bot"), None, 0, "the person wants no more of it"),
        (None, None, 0, "the person wants no more of it"),
    ] {
        let yard = Yard::new();
        yard.script(&[understood()]);
        assert_eq!(as_one(&yard, RUN, began).code, Some(1), "it stops, for there is no plan");
        let aborted = as_one(&yard, "--json task abort", ends);
        assert_eq!(aborted.code, Some(code), "{began:?} {ends:?}: {aborted:?}");
        assert!((aborted.stdout + &aborted.stderr).contains(said), "{began:?} {ends:?}");
    }
}

/// The adversary of a question on a terminal: nobody answers it, and Ctrl-C is all there is.
#[test]
fn ctrl_c_at_a_question_ends_the_run_and_the_question_is_asked_again_later() {
    let yard = Yard::new();
    let Some(Terminal { mut master, slave }) = Terminal::new(200) else { return };
    let push = json!({ "tool": "shell", "input": { "command": "git push --force origin main" } });
    let pushes = says("executor", &json!({ "calls": [push], "done": true, "output": "" }));
    yard.script(&[understood(), plan(), pushes.clone()]);
    let mut command = yard.command(RUN);
    command.stdin(slave.try_clone().expect("a handle")).stdout(slave.try_clone().expect("a handle")).stderr(slave);
    let mut child = command.spawn().expect("started");
    drop(command);
    let (mut shown, mut chunk) = (String::new(), [0; 4096]);
    while !shown.contains("[y/N") {
        let count = master.read(&mut chunk).expect("it asks");
        shown.push_str(&String::from_utf8_lossy(&chunk[..count]));
    }
    let process = Pid::from_child(&child);
    kill_process(process, Signal::INT).expect("it is there");
    while let Ok(count @ 1..) = master.read(&mut chunk) {
        shown.push_str(&String::from_utf8_lossy(&chunk[..count]));
    }
    assert_eq!(child.wait().expect("ended").code(), Some(1), "{shown}");
    assert!(shown.contains("stopped by the person") && !shown.contains("approval: no"), "{shown}");
    yard.script(&[understood(), plan(), pushes, writes("hello\n")]);
    let resumed = yard.annals("run --model scripted:script.jsonl --resume");
    assert!(resumed.stderr.contains("Nobody is there to say yes: no"), "{resumed:?}");
    assert_eq!(resumed.code, Some(0), "{resumed:?}");
}

/// The adversary of one yes: a line whose rest is not in sight.
#[test]
fn what_is_asked_is_the_whole_line_and_all_of_it_that_cannot_be_undone() {
    let yard = Yard::new();
    let long = "a".repeat(200);
    let command = format!("git push --force origin main; echo {long}\nnpm publish; kubectl delete ns prod");
    let pushes = json!({ "tool": "shell", "input": { "command": command } });
    let executor = says("executor", &json!({ "calls": [pushes], "done": true, "output": "" }));
    yard.script(&[understood(), plan(), executor, writes("hello\n")]);
    let ran = yard.annals(RUN);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let told =
        ["history that others have: `git push --force origin main`", "`npm publish`", "`kubectl delete ns prod`"];
    let shown = format!("  git push --force origin main; echo {long}\n  npm publish; kubectl delete ns prod\n");
    assert!(ran.stderr.contains(&shown) && told.iter().all(|words| ran.stderr.contains(words)), "{}", ran.stderr);
    let kept = yard.annals("task show").stdout;
    assert!(told.iter().all(|words| kept.contains(words)), "{kept}");
}

/// The adversary of a request: nothing at all.
#[test]
fn a_request_without_words_begins_nothing_and_says_so() {
    let yard = Yard::new();
    let before = yard.project.entries().len();
    for words in ["", "  "] {
        let mut command = yard.command("run --model scripted:script.jsonl");
        command.arg(words);
        let refused = run(command, "");
        assert_eq!(refused.code, Some(2), "{refused:?}");
        assert!(refused.stderr.contains("the request is empty"), "{}", refused.stderr);
    }
    assert_eq!(yard.project.entries().len(), before);
}

/// The adversary of the tool `fetch`: a host that nobody allowed; what was allowed holds for a task that goes on.
#[test]
fn a_host_that_is_allowed_gives_the_executor_the_tool_fetch_for_that_host_alone() {
    let yard = Yard::new();
    let look = json!({ "tool": "fetch", "input": { "url": "https://evil.example/x" } });
    let looks = says("executor", &json!({ "calls": [look], "done": false, "output": "" }));
    let run_with = |hosts: &str| yard.annals(&format!("{RUN} {hosts}"));
    yard.script(&[understood(), plan(), looks.clone()]);
    let stopped = run_with("--allow-host docs.example.org");
    assert_eq!(stopped.code, Some(1), "{stopped:?}");
    let refused = "evil.example is none of the hosts that are allowed: docs.example.org";
    let times = || yard.project.days().into_values().map(|text| text.matches(refused).count()).sum::<usize>();
    let before = times();
    assert!(before > 0, "the tool is there, and reaches no other host");
    let resume = "run --model scripted:script.jsonl --resume";
    // The same call once more would end the attempt.
    let elsewhere = json!({ "tool": "fetch", "input": { "url": "https://evil.example/y" } });
    let again = says("executor", &json!({ "calls": [elsewhere], "done": false, "output": "" }));
    yard.script(&[understood(), plan(), looks, again, writes("hello\n")]);
    assert_eq!(yard.annals(resume).code, Some(0), "it goes on with what was allowed");
    assert!(times() > before, "the hosts are kept");
    for host in ["localhost", "127.0.0.1:8080"] {
        let no_page = run_with(&format!("--allow-host {host}"));
        assert_eq!(no_page.code, Some(2), "{no_page:?}");
        assert!(no_page.stderr.contains("fetch reaches https://NAME alone"), "{}", no_page.stderr);
    }
    yard.script(&[understood(), plan()]);
    assert_eq!(yard.annals(RUN).code, Some(1));
    let later = yard.annals(&format!("{resume} --allow-host docs.example.org"));
    assert_eq!(later.code, Some(2), "{later:?}");
    assert!(later.stderr.contains("without the tool fetch"), "{}", later.stderr);
}
