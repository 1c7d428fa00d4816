//! Time cannot be forged: `ANNALS_NOW` and `ANNALS_SEED` count only in a folder that began so (decision 46).

use std::fs;

use annals::kernel::id::EntryId;
use serde_json::json;

use crate::program::{Project, Run, run};
use crate::support::time;

const PAST: &str = "2019-11-20T09:00:00Z";

fn with(project: &Project, variable: (&str, &str), arguments: &[&str]) -> Run {
    let mut command = project.command(arguments);
    command.env(variable.0, variable.1);
    run(command, r#"{"type":"tool_call","name":"Bash","input":{"command":"ls"}}"#)
}

fn at(project: &Project, now: &str, arguments: &[&str]) -> Run {
    with(project, ("ANNALS_NOW", now), arguments)
}

/// Whether a time that is given is honoured, asked by a command that records.
fn is_given(project: &Project) -> bool {
    let run = at(project, "2019-11-21T10:00:00Z", &["session", "start", "Forged"]);
    let is_recorded = project.entries().iter().any(|entry| entry.timestamp.to_string().starts_with("2019-11-21"));
    assert_eq!((run.code == Some(0), run.code == Some(2)), (is_recorded, !is_recorded), "{run:?}");
    is_recorded
}

#[test]
fn elsewhere_a_given_time_or_chance_is_an_error_for_every_command_that_uses_a_clock() {
    let project = Project::new();
    project.done("session start Honest");
    let before = project.entries();
    let commands: [&[&str]; 10] = [
        &["session", "start", "Forged"],
        &["issue", "new", "Forged"],
        &["record"],
        &["exec", "--", "true"],
        &["import", "nothing.jsonl"],
        &["log", "--since", "2h"],
        &["status"],
        &["doctor"],
        &["seal"],
        &["init"],
    ];
    for variable in [("ANNALS_NOW", PAST), ("ANNALS_SEED", "s"), ("ANNALS_NOW", "never")] {
        for arguments in commands {
            let run = with(&project, variable, arguments);
            let says = format!("annals: {} is set, and here the clock is the machine's: unset it", variable.0);
            assert_eq!(run.code, Some(if arguments == ["doctor"] { 1 } else { 2 }), "{arguments:?}: {run:?}");
            let said = run.stdout.clone() + &run.stderr;
            assert!(said.contains(says.trim_start_matches("annals: ")), "{arguments:?}: {run:?}");
        }
    }
    let bare = Project::bare();
    assert_eq!(at(&bare, PAST, &["init"]).code, Some(2));
    assert!(!bare.context().exists(), "nothing was made");
    assert_eq!(at(&project, "", &["status"]).code, Some(0), "an empty variable is none");
    assert_eq!(project.entries(), before);
}

#[test]
fn a_clock_is_given_before_anything_else_or_never() {
    let project = Project::given(PAST);
    assert!(is_given(&project));
    assert_eq!(at(&project, PAST, &["init"]).code, Some(0), "as often as somebody likes");
    let late = Project::new();
    late.done("session start Honest");
    for arguments in [&["init", "--clock", "given"][..], &["--as", "critic", "init", "--clock", "given"]] {
        let run = at(&late, PAST, arguments);
        assert_eq!(run.code, Some(1), "{run:?}");
        assert!(
            run.stderr.contains("refused: there are entries in the log (1), so its clock is the machine's"),
            "{run:?}"
        );
    }
    assert!(!is_given(&late));
    let agents = Project::bare();
    let run = at(&agents, PAST, &["--as", "critic", "init", "--clock", "given"]);
    assert!(run.stderr.contains("only the user or the team lead changes the configuration"), "{run:?}");
}

#[test]
fn neither_the_file_nor_another_folder_gives_a_clock() {
    let (given, project) = (Project::given(PAST), Project::new());
    project.write(".context/config.toml", "clock = \"given\"\n");
    assert!(!is_given(&project));
    let context = project.context().to_string_lossy().into_owned();
    let run = at(&given, PAST, &["--context", &context, "session", "start", "Forged"]);
    assert_eq!(run.code, Some(2), "{run:?}");
}

/// What another folder's history says holds for that folder, even where its lines come first.
#[test]
fn a_history_that_was_copied_in_gives_no_clock_to_lines_that_never_saw_it() {
    let (given, project) = (Project::given(PAST), Project::new());
    project.done("session start Honest");
    for (name, text) in given.days() {
        project.write(&format!(".context/history/{name}"), &text);
    }
    assert!(!is_given(&project));
    let doctor = project.annals(["doctor"], "").stdout;
    assert!(doctor.contains("the clock was given, and who wrote this did not know: it is the machine's"), "{doctor}");
}

/// The honest lines are moved away for a moment.
#[test]
fn a_clock_that_was_given_behind_the_back_of_a_history_counts_for_nothing() {
    let project = Project::new();
    project.done("session start Honest");
    let honest = project.days();
    fs::remove_dir_all(project.context()).expect("removed");
    let mut command = project.command(["init", "--clock", "given"]);
    command.env("ANNALS_NOW", PAST);
    assert_eq!(run(command, "").code, Some(0));
    assert!(is_given(&project));
    for (name, text) in honest {
        project.write(&format!(".context/history/{name}"), &text);
    }
    let run = at(&project, PAST, &["status"]);
    assert_eq!(run.code, Some(2), "{run:?}");
    assert!(project.annals(["doctor"], "").stdout.contains("it is the machine's"));
}

/// What an import brings is older than anything, and no time of this log.
#[test]
fn sessions_from_before_leave_a_given_clock_given() {
    let project = Project::given("2026-11-20T09:00:00Z");
    let example = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/codex-rollout.jsonl");
    assert_eq!(at(&project, "2026-11-20T10:00:00Z", &["import", example]).code, Some(0));
    let first = project.entries().into_iter().map(|entry| entry.timestamp).min();
    assert!(first.is_some_and(|first| first.to_string().as_str() < "2026-11-20"), "{first:?}");
    for now in ["2026-11-20T11:00:00Z", "2026-11-20T12:00:00Z"] {
        assert_eq!(at(&project, now, &["session", "start", "Later"]).code, Some(0));
    }
    assert_eq!(at(&project, "2026-11-20T13:00:00Z", &["--fresh", "session", "list"]).code, Some(0));
}

#[test]
fn a_line_by_hand_that_claims_to_be_the_first_gives_no_clock() {
    let project = Project::new();
    project.done("session start Honest");
    let line = json!({
        "id": EntryId::new(time(PAST), 7), "timestamp": PAST, "session_id": "annals",
        "operation": {
            "type": "system_event", "name": "config.clock.give", "input": {"command": {}},
            "output": {"events": [{"name": "config.clock.given", "data": {}}]}, "success": true,
        },
        "provenance": {"agent_id": "user"}, "metadata": {},
        "extensions": {"annals": {"v": 1, "r": 2, "w": "f0rged00", "n": 1, "p": "00000000000000000000000000000000"}},
    });
    project.write(".context/history/2019-11-20.jsonl", &format!("{line}\n"));
    assert_eq!(at(&project, PAST, &["status"]).code, Some(2));
    let doctor = project.annals(["doctor"], "").stdout;
    assert!(doctor.contains("it is the machine's"), "{doctor}");
}

/// A variable must not stop the recorder, and less so what it guards.
#[test]
fn a_hook_records_in_the_machines_time_whatever_the_environment_says() {
    let project = Project::new();
    let payload = json!({
        "session_id": "s1", "hook_event_name": "UserPromptSubmit", "prompt": "hello", "tool_use_id": "t1",
    });
    for now in [PAST, "never"] {
        let mut command = project.command(["hook", "claude-code"]);
        command.env("ANNALS_NOW", now);
        let run = run(command, &payload.to_string());
        assert_eq!(run.code, Some(0), "{run:?}");
        assert!(run.stderr.contains("ANNALS_NOW does not count here"), "{run:?}");
    }
    let entries = project.entries();
    assert!(!entries.is_empty() && entries.iter().all(|entry| entry.timestamp.to_string().as_str() > "2026"));
}

/// The last line of a writer is nobody's past, so that its rules can be changed by hand and only its hash tells.
#[test]
fn doctor_names_decisions_that_go_back_in_time_or_in_rules() {
    let project = Project::given("2026-11-20T09:00:00Z");
    at(&project, "2026-11-20T10:00:00Z", &["session", "start", "Ten"]);
    let doctor = |now: &str| at(&project, now, &["doctor"]).stdout;
    let time =
        |text: &str| text.lines().filter(|line| line.contains("  time: ")).map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(time(&doctor("2026-11-20T10:00:01Z")), Vec::<String>::new());
    at(&project, "2026-11-20T09:30:00Z", &["session", "start", "Half past nine"]);
    let said = time(&doctor("2026-11-20T10:00:01Z")).concat();
    assert!(said.contains("dated before the one before them, by the same writer: 1; the first: "), "{said}");
    let said = time(&doctor("2026-11-20T09:50:00Z")).concat();
    assert!(said.contains("lines more than five minutes ahead of this clock: 1; the first: "), "{said}");
    let (name, text) = project.days().pop_first().expect("a day");
    let (head, last) = text.trim_end().rsplit_once('\n').expect("lines");
    let rules = annals::kernel::annals::RULES_VERSION;
    let older = last.replace(&format!("\"r\":{rules}"), &format!("\"r\":{}", rules - 1));
    assert_ne!(older, last);
    project.write(&format!(".context/history/{name}"), &format!("{head}\n{older}\n"));
    let doctor = doctor("2026-11-20T10:00:01Z");
    assert!(doctor.contains("BAD   rules: decisions under older rules than the one before them"), "{doctor}");
}
