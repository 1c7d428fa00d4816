//! Given / when / then for councils about what is in hivemind.

use serde_json::{Value, json};

use super::swarm::Swarm;
use crate::domain::Command;
use crate::domain::council::{CouncilSession, CouncilStatus};
use crate::domain::hivemind::{HivemindEntry, Scope};
use crate::domain::notice::{CouncilRequest, Matter, Posted};
use crate::policy;
use annals_kernel::id::SessionId;

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

fn entry(swarm: &Swarm) -> &HivemindEntry {
    swarm.world.rooms.hivemind.entry("port").expect("an entry")
}

/// AFS 7: its result is carried into the hivemind in the same decision.
/// Guard `council::contest`, policy `council::carry`.
#[test]
fn a_council_that_is_called_by_hand_about_an_entry_contests_it() {
    let mut swarm = scene();
    let (events, refusal) = swarm.tells("bert", "council.session.open", &opening("conflict", "Port"));
    assert_eq!((events, &*refusal), (vec!["hivemind.entry.contested", CREATED, MANNED], ""));
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
    assert_eq!(events, [CREATED, MANNED]);
    let (events, _) = swarm.tells("bert", "council.session.open", &opening("architecture", "port"));
    assert_eq!(events, [CREATED, MANNED, POSTED], "a recommendation is about the work");
    let (events, _) = swarm.tells("carl", "council.session.open", &opening("conflict", "port"));
    assert_eq!(events, ["hivemind.entry.contested", CREATED, MANNED], "and stands in nobody's way");
}

const CREATED: &str = "council.session.created";
const MANNED: &str = "council.session.manned";
const POSTED: &str = "notices.notice.posted";
const TIED: &str = "council.session.tied";
const RESOLVED: &str = "council.session.resolved";

/// Calls a council on a name; its id, and what happened.
fn called(swarm: &mut Swarm, key: &str) -> (Box<str>, Vec<&'static str>) {
    let (events, refusal) = swarm.tells("bert", "council.session.open", &opening("conflict", key));
    assert_eq!(refusal, "");
    (swarm.world.rooms.council.running(key).next().expect("a council").into(), events)
}

fn session<'s>(swarm: &'s Swarm, council: &str) -> &'s CouncilSession {
    swarm.world.rooms.council.session(council).expect("a council")
}

fn members(swarm: &Swarm, council: &str) -> String {
    session(swarm, council).members().join(" ")
}

fn vote(swarm: &mut Swarm, who: &str, council: &str, vote: &str) -> (Vec<&'static str>, String) {
    let fields = json!({ "council": council, "vote": vote, "confidence": 1, "rationale": "so it is" });
    swarm.tells(who, "council.vote.give", &fields)
}

fn retire(swarm: &mut Swarm, who: &str) -> Vec<&'static str> {
    let (events, refusal) = swarm.tells("user", "roster.agent.change", &json!({ "agent": who, "duty": "retired" }));
    assert_eq!(refusal, "");
    events
}

/// What councils ask of somebody, and on what.
fn told(swarm: &Swarm, whom: &str) -> Vec<(CouncilRequest, String)> {
    let notices = swarm.world.rooms.notice.notices.iter().map(|(_, notice)| &notice.posted);
    let asked = |posted: &Posted| match &posted.matter {
        Some(Matter::Council { asked, key, .. }) => Some((*asked, key.to_string())),
        Some(_) | None => None,
    };
    notices.filter(|posted| posted.to.as_str() == whom).filter_map(asked).collect()
}

/// Decision 56: named agents, then agents of a role that is named, then the user.
/// Policy `manning::man`.
#[test]
fn seats_are_taken_by_agents_by_roles_and_by_the_user() {
    for (seats, expected) in [
        (json!(["anna", "bert", "carl"]), "anna bert carl"),
        (json!(["critic", "anna", "critic-of-critics"]), "anna carl user"),
        (json!(["critic", "carl", "writer"]), "carl dora anna"),
        (json!(["user", "anna"]), "user anna"),
        (json!(["moderator", "writer", "critic", "continuity"]), "mo anna carl"),
    ] {
        let mut swarm = scene();
        swarm.set("hivemind.council.council_agents", seats.clone());
        let (council, _) = called(&mut swarm, "style");
        assert_eq!(members(&swarm, &council), expected, "{seats}");
    }
}

/// Decision 56: whoever has a name or a role that was called, but no seat, has no voice.
#[test]
fn only_a_member_speaks_as_a_member() {
    let mut swarm = scene();
    swarm.set("hivemind.council.council_agents", json!(["critic", "anna", "bert"]));
    let (council, _) = called(&mut swarm, "style");
    assert_eq!(members(&swarm, &council), "anna bert carl");
    for who in ["dora", "erik", "user"] {
        assert_eq!(vote(&mut swarm, who, &council, "approve"), (vec![], "council.not_a_member".to_owned()), "{who}");
        let fields =
            json!({ "council": council, "member": "carl", "vote": "approve", "confidence": 1, "rationale": "r" });
        let brought = swarm.tells(who, "council.vote.give", &fields);
        assert_eq!(brought, (vec![], "council.not_a_member".to_owned()), "{who}");
    }
    assert_eq!(vote(&mut swarm, "carl", &council, "approve"), (vec!["council.vote.cast"], String::new()));
}

/// Decision 56: fewer than the quorum, and the user decides, told at once.
/// Policies `manning::end` and `manning::tell`.
#[test]
fn a_council_that_cannot_be_manned_is_the_users_at_once() {
    let mut swarm = Swarm::new();
    swarm.set("hivemind.council.council_agents", json!(["explore", "general"]));
    swarm.tells("anna", "hivemind.entry.add", &json!({ "category": "knowledge", "key": "port", "value": "8080" }));
    let (events, _) = swarm.tells("bert", "council.session.open", &opening("conflict", "port"));
    assert_eq!(events, ["hivemind.entry.contested", CREATED, MANNED, TIED, POSTED][..].to_vec());
    assert_eq!(told(&swarm, "user"), [(CouncilRequest::LastWord, "port".to_owned())]);
    let council: Box<str> = swarm.world.rooms.council.running("port").next().expect("a council").into();
    let word = json!({ "council": council, "decision": "approve", "synthesis": "8080 is taken" });
    assert_eq!(swarm.tells("bert", "council.session.resolve", &word).1, "council.not_the_arbitrator");
    let (events, _) = swarm.tells("user", "council.session.resolve", &word);
    assert_eq!(events, [RESOLVED, "hivemind.entry.updated"]);
}

/// Decision 56: with the user as a member there may be a quorum; it is asked for its vote.
#[test]
fn a_seat_that_no_agent_takes_is_the_users_and_it_hears_of_it() {
    let mut swarm = scene();
    swarm.set("hivemind.council.council_agents", json!(["anna", "nobody"]));
    let (council, events) = called(&mut swarm, "style");
    assert_eq!(events, [CREATED, MANNED, POSTED]);
    assert_eq!(told(&swarm, "user"), [(CouncilRequest::Vote, "style".to_owned())]);
    assert_eq!(vote(&mut swarm, "user", &council, "approve").0, ["council.vote.cast"]);
    assert_eq!(vote(&mut swarm, "anna", &council, "approve").0, ["council.vote.cast", RESOLVED]);
}

/// Nothing waits for whoever is gone.
/// Policy `manning::remain`.
#[test]
fn a_council_that_loses_members_is_manned_anew_or_the_users() {
    let mut swarm = scene();
    swarm.set("hivemind.council.council_agents", json!(["anna", "carl", "critic"]));
    let (council, _) = called(&mut swarm, "style");
    assert_eq!(members(&swarm, &council), "anna carl dora");
    vote(&mut swarm, "anna", &council, "approve");
    assert_eq!(retire(&mut swarm, "anna"), ["roster.agent.changed"], "its vote is in");
    assert_eq!(retire(&mut swarm, "carl"), ["roster.agent.changed", MANNED, POSTED]);
    assert_eq!(members(&swarm, &council), "anna dora user");
    assert_eq!(retire(&mut swarm, "dora"), ["roster.agent.changed", MANNED], "the user knows already");
    assert_eq!(members(&swarm, &council), "anna user");
    let (last, _) = vote(&mut swarm, "user", &council, "reject");
    assert_eq!(last, ["council.vote.cast", TIED, "council.debate.opened", POSTED], "one each");
    let (other, _) = called(&mut swarm, "tabs");
    assert_eq!(session(&swarm, &other).status, CouncilStatus::Tie, "nobody is left but the user");
}

/// Who should have ended it was told, and is gone.
#[test]
fn a_debate_whose_arbitrator_leaves_is_the_users_to_end() {
    let mut swarm = scene();
    swarm.set("hivemind.council.arbitrator", "dora".into());
    let (council, _) = called(&mut swarm, "style");
    for (who, what) in [("anna", "approve"), ("bert", "reject"), ("carl", "abstain")] {
        vote(&mut swarm, who, &council, what);
    }
    assert_eq!(session(&swarm, &council).status, CouncilStatus::Debating);
    assert_eq!(retire(&mut swarm, "erik"), ["roster.agent.changed"]);
    assert_eq!(retire(&mut swarm, "dora"), ["roster.agent.changed", POSTED]);
    let last = swarm.world.rooms.notice.notices.iter().last().expect("a notice").1.posted.clone();
    let Some(Matter::Council { asked, .. }) = last.matter else { panic!("{last:?}") };
    assert_eq!((last.to.as_str(), asked), ("user", CouncilRequest::Synthesis));
}

/// Nobody is left to speak for a side.
#[test]
fn a_debate_without_agents_is_a_tie_again() {
    let mut swarm = scene();
    let (council, _) = called(&mut swarm, "style");
    for (who, what) in [("anna", "approve"), ("bert", "reject"), ("carl", "abstain")] {
        vote(&mut swarm, who, &council, what);
    }
    assert_eq!(session(&swarm, &council).status, CouncilStatus::Debating);
    for who in ["anna", "bert", "carl", "dora", "erik"] {
        assert_eq!(retire(&mut swarm, who), ["roster.agent.changed"]);
    }
    assert_eq!(retire(&mut swarm, "mo"), ["roster.agent.changed", TIED, POSTED]);
    let word = json!({ "council": council, "decision": "approve", "synthesis": "so be it" });
    assert_eq!(swarm.tells("user", "council.session.resolve", &word).0, [RESOLVED]);
}

/// What is due: a council of which the time is over is closed by the rules, and once.
#[test]
fn a_council_is_closed_when_its_time_is_over() {
    let mut swarm = scene();
    let (council, _) = called(&mut swarm, "style");
    vote(&mut swarm, "anna", &council, "approve");
    vote(&mut swarm, "bert", &council, "approve");
    let due = |swarm: &Swarm| {
        let (session, settings) = (&SessionId::from("s"), &swarm.settings);
        policy::due(&swarm.world.rooms, &policy::DueTurn { session, at: swarm.at, settings })
    };
    assert_eq!(due(&swarm), []);
    swarm.at = swarm.at.plus_millis(24 * 3_600_000);
    let commands = due(&swarm);
    let [command] = &*commands else { panic!("{commands:?}") };
    assert_eq!(command.name(), "council.session.resolve");
    let (events, refusal) = swarm.tells("system", command.name(), &command.data().read().expect("fields"));
    assert_eq!((events, &*refusal), (vec![RESOLVED], ""), "two of three have voted");
    assert_eq!(due(&swarm), []);
}

/// What is due: a debate that nobody ended in its time waits no longer for its arbitrator.
#[test]
fn a_debate_that_nobody_ends_in_its_time_is_a_tie() {
    let mut swarm = scene();
    swarm.set("hivemind.council.arbitrator", "dora".into());
    let (council, _) = called(&mut swarm, "style");
    for (who, what) in [("anna", "approve"), ("bert", "reject"), ("carl", "abstain")] {
        vote(&mut swarm, who, &council, what);
    }
    let resolve = json!({ "council": council });
    assert_eq!(swarm.tells("system", "council.session.resolve", &resolve).1, "council.too_early");
    swarm.at = swarm.at.plus_millis(48 * 3_600_000);
    let (session, settings) = (&SessionId::from("s"), &swarm.settings);
    let due = policy::due(&swarm.world.rooms, &policy::DueTurn { session, at: swarm.at, settings });
    assert_eq!(due.iter().map(Command::name).collect::<Vec<_>>(), ["council.session.resolve"]);
    let (events, refusal) = swarm.tells("system", "council.session.resolve", &resolve);
    assert_eq!((events, &*refusal), (vec![TIED, POSTED], ""), "the user hears of it");
}

/// AFS 7.1: each side is said by whoever says it; strangers say nothing.
#[test]
fn two_argue_each_for_its_own_side() {
    let mut swarm = scene();
    let (council, _) = called(&mut swarm, "style");
    for (agent, what) in [("anna", "approve"), ("bert", "reject"), ("carl", "abstain")] {
        vote(&mut swarm, agent, &council, what);
    }
    assert_eq!(told(&swarm, "user"), [(CouncilRequest::Synthesis, "style".to_owned())]);
    let mut plead = |who: &str, side: &str| {
        swarm.tells(who, "council.argument.give", &json!({ "council": council, "side": side, "argument": "a" })).1
    };
    assert_eq!(plead("nobody", "pro"), "roster.not_a_member");
    assert_eq!(plead("anna", "pro"), "");
    assert_eq!(plead("anna", "con"), "council.both_sides");
    assert_eq!(plead("dora", "con"), "", "no member, but in the roster");
    let both = json!({
        "council": council, "pro_argument": "p", "con_argument": "c", "pro_agent": "anna", "con_agent": "bert",
    });
    assert_eq!(swarm.tells("anna", "council.debate.argue", &both).1, "council.one_side");
}
