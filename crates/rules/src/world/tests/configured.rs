//! Given / when / then for settings that name what there is.

use serde_json::{Value, json};

use super::swarm::Swarm;
use annals_kernel::decision::Refusal;

const DISABLED: &str = "analysis.triggers.disabled_triggers";
const PER_TRIGGER: &str = "analysis.triggers.per_trigger";
const CUSTOM: &str = "analysis.triggers.custom_triggers";
const AGENTS: &str = "hivemind.council.council_agents";
const QUORUM: &str = "hivemind.council.quorum";

/// Sets a value by a command, as the user does; what was set holds.
fn set(swarm: &mut Swarm, key: &str, value: &Value) -> Option<Refusal> {
    let values = json!({ "values": { key: value } });
    let decided = swarm.asks("user", "config.value.change", &values, &json!({}));
    if decided.refusal.is_none() {
        swarm.set(key, value.clone());
    }
    decided.refusal
}

fn rule(swarm: &mut Swarm, key: &str, value: &Value) -> String {
    set(swarm, key, value).map(|refusal| refusal.rule.into()).unwrap_or_default()
}

/// Guard `configured::triggers`.
#[test]
fn a_trigger_that_is_not_there_is_refused_when_it_is_named() {
    let mut swarm = Swarm::empty();
    let refusal = set(&mut swarm, DISABLED, &json!(["spinning-critic", "spining-critic"])).expect("a refusal");
    assert_eq!(&*refusal.rule, "config.unknown_trigger");
    let data = refusal.data.value();
    assert_eq!((&data["key"], &data["trigger"]), (&json!(DISABLED), &json!("spining-critic")));
    assert_eq!(
        (data["known"][0].as_str(), data["known"].as_array().map(Vec::len)),
        (Some("spinning-critic"), Some(13))
    );
    assert_eq!(rule(&mut swarm, PER_TRIGGER, &json!({ "mine": { "cooldown_ms": 5 } })), "config.unknown_trigger");
    let mine = json!([{ "id": "mine", "condition": { "type": "time", "within_ms": 9 },
        "action": { "mode": "tom", "priority": "low" } }]);
    assert_eq!(rule(&mut swarm, CUSTOM, &mine), "");
    assert_eq!(rule(&mut swarm, PER_TRIGGER, &json!({ "mine": { "cooldown_ms": 5 } })), "");
    assert_eq!(rule(&mut swarm, CUSTOM, &json!([])), "config.unknown_trigger", "it is named still");
    assert_eq!(rule(&mut swarm, DISABLED, &json!(["spinning-critic"])), "");
}

/// What was set before there was a rule stays, and is in nobody's way.
/// Guard `configured::triggers`.
#[test]
fn what_was_named_before_is_no_reason_to_refuse_another_change() {
    let mut swarm = Swarm::empty();
    swarm.set(DISABLED, json!(["gone"]));
    assert_eq!(rule(&mut swarm, PER_TRIGGER, &json!({ "spinning-critic": { "cooldown_ms": 5 } })), "");
    assert_eq!(rule(&mut swarm, DISABLED, &json!(["gone", "spinning-critic"])), "");
    assert_eq!(rule(&mut swarm, DISABLED, &json!(["lost"])), "config.unknown_trigger");
}

/// Guard `configured::thresholds`.
#[test]
fn a_threshold_is_of_what_its_trigger_measures() {
    let mut swarm = Swarm::empty();
    let own = |metric: &str| json!({ "edits-without-tests": { "thresholds": { metric: 5 } } });
    assert_eq!(rule(&mut swarm, PER_TRIGGER, &own("edit_count")), "");
    let refusal = set(&mut swarm, PER_TRIGGER, &own("call_count")).expect("a refusal");
    assert_eq!(&*refusal.rule, "config.unknown_threshold");
    assert_eq!(refusal.data.value()["known"], json!(["edit_count", "test_count"]));
}

/// AFS 7.1, in either order.
/// Guard `configured::quorum`.
#[test]
fn a_quorum_is_at_most_the_council() {
    let mut swarm = Swarm::empty();
    let refusal = set(&mut swarm, QUORUM, &json!(4)).expect("a refusal");
    assert_eq!(&*refusal.rule, "config.quorum_too_large");
    assert_eq!(refusal.data.value(), json!({ "quorum": 4, "members": 3 }));
    assert_eq!(rule(&mut swarm, QUORUM, &json!(3)), "");
    assert_eq!(rule(&mut swarm, AGENTS, &json!(["anna", "bert"])), "config.quorum_too_large");
    assert_eq!(rule(&mut swarm, "hivemind.council.council_size", &json!(2)), "config.quorum_too_large");
    assert_eq!(rule(&mut swarm, AGENTS, &json!(["anna", "bert", "anna"])), "config.quorum_too_large", "each once");
    assert_eq!(rule(&mut swarm, QUORUM, &json!(1)), "");
    assert_eq!(rule(&mut swarm, AGENTS, &json!([])), "", "the user alone");
    let both = json!({ "values": { AGENTS: ["anna", "bert"], QUORUM: 2 } });
    assert_eq!(swarm.asks("user", "config.value.change", &both, &json!({})).refusal, None);
}

/// A quorum that nobody set is all of a smaller council.
#[test]
fn the_quorum_that_nobody_set_is_in_nobodys_way() {
    assert_eq!(rule(&mut Swarm::empty(), AGENTS, &json!(["anna"])), "");
}
