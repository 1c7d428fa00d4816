//! Given / when / then for who may act, and for what becomes of attempts (decision 55).

use serde_json::{Value, json};

use super::swarm::Swarm;
use crate::domain::notice::{Event as Notice, Matter};
use crate::domain::roster::Event as Roster;
use crate::domain::{Event, RoomsDecided};

fn shell(name: &str) -> Value {
    json!({ "shell": name })
}

fn rule(decided: &RoomsDecided) -> &str {
    decided.refusal.as_ref().map_or("-", |refusal| &refusal.rule)
}

/// Who was barred by which rule, and what the user was told.
fn barred(decided: &RoomsDecided) -> (usize, Vec<String>) {
    let is_barred = |event: &&Event| matches!(event, Event::Roster(Roster::Barred(_)));
    let told = decided.events.iter().filter_map(|event| {
        let Event::Notice(Notice::Posted(posted)) = event else { return None };
        let Some(Matter::Barred { actor, rule, .. }) = &posted.matter else { return None };
        Some(format!("{actor}: {rule}"))
    });
    (decided.events.iter().filter(is_barred).count(), told.collect())
}

/// `roster.not_the_user_here`.
/// Guard `entry::shell`.
#[test]
fn in_an_agents_shell_the_user_is_believed_with_a_token_only() {
    let mut swarm = Swarm::new();
    let open = json!({ "title": "The reactor" });
    let opens = |swarm: &mut Swarm, observed: Value| {
        let decided = swarm.asks("user", "issues.issue.open", &open, &observed);
        rule(&decided).to_owned()
    };
    assert_eq!(opens(&mut swarm, json!({})), "-");
    assert_eq!(opens(&mut swarm, shell("codex")), "roster.not_the_user_here");
    assert_eq!(opens(&mut swarm, json!({ "shell": "codex", "proof": "5ea1" })), "roster.not_the_user_here");
    let seal = json!({ "agent": "user", "seal": "ab".repeat(32) });
    let sealed = swarm.asks("user", "roster.agent.seal", &seal, &shell("codex"));
    assert_eq!(rule(&sealed), "roster.not_the_user_here", "a token is not made there");
    assert_eq!(rule(&swarm.asks("user", "roster.agent.seal", &seal, &json!({}))), "-");
    assert_eq!(opens(&mut swarm, shell("codex")), "roster.not_the_user_here");
    assert_eq!(opens(&mut swarm, json!({ "shell": "codex", "proof": "ab".repeat(32) })), "-");
    // What a clone lets count wins over what the log has.
    let other = json!({ "shell": "codex", "proof": "ab".repeat(32), "seals": { "user": null } });
    assert_eq!(opens(&mut swarm, other), "roster.not_the_user_here");
}

/// Policy `standing::tell`.
#[test]
fn an_attempt_is_recorded_and_told_once_a_day_by_rule_and_actor() {
    let mut swarm = Swarm::new();
    let change = json!({ "values": { "swarm.mode": "team" } });
    let tries = |swarm: &mut Swarm, actor: &str| {
        let decided = swarm.asks(actor, "config.value.change", &change, &json!({}));
        assert_eq!(rule(&decided), "config.not_a_lead");
        barred(&decided)
    };
    let told = |title: &str| (1, vec![title.to_owned()]);
    assert_eq!(tries(&mut swarm, "anna"), told("anna: config.not_a_lead"));
    assert_eq!(tries(&mut swarm, "anna"), (0, vec![]));
    assert_eq!(tries(&mut swarm, "bert"), (1, vec![]), "the user was told today");
    swarm.at = swarm.at.plus_millis(24 * 3_600_000);
    assert_eq!(tries(&mut swarm, "anna"), told("anna: config.not_a_lead"));
    for stranger in 0..40 {
        tries(&mut swarm, &format!("stranger-{stranger}"));
    }
    assert_eq!(swarm.world.rooms.roster.barred["config.not_a_lead"].actors.len(), 32);
}

#[test]
fn what_is_wrong_with_a_comment_is_no_attempt() {
    let mut swarm = Swarm::new();
    let opened = swarm.asks("anna", "issues.issue.open", &json!({ "title": "" }), &json!({}));
    assert_ne!(rule(&opened), "-");
    assert_eq!(barred(&opened), (0, vec![]));
    let read = swarm.asks("nobody", "issues.issue.read", &json!({ "issue": "i" }), &json!({}));
    assert_eq!((rule(&read), barred(&read)), ("roster.not_a_member", (0, vec![])));
}

/// `roster.not_proved`: the forgery is counted once a day, too.
#[test]
fn a_name_without_its_token_is_a_forgery_once_a_day() {
    let mut swarm = Swarm::new();
    swarm.set("roster.require_token", true.into());
    for expected in [1, 1, 1] {
        let forged = swarm.asks("anna", "issues.issue.open", &json!({ "title": "A" }), &json!({}));
        assert_eq!(rule(&forged), "roster.not_proved");
        assert_eq!(swarm.world.rooms.roster.forgeries["anna"], expected);
    }
    swarm.at = swarm.at.plus_millis(24 * 3_600_000);
    swarm.asks("anna", "issues.issue.open", &json!({ "title": "A" }), &json!({}));
    assert_eq!(swarm.world.rooms.roster.forgeries["anna"], 2);
}

/// `roster.not_a_member`.
#[test]
fn a_program_is_a_member_by_its_name_where_nobody_made_a_roster() {
    let mut swarm = Swarm::new();
    let open = json!({ "title": "A" });
    assert_eq!(rule(&swarm.asks("codex", "issues.issue.open", &open, &shell("codex"))), "roster.not_a_member");
    swarm.world.rooms.roster.agents.clear();
    assert_ne!(rule(&swarm.asks("codex", "issues.issue.open", &open, &shell("codex"))), "roster.not_a_member");
    for (actor, observed) in [("codex", json!({})), ("coder", shell("codex"))] {
        assert_eq!(rule(&swarm.asks(actor, "issues.issue.open", &open, &observed)), "roster.not_a_member", "{actor}");
    }
}

#[test]
fn a_program_acts_as_the_only_agent_that_is_bound_to_it() {
    let mut swarm = Swarm::new();
    let bind = |swarm: &mut Swarm, agent: &str| {
        let change = json!({ "agent": agent, "program": "codex" });
        assert_eq!(rule(&swarm.asks("user", "roster.agent.change", &change, &json!({}))), "-");
    };
    let bound = |swarm: &Swarm, program: &str| swarm.world.rooms.roster.bound_to(program).map(ToString::to_string);
    assert_eq!((bound(&swarm, "codex"), bound(&swarm, "anna").as_deref()), (None, Some("anna")));
    bind(&mut swarm, "anna");
    assert_eq!(bound(&swarm, "codex").as_deref(), Some("anna"));
    bind(&mut swarm, "bert");
    assert_eq!(bound(&swarm, "codex"), None, "of two nobody knows which");
}
