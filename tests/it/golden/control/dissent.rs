//! Who is to dissent, when a consensus needs it, and opinions that nobody sees before all are in.

use serde_json::{Value, json};

use super::{
    NOTHING, REASONS, Step, add, ask, change, forced, id, on, on_with, open, open_with, say, say_with, seen, set,
    support,
};

fn assign(actor: &'static str, title: &str, more: Value) -> Step {
    on_with(actor, "advocate.assignment.assign", title, more)
}

fn release(actor: &'static str, title: &str) -> Step {
    on(actor, "advocate.assignment.release", title)
}

/// Tasks that are given, taken back, done and over.
pub fn assignments() -> Vec<Step> {
    let by = |agent: &str| json!({ "agent": agent });
    let none = || json!({});
    vec![
        add("fred", "critic", json!({ "can_be_devils_advocate": true })),
        open("anna", "Proposal"),
        assign("anna", "Proposal", none()),
        ask("mod", "advocate.assignment.assign", json!({ "issue": NOTHING })),
        assign("mod", "[Circuit Breaker] Budget", none()),
        assign("mod", "Decided early", none()),
        assign("mod", "Proposal", by("erik")),
        assign("mod", "Proposal", by("nobody")),
        assign("mod", "Proposal", by("carl")),
        assign("user", "Proposal", none()),
        release("anna", "Proposal"),
        release("mod", "Proposal"),
        release("mod", "Proposal"),
        assign("user", "Proposal", by("carl")),
        say("dora", "Proposal"),
        say_with("carl", "Proposal", json!({ "stance": "oppose" })),
        release("lead", "Proposal"),
        assign("user", "Proposal", by("fred")),
        say("fred", "Proposal"),
        say("fred", "Proposal"),
        set(json!({ "dissent.expires_after_comments": 1, "dissent.rotation_days": 1 })),
        open("anna", "Second proposal"),
        assign("mod", "Second proposal", none()),
        on("mod", "issues.issue.close", "[DA Assignment] Challenge: Second proposal"),
        forced("Second proposal"),
        open("erik", "Third proposal"),
        say("dora", "Third proposal"),
        assign("mod", "Third proposal", none()),
        say("carl", "Third proposal"),
        say("fred", "Third proposal"),
        release("mod", "Third proposal"),
        assign("mod", "Third proposal", none()),
        open("dora", "Fourth proposal"),
        assign("mod", "Fourth proposal", none()),
        on("mod", "issues.issue.close", "Fourth proposal"),
        set(json!({ "dissent.expires_after_comments": null })),
        change("fred", json!({ "duty": "retired" })),
    ]
}

/// Agreement that comes too fast, too lightly, or on too much.
pub fn consensus() -> Vec<Step> {
    let file = json!({ "files": [{ "path": "src/a.rs" }] });
    let two = json!({ "files": [{ "path": "src/a.rs" }], "canon": ["gate"] });
    let high = json!({ "stance": "support", "impact": "structural", "evidence": two });
    let for_it = |evidence: &Value| json!({ "stance": "support", "evidence": evidence });
    let mut steps = vec![
        open("user", "Too fast"),
        say_with("anna", "Too fast", for_it(&file)),
        support("user", "Too fast"),
        support("anna", "Too fast"),
        support("erik", "Too fast"),
        say("carl", "Too fast"),
        open("user", "Without a file"),
        say_with("anna", "Without a file", json!({ "stance": "support", "evidence": { "issues": [id("A")] } })),
        support("erik", "Without a file"),
        open("user", "Well founded"),
        say_with("anna", "Well founded", for_it(&two)),
        support("erik", "Well founded"),
        set(json!({ "dissent.require_evidence_for_bypass": false })),
        support("helper", "Well founded"),
        set(json!({ "dissent.require_evidence_for_bypass": null })),
        open("user", "Far-reaching"),
        say_with("anna", "Far-reaching", high.clone()),
        say_with("erik", "Far-reaching", high.clone()),
        say_with("lead", "Far-reaching", high.clone()),
        release("mod", "Far-reaching"),
        say_with("lead", "Far-reaching", high),
        support("anna", "[Circuit Breaker] Alarm"),
        support("erik", "[Circuit Breaker] Alarm"),
    ];
    let slow = ["anna", "carl", "dora", "helper", "erik"];
    steps.push(open("user", "Slow"));
    steps.extend(
        slow.map(|agent| if ["anna", "erik"].contains(&agent) { support(agent, "Slow") } else { say(agent, "Slow") }),
    );
    steps.push(set(json!({ "dissent.max_turns_for_quick_consensus": 3, "dissent.min_approvals_before_trigger": 3 })));
    steps.push(support("lead", "Slow"));
    steps.push(set(json!({
        "dissent.max_turns_for_quick_consensus": null, "dissent.min_approvals_before_trigger": null,
        "sanity.auto_devils_advocate_enabled": false,
    })));
    steps.extend([open("user", "Nobody asks"), support("anna", "Nobody asks"), support("erik", "Nobody asks")]);
    steps.push(set(json!({ "sanity.auto_devils_advocate_enabled": null })));
    steps
}

fn pass(actor: &'static str, title: &str, asked: &[&str]) -> Step {
    on_with(actor, "blind.pass.open", title, json!({ "participants": asked }))
}

fn submit(actor: &'static str, title: &str, stance: &str) -> Step {
    Step::Submit { actor, issue: id(title), opinion: opinion(stance) }
}

fn opinion(stance: &str) -> Value {
    json!({ "salt": "of the sea", "stance": stance, "body": REASONS })
}

fn reveal(title: &str, agent: &str, observed: Value) -> Step {
    seen("mod", "blind.opinion.reveal", json!({ "issue": id(title), "agent": agent }), observed)
}

/// A pass from its beginning to the last opinion.
pub fn blind() -> Vec<Step> {
    let kept = |stance: &str| json!({ "opinion": opinion(stance) });
    let brief = json!({ "salt": "of the sea", "stance": "support", "body": "Yes." });
    let bad =
        |seal: String| seen("carl", "blind.opinion.submit", json!({ "issue": id("Blind") }), json!({ "seal": seal }));
    let high =
        |actor, title| say_with(actor, title, json!({ "impact": "structural", "evidence": { "canon": ["gate"] } }));
    vec![
        open("anna", "Blind"),
        ask("mod", "blind.pass.open", json!({ "issue": NOTHING, "participants": ["carl"] })),
        pass("mod", "[Circuit Breaker] Budget", &["carl"]),
        pass("mod", "Decided early", &["carl"]),
        pass("mod", "Blind", &["carl", "fred"]),
        pass("anna", "Blind", &["carl"]),
        pass("mod", "Blind", &[]),
        submit("carl", "Blind", "support"),
        on("mod", "blind.pass.close", "Blind"),
        reveal("Blind", "carl", kept("support")),
        pass("anna", "Blind", &["carl", "dora"]),
        pass("carl", "Blind", &["carl"]),
        pass("mod", "Blind", &["carl", "dora"]),
        pass("mod", "Blind", &["carl"]),
        say("erik", "Blind"),
        on_with("mod", "issues.issue.resolve", "Blind", json!({ "note": "Done." })),
        on("erik", "issues.issue.start", "Blind"),
        submit("erik", "Blind", "support"),
        seen("carl", "blind.opinion.submit", json!({ "issue": id("Blind") }), json!({})),
        bad("a".repeat(63)),
        bad("x".repeat(64)),
        submit("carl", "Blind", "oppose"),
        submit("carl", "Blind", "support"),
        reveal("Blind", "carl", kept("oppose")),
        on("anna", "blind.pass.close", "Blind"),
        submit("dora", "Blind", "support"),
        submit("dora", "Blind", "support"),
        reveal("Blind", "anna", kept("oppose")),
        reveal("Blind", "carl", json!({})),
        reveal("Blind", "carl", json!({})),
        reveal("Blind", "carl", kept("support")),
        reveal("Blind", "carl", kept("support")),
        reveal("Blind", "carl", kept("oppose")),
        reveal("Blind", "carl", kept("oppose")),
        reveal("Blind", "dora", kept("support")),
        set(json!({ "sanity.blind_first_pass_enabled": true })),
        high("erik", "Blind"),
        open_with("anna", "Blind again", json!({ "impact": "structural" })),
        high("erik", "Blind again"),
        say_with("erik", "Blind again", json!({ "impact": "canon-changing" })),
        say_with("erik", "Blind again", json!({ "impact": "minor" })),
        say("erik", "Blind again"),
        pass("user", "Blind again", &["carl"]),
        on("user", "blind.pass.close", "Blind again"),
        pass("user", "Blind again", &["carl"]),
        on("anna", "issues.issue.close", "Blind again"),
        open("anna", "Blind to roles"),
        set(json!({ "sanity.blind_pass_impact_levels": ["minor"], "sanity.blind_pass_roles": ["writer"] })),
        high("erik", "Blind to roles"),
        say_with("erik", "Blind to roles", json!({ "impact": "minor" })),
        pass("erik", "Blind to roles", &["anna"]),
        open("anna", "Blind and brief"),
        pass("user", "Blind and brief", &["carl"]),
        Step::Submit { actor: "carl", issue: id("Blind and brief"), opinion: brief.clone() },
        reveal("Blind and brief", "carl", json!({ "opinion": brief })),
        reveal("Blind and brief", "carl", json!({ "opinion": brief })),
        set(json!({
            "sanity.blind_first_pass_enabled": null, "sanity.blind_pass_impact_levels": null,
            "sanity.blind_pass_roles": null,
        })),
        forced("Blind to roles"),
    ]
}
