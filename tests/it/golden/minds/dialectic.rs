//! Debates, failures and the gate.

use serde_json::{Value, json};

use super::super::control::{ask, user};
use super::Step;

const TASK: &str = "Fix the authentication test";
const PLAN: &str = "Delete the old cache";

fn record(session: &'static str, kind: &'static str, name: &'static str, input: Value) -> Step {
    Step::Record { session, kind, name, input }
}

fn fail(task: &str, error: &str) -> Step {
    user("dialectic.attempt.fail", json!({ "task": task, "error": error, "approach": "as before" }))
}

fn request(task: &str, kind: &str, rest: &Value) -> Step {
    let mut fields = json!({ "task": task, "kind": kind });
    let members = fields.as_object_mut().expect("an object");
    members.extend(rest.as_object().expect("an object").clone());
    user("dialectic.debate.request", fields)
}

fn argue(actor: &'static str, debate: &str, position: impl Into<Value>) -> Step {
    let position = position.into();
    ask(actor, "dialectic.position.take", json!({ "debate": debate, "position": position }))
}

fn claim(confidence: f64) -> Value {
    json!({ "claim": { "claim": "it is unused", "supports": ["grep"], "confidence": confidence } })
}

fn objection(severity: &str, counter: Option<&str>) -> Value {
    json!({ "objection": { "objection": "there is no backup", "severity": severity, "risks": ["data loss"], "counter": counter } })
}

fn diagnosis(fix: &str, diff: &str) -> Value {
    json!({ "diagnosis": { "diagnosis": "the resolver is wrong", "fix": fix, "diff": diff } })
}

fn doubt(pattern: Option<&str>, blind_spot: Option<&str>, should_escalate: bool) -> Value {
    json!({ "doubt": { "pattern": pattern, "blind_spot": blind_spot, "should_escalate": should_escalate } })
}

fn resolve(debate: &str, rest: &Value, observed: Value) -> Step {
    let mut fields = json!({ "debate": debate });
    fields.as_object_mut().expect("an object").extend(rest.as_object().expect("an object").clone());
    Step::Ask { actor: "user", command: "dialectic.debate.resolve", fields, observed }
}

/// A debate about a plan, from its request to its resolution.
fn plan(number: usize, stakes: &str, said: (f64, &str, Option<&str>)) -> Vec<Step> {
    let debate = format!("<debate {number}>");
    let (confidence, severity, counter) = said;
    vec![
        request(&format!("Deploy service number {number}"), "planning", &json!({ "stakes": stakes })),
        argue("explore", &debate, claim(confidence)),
        argue("critic", &debate, objection(severity, counter)),
        resolve(&debate, &json!({}), json!({})),
    ]
}

/// A debate about a task that failed twice.
fn failure(number: usize, said: (Value, Value), rest: &Value, observed: Value) -> Vec<Step> {
    let debate = format!("<debate {number}>");
    let task = format!("Repair machine number {number}");
    vec![
        fail(&task, "ENOENT: no such file or directory, open '/a/b.txt'"),
        fail(&task, "ENOENT: no such file or directory, open '/c.txt'"),
        request(&task, "failure", &json!({})),
        argue("explore", &debate, said.0),
        argue("critic", &debate, said.1),
        resolve(&debate, rest, observed),
        fail(&task, "EACCES: permission denied"),
    ]
}

/// What is refused before any debate.
fn refused() -> Vec<Step> {
    let long = "x ".repeat(2001);
    vec![
        fail("the ?!", "x"),
        fail(&long, "x"),
        request(TASK, "failure", &json!({})),
        request(PLAN, "planning", &json!({ "rounds": 0 })),
        request(PLAN, "planning", &json!({ "rounds": 4 })),
        user("dialectic.attempt.succeed", json!({ "task": TASK })),
        user("dialectic.task.reset", json!({ "task": TASK })),
        ask("general", "dialectic.task.reset", json!({ "task": TASK })),
        argue("explore", "nowhere", claim(0.9)),
        user("dialectic.task.relate", json!({ "task": TASK, "other": "the TASK nobody knows", "relation": "same" })),
        user("dialectic.task.relate", json!({ "task": TASK, "other": TASK, "relation": "different" })),
        user("dialectic.session.switch", json!({ "session": "annals", "debates": "on" })),
        ask("explore", "dialectic.session.switch", json!({ "session": "annals", "debates": "off" })),
        user("dialectic.session.switch", json!({ "session": "annals", "debates": "off" })),
        request(PLAN, "planning", &json!({})),
        user("dialectic.session.switch", json!({ "session": "annals", "debates": "on" })),
    ]
}

/// The first debate, with every step that is not in its order.
fn first_debate() -> Vec<Step> {
    let debate = "<debate 1>";
    vec![
        request(PLAN, "planning", &json!({ "rounds": 2, "facts": { "files": 12 }, "plan": "rm -rf cache" })),
        request(PLAN, "planning", &json!({})),
        resolve(debate, &json!({}), json!({})),
        argue("critic", debate, objection("low", None)),
        argue("explore", debate, diagnosis("x", "y")),
        argue("explore", debate, json!({ "claim": { "claim": "x".repeat(2000), "confidence": 1 } })),
        argue("explore", debate, claim(0.799)),
        argue("explore", debate, claim(0.9)),
        argue("explore", debate, objection("low", None)),
        resolve(debate, &json!({}), json!({})),
        argue("critic", debate, objection("low", None)),
        argue("explore", debate, claim(0.8)),
        argue("critic", debate, objection("high", Some("back it up first"))),
        argue("explore", debate, claim(0.9)),
        user("dialectic.debate.judge", json!({ "debate": debate, "outcome": "success", "helped": true })),
        resolve(debate, &json!({ "resolution": "PROCEED" }), json!({})),
        resolve(debate, &json!({ "next_attempt_limit": 3 }), json!({})),
        resolve(debate, &json!({ "rationale": "x".repeat(800) }), json!({})),
        resolve(debate, &json!({ "resolution": "MODIFY", "next_attempt_limit": 2 }), json!({ "actionable": "yes" })),
        argue("explore", debate, claim(0.9)),
        request(PLAN, "planning", &json!({ "plan": "rm -rf cache" })),
        user("dialectic.debate.judge", json!({ "debate": debate, "outcome": "success", "helped": true })),
        user("dialectic.debate.judge", json!({ "debate": "nowhere", "outcome": "failure", "helped": true })),
    ]
}

/// Every row of the two tables.
fn tables() -> Vec<Step> {
    let counter = Some("back it up first");
    let plans = [
        ("low", (0.9, "high", counter)),
        ("low", (0.9, "high", None)),
        ("high", (0.9, "medium", counter)),
        ("high", (0.9, "medium", None)),
        ("medium", (0.9, "medium", None)),
        ("high", (0.8, "low", None)),
        ("high", (0.799, "low", counter)),
        ("high", (0.799, "low", None)),
        ("medium", (0.799, "low", None)),
    ];
    let numbered = (2..).zip(plans);
    let mut steps: Vec<_> = numbered.flat_map(|(number, (stakes, said))| plan(number, stakes, said)).collect();
    let (new, same) = (diagnosis("use caching", "another method"), diagnosis("as before", "fixed a typo"));
    let clear = || doubt(Some("paths"), None, false);
    let blind = || doubt(None, Some("the cache"), false);
    let seen = || doubt(Some("ENOENT: no such file or directory, open '/x'"), None, false);
    let none = json!({});
    let alternative = json!({ "next_approach": "ask upstream" });
    steps.extend(failure(11, (new.clone(), doubt(None, None, true)), &json!({ "escalate_to": "ann" }), json!({})));
    steps.extend(failure(12, (new.clone(), seen()), &none, json!({})));
    steps.extend(failure(13, (new.clone(), clear()), &none, json!({})));
    steps.extend(failure(14, (new.clone(), blind()), &none, json!({})));
    steps.extend(failure(15, (same.clone(), clear()), &alternative, json!({})));
    steps.extend(failure(16, (same, clear()), &none, json!({ "substantial": "no" })));
    steps.push(request("Repair machine number 13", "failure", &json!({})));
    steps
}

/// A recorded session in which the same call fails again, and again.
fn recorded() -> Vec<Step> {
    let (session, call) = ("coding", || record("coding", "tool_call", "Bash", json!({ "command": "cargo test" })));
    let announce = json!({
        "task": "f3b64a4a8e0f8f8f", "session": session, "fingerprint": "cargo test", "cause": "01ARZ3NDEKTSV4RRFFQ69G5FAV",
    });
    let task = annals::domain::dialectic::identity::task_id("Make the build green").expect("an id");
    let mut due = announce.clone();
    due["task"] = json!(task);
    let called = json!({ "task": task, "cause": "01ARZ3NDEKTSV4RRFFQ69G5FAV" });
    vec![
        record(session, "user_input", "prompt", json!({ "text": "Make the build green" })),
        call(),
        call(),
        ask("system", "dialectic.failure.announce", due.clone()),
        ask("system", "dialectic.failure.announce", due),
        user("dialectic.failure.announce", announce),
        call(),
        ask("system", "dialectic.task.escalate", called.clone()),
        ask("system", "dialectic.task.escalate", called),
        record(session, "user_input", "prompt", json!({ "text": "start fresh" })),
        call(),
    ]
}

/// Commands that are held, approved and run, and debates that are due.
fn held() -> Vec<Step> {
    let hold = |actor: &'static str| {
        let fields = json!({ "session": "held", "text": "git push --force", "effects": ["history-rewritten"], "answer": "deny" });
        ask(actor, "dialectic.command.hold", fields)
    };
    let approve = |actor: &'static str, span: &str| {
        ask(actor, "dialectic.command.approve", json!({ "command": "<held 1>", "span": span }))
    };
    let pass = || ask("system", "dialectic.command.pass", json!({ "held": "<held 1>" }));
    let call = |actor: &'static str| {
        let fields = json!({
            "task": "0123456789abcdef", "session": "held", "kind": "planning", "effect": "published", "command": "npm publish",
            "category": "ordinary", "cause": "01KAJ7000000000000000000AA",
        });
        ask(actor, "dialectic.debate.call", fields)
    };
    vec![
        hold("anna"),
        hold("system"),
        approve("anna", "once"),
        pass(),
        approve("user", "once"),
        pass(),
        approve("user", "session"),
        record("held", "user_input", "prompt", json!({ "text": "Release the library" })),
        call("anna"),
        call("system"),
        call("system"),
    ]
}

/// The first writer.
pub fn first_day() -> Vec<Step> {
    let mut steps = refused();
    steps.extend(first_debate());
    steps.extend(tables());
    steps.push(argue("critic", "<debate 3>", objection("low", None)));
    steps.extend([fail(TASK, "x"), fail(TASK, "x"), fail(TASK, "x"), fail(TASK, "x")]);
    let relate = |relation: &str| {
        let fields = json!({ "task": "fix authentication test again", "other": TASK, "relation": relation });
        user("dialectic.task.relate", fields)
    };
    steps.extend([relate("different"), relate("same"), relate("same")]);
    steps.push(user("dialectic.task.reset", json!({ "task": TASK, "reason": "a new token" })));
    steps.extend([fail(TASK, "x"), user("dialectic.attempt.succeed", json!({ "task": TASK }))]);
    steps.extend(recorded());
    steps.extend(held());
    // One agent on both sides.
    steps.push(request("Deploy at last", "planning", &json!({})));
    steps.push(argue("explore", "<debate 17>", claim(0.9)));
    steps.push(argue("explore", "<debate 17>", objection("low", None)));
    steps
}

/// The second writer, who does not know what the first does meanwhile.
pub fn elsewhere() -> Vec<Step> {
    vec![fail("Repair it everywhere", "x"), fail("Repair it everywhere", "y")]
}

/// The first writer, meanwhile.
pub fn meanwhile() -> Vec<Step> {
    vec![fail("Repair it everywhere", "x")]
}

/// A writer who has seen both: three failures in a row, in two places.
pub fn afterwards() -> Vec<Step> {
    let judge = json!({ "debate": "<debate 14>", "outcome": "failure", "helped": false });
    vec![fail("Repair it everywhere", "z"), user("dialectic.debate.judge", judge)]
}
