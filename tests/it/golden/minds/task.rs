//! A task of the control loop: begun, talked through, stopped, ended, settled; and everything that may not be.

use serde_json::{Value, json};

use super::super::control::{ask, user};
use super::Step;

/// Stands for the id of the first task.
const TASK: &str = "<task 1>";

fn begin(actor: &'static str, request: &str) -> Step {
    ask(actor, "tasks.task.begin", json!({ "request": request, "models": [], "setting": {} }))
}

fn send(actor: &'static str, n: u32, way: (&str, &str, &str), body: &Value) -> Step {
    let (from, kind, to) = way;
    let fields = json!({ "task": TASK, "n": n, "from": from, "to": to, "kind": kind, "body": body, "alive_ms": 1 });
    ask(actor, "tasks.message.send", fields)
}

fn of_task(actor: &'static str, command: &'static str, more: Value) -> Step {
    ask(actor, command, super::super::control::with(json!({ "task": TASK }), more))
}

/// Each way of the bus that matters to the task, and each that is refused.
pub fn whole() -> Vec<Step> {
    let request = ("user", "request", "perceiver");
    let megram = json!({ "space": "intent:mend_the_gate", "entity": "env:local", "content": "it was mended", "state": "accept" });
    let settle = |actor, settlement: &str| of_task(actor, "tasks.task.settle", json!({ "settlement": settlement }));
    let resume = || of_task("system", "tasks.task.resume", json!({ "in_flight": 2 }));
    vec![
        begin("anna", "mend the gate"),
        begin("system", " "),
        begin("system", "mend the gate"),
        ask("system", "tasks.task.resume", json!({ "task": "nothing", "in_flight": 0 })),
        send("anna", 1, request, &json!({})),
        send("system", 2, request, &json!({})),
        send("system", 1, ("executor", "megram", "memory"), &megram),
        send("system", 1, request, &json!({ "raw_input": "mend the gate" })),
        of_task("system", "tasks.task.pause", json!({ "reason": "no_model" })),
        resume(),
        send("system", 2, ("solver", "plan_directive", "planner"), &json!({ "directive": "up" })),
        send("system", 2, ("solver", "plan_directive", "planner"), &json!({ "directive": "refine", "replans": 1 })),
        send("system", 3, ("solver", "megram", "memory"), &megram),
        settle("user", "applied"),
        send("system", 4, ("solver", "final_result", "user"), &json!({ "directive": "accept" })),
        send("system", 5, request, &json!({})),
        resume(),
        settle("anna", "applied"),
        settle("user", "applied"),
        settle("user", "dropped"),
        user("tasks.task.settle", json!({ "task": "nothing", "settlement": "kept" })),
    ]
}
