//! The resident agent: messages sent, held, answered and delivered, leases, states that are set; and everything that may not
//! be.

use serde_json::{Value, json};

use super::super::control::{ask, set as configure, user};
use super::Step;

/// Stands for the ids of the messages.
const FIRST: &str = "<message: how do the gates open?>";
const SECOND: &str = "<message: delete the database>";

fn send(actor: &'static str, channel: &str, content: &str) -> Step {
    let fields = json!({ "agent": "ada", "from": actor, "channel": channel, "content": content, "metadata": {} });
    ask(actor, "resident.message.send", fields)
}

fn take(owner: &str, ttl_ms: u64) -> Step {
    ask("system", "resident.lease.take", json!({ "agent": "ada", "owner": owner, "ttl_ms": ttl_ms }))
}

fn finish(owner: &str, message: &str, action: &str) -> Step {
    let homeostasis = json!({ "dimensions": {} });
    let fields = json!({
        "agent": "ada", "owner": owner, "trigger": "message", "message": message, "action": action, "answer": "by hand",
        "delivery": "pending", "homeostasis": homeostasis, "asked": { "certainty_alignment": "LOW" }, "facts": [], "ms": 5,
    });
    ask("system", "resident.tick.finish", fields)
}

fn set(actor: &'static str, ttl_ms: &Value) -> Step {
    let fields = json!({ "agent": "ada", "dimension": "progress_momentum", "state": "LOW", "ttl_ms": ttl_ms });
    ask(actor, "resident.state.override", fields)
}

/// Each thing that becomes of a message, a lease and a state, and each that is refused.
pub fn whole() -> Vec<Step> {
    let approve = |actor, message: &str, approval: &str| {
        ask(actor, "resident.message.approve", json!({ "message": message, "approval": approval, "reason": "seen" }))
    };
    let deliver = |actor, message: &str| {
        ask(actor, "resident.answer.deliver", json!({ "message": message, "delivery": "delivered" }))
    };
    let release = |owner: &str| ask("system", "resident.lease.release", json!({ "agent": "ada", "owner": owner }));
    vec![
        send("user", "ui", " "),
        send("user", "ui", "how do the gates open?"),
        send("anna", "smoke", "delete the database"),
        take("one/1", 0),
        take("one/1", 60_000),
        take("two/1", 60_000),
        finish("two/1", FIRST, "respond"),
        finish("one/1", FIRST, "respond"),
        finish("one/1", FIRST, "respond"),
        deliver("anna", FIRST),
        deliver("user", FIRST),
        deliver("user", FIRST),
        approve("user", FIRST, "yes"),
        finish("one/1", SECOND, "ask"),
        approve("anna", SECOND, "yes"),
        approve("user", SECOND, "yes"),
        finish("one/1", SECOND, "set_aside"),
        approve("user", SECOND, "yes"),
        finish("one/1", SECOND, "ask"),
        approve("user", SECOND, "no"),
        finish("one/1", SECOND, "decline"),
        user("resident.message.approve", json!({ "message": "00000001V800000000000001AA", "approval": "no" })),
        set("anna", &Value::Null),
        set("user", &json!(0)),
        set("user", &Value::Null),
        configure(json!({ "resident.max_pending": 1 })),
        send("user", "ui", "and the doors?"),
        send("user", "ui", "and the windows?"),
        release("two/1"),
        release("one/1"),
    ]
}
