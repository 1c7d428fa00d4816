//! `annals exec`: the command's own behaviour, and what is recorded of it.

use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::process::ExitStatusExt;

use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};

use crate::program::{Project, ended};

fn exec(project: &Project, script: &str, stdin: &str) -> crate::program::Run {
    project.annals(["exec", "--", "sh", "-c", script], stdin)
}

fn output(project: &Project) -> Value {
    project.last().operation.output.expect("an output").value()
}

/// The same, where something else may follow from a call.
fn last_call(project: &Project) -> Value {
    let mut calls = project.entries().into_iter().filter(|entry| &*entry.operation.name == "exec");
    calls.next_back().and_then(|entry| entry.operation.output).expect("an output").value()
}

#[test]
fn exit_code_and_output_are_the_commands_own() {
    let project = Project::new();
    let run = exec(&project, "cat; echo err >&2; exit 7", "in\n");
    assert_eq!((run.code, run.stdout.as_str(), run.stderr.as_str()), (Some(7), "in\n", "err\n"));
    let entry = project.last();
    assert_eq!(output(&project), json!({"stdout": "in\n", "stderr": "err\n", "exit_code": 7}));
    assert_eq!((entry.operation.success, entry.operation.error.as_deref()), (false, Some("exit code 7")));
    assert_eq!(entry.operation.kind.as_str(), "tool_call");
    assert_eq!((&*entry.operation.name, entry.session_id.as_str()), ("exec", "exec"));
    assert_eq!(entry.operation.input.value()["command"], json!(["sh", "-c", "cat; echo err >&2; exit 7"]));
    assert!(entry.operation.duration_ms.is_some());
}

#[test]
fn bytes_pass_through_unchanged_and_are_marked_in_the_copy() {
    let project = Project::new();
    let child = project.start(["exec", "--name", "bytes", "--", "printf", r"a\377\000b"]);
    let output = child.wait_with_output().expect("ended");
    assert_eq!(output.stdout, b"a\xFF\0b");
    let entry = project.last();
    assert_eq!(&*entry.operation.name, "bytes");
    assert_eq!(self::output(&project)["stdout"], "a\u{FFFD}\u{0}b");
}

#[test]
fn output_passes_through_while_the_command_runs() {
    let project = Project::new();
    let mut child = project.start(["exec", "--", "sh", "-c", "printf begun; read answer; echo \" $answer\""]);
    let mut stdout = child.stdout.take().expect("a pipe");
    let mut first = [0; 5];
    stdout.read_exact(&mut first).expect("read before the command ends");
    assert_eq!(&first, b"begun");
    child.stdin.take().expect("a pipe").write_all(b"on\n").expect("written");
    let mut rest = String::new();
    BufReader::new(stdout).read_line(&mut rest).expect("read");
    assert_eq!((rest.as_str(), child.wait().expect("ended").code()), (" on\n", Some(0)));
    assert_eq!(output(&project)["stdout"], "begun on\n");
}

#[test]
fn of_a_long_output_beginning_and_end_are_kept() {
    let project = Project::new();
    assert_eq!(project.annals(["config", "set", "exec.capture_bytes", "20"], "").code, Some(0));
    let run = exec(&project, "seq 1 1000", "");
    assert_eq!(run.stdout.lines().count(), 1000);
    let output = output(&project);
    assert_eq!(output["stdout"], "1\n2\n3\n4\n5\n[3874 bytes cut]\n999\n1000\n");
    assert_eq!(output["stdout_bytes"], 3893);
}

/// Half of a secret looks like no secret: so none is cut in two.
#[test]
fn no_part_of_a_secret_at_the_cut_is_recorded() {
    let project = Project::new();
    project.write(".context/config.toml", "[exec]\ncapture_bytes = 8000\n");
    let token = ["gh", "p_k3J9xQ2mV7tR4wZ8bN1cL6yH5dF0sA3gE9uP"].concat();
    let lines = "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQDk\n".repeat(40);
    let key = format!("-----BEGIN RSA PRIVATE KEY-----\n{lines}-----END RSA PRIVATE KEY-----\n");
    let log = |bytes: usize| "a line of it\n".repeat(bytes / 13 + 1)[..bytes].to_owned();
    for secret in [format!("\n{token}\n"), "\nDB_PASSWORD=Wald-Meister-2291\n".to_owned(), format!("\n{key}")] {
        for at in [1, secret.len() / 4, secret.len() / 2, secret.len() * 3 / 4, secret.len() - 2] {
            let head = format!("{}{secret}{}", log(4_000 - at), log(12_000));
            let tail = format!("{}{secret}{}", log(12_000), log(4_000 - at));
            for text in [head, tail] {
                project.write("log", &text);
                exec(&project, "cat log", "");
                let stdout = last_call(&project)["stdout"].as_str().expect("a text").to_owned();
                let parts = ["k3J9", "E9uP", "Wald", "2291", "MIIE", "wggSj"];
                let left: Vec<_> = parts.into_iter().filter(|part| stdout.contains(part)).collect();
                assert_eq!(left, Vec::<&str>::new(), "{at} of {}", secret.len());
            }
        }
    }
}

/// As `git clean -fdx` does.
#[test]
fn a_command_that_takes_its_own_handle_away_is_recorded() {
    let project = Project::new();
    let run = exec(&project, "rm -r .context/local; echo done", "");
    assert_eq!((run.code, run.stdout.as_str(), run.stderr.as_str()), (Some(0), "done\n", ""));
    assert_eq!(output(&project), json!({"stdout": "done\n", "stderr": "", "exit_code": 0}));
    project.done("status");
    assert_eq!(project.entries().len(), 1);
}

#[test]
fn a_command_that_cannot_start_is_recorded_too() {
    let project = Project::new();
    let run = project.annals(["exec", "--", "no-such-program", "x"], "");
    assert_eq!((run.code, run.stdout.as_str()), (Some(127), ""));
    assert!(run.stderr.starts_with("annals exec: cannot start no-such-program"), "{run:?}");
    let entry = project.last();
    assert!(entry.operation.error.is_some_and(|error| error.starts_with("cannot start: ")));
    project.write("plain", "no program");
    assert_eq!(project.annals(["exec", "--", "./plain"], "").code, Some(126));
}

#[test]
fn a_signal_that_ends_the_command_is_told() {
    let project = Project::new();
    assert_eq!(exec(&project, "kill -KILL $$", "").code, Some(137));
    assert_eq!(output(&project), json!({"stdout": "", "stderr": "", "signal": 9}));
    assert_eq!(project.last().operation.error.as_deref(), Some("killed by signal 9"));
}

#[test]
fn a_signal_that_we_get_goes_to_the_command() {
    let project = Project::new();
    let script = "trap 'echo caught; exit 5' TERM; echo ready; while :; do sleep 0.05; done";
    let mut child = project.start(["exec", "--", "sh", "-c", script]);
    let mut stdout = BufReader::new(child.stdout.take().expect("a pipe"));
    let mut line = String::new();
    stdout.read_line(&mut line).expect("read");
    assert_eq!(line, "ready\n");
    kill_process(Pid::from_child(&child), Signal::TERM).expect("sent");
    assert_eq!(child.wait().expect("ended").code(), Some(5));
    assert_eq!(output(&project)["stdout"], "ready\ncaught\n");
}

#[test]
fn when_nobody_reads_the_command_ends_as_it_would_alone() {
    let project = Project::new();
    let mut child = project.start(["exec", "--", "yes"]);
    let mut bytes = [0; 4];
    child.stdout.take().expect("a pipe").read_exact(&mut bytes).expect("read");
    // The pipe is closed now.
    assert_eq!(child.wait().expect("ended").code(), Some(141));
    assert_eq!(output(&project)["signal"], 13);
}

#[test]
fn files_of_the_command_line_are_named() {
    let project = Project::new();
    project.write("a.txt", "a");
    project.annals(["exec", "--", "cp", "-f", "a.txt", "b.txt"], "");
    let files: Vec<_> = project.last().metadata.files_touched.expect("files").iter().map(ToString::to_string).collect();
    assert_eq!(files, ["a.txt", "b.txt"]);
    project.annals(["exec", "--", "true", "src"], "");
    assert_eq!(project.last().metadata.files_touched, None);
}

#[test]
fn a_recorder_that_is_killed_leaves_a_call_that_its_session_ends() {
    let project = Project::new();
    let session = project.annals(["session", "start", "try"], "").stdout.trim().to_owned();
    let mut child = project.start(["exec", "--session", &session, "--", "sh", "-c", "echo ready; cat"]);
    let mut line = String::new();
    BufReader::new(child.stdout.take().expect("a pipe")).read_line(&mut line).expect("read");
    child.kill().expect("killed");
    assert_eq!(child.wait().expect("ended").signal(), Some(9));
    drop(child.stdin.take());
    assert_eq!(project.annals(["session", "complete", &session], "").code, Some(0));
    let entries = project.entries();
    let names: Vec<_> = entries.iter().map(|entry| &*entry.operation.name).collect();
    assert_eq!(names, ["history.session.start", "exec", "history.session.complete", "history.head.sign"]);
    assert_eq!(entries[1].operation.error.as_deref(), Some("interrupted"));
    assert_eq!(entries[1].session_id.as_str(), session);
}

#[test]
fn a_log_that_cannot_be_written_does_not_change_what_the_command_comes_to() {
    let project = Project::new();
    for name in ["history", "local"] {
        std::fs::remove_dir_all(project.context().join(name)).expect("removed");
        project.write(&format!(".context/{name}"), "in the way");
    }
    let run = exec(&project, "echo out; exit 4", "");
    assert_eq!((run.code, run.stdout.as_str()), (Some(4), "out\n"));
    assert!(run.stderr.contains("the command was not recorded"), "{run:?}");
    let nowhere = Project::bare();
    let run = exec(&nowhere, "echo out", "");
    assert_eq!((run.code, run.stdout.as_str()), (Some(3), ""), "nothing runs where nothing can be recorded");
}

#[test]
fn the_session_can_come_from_the_environment() {
    let project = Project::new();
    let mut command = project.command(["exec", "--as", "coder", "--", "true"]);
    command.env("ANNALS_SESSION", "01K7ZC5QW4M0N4T7V5R2B8XQ6D");
    assert_eq!(ended(&command.output().expect("ran")).code, Some(0));
    let entry = project.last();
    assert_eq!(entry.session_id.as_str(), "01K7ZC5QW4M0N4T7V5R2B8XQ6D");
    assert_eq!(entry.provenance.agent_id, Some("coder".into()));
    assert_eq!(project.annals(["exec", "--session", "unheard-of", "--", "true"], "").code, Some(2));
}
