//! Given / when / then for councils about what is in hivemind.

use serde_json::{Value, json};

use super::swarm::Swarm;
use crate::domain::hivemind::{Entry, Scope};

fn scene() -> Swarm {
    let mut swarm = Swarm::new();
    swarm.set("hivemind.council.council_agents", json!(["anna", "bert", "carl"]));
    swarm.tells("anna", "hivemind.entry.add", &json!({ "category": "knowledge", "key": "port", "value": "8080" }));
    swarm
}

fn opening(purpose: &str, key: &str) -> Value {
    json!({ "purpose": purpose, "key": key, "reason": "it is taken", "current": "?", "proposed": "8471" })
}

/// All members approve what the open council is about; what happens with the last vote.
fn approved(swarm: &mut Swarm) -> Vec<&'static str> {
    let council: Box<str> = swarm.world.rooms.council.running("port").next().expect("a council").into();
    let vote = json!({ "council": council, "vote": "approve", "confidence": 1, "rationale": "so it is" });
    let told = ["anna", "bert", "carl"].map(|agent| swarm.tells(agent, "council.vote.give", &vote));
    assert!(told.iter().all(|(_, refusal)| refusal.is_empty()), "{told:?}");
    told[2].0.clone()
}

fn entry(swarm: &Swarm) -> &Entry {
    swarm.world.rooms.hivemind.entry("port").expect("an entry")
}

/// AFS 7: its result is carried into the hivemind in the same decision.
#[test]
fn a_council_that_is_called_by_hand_about_an_entry_contests_it() {
    let mut swarm = scene();
    let (events, refusal) = swarm.tells("bert", "council.session.open", &opening("conflict", "Port"));
    assert_eq!((events, &*refusal), (vec!["hivemind.entry.contested", "council.session.created"], ""));
    let council = &swarm.world.rooms.council;
    let session = council.running("port").next().and_then(|id| council.session(id)).expect("a council");
    assert_eq!((&*session.current_value, &*session.proposed_value), ("8080", "8471"));
    let again =
        swarm.tells("carl", "hivemind.entry.contest", &json!({ "key": "port", "reason": "r", "alternative": "1" }));
    assert_eq!(again, (vec![], "hivemind.contested_already".to_owned()));
    assert_eq!(approved(&mut swarm), ["council.vote.cast", "council.session.resolved", "hivemind.entry.updated"]);
    assert_eq!((&*entry(&swarm).value, &entry(&swarm).contest), ("8471", &None));
}

/// AFS 7.1.
#[test]
fn a_council_that_is_called_by_hand_for_a_promotion_nominates_the_entry() {
    let mut swarm = scene();
    for (purpose, event) in
        [("global_promotion", "hivemind.entry.promoted_global"), ("decay_promotion", "hivemind.entry.promoted_golden")]
    {
        swarm.tells("bert", "council.session.open", &opening(purpose, "port"));
        assert_eq!(approved(&mut swarm), ["council.vote.cast", "council.session.resolved", event]);
    }
    assert_eq!((entry(&swarm).scope, entry(&swarm).golden.is_some()), (Scope::Global, true));
    for (purpose, rule) in [
        ("global_promotion", "hivemind.global_already"),
        ("decay_promotion", "hivemind.golden_already"),
        ("conflict", "hivemind.golden"),
    ] {
        assert_eq!(swarm.tells("bert", "council.session.open", &opening(purpose, "port")), (vec![], rule.to_owned()));
    }
}

#[test]
fn a_council_about_what_is_in_no_hivemind_changes_nothing_there() {
    let mut swarm = scene();
    let (events, _) = swarm.tells("bert", "council.session.open", &opening("conflict", "style"));
    assert_eq!(events, ["council.session.created"]);
    let (events, _) = swarm.tells("bert", "council.session.open", &opening("architecture", "port"));
    assert_eq!(events, ["council.session.created"], "a recommendation is about the work");
    let (events, _) = swarm.tells("carl", "council.session.open", &opening("conflict", "port"));
    assert_eq!(events, ["hivemind.entry.contested", "council.session.created"], "and stands in nobody's way");
}

#[test]
fn two_argue_who_are_members_or_in_the_roster() {
    let mut swarm = scene();
    swarm.tells("bert", "council.session.open", &opening("conflict", "port"));
    let council: Box<str> = swarm.world.rooms.council.running("port").next().expect("a council").into();
    for (agent, vote) in [("anna", "approve"), ("bert", "reject"), ("carl", "abstain")] {
        let vote = json!({ "council": council, "vote": vote, "confidence": 1, "rationale": "so it is" });
        swarm.tells(agent, "council.vote.give", &vote);
    }
    let mut round = |pro: &str, con: &str| {
        let fields = json!({
            "council": council, "pro_argument": "p", "con_argument": "c", "pro_agent": pro, "con_agent": con,
        });
        swarm.tells("anna", "council.debate.argue", &fields).1
    };
    assert_eq!(round("anna", "nobody"), "council.unknown_debater");
    assert_eq!(round("anna", " anna"), "council.both_sides");
    assert_eq!(round("anna", "dora"), "", "no member, but in the roster");
}
