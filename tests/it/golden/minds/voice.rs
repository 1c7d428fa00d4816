//! What agents are told, and where a person wants silence.

use serde_json::{Value, json};

use super::super::control::{ask, user};
use super::Step;

fn give(actor: &'static str, pieces: &Value) -> Step {
    ask(actor, "voice.context.give", json!({ "session": "told", "occasion": "start", "pieces": pieces, "withheld": 2 }))
}

/// Told, refused, silenced and told again.
pub fn told() -> Vec<Step> {
    let piece = |key: &str| json!({ "topic": "canon", "key": key, "tokens": 12 });
    let mute =
        |actor: &'static str, span: &str| ask(actor, "voice.session.mute", json!({ "session": "told", "span": span }));
    let unmute = || user("voice.session.unmute", json!({ "session": "told" }));
    vec![
        give("anna", &json!([piece("one")])),
        give("user", &json!([piece("one")])),
        give("system", &json!([])),
        give("system", &json!([piece("one"), piece("two")])),
        mute("anna", "session"),
        unmute(),
        mute("user", "session"),
        give("system", &json!([piece("three")])),
        unmute(),
        give("system", &json!([piece("two"), piece("three")])),
        mute("user", "prompt"),
    ]
}
