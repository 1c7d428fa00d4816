//! The circuit breakers: each rule from both sides, what a freeze sets off, presets and what overrides them.

use serde_json::{Value, json};

use super::{REASONS, Step, ask, id, on, on_with, open, resolve, resolve_with, say, say_with, set, words};

const COOLDOWN: i64 = 30 * 60_000;
/// What passes with each step by itself.
const STEP: i64 = 1_001;

const EVERY_ALARM: &str = "Urgent, crucial, critical: we must, we need to, immediately! A catastrophic disaster, an \
     emergency; vital, essential, absolutely, definitely.";

/// So many different words, long enough to say something.
fn different(words: u32) -> String {
    let words: Vec<_> = (0..words).map(|number| format!("word-number{number:05}")).collect();
    words.join(" ").replace('-', "_")
}

fn alarm(actor: &'static str, title: &str, alarm: &str) -> Step {
    words(actor, title, &format!("{REASONS} {alarm}"))
}

fn cites(actor: &'static str, title: &str, impact: &str, evidence: Value) -> Step {
    let mut more = json!({ "impact": impact });
    more["evidence"] = evidence;
    say_with(actor, title, more)
}

fn file() -> Value {
    json!({ "files": [{ "path": "src/a.rs", "lines": { "start": 3 } }] })
}

/// Rules that turn a comment away and leave the issue as it is.
pub fn substance() -> Vec<Step> {
    let both = json!({ "files": [{ "path": "src/a.rs" }], "issues": [id("First")] });
    vec![
        open("user", "Words"),
        words("carl", "Words", &REASONS[..149]),
        words("carl", "Words", &REASONS[..150]),
        words("carl", "Words", &different(19)),
        words("carl", "Words", &different(20)),
        words("user", "Words", "Yes."),
        words("dora", "Words", &format!("{} Word_number00001 WORD_NUMBER00002", different(18))),
        words("dora", "Words", "We must act, this is urgent"),
        say("dora", "Words"),
        cites("erik", "Words", "structural", json!({})),
        cites("erik", "Words", "structural", file()),
        cites("erik", "Words", "canon-changing", file()),
        cites("anna", "Words", "canon-changing", json!({ "issues": [id("A"), id("B")] })),
        cites("anna", "Words", "canon-changing", both),
        cites("anna", "Words", "minor", json!({})),
    ]
}

fn freeze_of_alarm() -> Vec<Step> {
    vec![
        open("user", "Alarm"),
        alarm("dora", "Alarm", "It is URGENT."),
        alarm("dora", "Alarm", "It is urgent, and we need to act."),
        say("erik", "Alarm"),
        on_with("mod", "issues.issue.unfreeze", "Alarm", json!({ "guidance": "Calmly." })),
        alarm("dora", "Alarm", "It is vital."),
        Step::Wait(COOLDOWN),
        words("erik", "Alarm", "Too short"),
        alarm("erik", "Alarm", "An emergency, a disaster, a catastrophe."),
        set(json!({ "sanity.dampening_hours": 1 })),
        open("user", "Alarm again"),
        alarm("erik", "Alarm again", "It is crucial."),
        Step::Wait(60 * 60_000 - 2 * STEP),
        alarm("erik", "Alarm again", "It is crucial."),
        open("user", "Alarm at last"),
        alarm("erik", "Alarm at last", "It is crucial."),
        set(json!({ "sanity.dampening_hours": 0 })),
        alarm("dora", "Alarm at last", "It is crucial."),
        set(json!({ "sanity.dampening_hours": null })),
        open("user", "Every alarm"),
        alarm("anna", "Every alarm", EVERY_ALARM),
    ]
}

/// Rules that stop the discussion, whose report the moderator gets.
pub fn freezing() -> Vec<Step> {
    let mut steps = freeze_of_alarm();
    steps.extend([
        open("user", "Budget"),
        say("anna", "Budget"),
        say("anna", "Budget"),
        say("anna", "Budget"),
        say("anna", "[Circuit Breaker] Budget"),
        say("anna", "[Circuit Breaker] Budget"),
        say("anna", "[Circuit Breaker] Budget"),
        Step::Wait(COOLDOWN),
        say("anna", "Budget"),
        say("anna", "Budget"),
        set(json!({ "sanity.max_total_comments_per_issue": 3 })),
        open("user", "Full"),
        say("anna", "Full"),
        say("erik", "Full"),
        say("dora", "Full"),
        say("carl", "Full"),
        set(json!({ "sanity.max_total_comments_per_issue": null })),
        open("user", "To and fro"),
        say("dora", "To and fro"),
        say("anna", "To and fro"),
        say("erik", "To and fro"),
        say("anna", "To and fro"),
        say("erik", "To and fro"),
        open("user", "Decided by one"),
        say("anna", "Decided by one"),
        say("anna", "Decided by one"),
        resolve("anna", "Decided by one"),
        open("user", "Decided in alarm"),
        say("carl", "Decided in alarm"),
        say("anna", "Decided in alarm"),
        resolve_with("dora", "Decided in alarm", json!({ "note": "Definitely, absolutely." })),
        ask("erik", "issues.comment.add", json!({ "issue": "01KAGMC4R00000000000000000", "body": "Yes." })),
    ]);
    steps
}

/// One comment on an issue of its own, under other limits.
fn under(limits: &Value, title: &'static str, comments: Vec<Step>) -> Vec<Step> {
    let Value::Object(members) = limits else { return comments };
    let back: serde_json::Map<_, _> = members.keys().map(|key| (key.clone(), Value::Null)).collect();
    let mut steps = vec![set(limits.clone()), open("user", title)];
    steps.extend(comments);
    steps.push(set(Value::Object(back)));
    steps
}

/// The same again, and agreement that brings nothing: twice rejected, then frozen.
fn echoes() -> Vec<Step> {
    const ECHO: &str = "Echo";
    let agrees = format!("I agree, excellent, absolutely great work. {REASONS}");
    vec![
        say("carl", ECHO),
        say("helper", ECHO),
        say("user", ECHO),
        words("anna", ECHO, &agrees),
        words("helper", ECHO, &agrees),
    ]
}

/// Presets, and each value that can stand in place of theirs.
pub fn presets() -> Vec<Step> {
    const LIGHT: &str = "Light";
    const STRICT: &str = "Strict";
    let one = |limits: Value, title, comments| under(&limits, title, comments);
    let plain = |title| vec![say("carl", title), say("helper", title), say("carl", title)];
    let light = vec![
        words("carl", LIGHT, &REASONS[..49]),
        words("carl", LIGHT, &REASONS[..50]),
        words("carl", LIGHT, &"word ".repeat(10)),
        cites("carl", LIGHT, "structural", json!({})),
        alarm("helper", LIGHT, "Urgent, crucial, critical."),
        alarm("lead", LIGHT, "Urgent, crucial, critical, vital."),
    ];
    let strict = vec![
        words("helper", STRICT, &REASONS[..249]),
        words("helper", STRICT, &REASONS[..250]),
        cites("lead", STRICT, "cosmetic", json!({})),
        cites("mod", STRICT, "minor", json!({})),
    ];
    let mut steps = [
        one(json!({ "sanity.preset": "light", "sanity.min_unique_words": 3 }), LIGHT, light),
        one(json!({ "sanity.preset": "strict" }), STRICT, strict),
        one(json!({ "sanity.max_comments_per_agent_per_issue": 1 }), "One each", plain("One each")),
        one(json!({ "sanity.max_consecutive_same_agent_pair": 1 }), "No answer", plain("No answer")),
        one(json!({ "sanity.max_consecutive_same_agent_pair": 0 }), "No dialogue", plain("No dialogue")),
        one(json!({ "sanity.min_comment_length": 400 }), "Long ones", plain("Long ones")),
        one(json!({ "sanity.escalation_keywords": ["two largest files", "token"] }), "Own words", plain("Own words")),
        one(json!({ "sanity.max_escalation_keywords_per_comment": 3 }), "More alarm", vec![
            alarm("carl", "More alarm", "Urgent, crucial, vital."),
        ]),
        one(json!({ "sanity.require_evidence_for_impact_level": "cosmetic", "sanity.freeze_on_missing_evidence": true }),
            "Evidence", vec![cites("carl", "Evidence", "cosmetic", json!({}))]),
    ]
    .concat();
    steps.extend(one(json!({ "sanity.echo": true }), "Echo", echoes()));
    steps.push(set(json!({ "sanity.echo": false })));
    steps.push(on("anna", "issues.issue.read", "Evidence"));
    steps
}
