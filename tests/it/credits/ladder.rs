//! Up and down the ladder, and who hears of it.

use annals::domain::issue::meta::Meta;
use annals::domain::reliability::WatchLevel;
use annals::domain::{Event, issue};
use serde_json::json;

use super::{apply, open_by};
use crate::control::desk::{Desk, names};

fn stopped(desk: &mut Desk, agent: &str) -> Vec<&'static str> {
    let issue = desk.open("A lexer");
    names(&desk.ask(agent, "issues.comment.add", &json!({ "issue": issue, "body": "Good idea" })))
}

fn fine(desk: &mut Desk, agent: &str) -> Vec<&'static str> {
    let issue = desk.open("A lexer");
    names(&desk.comment(agent, &issue))
}

fn level(desk: &Desk, agent: &str) -> WatchLevel {
    desk.rooms().reliability.level(&agent.into())
}

/// Whom the issue that a rule opened last is for, and what it says.
fn told(desk: &mut Desk, agent: &str, body: &str) -> Option<(String, String)> {
    let issue = desk.open("A lexer");
    let decided = desk.ask(agent, "issues.comment.add", &json!({ "issue": issue, "body": body }));
    decided.events.iter().find_map(|event| {
        let Event::Issue(issue::Event::Raised(raised)) = event else { return None };
        let Meta::Reliability { level, penalties, actions, .. } = &raised.meta else { return None };
        Some((raised.assignee.to_string(), format!("{level}: {penalties} of {actions}")))
    })
}

/// Control-room 12.2, decision 18: fewer than five actions lead nowhere; then one step an entry.
/// Policies `ladder::acted`, `ladder::awarded` and `ladder::tell`.
#[test]
fn penalties_put_an_agent_on_watch_and_the_moderator_hears_of_it() {
    let mut desk = Desk::staffed();
    (0..4).for_each(|_| drop(fine(&mut desk, "writer")));
    assert_eq!(level(&desk, "writer"), WatchLevel::Normal);
    let (who, what) = told(&mut desk, "writer", "Good idea").expect("an issue");
    assert_eq!(level(&desk, "writer"), WatchLevel::Watch);
    assert_eq!(who, "mod");
    assert_eq!(what, "watch: 1 of 5");
    assert_eq!(level(&desk, "critic"), WatchLevel::Normal);
}

#[test]
fn a_watched_agent_goes_on_to_remediation_and_then_the_user_hears_of_it() {
    let mut desk = Desk::staffed();
    (0..7).for_each(|_| drop(fine(&mut desk, "writer")));
    let ups = [stopped(&mut desk, "writer"), stopped(&mut desk, "writer"), stopped(&mut desk, "writer")];
    let changes = ups.map(|names| names.contains(&"reliability.level.changed"));
    assert_eq!((changes, level(&desk, "writer")), ([false, true, true], WatchLevel::Remediation));
    assert!(level(&desk, "writer").is_remediated());
    assert_eq!(told(&mut desk, "writer", "Good idea"), None, "4 of 11 are under the threshold of the flag");
    let (who, what) = told(&mut desk, "writer", "Good idea").expect("an issue");
    assert_eq!((who.as_str(), level(&desk, "writer")), ("user", WatchLevel::Flagged));
    assert!(what.starts_with("flagged: "), "{what}");
}

/// Control-room 12.2: the flag is reached from anywhere.
#[test]
fn five_penalties_at_once_flag_an_agent() {
    let mut desk = Desk::staffed();
    (0..5).for_each(|_| drop(stopped(&mut desk, "writer")));
    assert_eq!(level(&desk, "writer"), WatchLevel::Flagged);
}

/// Decision 18: one step down after twenty calm actions, without noise.
#[test]
fn calm_leads_down_a_step_without_a_notice() {
    let mut desk = Desk::staffed();
    (0..4).for_each(|_| drop(fine(&mut desk, "writer")));
    stopped(&mut desk, "writer");
    let mut down = Vec::new();
    for _ in 0..30 {
        let names = fine(&mut desk, "writer");
        if names.contains(&"reliability.level.changed") {
            assert!(!names.contains(&"issues.issue.raised"));
            down.push(level(&desk, "writer"));
        }
    }
    assert_eq!(down, [WatchLevel::Normal]);
}

/// Control-room 12.4: a model begins anew, and one that comes back goes on.
#[test]
fn another_model_begins_at_the_foot_of_the_ladder() {
    let mut desk = Desk::staffed();
    let model = |desk: &mut Desk, model: &str| {
        desk.expect("user", "roster.agent.change", &json!({ "agent": "writer", "model": model }));
    };
    model(&mut desk, "small");
    (0..5).for_each(|_| drop(stopped(&mut desk, "writer")));
    model(&mut desk, "large");
    assert_eq!(level(&desk, "writer"), WatchLevel::Normal);
    fine(&mut desk, "writer");
    assert_eq!(level(&desk, "writer"), WatchLevel::Normal);
    model(&mut desk, "small");
    assert_eq!(level(&desk, "writer"), WatchLevel::Flagged);
}

/// Control-room 8.2, 12.1.
#[test]
fn the_record_of_an_agent_counts_what_it_did() {
    let mut desk = Desk::staffed();
    let issue = open_by(&mut desk, "writer");
    desk.comment("writer", &issue);
    stopped(&mut desk, "writer");
    apply(&mut desk, "critic", &issue);
    let record = desk.rooms().reliability.current(&"writer".into()).expect("a record").clone();
    let counts = (record.issues_started, record.issues_applied, record.comments, record.comments_taken);
    assert_eq!((counts, record.recent.as_str()), ((1, 1, 2, 1), "..x"));
}

#[test]
fn the_user_climbs_no_ladder() {
    let mut desk = Desk::staffed();
    let issue = desk.open("A lexer");
    desk.comment("user", &issue);
    assert!(!desk.rooms().reliability.agents.contains_key("user"));
}
