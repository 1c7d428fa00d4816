//! Who may act at all: the health check, the roster, tokens (control-room 2.1, 2.4; decision 17).

use serde_json::json;

use super::desk::{Desk, REASONS, names, rule};
use annals::domain::notice::Matter;
use annals::kernel::json::sha256_hex;
use annals::view::refusal::told;

fn add(desk: &mut Desk, agent: &str, role: &str, dissents: bool) {
    let add = json!({ "agent": agent, "role": role, "can_be_devils_advocate": dissents });
    desk.expect("user", "roster.agent.add", &add);
}

/// What an agent hears that opens an issue.
fn heard(desk: &mut Desk) -> Option<(String, String)> {
    let refusal = desk.ask("writer", "issues.issue.open", &json!({ "title": "Timeline" })).refusal?;
    let message = told(&refusal).message;
    Some((refusal.rule.into(), message))
}

fn rule_of(desk: &mut Desk) -> Option<String> {
    heard(desk).map(|(rule, _)| rule)
}

/// Control-room 2.1: four errors, in this order.
/// Guard `entry::health`.
#[test]
fn a_swarm_needs_a_moderator_an_advocate_and_breakers() {
    let mut desk = Desk::default();
    desk.set("swarm.mode", &json!("editor"));
    add(&mut desk, "writer", "writer", false);
    assert_eq!(rule_of(&mut desk).as_deref(), Some("roster.no_moderator"));
    add(&mut desk, "mod", "moderator", false);
    assert_eq!(rule_of(&mut desk).as_deref(), Some("roster.no_devils_advocate"));
    desk.set("sanity.enabled", &json!(false));
    assert_eq!(rule_of(&mut desk).as_deref(), Some("roster.no_devils_advocate"));
    let change = json!({ "agent": "writer", "can_be_devils_advocate": true });
    desk.expect("user", "roster.agent.change", &change);
    assert_eq!(rule_of(&mut desk).as_deref(), Some("roster.circuit_breakers_disabled"));
    desk.set("sanity.enabled", &json!(true));
    assert_eq!(rule_of(&mut desk), None);
}

/// Decision 60: from the second agent on, and of that the user hears.
/// Policy `notices::of_second_agent`.
#[test]
fn one_agent_works_alone_with_its_user() {
    let mut desk = Desk::default();
    add(&mut desk, "writer", "writer", false);
    assert_eq!(rule_of(&mut desk), None);
    desk.set("sanity.enabled", &json!(false));
    assert_eq!(rule_of(&mut desk).as_deref(), Some("roster.circuit_breakers_disabled"));
    desk.set("sanity.enabled", &json!(true));
    add(&mut desk, "critic", "critic", true);
    assert_eq!(rule_of(&mut desk).as_deref(), Some("roster.no_moderator"));
    let notices = desk.rooms().notice.notices.iter().map(|(_, notice)| notice.posted.matter.clone());
    assert_eq!(notices.collect::<Vec<_>>(), [Some(Matter::Swarm)]);
}

/// Control-room 2.1, 2.4; decision 17: the message says how many there really are, and this error comes first.
#[test]
fn a_team_needs_exactly_one_assistant() {
    let mut desk = Desk::default();
    desk.set("swarm.mode", &json!("team"));
    add(&mut desk, "writer", "writer", false);
    let count = |count: usize| {
        let rule = "roster.invalid_assistant_count".to_owned();
        Some((rule, format!("team mode needs exactly one active assistant; there are {count}")))
    };
    assert_eq!(heard(&mut desk), count(0));
    for number in 1..=3 {
        add(&mut desk, &format!("helper{number}"), "assistant", true);
    }
    assert_eq!(heard(&mut desk), count(3));
    for number in 2..=3 {
        let change = json!({ "agent": format!("helper{number}"), "duty": "retired" });
        desk.expect("user", "roster.agent.change", &change);
    }
    assert_eq!(rule_of(&mut desk).as_deref(), Some("roster.no_moderator"));
}

#[test]
fn the_user_works_without_a_swarm() {
    let mut desk = Desk::default();
    let issue = desk.open("Timeline");
    desk.expect("user", "issues.comment.add", &json!({ "issue": issue, "body": "Yes." }));
}

/// Guard `entry::membership`.
#[test]
fn who_is_not_in_the_roster_or_is_retired_does_nothing() {
    let mut desk = Desk::staffed();
    let open = json!({ "title": "Timeline" });
    assert_eq!(desk.refused("ghost", "issues.issue.open", &open), "roster.not_a_member");
    desk.expect("user", "roster.agent.change", &json!({ "agent": "writer", "duty": "retired" }));
    assert_eq!(desk.refused("writer", "issues.issue.open", &open), "roster.not_a_member");
}

#[test]
fn only_the_user_and_the_team_lead_change_the_roster() {
    let mut desk = Desk::staffed();
    let lead = json!({ "agent": "lead", "role": "team-lead" });
    for actor in ["mod", "writer", "ghost"] {
        assert_eq!(desk.refused(actor, "roster.agent.add", &lead), "roster.not_a_lead", "{actor}");
    }
    desk.expect("user", "roster.agent.add", &lead);
    desk.expect("lead", "roster.agent.change", &json!({ "agent": "writer", "model": "qwen3-4b" }));
    for (fields, rule) in [
        (json!({ "agent": "writer", "role": "critic" }), "roster.taken"),
        (json!({ "agent": "user", "role": "critic" }), "roster.reserved"),
        (json!({ "agent": "system", "role": "critic" }), "roster.reserved"),
        (json!({ "agent": "a b", "role": "critic" }), "roster.reserved"),
        (json!({ "agent": "", "role": "critic" }), "roster.reserved"),
        (json!({ "agent": "x".repeat(65), "role": "critic" }), "roster.reserved"),
    ] {
        assert_eq!(desk.refused("user", "roster.agent.add", &fields), rule, "{fields}");
    }
    for (fields, rule) in [
        (json!({ "agent": "ghost", "role": "critic" }), "roster.unknown_agent"),
        (json!({ "agent": "writer", "model": "qwen3-4b" }), "roster.nothing_to_change"),
    ] {
        assert_eq!(desk.refused("user", "roster.agent.change", &fields), rule, "{fields}");
    }
}

/// Guard `entry::proof`.
#[test]
fn where_tokens_are_required_a_name_alone_is_a_forgery() {
    let mut desk = Desk::staffed();
    desk.set("roster.require_token", &json!(true));
    let (seal, issue) = (sha256_hex(b"the token"), desk.open("Timeline"));
    let say = json!({ "issue": issue, "body": REASONS });
    let decided = desk.ask("mod", "issues.comment.add", &say);
    let told = vec!["roster.actor.forged", "roster.actor.barred", "notices.notice.posted"];
    assert_eq!((rule(&decided), names(&decided)), (Some("roster.not_proved"), told));
    assert_eq!(desk.refused("user", "roster.agent.seal", &json!({ "agent": "mod", "seal": "x" })), "roster.bad_seal");
    let ghost = json!({ "agent": "ghost", "seal": seal });
    assert_eq!(desk.refused("user", "roster.agent.seal", &ghost), "roster.unknown_agent");
    desk.expect("user", "roster.agent.seal", &json!({ "agent": "mod", "seal": seal }));
    let with = |proof: &str| json!({ "proof": proof });
    for proof in [json!({}), with("x"), with(&sha256_hex(b"another"))] {
        let decided = desk.ask_with("mod", "issues.comment.add", &say, &proof);
        assert_eq!((rule(&decided), names(&decided)), (Some("roster.not_proved"), vec![]), "{proof}");
    }
    assert_eq!(rule(&desk.ask_with("mod", "issues.comment.add", &say, &with(&seal))), None);
    assert_eq!(desk.rooms().roster.forgeries.values().sum::<u64>(), 1, "once a day");
    // The user is believed until the user has a token, too.
    desk.expect("user", "roster.agent.seal", &json!({ "agent": "user", "seal": seal }));
    let off = json!({ "values": { "roster.require_token": false } });
    assert_eq!(desk.refused("user", "config.value.change", &off), "roster.not_proved");
    assert_eq!(rule(&desk.ask_with("user", "config.value.change", &off, &with(&seal))), None);
}
