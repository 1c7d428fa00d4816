//! Megrams.

use serde_json::{Value, json};

use super::super::control::{ask, seen, set, with};
use super::Step;

const HOUR_MS: i64 = 3_600_000;

/// The solver writes about a pair.
fn write_as(actor: &'static str, space: &str, content: &str, more: Value) -> Step {
    let fields = json!({ "space": space, "entity": "path:b", "content": content });
    ask(actor, "memory.megram.write", with(fields, more))
}

fn write(space: &str, content: &str, more: Value) -> Step {
    write_as("ggs", space, content, more)
}

fn state(space: &str, content: &str, state: &str) -> Step {
    write(space, content, json!({ "state": state }))
}

fn recall(actor: &'static str, megrams: &[&str]) -> Step {
    ask(actor, "memory.megram.recall", json!({ "megrams": megrams }))
}

fn consult(actor: &'static str, space: &str) -> Step {
    ask(actor, "memory.pair.consult", json!({ "space": space, "entity": "path:b" }))
}

fn feedback(actor: &'static str, megram: &str) -> Step {
    ask(
        actor,
        "memory.megram.feedback",
        json!({ "megram": megram, "content": format!("against {megram}").replace(['<', '>'], "") }),
    )
}

fn dream(actor: &'static str) -> Step {
    ask(actor, "memory.dream.run", json!({}))
}

fn written() -> Vec<Step> {
    let mut steps: Vec<_> = ["user", "explore", "mod", "nobody"]
        .map(|who| write_as(who, "tool:a", "not mine", json!({ "state": "accept" })))
        .into();
    for name in ["abandon", "accept", "change_approach", "success", "break_symmetry", "change_path", "refine"] {
        steps.push(state("tool:matrix", name, name));
    }
    let (long_tag, long_text) = ("x".repeat(301), "x".repeat(4001));
    let accept = || json!({ "state": "accept" });
    steps.extend([
        write_as("system", "tool:matrix", "the rules themselves", accept()),
        write("", "no space", accept()),
        write("tool:\u{7}", "a control character", accept()),
        write(&long_tag, "too long a tag", accept()),
        write(&long_tag[1..], "as long as can be", accept()),
        write("tool:a", "no entity", json!({ "state": "accept", "entity": "" })),
        write("tool:a", "", accept()),
        write("tool:a", &long_text, accept()),
        write("tool:a", &long_text[1..], accept()),
        write("tool:a", "no weight", json!({})),
        write("tool:a", "no sign", json!({ "f": 0.5 })),
        write("tool:a", "all its own", json!({ "f": 0.5, "sigma": -0.25, "k": 0.001 })),
        write("tool:a", "its own rate", json!({ "f": 0.5, "sigma": 0.25 })),
        write("tool:a", "never fades", json!({ "state": "accept", "k": 0 })),
        write("tool:a", "knowledge", json!({ "state": "accept", "level": "K" })),
        write("tool:a", "sense that fades", json!({ "state": "accept", "level": "C", "k": 0.05 })),
        write("tool:a", "a law", json!({ "state": "accept", "level": "T" })),
    ]);
    steps
}

fn remembered() -> Vec<Step> {
    let sixteen = ["<megram: accept>"; 16];
    let many: Vec<String> = (0..17).map(|number| format!("m{number}")).collect();
    let many: Vec<&str> = many.iter().map(String::as_str).collect();
    vec![
        recall("explore", &["<megram: accept>", "<megram: refine>"]),
        recall("user", &sixteen),
        recall("user", &many),
        recall("user", &[]),
        recall("user", &["01"]),
        recall("nobody", &["<megram: accept>"]),
        consult("explore", "tool:sense"),
        write("tool:sense", "sense", json!({ "state": "accept", "level": "C" })),
        consult("explore", "tool:sense"),
        consult("nobody", "tool:sense"),
        consult("explore", ""),
        feedback("explore", "<megram: sense>"),
        feedback("user", "<megram: abandon>"),
        feedback("nobody", "<megram: abandon>"),
        feedback("user", "01"),
    ]
}

fn dreamt() -> Vec<Step> {
    let text = |space: &str| json!({ "texts": [{ "space": space, "entity": "path:b", "text": "do so" }] });
    let mut steps = vec![dream("explore"), dream("nobody"), dream("user"), dream("mod")];
    steps.extend((0..5).map(|_| state("tool:practice", "it worked", "accept")));
    steps.push(dream("ggs"));
    steps.extend([
        write("tool:practice", "half of it", json!({ "f": 0.5, "sigma": 0 })),
        seen("ggs", "memory.dream.run", json!({}), text("tool:practice")),
        state("tool:practice", "once more", "accept"),
        dream("ggs"),
        consult("critic", "tool:practice"),
    ]);
    steps.extend((0..6).map(|number| state("tool:constraint", &format!("it failed {}", number % 4), "abandon")));
    steps.extend([
        dream("system"),
        write("tool:constraint", "and once it worked", json!({ "state": "success" })),
        dream("ggs"),
    ]);
    steps.extend([
        feedback("user", "<practice on tool:practice>"),
        feedback("user", "<megram: sense>"),
        dream("ggs"),
        consult("critic", "tool:sense"),
        Step::Wait(HOUR_MS + 1),
        dream("ggs"),
        recall("user", &["<megram: refine>"]),
        feedback("user", "<megram: refine>"),
    ]);
    steps
}

fn configured() -> Vec<Step> {
    let mut steps = vec![
        set(json!({ "memory.forget_below": 0.85, "memory.forget_after_minutes": 0, "memory.demoted_decay": 0.5 })),
        write("tool:set", "forgotten at once", json!({ "state": "success" })),
        write("tool:set", "kept", json!({ "state": "accept" })),
        write("tool:set", "sense that goes", json!({ "f": 0.1, "sigma": 1, "level": "C" })),
        state("tool:set", "against it", "abandon"),
        dream("ggs"),
        set(json!({ "memory.forget_below": null, "memory.forget_after_minutes": null, "memory.demoted_decay": null })),
        set(json!({ "memory.promote_attention": 1.0, "memory.promote_decision": 0.5, "memory.review_hours": 1 })),
        write("tool:early", "soon", json!({ "f": 1, "sigma": 1 })),
        dream("ggs"),
        Step::Wait(HOUR_MS),
        dream("ggs"),
        Step::Wait(HOUR_MS + 2),
        dream("ggs"),
        set(json!({ "memory.promote_attention": null, "memory.promote_decision": null, "memory.review_hours": null })),
        set(json!({ "memory.quantization": { "accept": { "f": 0.25, "sigma": -1, "k": 0.75 } } })),
        state("tool:set", "another matrix", "accept"),
        set(json!({ "memory.quantization": null })),
    ];
    steps.extend(
        (0..9).map(|number| {
            write("tool:full", &format!("sense {number}"), json!({ "f": 0.1, "sigma": 0, "level": "C" }))
        }),
    );
    steps
}

/// What the rules find in the record of a session.
fn learn_as(actor: &'static str, experiences: &Value) -> Step {
    ask(actor, "memory.record.learn", json!({ "experiences": experiences }))
}

fn experience(cause: &str, rule: &str, more: Value) -> Value {
    let fields = json!({
        "session": "recorded", "rule": rule, "cause": cause, "space": "tool:cargo test", "entity": "env:local",
        "content": format!("{rule} at {cause}"), "state": "break_symmetry", "sources": [cause],
    });
    with(fields, more)
}

fn learnt() -> Vec<Step> {
    const ONE: &str = "01KAHAS0RB0000000000000001";
    const OTHER: &str = "01KAHAS0RB0000000000000002";
    let mended = || experience(ONE, "mended", json!({}));
    let many: Vec<Value> = (0..129).map(|_| mended()).collect();
    let sources: Vec<&str> = vec![ONE; 9];
    vec![
        learn_as("user", &json!([mended()])),
        learn_as("ggs", &json!([mended()])),
        learn_as("system", &json!([])),
        learn_as(
            "system",
            &json!([mended(), mended(), experience(ONE, "refused", json!({ "state": "change_approach" }))]),
        ),
        learn_as("system", &json!([mended()])),
        learn_as(
            "system",
            &json!([mended(), experience(OTHER, "abandoned", json!({ "sources": sources, "state": "abandon" }))]),
        ),
        learn_as("system", &json!([experience(OTHER, "denied", json!({ "space": "" }))])),
        learn_as("system", &json!([experience(OTHER, "denied", json!({ "entity": "a\u{7}" }))])),
        learn_as("system", &json!([experience(OTHER, "denied", json!({ "content": "" }))])),
        learn_as("system", &Value::from(many)),
    ]
}

/// The first writer.
pub fn first_day() -> Vec<Step> {
    [written(), remembered(), dreamt(), configured(), learnt()].into_iter().flatten().collect()
}

/// The second writer, who does not know what the first does meanwhile.
pub fn elsewhere() -> Vec<Step> {
    let mut steps: Vec<_> = (0..6).map(|_| state("tool:both", "there", "accept")).collect();
    steps.extend([dream("ggs"), recall("there", &["<megram: kept>"]), feedback("there", "<megram: change_approach>")]);
    steps
}

/// The first writer, meanwhile.
pub fn meanwhile() -> Vec<Step> {
    let mut steps: Vec<_> = (0..6).map(|_| state("tool:both", "here", "abandon")).collect();
    steps.extend([dream("ggs"), recall("here", &["<megram: kept>"]), Step::Wait(HOUR_MS), dream("ggs")]);
    steps
}

/// A writer who has seen both.
pub fn afterwards() -> Vec<Step> {
    vec![consult("both", "tool:both"), dream("ggs"), consult("both", "tool:both"), dream("ggs")]
}
