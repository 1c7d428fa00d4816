//! Credits by hand: who gives what to whom, tasks in parts, and goals.

use annals::kernel::json::sha256_hex;
use serde_json::{Value, json};

use super::{NOTHING, Step, add, ask, change, id, open, set, user, with};

fn award(actor: &'static str, agent: &str, reason: &str, more: Value) -> Step {
    ask(actor, "credits.credit.award", with(json!({ "agent": agent, "reason": reason }), more))
}

/// Every reason, by those who may give it and by those who may not.
pub fn awards() -> Vec<Step> {
    const REASONS: [&str; 18] = [
        "evidence-verified", "evidence-verified-precise", "evidence-outcome-upgrade", "consulted-devils-advocate",
        "issue-applied-in-work", "comment-under-budget", "prevented-user-conflict", "assisted-slice",
        "proposal-accepted-by-user", "user-marked-helpful", "clean-unfreeze", "moderator-commendation",
        "peer-marked-helpful", "evidence-failed-verification", "circuit-breaker-triggered", "issue-marked-leech",
        "hallucination-detected", "moderator-penalty",
    ];
    let about = |title: &str| json!({ "about": { "issue": id(title) } });
    let amount = |amount: i64| json!({ "amount": amount });
    let none = || json!({});
    let mut steps = vec![open("user", "Helpful"), open("user", "Helpful too")];
    for reason in REASONS {
        steps.extend(["user", "mod", "erik"].map(|actor| award(actor, "anna", reason, about("Helpful"))));
    }
    steps.extend([-9, -2, 0, 1, 3, 4].map(|size| award("mod", "anna", "moderator-commendation", amount(size))));
    steps.extend([-2, 9].map(|size| award("mod", "anna", "moderator-penalty", amount(size))));
    steps.extend([
        award("mod", "mod", "moderator-commendation", none()),
        award("mod", "user", "moderator-commendation", none()),
        award("mod", "nobody", "moderator-commendation", none()),
        award("nobody", "anna", "peer-marked-helpful", none()),
        award("mod", "anna", "clean-unfreeze", amount(2)),
        award("mod", "anna", "moderator-commendation", json!({ "about": { "issue": NOTHING } })),
        award("mod", "anna", "moderator-commendation", json!({ "about": { "file": "src/a.rs" }, "note": "well read" })),
        award("carl", "anna", "peer-marked-helpful", none()),
        award("carl", "anna", "peer-marked-helpful", about("Helpful")),
        award("carl", "anna", "peer-marked-helpful", about("Helpful")),
        award("carl", "anna", "peer-marked-helpful", about("Helpful too")),
        set(json!({ "credits.amounts": { "user-marked-helpful": 4 }, "credits.tier_weights": { "none": 500 } })),
        award("user", "anna", "user-marked-helpful", none()),
        award("user", "anna", "proposal-accepted-by-user", none()),
        award("carl", "erik", "peer-marked-helpful", about("Helpful too")),
        set(json!({ "credits.amounts": null, "credits.tier_weights": null })),
    ]);
    steps.extend(same_hands());
    steps
}

/// One hand under several names.
fn same_hands() -> Vec<Step> {
    let seal =
        |agent: &str| user("roster.agent.seal", json!({ "agent": agent, "seal": sha256_hex(b"the token of pat") }));
    let helpful =
        |actor, agent: &str| award(actor, agent, "peer-marked-helpful", json!({ "about": { "issue": id("Helpful") } }));
    let mut steps = vec![
        add("pat", "editor", json!({})),
        add("P.a-t", "editor", json!({})),
        add("sam", "editor", json!({ "name": "Pat!" })),
        add("ron", "assistant", json!({})),
        add("...", "editor", json!({ "name": "" })),
        seal("pat"),
        seal("ron"),
        helpful("pat", "P.a-t"),
        helpful("pat", "sam"),
        helpful("sam", "pat"),
        helpful("pat", "ron"),
        helpful("...", "pat"),
        helpful("sam", "ron"),
        ask("ron", "credits.task.slice", json!({ "issue": id("Helpful"), "doer": "pat", "total": 3, "slices": 2 })),
        ask("ron", "credits.slice.complete", json!({ "issue": id("Helpful"), "doer": "pat" })),
    ];
    steps.extend(["pat", "P.a-t", "sam", "ron", "..."].map(|agent| change(agent, json!({ "duty": "retired" }))));
    steps
}

/// A task in parts, and every part that there is not.
pub fn slices() -> Vec<Step> {
    let cut = |actor, doer: &str, (total, slices): (u32, u32)| {
        let fields = json!({ "issue": id("Helpful"), "doer": doer, "total": total, "slices": slices });
        ask(actor, "credits.task.slice", fields)
    };
    let done =
        |actor, doer: &str| ask(actor, "credits.slice.complete", json!({ "issue": id("Helpful"), "doer": doer }));
    vec![
        cut("anna", "erik", (5, 3)),
        cut("mod", "erik", (5, 3)),
        cut("helper", "helper", (5, 3)),
        cut("helper", "user", (5, 3)),
        cut("helper", "nobody", (5, 3)),
        cut("helper", "erik", (0, 3)),
        cut("helper", "erik", (5, 0)),
        cut("helper", "erik", (21, 3)),
        cut("helper", "erik", (5, 21)),
        ask("helper", "credits.task.slice", json!({ "issue": NOTHING, "doer": "erik", "total": 5, "slices": 3 })),
        done("helper", "erik"),
        cut("helper", "erik", (5, 3)),
        cut("user", "erik", (5, 3)),
        cut("user", "dora", (20, 20)),
        done("erik", "erik"),
        done("anna", "erik"),
        done("helper", "erik"),
        done("user", "erik"),
        done("user", "erik"),
        done("user", "erik"),
        done("user", "dora"),
        done("user", "anna"),
    ]
}

fn goal(actor: &'static str, metric: &str, target: u32, more: Value) -> Step {
    ask(actor, "credits.goal.set", with(json!({ "metric": metric, "target": target }), more))
}

/// Goals that cannot be, that are reached, that are missed, and that are taken back.
pub fn goals() -> Vec<Step> {
    let of = |agent: &str| json!({ "agent": agent });
    let until = |deadline: &str| json!({ "deadline": deadline });
    let none = || json!({});
    let praise = |amount: i64| award("mod", "erik", "moderator-commendation", json!({ "amount": amount }));
    let drop = |actor, goal: &str| ask(actor, "credits.goal.drop", json!({ "goal": goal }));
    vec![
        goal("anna", "total-credits", 1, none()),
        goal("mod", "total-credits", 0, none()),
        goal("mod", "zero-penalties", 1, none()),
        goal("mod", "total-credits", 1, until("2026-11-20T00:00:00.000Z")),
        goal("mod", "total-credits", 1, of("nobody")),
        goal("mod", "total-credits", 1, of("user")),
        goal("mod", "total-credits", 5, of("erik")),
        goal("user", "total-credits", 4, none()),
        goal("user", "total-credits", 99, until("2026-11-20T23:59:59.000Z")),
        set(json!({ "goals.max_open": 3 })),
        goal("user", "total-credits", 1, none()),
        set(json!({ "goals.max_open": null })),
        praise(3),
        award("mod", "dora", "moderator-commendation", json!({ "amount": 1 })),
        praise(2),
        drop("anna", "<goal 3>"),
        drop("mod", "<goal 1>"),
        drop("mod", "<goal 3>"),
        drop("mod", "<goal 3>"),
        goal("mod", "verified-citations", 2, of("gina")),
        goal("mod", "issues-resolved", 2, none()),
        goal("mod", "issues-applied-in-work", 1, none()),
        goal("mod", "devils-advocate-consultations", 1, none()),
        goal("mod", "zero-penalties", 1, with(of("anna"), until("session-end"))),
        goal("mod", "zero-penalties", 1, until("chapter-end")),
        goal("mod", "issues-resolved", 99, until("act-end")),
        user("milestones.milestone.begin", json!({ "kind": "session", "name": "evening" })),
        user("milestones.milestone.end", json!({ "kind": "session" })),
    ]
}
