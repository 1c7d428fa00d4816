//! Replay bites: every decision is made again on its causal past, and a changed outcome is named.

use std::fs;
use std::path::Path;

use annals::domain::access::Command as Access;
use annals::domain::access::command::{Attempt, Grant};
use annals::domain::access::policy::Intent;
use annals::domain::session::command::{Abort, Complete, Resume, Start, Suspend};
use annals::domain::session::{Command, Event};
use annals::engine::replay::{Report, Stopped, Which};
use annals::engine::{By, Engine};
use annals::kernel::id::{AgentId, NO_SESSION, SessionId};
use annals::kernel::json::Json;
use annals::kernel::settings::Settings;
use annals::log::position::IdSource;
use annals::world::otherwise::Overlay;

use crate::support::{Project, call, open, user};

fn decide(engine: &Engine, command: impl Into<annals::domain::Command>) -> annals::engine::Answer {
    engine.decide(command, &Json::empty_object(), &user()).expect("decided")
}

fn start(engine: &Engine) -> SessionId {
    let answer = decide(engine, Command::from(Start::default()));
    match answer.events.first() {
        Some(annals::domain::Event::Session(Event::Started(started))) => started.session.clone(),
        other => panic!("not started: {other:?}"),
    }
}

fn replay(engine: &Engine) -> Report {
    engine.replay(&Which::All).expect("replayed")
}

/// A history with every kind of decision.
fn lived(engine: &Engine) -> SessionId {
    let session = start(engine);
    decide(engine, Command::from(Suspend { session: session.clone(), reason: None }));
    decide(engine, Command::from(Resume { session: session.clone() }));
    let other = start(engine);
    decide(engine, Command::from(Abort { session: other, reason: "timeout".into() }));
    decide(engine, Access::from(Grant { agent: AgentId::from("coder"), folder: "memory".into() }));
    let coder = By::new(AgentId::from("critic"), SessionId::from(NO_SESSION));
    let attempt = Access::from(Attempt { path: "memory/x".into(), intent: Intent::Write, tool: None });
    let answer = engine.decide(attempt, &Json::empty_object(), &coder).expect("decided");
    assert!(answer.refusal.is_some() && answer.entry.is_some(), "a refused attempt is recorded");
    decide(engine, Command::from(Complete { session: session.clone() }));
    session
}

fn only_day(context: &Path) -> std::path::PathBuf {
    let mut files: Vec<_> =
        fs::read_dir(context.join("history")).expect("a folder").map(|file| file.expect("a file").path()).collect();
    assert_eq!(files.len(), 1, "{files:?}");
    files.remove(0)
}

#[test]
fn what_was_decided_is_decided_again() {
    let project = Project::new();
    let engine = project.live("a");
    lived(&engine);
    let report = replay(&engine);
    assert_eq!((report.decisions, report.matched, report.differed.len()), (8, 8, 0), "{report:?}");
}

#[test]
fn every_changed_outcome_is_named_by_its_line() {
    let project = Project::new();
    lived(&project.live("a"));
    let path = only_day(&project.context());
    let good = fs::read_to_string(&path).expect("read");
    let mut changed = 0;
    for (number, line) in good.lines().enumerate() {
        for (from, to) in [
            ("ed\",\"data\"", "ed_not\",\"data\""),
            ("\"session\":\"0", "\"session\":\"1"),
            ("\"folder\":\"m", "\"folder\":\"n"),
            ("read_only", "closed"),
            ("is read-only", "is not"),
        ] {
            let (input, output) = line.split_once("\"output\":").expect("a decision has an output");
            let (events, rest) = output.split_once("\"duration_ms\"").expect("and a duration");
            if !events.contains(from) {
                continue;
            }
            changed += 1;
            let bad = format!("{input}\"output\":{}\"duration_ms\"{rest}", events.replacen(from, to, 1));
            fs::write(&path, good.replace(line, &bad)).expect("written");
            let report = replay(&open(&project.context(), "b"));
            let first = report.differed.first().map(|differed| differed.line);
            assert_eq!(first, Some(number as u64 + 1), "{from} → {to}: {report:?}");
        }
    }
    assert!(changed >= 15, "only {changed} changes were tried");
}

#[test]
fn a_late_line_does_not_change_what_was_known_then() {
    let project = Project::new();
    let engine = project.live("a");
    engine.record(call("s", 1_763_700_000_000, 1), IdSource::AsGiven).expect("recorded");
    let session = SessionId::from("s");
    decide(&engine, Command::from(Complete { session: session.clone() }));
    // Somebody imports the end of that session afterwards: in the order of ids it comes before the decision.
    let mut end = call("s", 1_763_700_060_000, 2);
    (end.operation.kind, end.operation.name) = ("system_event".into(), "session_end".into());
    engine.record(end, IdSource::AsGiven).expect("recorded");
    let status =
        engine.ask(|world| world.rooms.session.session(&session).map(|session| session.status)).expect("asked");
    assert_eq!(status, Some(annals::domain::session::SessionStatus::Completed));
    start(&engine);
    let report = replay(&engine);
    assert_eq!((report.decisions, report.matched), (2, 2), "{report:?}");
}

#[test]
fn each_side_of_a_merge_is_replayed_on_what_it_knew() {
    let (ours, theirs) = (Project::new(), Project::new());
    let engine = ours.live("a");
    let session = start(&engine);
    drop(engine);
    let base = only_day(&ours.context());
    let copy = theirs.context().join("history").join(base.file_name().expect("a name"));
    fs::copy(&base, &copy).expect("copied");
    decide(&ours.live("b"), Command::from(Complete { session: session.clone() }));
    let engine = theirs.live("c");
    decide(&engine, Command::from(Suspend { session: session.clone(), reason: None }));
    decide(&engine, Command::from(Abort { session, reason: "power cut".into() }));
    // As `merge=union` does.
    let (left, right) = (fs::read_to_string(&base).expect("read"), fs::read_to_string(&copy).expect("read"));
    let common = left.lines().next().expect("a line").len() + 1;
    let merged = [format!("{left}{}", &right[common..]), format!("{right}{}", &left[common..])];
    let mut hashes = Vec::new();
    for text in merged {
        fs::write(&base, text).expect("written");
        let report = replay(&ours.live("d"));
        assert_eq!((report.decisions, report.matched), (4, 4), "{report:?}");
        let other = ours.live("d").replay_otherwise(&Which::All, &Overlay::default()).expect("replayed");
        assert_eq!((other.as_recorded, other.otherwise.len()), (4, 0), "{other:?}");
        hashes.push(ours.fresh_hash());
    }
    assert_eq!(hashes[0], hashes[1]);
}

#[test]
fn another_configuration_shows_what_would_have_been_decided() {
    let project = Project::new();
    let engine = project.live("a");
    lived(&engine);
    let mut settings = Settings::default();
    settings.set("access.writable", Some(serde_json::json!(["memory"])));
    let other = engine.replay_otherwise(&Which::All, &Overlay(settings)).expect("replayed");
    let commands: Vec<_> = other.otherwise.iter().map(|differed| differed.command.as_str()).collect();
    assert_eq!(commands, ["access.path.attempt"]);
    assert_eq!((other.decisions, other.as_recorded, other.undecidable.len()), (8, 7, 0));
    let stopped = other.rules.get("access.forbidden").copied();
    assert_eq!(stopped, Some(Stopped { then: 1, now: 0 }), "{:?}", other.rules);
    assert_eq!(replay(&engine).differed, [], "the record itself is as it was");
}

#[test]
fn another_configuration_of_one_session_is_in_force_there_alone() {
    let project = Project::new();
    let engine = project.live("a");
    let session = lived(&engine);
    let mut settings = Settings::default();
    settings.set("access.writable", Some(serde_json::json!(["memory"])));
    let other = engine.replay_otherwise(&Which::Session(session), &Overlay(settings)).expect("replayed");
    assert_eq!((other.decisions, other.as_recorded, other.otherwise.len()), (4, 4, 0), "{other:?}");
}
