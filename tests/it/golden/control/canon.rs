//! Canon: what is stated and retired, what becomes of issues, and what contradicts it.

use annals::kernel::json::sha256_hex;
use serde_json::{Value, json};

use super::{NOTHING, Step, ask, id, on_with, open, say, say_with, seen, set, support, user};

fn claim(text: &str) -> Value {
    let parts: Vec<&str> = text.split('|').collect();
    json!({ "subject": parts[0], "attribute": parts[1], "value": parts[2] })
}

fn state(actor: &'static str, key: &str, text: &str, claims: &[&str]) -> Step {
    let claims: Vec<_> = claims.iter().map(|text| claim(text)).collect();
    ask(actor, "canon.entry.state", json!({ "key": key, "text": text, "claims": claims }))
}

/// What holds, and holds no more.
pub fn entries() -> Vec<Step> {
    let stated = |more: Value| user("canon.entry.state", more);
    let retire = |actor, key: &str| ask(actor, "canon.entry.retire", json!({ "key": key, "reason": "cut" }));
    let found = json!({ "claims": [claim("Seryn|eye|Amber"), claim("Seryn|age|forty-seven")] });
    let mut steps = vec![state("anna", "seryn", "Seryn's eyes are amber.", &[]), retire("anna", "seryn")];
    for key in ["Seryn", "", ".seryn", "-seryn", "a/b", &"k".repeat(81), &"k".repeat(80)] {
        steps.push(state("user", key, "It is so.", &[]));
    }
    let fields = json!({ "key": "seryn", "text": "Seryn's eyes are amber.", "claims": [claim("Seryn|eyes|amber")] });
    steps.extend([
        seen("lead", "canon.entry.state", fields.clone(), found.clone()),
        seen("lead", "canon.entry.state", fields, found),
        state("user", "gate", " ", &[]),
        state("user", "gate", &"g".repeat(20_001), &[]),
        set(json!({ "canon.max_length": 100 })),
        state("user", "gate", &"g".repeat(101), &[]),
        state("user", "gate", &"g".repeat(100), &[]),
        set(json!({ "canon.max_length": null })),
        state("user", "gate", "The gate is red.", &["The gate|colour|?"]),
        state("user", "gate", "The gate is red.", &[&format!("gate|colour|{}", "r".repeat(201))]),
        state("user", "gate", "The gate is red.", &[&format!("gate|motto|{}", "r".repeat(200))]),
        state("user", "gate", "The gate is red.", &["gate|colour|red", "gate|lock|none", "gate|guard|yes", "gate|colour|not green"]),
        state("user", "many", "Too much.", &["a|b|c"; 2]),
        state("user", "many", "Too much.", &(0..201).map(|number| format!("a|b{number}|c")).collect::<Vec<_>>().iter().map(String::as_str).collect::<Vec<_>>()),
        stated(json!({ "key": "gate", "title": "The gate of ash", "text": "The gate is red.", "claims": [claim("gate|colour|red")] })),
        stated(json!({ "key": "gate", "text": "The gate is red.", "claims": [claim("gate|colour|red")] })),
        retire("user", "nothing"),
        retire("user", "many"),
        retire("user", "many"),
        state("user", "many", "It holds again.", &[]),
        retire("lead", "many"),
    ]);
    steps.extend(anchors());
    steps
}

/// What texts cite of it.
fn anchors() -> Vec<Step> {
    let cites = |actor, cited: Value| say_with(actor, "Anchored", json!({ "evidence": { "canon": cited } }));
    vec![
        open("user", "Anchored"),
        cites("anna", json!(["seryn", "gate@1", "gate@2", "gate"])),
        cites("dora", json!(["many", "many@1", "many@3"])),
        cites("dora", json!(["many", "many@1"])),
        cites("carl", json!(["nothing"])),
        cites("carl", json!(["seryn@2"])),
        cites("carl", json!(["Seryn@0"])),
        on_with(
            "erik",
            "issues.issue.resolve",
            "Anchored",
            json!({ "note": "So be it.", "evidence": { "canon": ["gate@1"] } }),
        ),
        on_with("erik", "issues.issue.resolve", "A", json!({ "note": "So be it.", "evidence": { "canon": ["x"] } })),
    ]
}

fn promote(actor: &'static str, issue: &str, more: Value, observed: Value) -> Step {
    let fields = json!({ "issue": id(issue), "title": "The Tower", "text": "The tower has nine floors." });
    seen(actor, "canon.issue.promote", super::with(fields, more), observed)
}

/// Issues that become canon, by the hand of those who lead, and of agents where they may.
pub fn promotions() -> Vec<Step> {
    let none = || json!({});
    let own = || json!({ "text": sha256_hex(b"The tower has nine floors.") });
    let against = || json!({ "text": sha256_hex(b"The tower has nine floors."), "claims": [claim("tower|floors|10")] });
    let floors = json!({ "claims": [claim("tower|floors|nine")] });
    vec![
        open("anna", "Tower"),
        open("anna", "Other tower"),
        promote("anna", "Tower", none(), own()),
        ask("user", "canon.issue.promote", json!({ "issue": NOTHING, "title": "x", "text": "x" })),
        promote("user", "Tower", json!({ "text": " " }), none()),
        promote("user", "Tower", json!({ "title": "…" }), none()),
        promote("user", "Tower", json!({ "key": "The Tower" }), none()),
        promote("user", "Tower", floors.clone(), none()),
        promote("user", "Tower", floors, none()),
        promote("user", "Other tower", none(), none()),
        promote("lead", "Other tower", json!({ "key": "other", "claims": [claim("tower|floors|12")] }), none()),
        promote("lead", "Other tower", json!({ "key": "other", "claims": [claim("tower|floors|11")] }), none()),
        say("user", "Other tower"),
        set(json!({ "canon.allow_agent_only_promotion": true })),
        open("anna", "Third tower"),
        promote("anna", "Third tower", json!({ "key": "third" }), own()),
        set(json!({ "canon.required_votes_for_agent_promotion": 2 })),
        promote("anna", "Third tower", json!({ "key": "third" }), own()),
        support("carl", "Third tower"),
        support("user", "Third tower"),
        support("anna", "Third tower"),
        promote("anna", "Third tower", json!({ "key": "third" }), own()),
        support("dora", "Third tower"),
        promote("anna", "Third tower", json!({ "key": "third", "claims": [claim("a|b|c")] }), own()),
        promote("anna", "Third tower", json!({ "key": "third" }), none()),
        promote("anna", "Third tower", json!({ "key": "third" }), json!({ "text": sha256_hex(b"Something else.") })),
        promote("anna", "Third tower", json!({ "key": "third" }), against()),
        on_with("mod", "issues.issue.freeze", "Third tower", json!({ "reason": "a moment" })),
        promote("anna", "Third tower", json!({ "key": "third" }), own()),
        promote("mod", "Third tower", json!({ "key": "third" }), own()),
        set(json!({ "canon.require_conflict_check": false })),
        promote("mod", "Third tower", json!({ "key": "third" }), against()),
        set(json!({ "canon.require_conflict_check": null, "canon.allow_agent_only_promotion": null })),
        promote("mod", "Third tower", json!({ "key": "third" }), own()),
    ]
}

/// Texts that contradict it, and what becomes of them.
pub fn conflicts() -> Vec<Step> {
    let detect = |actor, text: &str, claims: &[&str]| {
        let claims: Vec<_> = claims.iter().map(|text| claim(text)).collect();
        ask(actor, "canon.conflict.detect", json!({ "text": sha256_hex(text.as_bytes()), "claims": claims }))
    };
    let answer = |actor, answer: &str, text: &str, claims: &[&str], more: Value| {
        let claims: Vec<_> = claims.iter().map(|text| claim(text)).collect();
        let fields = json!({ "answer": answer, "text": sha256_hex(text.as_bytes()), "claims": claims });
        ask(actor, "canon.conflict.resolve", super::with(fields, more))
    };
    let none = || json!({});
    let (green, blue, grey) = (&["Seryn|eyes|green"][..], &["gate|colour|blue"][..], &["gate|colour|grey"][..]);
    vec![
        detect("carl", "x", &["Seryn|eyes|"]),
        detect("carl", "x", &["Seryn|eyes|amber", "Seryn|age|47", "Seryn|hair|red", "Seryn|eyes|not green"]),
        detect("carl", "green", &["Seryn|eyes|green", "Seryn|eyes|Green", "Seryn|age|48"]),
        detect("dora", "green", green),
        detect("lead", "blue", blue),
        answer("user", "keep", "x", &["Seryn|eyes|"], none()),
        answer("user", "keep", "x", &["Seryn|eyes|amber"], none()),
        answer("anna", "override", "green", green, none()),
        answer("user", "discuss", "green", green, none()),
        answer("user", "discuss", "green", green, json!({ "issue": NOTHING })),
        answer("user", "keep", "green", green, json!({ "detected_by": "nobody" })),
        answer("anna", "keep", "green", green, json!({ "detected_by": "dora" })),
        answer("anna", "keep", "green", green, none()),
        answer("anna", "discuss", "green", green, json!({ "issue": id("Tower") })),
        answer("user", "keep", "green", green, none()),
        answer("user", "keep", "green", green, none()),
        answer("user", "keep", "green", green, json!({ "detected_by": "dora" })),
        answer("lead", "override", "blue", blue, none()),
        answer("user", "override", "grey", grey, json!({ "detected_by": "dora" })),
        answer(
            "lead",
            "discuss",
            "tower",
            &["tower|floors|7", "gate|colour|white"],
            json!({ "issue": id("Tower"), "detected_by": "carl" }),
        ),
    ]
}
