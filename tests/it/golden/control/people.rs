//! The roster, tokens, and whether the swarm may run.

use annals::kernel::json::sha256_hex;
use serde_json::{Value, json};

use super::{NOTHING, Step, add, ask, change, on, open, seen, set, user};

/// Nobody acts who is not in the roster.
pub fn strangers() -> Vec<Step> {
    let award = json!({ "agent": "anna", "reason": "peer-marked-helpful", "about": { "issue": NOTHING } });
    vec![
        open("nobody", "A stranger's"),
        ask("nobody", "canon.entry.state", json!({ "key": "gate", "text": "The gate is red." })),
        ask("nobody", "credits.credit.award", award),
        ask("nobody", "credits.goal.set", json!({ "metric": "total-credits", "target": 1 })),
        ask("nobody", "milestones.milestone.begin", json!({ "kind": "session", "name": "one" })),
        ask("nobody", "notices.notice.acknowledge", json!({ "notice": NOTHING })),
        ask("nobody", "advocate.assignment.assign", json!({ "issue": NOTHING })),
        ask("nobody", "blind.pass.open", json!({ "issue": NOTHING, "participants": [] })),
        ask("nobody", "moderation.report.record", json!({})),
        ask("nobody", "roster.agent.add", json!({ "agent": "nobody", "role": "moderator" })),
        ask("nobody", "config.value.change", json!({ "values": { "sanity.preset": "light" } })),
    ]
}

/// Who comes, and under which names.
pub fn roster() -> Vec<Step> {
    let mut steps = vec![add("anna", "writer", json!({ "model": "model-1", "name": "Anna" }))];
    let long = ["x".repeat(64), "x".repeat(65)];
    for name in ["anna", "user", "system", "", "a b", "a.b-c_d/e", &long[0], &long[1]] {
        steps.push(add(name, "writer", json!({})));
    }
    for name in ["a.b-c_d/e", &long[0]] {
        steps.push(change(name, json!({ "duty": "retired" })));
    }
    steps.extend([
        change("nobody", json!({ "role": "critic" })),
        change("anna", json!({})),
        change("anna", json!({ "name": "Anna" })),
        change("anna", json!({ "name": "Ann" })),
        change("anna", json!({ "role": "editor" })),
        change("anna", json!({ "role": "writer" })),
        change("anna", json!({ "model": "model-2" })),
        change("anna", json!({ "can_be_devils_advocate": true })),
        change("anna", json!({ "can_be_devils_advocate": false })),
        change("anna", json!({ "duty": "retired" })),
        change("anna", json!({ "duty": "active" })),
        change("anna", json!({ "model": "model-1" })),
    ]);
    let seal = |agent: &str, seal: &str| user("roster.agent.seal", json!({ "agent": agent, "seal": seal }));
    let bad = [seal("anna", &"a".repeat(63)), seal("anna", &"g".repeat(64)), seal("anna", &"a".repeat(65))];
    steps.extend(bad);
    steps.extend([seal("nobody", &token("nobody")), seal("anna", &token("anna")), seal("user", &token("user"))]);
    steps
}

fn token(of: &str) -> String {
    sha256_hex(format!("the token of {of}").as_bytes())
}

/// What blocks every agent, one after the other.
pub fn health() -> Vec<Step> {
    vec![
        open("anna", "Nobody watches"),
        add("mod", "moderator", json!({})),
        open("anna", "Nobody dissents"),
        add("carl", "critic", json!({ "can_be_devils_advocate": true })),
        open("anna", "All is well"),
        set(json!({ "sanity.enabled": false })),
        open("anna", "Nothing stops us"),
        open("user", "The user may"),
        set(json!({ "sanity.enabled": null, "swarm.mode": "team" })),
        on("anna", "issues.issue.read", "All is well"),
        add("helper", "assistant", json!({})),
        on("anna", "issues.issue.read", "All is well"),
        add("helper2", "assistant", json!({})),
        on("anna", "issues.issue.read", "All is well"),
        change("helper2", json!({ "duty": "retired" })),
        on("anna", "issues.issue.read", "All is well"),
        open("helper2", "Is there no more"),
        set(json!({ "swarm.mode": "editor" })),
        change("carl", json!({ "duty": "retired" })),
        open("anna", "Nobody dissents any more"),
        change("carl", json!({ "duty": "active" })),
        ask("anna", "roster.agent.add", json!({ "agent": "friend", "role": "writer" })),
        ask("mod", "roster.agent.add", json!({ "agent": "friend", "role": "writer" })),
        add("lead", "team-lead", json!({})),
        ask("lead", "roster.agent.add", json!({ "agent": "erik", "role": "editor", "model": "model-1" })),
        add("dora", "continuity", json!({ "can_be_devils_advocate": true, "model": "model-2" })),
    ]
}

/// Names that must be proved.
pub fn proof() -> Vec<Step> {
    let read = |actor, observed: Value| seen(actor, "issues.issue.read", json!({ "issue": "<All is well>" }), observed);
    let shown = |of: &str| json!({ "proof": token(of) });
    let back = json!({ "values": { "roster.require_token": null } });
    vec![
        set(json!({ "roster.require_token": true })),
        read("anna", json!({})),
        read("anna", shown("mod")),
        read("anna", shown("anna")),
        read("mod", json!({})),
        read("carl", json!({})),
        read("mod", shown("mod")),
        read("system", json!({})),
        read("user", json!({})),
        read("user", shown("user")),
        ask("anna", "history.session.start", json!({ "title": "Needs no token" })),
        ask("anna", "access.path.attempt", json!({ "path": "canon/x", "intent": "write" })),
        user("config.file.adopt", json!({ "values": {} })),
        user("config.value.change", back.clone()),
        seen("user", "config.value.change", back, shown("user")),
        read("anna", json!({})),
        read("system", json!({})),
        ask("mod", "moderation.report.record", json!({})),
    ]
}
