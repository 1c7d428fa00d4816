//! Councils.

use serde_json::{Value, json};

use super::super::control::{ask, set, with};
use super::Step;

fn on(actor: &'static str, command: &'static str, key: &str, more: Value) -> Step {
    ask(actor, command, with(json!({ "council": format!("<council on {key}>") }), more))
}

fn vote(actor: &'static str, key: &str, vote: &str, confidence: f64) -> Step {
    on(actor, "council.vote.give", key, json!({ "vote": vote, "confidence": confidence, "rationale": "because" }))
}

fn vote_for(actor: &'static str, key: &str, member: &str) -> Step {
    let fields = json!({ "vote": "approve", "confidence": 0.5, "rationale": "for it", "member": member });
    on(actor, "council.vote.give", key, fields)
}

fn resolve(actor: &'static str, key: &str, more: Value) -> Step {
    on(actor, "council.session.resolve", key, more)
}

fn word(decision: &str) -> Value {
    json!({ "decision": decision, "synthesis": "so it is" })
}

/// As older versions asked: both sides in one act.
fn argue(actor: &'static str, key: &str) -> Step {
    let fields =
        json!({ "pro_argument": "for", "con_argument": "against", "pro_agent": "explore", "con_agent": "critic" });
    on(actor, "council.debate.argue", key, fields)
}

fn plead(actor: &'static str, key: &str, side: &str) -> Step {
    on(actor, "council.argument.give", key, json!({ "side": side, "argument": "so it is" }))
}

fn round(key: &str) -> Vec<Step> {
    vec![plead("explore", key, "pro"), plead("general", key, "con")]
}

fn learn(key: &str) -> Step {
    let fields = json!({ "category": "knowledge", "key": key, "value": "one" });
    ask("explore", "hivemind.entry.add", fields)
}

fn contest(key: &str) -> Step {
    ask("critic", "hivemind.entry.contest", json!({ "key": key, "reason": "it is not so", "alternative": "two" }))
}

fn nominate(key: &str, rise: &str) -> Step {
    ask("general", "hivemind.entry.nominate", json!({ "key": key, "rise": rise, "reason": "it stays" }))
}

fn votes(key: &str, choices: [(&str, f64); 3]) -> Vec<Step> {
    let actors = ["explore", "critic", "general"];
    actors.into_iter().zip(choices).map(|(actor, (choice, sure))| vote(actor, key, choice, sure)).collect()
}

fn open(actor: &'static str, key: &str, more: Value) -> Step {
    let fields = json!({ "purpose": "conflict", "key": key, "reason": "why not", "current": "one", "proposed": "two" });
    ask(actor, "council.session.open", with(fields, more))
}

/// What is contested or nominated, approved and rejected.
fn carried() -> Vec<Step> {
    let mut steps = Vec::new();
    for (key, choices) in [
        ("c-approved", [("approve", 1.0), ("approve", 1.0), ("reject", 0.98)]),
        ("c-rejected", [("reject", 1.0), ("abstain", 1.0), ("reject", 0.001)]),
    ] {
        steps.extend([learn(key), contest(key)]);
        steps.extend(votes(key, choices));
        for rise in ["golden", "global"] {
            steps.push(nominate(key, rise));
            steps.extend(votes(key, choices));
        }
    }
    steps.extend([
        vote("explore", "c-approved", "approve", 1.0),
        learn("c-settled"),
        contest("c-settled"),
        ask("user", "hivemind.entry.settle", json!({ "key": "c-settled", "verdict": "approve" })),
        contest("c-settled"),
        learn("c-gone"),
        contest("c-gone"),
        ask("user", "hivemind.entry.remove", json!({ "key": "c-gone", "reason": "leaked" })),
    ]);
    steps
}

/// Ties, debates, and who has the last word.
fn ties() -> Vec<Step> {
    let tie = [("approve", 1.0), ("approve", 1.0), ("reject", 0.99)];
    let mut steps = vec![
        learn("c-tie"),
        contest("c-tie"),
        argue("explore", "c-tie"),
        resolve("user", "c-tie", json!({})),
        vote("nobody", "c-tie", "approve", 1.0),
        vote("mod", "c-tie", "approve", 1.0),
        vote_for("explore", "c-tie", "general"),
        vote("explore", "c-tie", "approve", 1.0),
        vote("explore", "c-tie", "reject", 1.0),
        vote_for("user", "c-tie", "explore"),
        vote_for("user", "c-tie", "mod"),
        vote_for("user", "c-tie", "critic"),
        vote("critic", "c-tie", "abstain", 1.0),
        resolve("user", "c-tie", word("reject")),
        vote("general", "c-tie", "reject", 0.9),
        vote("general", "c-tie", "reject", 0.9),
        resolve("user", "c-tie", word("reject")),
    ];
    steps.extend([argue("general", "c-tie"), plead("nobody", "c-tie", "pro"), plead("explore", "c-tie", "pro")]);
    steps.extend([plead("critic", "c-tie", "pro"), plead("explore", "c-tie", "con"), plead("general", "c-tie", "con")]);
    steps.extend((0..3).flat_map(|_| round("c-tie")));
    steps.extend([
        resolve("explore", "c-tie", word("reject")),
        resolve("user", "c-tie", json!({})),
        resolve("user", "c-tie", json!({ "decision": "reject" })),
        resolve("user", "c-tie", with(word("approve"), json!({ "confidence": 0.25 }))),
        set(json!({ "hivemind.council.arbitrator": "general", "hivemind.council.max_debate_rounds": 1 })),
        open("explore", "c-arbitrated", json!({})),
    ]);
    steps.extend(votes("c-arbitrated", tie));
    steps.extend(round("c-arbitrated"));
    steps.extend([
        resolve("critic", "c-arbitrated", word("reject")),
        resolve("general", "c-arbitrated", word("reject")),
    ]);
    steps.extend([set(json!({ "hivemind.council.debate_on_tie": false })), open("mod", "c-stands", json!({}))]);
    steps.extend(votes("c-stands", tie));
    steps.extend([
        plead("explore", "c-stands", "pro"),
        resolve("general", "c-stands", word("approve")),
        resolve("user", "c-stands", json!({})),
        resolve("user", "c-stands", word("approve")),
        set(json!({ "hivemind.council.threshold": 0.5, "hivemind.council.quorum": 1, "hivemind.council.council_size": 2 })),
        open("user", "c-early", json!({ "purpose": "decay_promotion" })),
        vote("explore", "c-early", "approve", 0.5),
        vote("general", "c-early", "approve", 0.5),
        resolve("explore", "c-early", json!({})),
        resolve("user", "c-early", json!({})),
        set(json!({ "hivemind.council.council_agents": [] })),
        open("user", "c-empty", json!({ "purpose": "global_promotion" })),
        resolve("user", "c-empty", word("reject")),
        set(json!({
            "hivemind.council.council_agents": null, "hivemind.council.threshold": null, "hivemind.council.quorum": null,
            "hivemind.council.council_size": null, "hivemind.council.debate_on_tie": null,
            "hivemind.council.arbitrator": null, "hivemind.council.max_debate_rounds": null,
        })),
    ]);
    steps
}

fn confirm(actor: &'static str, key: &str, answer: &str) -> Step {
    on(actor, "council.session.confirm", key, json!({ "answer": answer, "note": "well" }))
}

fn inform(actor: &'static str, key: &str) -> Step {
    on(actor, "council.information.give", key, json!({ "text": "it is so" }))
}

/// Recommendations, and what cannot be said.
fn said() -> Vec<Step> {
    let (long, long_key) = ("x".repeat(4001), "k".repeat(201));
    let mut steps = vec![
        open("explore", "c-team", json!({ "purpose": "architecture", "current": "" })),
        vote("critic", "c-team", "approve", 1.0),
        resolve("user", "c-team", json!({})),
        confirm("mod", "c-team", "approve"),
        confirm("user", "c-team", "more_info"),
    ];
    steps.extend((0..6).map(|_| inform("explore", "c-team")));
    steps.extend([
        confirm("user", "c-team", "more_info"),
        confirm("user", "c-team", "reject"),
        confirm("user", "c-team", "approve"),
        open("explore", "c-team", json!({ "purpose": "architecture" })),
        confirm("user", "c-team", "approve"),
        open("explore", "c-plain", json!({})),
        open("explore", "c-plain", json!({})),
        confirm("user", "c-plain", "approve"),
        inform("explore", "c-plain"),
        open("explore", &long_key, json!({})),
        open("explore", &long_key[1..], json!({})),
        open("explore", "a\nb", json!({})),
        open("explore", "c-text", json!({ "reason": " " })),
        open("explore", "c-text", json!({ "proposed": long })),
        open("explore", "c-text", json!({ "proposed": &long[1..] })),
        open("nobody", "c-text", json!({})),
        ask("user", "council.session.resolve", json!({ "council": "none" })),
    ]);
    steps
}

/// The first writer.
pub fn first_day() -> Vec<Step> {
    let both = vec![learn("c-both"), contest("c-both"), vote("explore", "c-both", "approve", 1.0)];
    [carried(), ties(), said(), both, vec![learn("c-twice")]].into_iter().flatten().collect()
}

/// The second writer, who does not know what the first does meanwhile.
pub fn elsewhere() -> Vec<Step> {
    vec![vote("critic", "c-both", "approve", 1.0), resolve("explore", "c-both", json!({})), contest("c-twice")]
}

/// The first writer, meanwhile.
pub fn meanwhile() -> Vec<Step> {
    vec![
        vote("critic", "c-both", "reject", 1.0),
        vote("general", "c-both", "reject", 1.0),
        plead("explore", "c-both", "pro"),
        resolve("user", "c-both", word("reject")),
        contest("c-twice"),
    ]
}

/// A writer who has seen both.
pub fn afterwards() -> Vec<Step> {
    let mut steps = vec![vote("general", "c-both", "approve", 1.0)];
    steps.extend(votes("c-twice", [("approve", 1.0), ("approve", 1.0), ("approve", 1.0)]));
    steps
}
