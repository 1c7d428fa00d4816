//! What is stored between commands gives the same state as everything folded anew.

use annals::domain::Command;
use annals::engine::By;
use annals::kernel::id::{EntryId, NO_SESSION};
use annals::kernel::json::Json;
use serde_json::{Value, json};

use super::found;
use crate::control::desk::REASONS;
use crate::support::Project;

/// Commands of a small swarm: who, what, and what was observed. Issues are named by their places.
fn commands(first: &str) -> Vec<(&'static str, &'static str, Value, Value)> {
    let none = || json!({});
    let cite = |file: &str| json!({ "issue": first, "body": REASONS, "evidence": { "files": [{ "path": file, "quote": "let answer = 42;" }] }, "citation": { "trigger": "resolve-conflict", "trigger_ref": first } });
    vec![
        // These comments say the same words.
        ("user", "config.value.change", json!({ "values": { "sanity.echo": false } }), none()),
        ("user", "milestones.milestone.begin", json!({ "kind": "session", "name": "one" }), none()),
        ("mod", "credits.goal.set", json!({ "metric": "verified-citations", "target": 2 }), none()),
        ("writer", "issues.comment.add", cite("a.rs"), json!({ "evidence": [found("a.rs", 1000)] })),
        ("critic", "issues.comment.add", cite("a.rs"), json!({ "evidence": [found("a.rs", 900)] })),
        (
            "critic",
            "credits.credit.award",
            json!({ "agent": "writer", "reason": "peer-marked-helpful", "about": { "issue": first } }),
            none(),
        ),
        ("user", "credits.task.slice", json!({ "issue": first, "doer": "writer", "total": 5, "slices": 2 }), none()),
        ("user", "credits.slice.complete", json!({ "issue": first, "doer": "writer" }), none()),
        ("mod", "issues.issue.freeze", json!({ "issue": first, "reason": "heated" }), none()),
        ("mod", "issues.issue.unfreeze", json!({ "issue": first, "guidance": "files, please" }), none()),
        ("user", "issues.issue.resolve", json!({ "issue": first, "note": "done", "force": "enough" }), none()),
        ("mod", "issues.issue.mark", json!({ "issue": first, "usefulness": "applied" }), json!({ "shown": "found" })),
        ("user", "credits.slice.complete", json!({ "issue": first, "doer": "writer" }), none()),
        ("user", "milestones.milestone.end", json!({ "kind": "session" }), none()),
    ]
}

#[test]
fn a_checkpoint_between_any_two_commands_changes_nothing() {
    let project = Project::new();
    let engine = || project.engine("2026-11-21T03:10:00.123Z", "credits");
    let decide = |who: &str, what: &str, fields: &Value, observed: &Value| {
        let engine = engine();
        let command = Command::read(what, &Json::of(fields)).expect("a command");
        let answer = engine.decide(command, &Json::of(observed), &By::new(who, NO_SESSION)).expect("decided");
        assert_eq!(answer.refusal, None, "{what} by {who}");
        engine.store_checkpoint().expect("stored");
        answer
    };
    for (agent, role) in [("mod", "moderator"), ("critic", "critic"), ("writer", "writer")] {
        let add = json!({ "agent": agent, "role": role, "can_be_devils_advocate": agent == "critic" });
        decide("user", "roster.agent.add", &add, &json!({}));
    }
    let opened = decide("writer", "issues.issue.open", &json!({ "title": "A lexer" }), &json!({}));
    let issue = opened.events[0].data().value()["issue"].as_str().expect("an issue").to_owned();
    for (who, what, fields, observed) in commands(&issue) {
        decide(who, what, &fields, &observed);
        assert_eq!(engine().ask(annals::world::World::hash).expect("asked"), project.fresh_hash(), "after {what}");
    }
}

/// Control-room 8.1: which tags an access counts for stands in the issue, and which issue in the entry; both are brought.
#[test]
fn an_access_is_folded_onto_the_rows_that_it_asks_for_and_no_others() {
    let project = Project::new();
    let decide = |who: &str, what: &str, fields: &Value| {
        let command = Command::read(what, &Json::of(fields)).expect("a command");
        let engine = project.engine("2026-11-21T03:10:00.123Z", what);
        let answer = engine.decide(command, &Json::empty_object(), &By::new(who, NO_SESSION)).expect("decided");
        assert_eq!(answer.refusal, None, "{what} by {who}");
        (engine, answer)
    };
    for (agent, role) in [("mod", "moderator"), ("critic", "critic")] {
        let add = json!({ "agent": agent, "role": role, "can_be_devils_advocate": agent == "critic" });
        decide("user", "roster.agent.add", &add);
    }
    let (engine, opened) = decide("user", "issues.issue.open", &json!({ "title": "A lexer", "tags": ["lexer"] }));
    engine.store_checkpoint().expect("stored");
    let issue = opened.events[0].data().value()["issue"].clone();
    decide("critic", "issues.issue.read", &json!({ "issue": issue }));
    let engine = project.engine("2026-11-21T03:10:00.123Z", "later");
    let mut live = engine.world_at(EntryId::MAX).expect("folded");
    let accesses = live.ask(|world| world.rooms.topic.topic("#lexer").map(|topic| topic.accesses)).expect("asked");
    let whole: Vec<_> =
        live.world().rooms.tables().iter().filter(|(_, table)| table.is_whole()).map(|(name, _)| *name).collect();
    assert_eq!((accesses, whole), (Some(1), Vec::<&str>::new()));
}
