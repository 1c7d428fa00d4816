//! What was found out for a command, and what becomes of it where nobody can read it.

use annals::domain::session::command::{Complete, Start};
use annals::domain::session::{Command, Session};
use annals::engine::replay::Which;
use annals::engine::{By, Engine};
use annals::kernel::id::{NO_SESSION, SessionId};
use annals::kernel::json::Json;
use serde_json::{Value, json};

use crate::support::Project;

const NOW: &str = "2026-11-21T10:00:00Z";

/// None of these is what the session, the proof of an actor, or the settings in force look like.
fn unreadable() -> [Value; 4] {
    [json!({ "summary": 5 }), json!({ "proof": 5 }), json!({ "weakening": "all" }), json!({ "in_force": [] })]
}

fn by() -> By {
    By::new("user", SessionId::from(NO_SESSION))
}

fn started(engine: &Engine) -> SessionId {
    let answer = engine.decide(Command::from(Start::default()), &Json::empty_object(), &by()).expect("decided");
    SessionId::from(answer.entry.expect("an entry").to_string())
}

#[test]
fn nothing_is_decided_on_what_cannot_be_read() {
    let project = Project::new();
    let engine = project.engine(NOW, "one");
    let session = started(&engine);
    let before = project.files();
    for observed in unreadable() {
        let complete = Command::from(Complete { session: session.clone() });
        let error = engine.decide(complete, &Json::of(&observed), &by()).expect_err("unreadable").to_string();
        assert!(error.starts_with("what was found out for history.session.complete cannot be read: "), "{error}");
    }
    assert_eq!(project.files(), before);
}

/// A merged line may hold anything: what happened is taken in, and what was found out counts as unknown, not as nothing.
#[test]
fn in_the_fold_it_is_odd_and_no_default_takes_its_place() {
    let project = Project::new();
    let engine = project.engine(NOW, "one");
    let session = started(&engine);
    let summary = json!({ "summary": { "title": "Paint", "body": "It is red." } });
    let complete = Command::from(Complete { session: session.clone() });
    engine.decide(complete, &Json::of(&summary), &by()).expect("decided");
    let mut files = project.files();
    for text in files.values_mut() {
        assert!(text.contains(r#""summary":{"#));
        *text = text.replace(r#""title":"Paint""#, r#""title":5"#);
    }
    let other = Project::new();
    other.set_files(&files);
    let reader = other.engine("2026-11-22T10:00:00Z", "reader");
    let (oddities, status, has_summary) = reader
        .ask(|world| {
            let found: Option<&Session> = world.rooms.session.session(&session);
            let found = found.expect("a session");
            (world.oddities.first.clone(), found.status.to_string(), found.summary.is_some())
        })
        .expect("asked");
    assert_eq!((status.as_str(), has_summary, oddities.len()), ("completed", false, 1), "{oddities:?}");
    assert!(oddities[0].what.contains("cannot be read"), "{oddities:?}");
    let report = reader.replay(&Which::All).expect("replayed");
    assert_eq!((report.decisions, report.matched, report.differed.len()), (2, 1, 1));
}
