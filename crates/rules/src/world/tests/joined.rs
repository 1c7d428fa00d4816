//! What follows in one room from another one, where no other scenario names it.

use serde_json::{Value, json};

use super::swarm::Swarm;
use annals_kernel::entry::HistoryEntry;
use annals_kernel::envelope::{Envelope, Span};
use annals_kernel::id::EntryId;

type ToldNames = (Vec<&'static str>, String);

fn told(events: &[&'static str]) -> ToldNames {
    (events.to_vec(), String::new())
}

fn refused(rule: &str) -> ToldNames {
    (Vec::new(), rule.to_owned())
}

/// Policy `canon::found`: an issue that became canon is as well founded as can be.
#[test]
fn an_issue_that_became_canon_is_canon() {
    let mut swarm = Swarm::new();
    let issue = swarm.opens("Gate", &[]);
    let promote = json!({ "issue": issue, "key": "gate", "title": "Gate", "text": "The gate is red." });
    let (events, refusal) = swarm.tells("user", "canon.issue.promote", &promote);
    assert_eq!(refusal, "");
    assert!(events.contains(&"issues.epistemic.changed"), "{events:?}");
}

/// Guard `canon::guard`: an agent promotes what enough others support.
#[test]
fn an_agent_needs_votes_to_make_an_issue_canon() {
    let mut swarm = Swarm::new();
    swarm.set("canon.allow_agent_only_promotion", json!(true));
    let issue = swarm.opens("Gate", &[]);
    let promote = json!({ "issue": issue, "key": "gate", "title": "Gate", "text": "The gate is red." });
    assert_eq!(swarm.tells("anna", "canon.issue.promote", &promote), refused("canon.too_few_votes"));
}

/// Guard `canon::citations` and policy `canon::anchors`: canon that never was is no evidence, and who cites what holds no
/// more is told so.
#[test]
fn canon_that_is_cited_must_be_there_and_its_readers_hear_where_it_holds_no_more() {
    let mut swarm = Swarm::new();
    let issue = swarm.opens("Gate", &[]);
    let state = |text: &str| json!({ "key": "gate", "title": "Gate", "text": text });
    for text in ["The gate is red.", "The gate is blue."] {
        assert_eq!(swarm.tells("user", "canon.entry.state", &state(text)).1, "");
    }
    let citing = |cited: &str| {
        json!({ "issue": issue, "body": "It is as the canon has it, and the second scene needs the colour for its light.",
            "evidence": { "canon": [cited] } })
    };
    assert_eq!(swarm.tells("user", "issues.comment.add", &citing("tower")), refused("canon.unknown_entry"));
    let (events, refusal) = swarm.tells("user", "issues.comment.add", &citing("gate@1"));
    assert_eq!((&*refusal, events.contains(&"canon.anchor.outdated")), ("", true), "{events:?}");
    let (events, _) = swarm.tells("user", "issues.comment.add", &citing("gate@2"));
    assert!(!events.contains(&"canon.anchor.outdated"), "{events:?}");
}

/// Policy `dialectic::tell`: whoever has to decide hears of it.
#[test]
fn a_task_that_fails_again_and_again_is_a_notice_to_the_user() {
    let mut swarm = Swarm::new();
    let fail = json!({ "task": "fix the gate", "error": "no hinge" });
    let told: Vec<ToldNames> = (0..4).map(|_| swarm.tells("anna", "dialectic.attempt.fail", &fail)).collect();
    let escalated = told.iter().find(|(events, _)| events.contains(&"dialectic.task.escalated")).expect("escalated");
    assert!(escalated.0.contains(&"notices.notice.posted"), "{told:?}");
}

/// Policy `dialectic::tell`: an agent that hands its own task to itself, or to nobody, keeps nothing from the user.
#[test]
fn what_is_handed_over_is_told_to_who_leads() {
    for (named, expected) in [("anna", &["anna", "user"][..]), ("ghost", &["ghost", "user"]), ("user", &["user"])] {
        let mut swarm = Swarm::new();
        let ask = json!({ "task": "fix the gate", "kind": "failure", "errors": ["no hinge", "no hinge"] });
        let asked = swarm.asks("anna", "dialectic.debate.request", &ask, &json!({}));
        let debate = asked.events[0].data().value()["debate"].clone();
        for (actor, position) in [
            ("anna", json!({ "diagnosis": { "diagnosis": "no hinge", "fix": "a hinge", "diff": "one" } })),
            ("carl", json!({ "doubt": { "should_escalate": true } })),
        ] {
            let take = json!({ "debate": debate, "position": position });
            assert_eq!(swarm.tells(actor, "dialectic.position.take", &take).1, "");
        }
        let resolve = json!({ "debate": debate, "escalate_to": named });
        assert_eq!(swarm.tells("anna", "dialectic.debate.resolve", &resolve).1, "");
        let notices = swarm.world.rooms.notice.notices.iter().map(|(_, notice)| notice.posted.to.to_string());
        let mut told: Vec<_> = notices.collect();
        told.sort();
        assert_eq!(told, expected);
    }
}

/// Policy `hivemind::expire`: at the end of a session it is said what has expired.
#[test]
fn the_end_of_a_session_announces_what_has_expired() {
    let mut swarm = Swarm::new();
    let fear = json!({ "category": "fear", "key": "port", "value": "8080 is taken" });
    assert_eq!(swarm.tells("anna", "hivemind.entry.add", &fear).1, "");
    let line = json!({
        "id": EntryId::new(swarm.at, 1), "timestamp": swarm.at, "session_id": "s", "provenance": {}, "metadata": {},
        "operation": { "type": "system_event", "name": "session_start", "input": {}, "success": true },
    });
    let line = HistoryEntry::read(&line.to_string()).expect("an entry").to_line();
    let span = Span::scan(line.as_bytes()).expect("a line of our own shape");
    swarm.world.apply(&Envelope::new(line.as_bytes(), &span));
    swarm.at = swarm.at.plus_millis(400 * 24 * 60 * 60 * 1000);
    let (events, refusal) = swarm.tells("user", "history.session.complete", &json!({ "session": "s" }));
    assert_eq!((&*refusal, events.contains(&"hivemind.decay.entry_expired")), ("", true), "{events:?}");
}

/// Policy `hivemind::expire_by_tick`: a tick of the resident agent says it, too.
#[test]
fn a_tick_announces_what_has_expired() {
    let mut swarm = Swarm::new();
    let fear = json!({ "category": "fear", "key": "port", "value": "8080 is taken" });
    assert_eq!(swarm.tells("anna", "hivemind.entry.add", &fear).1, "");
    swarm.at = swarm.at.plus_millis(400 * 24 * 60 * 60 * 1000);
    let take = json!({ "agent": "ada", "owner": "one/1", "ttl_ms": 60_000 });
    assert_eq!(swarm.tells("user", "resident.lease.take", &take).1, "");
    let finish = json!({
        "agent": "ada", "owner": "one/1", "trigger": "heartbeat", "action": "rest", "answer": "", "homeostasis": {},
        "asked": {}, "facts": [], "ms": 1,
    });
    let (events, refusal) = swarm.tells("user", "resident.tick.finish", &finish);
    assert_eq!((&*refusal, events.contains(&"hivemind.decay.entry_expired")), ("", true), "{events:?}");
}

/// Policies `council::call` and `council::lapse`: what is contested calls a council, which lapses where the user settles it.
#[test]
fn a_council_lapses_where_the_user_settles_what_it_is_about() {
    let mut swarm = Swarm::new();
    swarm.set("hivemind.council.council_agents", json!(["anna", "bert", "carl"]));
    swarm.tells("anna", "hivemind.entry.add", &json!({ "category": "knowledge", "key": "port", "value": "8080" }));
    let contest = json!({ "key": "port", "reason": "it is taken", "alternative": "8471" });
    let called = told(&["hivemind.entry.contested", "council.session.created", "council.session.manned"]);
    assert_eq!(swarm.tells("bert", "hivemind.entry.contest", &contest), called);
    let (events, refusal) =
        swarm.tells("user", "hivemind.entry.settle", &json!({ "key": "port", "verdict": "approve" }));
    assert_eq!((&*refusal, events.contains(&"council.session.lapsed")), ("", true), "{events:?}");
}

/// Policy `council::disagree`: an accepted call for a debate about what contradicts itself calls a council on it.
#[test]
fn a_council_is_called_about_facts_that_contradict_each_other() {
    let mut swarm = Swarm::new();
    for fact in ["The gate is red.", "The gate is blue."] {
        let add = json!({ "session": "s", "fact": fact, "confidence": 0.9 });
        assert_eq!(swarm.tells("anna", "cognitive.fact.add", &add).1, "");
    }
    let both = json!({ "session": "s", "fact_a": "The gate is red.", "fact_b": "The gate is blue." });
    assert_eq!(swarm.tells("anna", "cognitive.contradiction.state", &both).1, "");
    let fire = json!({ "session": "s", "trigger": "contradiction-debate", "cause": EntryId::new(swarm.at, 1) });
    let fired = swarm.asks("system", "analysis.trigger.fire", &fire, &json!({}));
    assert_eq!(fired.refusal, None);
    let data: Value = fired.events[0].data().read().expect("JSON");
    let answer = json!({ "session": "s", "firing": data["id"], "verdict": "accept" });
    let (events, refusal) = swarm.tells("user", "analysis.trigger.answer", &answer);
    assert_eq!((&*refusal, events.contains(&"council.session.created")), ("", true), "{events:?}");
    let called = swarm.world.rooms.council.sessions.iter().next().expect("a council").1;
    assert_eq!(&*called.contest_reason, "facts-contradict", "a fact; `show` has the words");
}
