//! What was learnt: kept, used, contested, promoted, superseded, expired, taken over from other stores, taken away.

use serde_json::{Value, json};

use super::Step;
use crate::golden::control::{ask, seen, set, user};
use crate::golden::story::Step::Wait;

fn kept(actor: &'static str, category: &str, key: &str, value: &str) -> Step {
    ask(actor, "hivemind.entry.add", json!({ "category": category, "key": key, "value": value }))
}

fn access(actor: &'static str, key: &str) -> Step {
    ask(actor, "hivemind.entry.access", json!({ "key": key, "reason": "for the build" }))
}

fn contest(actor: &'static str, key: &str, alternative: &str) -> Step {
    ask(actor, "hivemind.entry.contest", json!({ "key": key, "reason": "measured", "alternative": alternative }))
}

fn nominate(actor: &'static str, key: &str, rise: &str) -> Step {
    ask(actor, "hivemind.entry.nominate", json!({ "key": key, "rise": rise, "reason": "every day" }))
}

fn supersede(actor: &'static str, key: &str, value: &str) -> Step {
    ask(actor, "hivemind.entry.supersede", json!({ "key": key, "value": value, "confidence": 0.9, "reason": "new" }))
}

fn settle(actor: &'static str, key: &str, verdict: &str) -> Step {
    ask(actor, "hivemind.entry.settle", json!({ "key": key, "verdict": verdict }))
}

fn remove(actor: &'static str, key: &str) -> Step {
    ask(actor, "hivemind.entry.remove", json!({ "key": key, "reason": "wrong" }))
}

fn announce() -> Step {
    user("hivemind.decay.announce", json!({}))
}

fn pull(actor: &'static str, conflicts: &str, offers: &Value) -> Step {
    let fields = json!({ "from": "shared", "conflicts": conflicts });
    seen(actor, "hivemind.sync.pull", fields, json!({ "offers": offers }))
}

fn offer(category: &str, key: &str, value: &str) -> Value {
    json!({
        "id": "01KAGMC4R00000000000000000", "key": key, "category": category, "scope": "global", "value": value,
        "confidence": 0.7, "decay_rate": 0.05, "expires_below": 0.1, "source_project": "yaze",
        "source": { "session_id": "s", "agent_role": "user", "agent_id": "user", "timestamp": "2026-11-01T00:00:00.000Z" },
    })
}

/// The first writer.
pub fn first_day() -> Vec<Step> {
    [adding(), questions(), promotions(), ends(), syncs()].concat()
}

fn adding() -> Vec<Step> {
    let full = json!({
        "category": "decision", "key": "Use  Postgres", "value": "One database.", "confidence": 0.95,
        "reason": "decided twice", "tags": ["#db", "db"], "related": ["backups"],
    });
    let bad = |part: Value| {
        let mut all = json!({ "category": "fear", "key": "bad", "value": "v" });
        all.as_object_mut().expect("an object").extend(part.as_object().expect("an object").clone());
        ask("explore", "hivemind.entry.add", all)
    };
    let mut steps = vec![
        ask("explore", "hivemind.entry.add", full.clone()),
        ask("critic", "hivemind.entry.add", full),
        kept("critic", "fear", "use-postgres", "Two databases."),
        kept("nobody", "fear", "stranger", "v"),
        bad(json!({ "key": "a|b" })),
        bad(json!({ "value": " " })),
        bad(json!({ "value": "x".repeat(4001) })),
        bad(json!({ "reason": "x".repeat(501) })),
        bad(json!({ "reason": " " })),
        bad(json!({ "tags": ["two words"] })),
        bad(json!({ "confidence": 0.099 })),
        set(json!({ "hivemind.max_length": 20, "hivemind.default_confidence": 0.6 })),
        bad(json!({ "key": "long", "value": "x".repeat(21) })),
        bad(json!({ "key": "short", "value": "x".repeat(20) })),
        set(json!({ "hivemind.max_length": null, "hivemind.default_confidence": null })),
        set(json!({ "hivemind.decay.default_rates": { "satisfaction": 0.2, "preference": 0.5 } })),
        set(json!({ "hivemind.decay.preferences_exempt": false, "hivemind.decay.expires_below": 0.3 })),
        kept("general", "satisfaction", "fast-tests", "The suite is fast."),
        kept("general", "preference", "tabs", "No tabs."),
        set(json!({ "hivemind.decay.default_rates": null })),
        set(json!({ "hivemind.decay.preferences_exempt": null, "hivemind.decay.expires_below": null })),
    ];
    for category in ["fear", "satisfaction", "knowledge", "decision", "preference"] {
        steps.push(kept("explore", category, &format!("a-{category}"), "v"));
    }
    steps
}

fn questions() -> Vec<Step> {
    let silent = |command, fields| ask("critic", command, fields);
    vec![
        access("critic", "a-fear"),
        access("critic", "nothing"),
        access("nobody", "a-fear"),
        contest("critic", "nothing", "w"),
        silent("hivemind.entry.contest", json!({ "key": "a-fear", "reason": "" , "alternative": "w" })),
        silent("hivemind.entry.contest", json!({ "key": "a-fear", "reason": "measured" })),
        contest("critic", "a-fear", "v"),
        settle("user", "a-fear", "approve"),
        contest("critic", "a-fear", "w"),
        contest("general", "a-fear", "x"),
        nominate("critic", "a-fear", "golden"),
        supersede("explore", "a-fear", "x"),
        settle("critic", "a-fear", "approve"),
        settle("user", "a-fear", "approve"),
        contest("critic", "a-fear", "y"),
        settle("user", "a-fear", "reject"),
        supersede("critic", "a-fear", "z"),
        supersede("explore", "a-fear", "w"),
        supersede("explore", "a-fear", "z"),
        supersede("user", "a-fear", "z2"),
        supersede("user", "nothing", "z"),
    ]
}

fn promotions() -> Vec<Step> {
    vec![
        nominate("explore", "nothing", "golden"),
        nominate("explore", "a-decision", "golden"),
        settle("user", "a-decision", "reject"),
        nominate("explore", "a-decision", "golden"),
        settle("user", "a-decision", "approve"),
        nominate("explore", "a-decision", "golden"),
        contest("critic", "a-decision", "w"),
        supersede("explore", "a-decision", "w"),
        contest("user", "a-decision", "w"),
        settle("user", "a-decision", "reject"),
        set(json!({ "hivemind.decay.golden_exempt": false })),
        nominate("explore", "a-satisfaction", "golden"),
        settle("user", "a-satisfaction", "approve"),
        set(json!({ "hivemind.decay.golden_exempt": null })),
        nominate("explore", "a-fear", "global"),
        nominate("explore", "a-knowledge", "global"),
        settle("user", "a-knowledge", "approve"),
        nominate("explore", "a-knowledge", "global"),
        set(json!({ "hivemind.global_enabled": false })),
        nominate("explore", "a-preference", "global"),
        pull("user", "skip", &json!([offer("knowledge", "far", "v")])),
        set(json!({ "hivemind.global_enabled": null })),
        remove("explore", "a-preference"),
        remove("user", "nothing"),
        remove("user", "a-preference"),
        remove("user", "a-preference"),
        kept("explore", "preference", "a-preference", "v again"),
    ]
}

/// Time passes: what fades is announced, once. Weak entries fade within minutes here, so that the day is long enough.
fn ends() -> Vec<Step> {
    const MINUTE_MS: i64 = 60_000;
    let weak = |key: &str| {
        let fields = json!({ "category": "fear", "key": key, "value": "v", "confidence": 0.101 });
        ask("general", "hivemind.entry.add", fields)
    };
    let call =
        |session| Step::Record { session, kind: "tool_call", name: "Read", input: json!({ "file_path": "src/a.rs" }) };
    let completed = |session: &str| user("history.session.complete", json!({ "session": session }));
    let interval = |millis: Value| set(json!({ "hivemind.decay.check_interval_ms": millis }));
    let mut steps = vec![set(json!({ "hivemind.decay.default_rates": { "fear": 0.9 } })), announce()];
    steps.extend((0..20).map(|number| weak(&format!("many-{number}"))));
    steps.extend([contest("critic", "many-0", "w"), Wait(4 * MINUTE_MS), announce(), access("general", "many-1")]);
    steps.extend([Wait(3 * MINUTE_MS), access("general", "many-2"), announce(), announce(), announce()]);
    steps.extend([contest("critic", "many-2", "w"), nominate("critic", "many-2", "golden")]);
    steps.extend([supersede("general", "many-2", "w"), settle("user", "many-2", "approve")]);
    steps.extend([weak("many-2"), settle("user", "many-0", "reject"), Wait(8 * MINUTE_MS)]);
    steps.extend([interval(json!(60_000)), call("hive-1"), call("hive-2"), call("hive-3")]);
    steps.extend([completed("hive-1"), weak("soon"), Wait(7 * MINUTE_MS), interval(json!(3_600_000))]);
    steps.extend([completed("hive-2"), interval(Value::Null), Wait(60 * MINUTE_MS), completed("hive-3")]);
    steps.push(set(json!({ "hivemind.decay.default_rates": null })));
    steps
}

fn syncs() -> Vec<Step> {
    let push = |actor, to: &str, keys: Value| ask(actor, "hivemind.sync.push", json!({ "to": to, "keys": keys }));
    let all = json!([
        offer("knowledge", "far", "v"),
        offer("fear", "far-fear", "v"),
        offer("decision", "Bad Key", "v"),
        offer("knowledge", "a-knowledge", "theirs"),
        offer("decision", "a-decision", "theirs"),
    ]);
    let clash = |value: &str| json!([offer("knowledge", "far", value)]);
    let many: Vec<_> = (0..101).map(|number| offer("knowledge", &format!("n{number}"), "v")).collect();
    vec![
        pull("explore", "skip", &all),
        pull("user", "skip", &all),
        pull("user", "skip", &all),
        pull("user", "replace", &clash("v2")),
        pull("user", "council", &clash("v3")),
        settle("user", "far", "reject"),
        pull("user", "council", &clash("v3")),
        pull("user", "replace", &clash("v3")),
        pull("user", "skip", &json!(many)),
        seen("user", "hivemind.sync.pull", json!({ "from": "../x", "conflicts": "skip" }), json!({})),
        push("explore", "shared", json!(["far"])),
        push("user", "shared", json!(["far", "FAR", "a-knowledge"])),
        push("user", "shared", json!(["far"])),
        push("user", "shared", json!(["nothing"])),
        push("user", "groups/zelda", json!(["far"])),
        push("user", ".hidden", json!(["far"])),
    ]
}

/// The second writer, who does not know what the first does meanwhile.
pub fn elsewhere() -> Vec<Step> {
    vec![
        kept("explore", "knowledge", "both", "here"),
        kept("explore", "knowledge", "same", "v"),
        supersede("user", "use-postgres", "There it is SQLite."),
        contest("critic", "a-knowledge", "there"),
        kept("explore", "fear", "old", "v"),
    ]
}

/// The first writer, meanwhile.
pub fn meanwhile() -> Vec<Step> {
    vec![
        kept("explore", "knowledge", "both", "there"),
        kept("explore", "knowledge", "same", "v"),
        supersede("user", "use-postgres", "Here it is MySQL."),
        contest("critic", "a-knowledge", "here"),
        remove("user", "tabs"),
    ]
}

/// A writer who has seen both.
pub fn afterwards() -> Vec<Step> {
    vec![
        ask("critic", "hivemind.entry.contest", json!({ "key": "both", "reason": "two values" })),
        settle("user", "both", "approve"),
        settle("user", "a-knowledge", "reject"),
        access("explore", "same"),
        access("explore", "use-postgres"),
    ]
}
