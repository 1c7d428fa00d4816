//! Goals, milestones, and what the team gets for them.

use annals::domain::team::TeamReason;
use annals::domain::{Event, RoomsDecided, credit, team};
use annals::kernel::credits::Credits;
use annals::kernel::period::Period;
use proptest::prelude::*;
use serde_json::{Value, json};

use super::{cite, found};
use crate::control::desk::Desk;

fn begin(desk: &mut Desk, kind: &str, name: &str) {
    desk.expect("user", "milestones.milestone.begin", &json!({ "kind": kind, "name": name }));
}

fn end(desk: &mut Desk, kind: &str) -> Vec<&'static str> {
    reasons(&desk.expect("user", "milestones.milestone.end", &json!({ "kind": kind })))
}

fn reasons(decided: &RoomsDecided) -> Vec<&'static str> {
    let awarded = decided.events.iter().filter_map(|event| {
        let Event::Team(team::Event::Awarded(awarded)) = event else { return None };
        Some(awarded.reason.as_str())
    });
    awarded.collect()
}

fn goal_events(decided: &RoomsDecided) -> Vec<&'static str> {
    let is_goal = |name: &&str| name.starts_with("credits.goal.");
    decided.events.iter().map(Event::name).filter(is_goal).collect()
}

/// So many comments of an agent, each on an issue of its own, and the user's thanks.
fn work(desk: &mut Desk, agent: &str, count: usize) {
    for number in 0..count {
        let issue = desk.open("A lexer");
        cite(desk, agent, &issue, "support-proposal", &[found(&format!("{number}.rs"), 1000)]);
    }
    desk.expect("user", "credits.credit.award", &json!({ "agent": agent, "reason": "user-marked-helpful" }));
}

fn goal(desk: &mut Desk, fields: &Value) {
    desk.expect("mod", "credits.goal.set", fields);
}

/// Control-room 15.2.
#[test]
fn a_session_of_ten_actions_without_a_penalty_earns_the_team_credits() {
    for (actions, stopped, expected) in [(10, 0, vec!["zero-penalties-session"]), (9, 0, vec![]), (10, 1, vec![])] {
        let mut desk = Desk::staffed();
        begin(&mut desk, "session", "one");
        work(&mut desk, "writer", actions);
        for _ in 0..stopped {
            let issue = desk.open("A lexer");
            desk.ask("critic", "issues.comment.add", &json!({ "issue": issue, "body": "Good idea" }));
        }
        assert_eq!(end(&mut desk, "session"), expected, "{actions} actions, {stopped} stopped");
        let credits = desk.rooms().team.credits(Some(Period::Session));
        assert_eq!(
            credits,
            Credits::whole(if expected.is_empty() { 0 } else { 5 }),
            "it counts in the session that ends"
        );
    }
}

/// Control-room 15.2: a chapter that ends without a frozen issue of its own.
/// Policy `team::milestone_reached`.
#[test]
fn a_chapter_without_a_frozen_issue_earns_the_team_credits() {
    for (tag, frozen, expected) in [
        ("#chapter-7", true, vec![]),
        ("#chapter-7", false, vec!["clean-chapter-completion"]),
        ("#chapter-8", true, vec![]),
    ] {
        let mut desk = Desk::staffed();
        begin(&mut desk, "chapter", "7");
        work(&mut desk, "writer", 10);
        let issue = desk.open("A lexer");
        desk.expect("user", "issues.issue.edit", &json!({ "issue": issue, "tags": [tag] }));
        if frozen {
            desk.expect("mod", "issues.issue.freeze", &json!({ "issue": issue, "reason": "heated" }));
        }
        assert_eq!(end(&mut desk, "chapter"), expected, "{tag} {frozen}");
    }
}

#[test]
fn a_frozen_issue_of_another_chapter_does_not_count() {
    let mut desk = Desk::staffed();
    begin(&mut desk, "chapter", "7");
    work(&mut desk, "writer", 10);
    for (tag, freeze) in [("#chapter-7", false), ("#chapter-8", true)] {
        let issue = desk.open("A lexer");
        desk.expect("user", "issues.issue.edit", &json!({ "issue": issue, "tags": [tag] }));
        if freeze {
            desk.expect("mod", "issues.issue.freeze", &json!({ "issue": issue, "reason": "heated" }));
        }
    }
    assert_eq!(end(&mut desk, "chapter"), ["clean-chapter-completion"]);
}

/// Control-room 15.2: every active agent, once a milestone.
#[test]
fn a_team_of_gold_earns_credits_once_a_milestone() {
    let mut desk = Desk::staffed();
    for kind in ["session", "act"] {
        begin(&mut desk, kind, "one");
    }
    for agent in ["mod", "critic", "writer"] {
        work(&mut desk, agent, 5);
    }
    assert_eq!(end(&mut desk, "act"), [""; 0], "the editor has not shown anything yet");
    begin(&mut desk, "act", "two");
    work(&mut desk, "editor", 10);
    assert_eq!(end(&mut desk, "act"), ["all-agents-gold-tier"]);
    assert_eq!(end(&mut desk, "session"), ["zero-penalties-session", "all-agents-gold-tier"]);
}

/// Control-room 11.9, 15.2: a goal of the team that is reached.
/// Policy `team::goal_reached`.
#[test]
fn a_goal_of_the_team_is_reached_once_and_earns_it_credits() {
    let mut desk = Desk::staffed();
    goal(&mut desk, &json!({ "metric": "verified-citations", "target": 2, "deadline": "chapter-end" }));
    let issue = desk.open("A lexer");
    let first = cite(&mut desk, "writer", &issue, "support-proposal", &[found("a.rs", 1000)]);
    let second = cite(&mut desk, "critic", &issue, "support-proposal", &[found("b.rs", 1000)]);
    let third = cite(&mut desk, "editor", &issue, "support-proposal", &[found("c.rs", 1000)]);
    let goals = [&first, &second, &third].map(goal_events);
    assert_eq!(goals, [vec![], vec!["credits.goal.achieved"], vec![]]);
    assert_eq!(reasons(&second), ["collective-goal-achieved"]);
    assert_eq!(desk.rooms().team.totals.credits, Credits::whole(5));
}

/// Control-room 11.9: a goal of one is its own reward.
#[test]
fn a_goal_of_one_earns_the_team_nothing() {
    let mut desk = Desk::staffed();
    goal(&mut desk, &json!({ "agent": "writer", "metric": "total-credits", "target": 1 }));
    let issue = desk.open("A lexer");
    let decided = cite(&mut desk, "writer", &issue, "support-proposal", &[found("a.rs", 1000)]);
    assert_eq!((goal_events(&decided), reasons(&decided)), (vec!["credits.goal.achieved"], vec![]));
}

/// Control-room 11.9: deadlines.
/// Policy `team::goals`.
#[test]
fn goals_end_with_their_milestone_or_when_their_time_is_over() {
    let mut desk = Desk::staffed();
    begin(&mut desk, "session", "one");
    goal(&mut desk, &json!({ "metric": "issues-resolved", "target": 1, "deadline": "session-end" }));
    goal(&mut desk, &json!({ "agent": "writer", "metric": "zero-penalties", "target": 1, "deadline": "session-end" }));
    work(&mut desk, "writer", 5);
    let ended = desk.expect("user", "milestones.milestone.end", &json!({ "kind": "session" }));
    assert_eq!(goal_events(&ended), ["credits.goal.missed", "credits.goal.achieved"]);
    let deadline = "2026-11-18T17:50:00.000Z";
    goal(&mut desk, &json!({ "metric": "issues-resolved", "target": 1, "deadline": deadline }));
    let issue = desk.open("In time");
    desk.now += 60 * 24;
    assert_eq!(goal_events(&desk.comment("writer", &issue)), ["credits.goal.missed"]);
}

#[test]
fn goals_count_issues_that_were_resolved_and_applied() {
    let mut desk = Desk::staffed();
    goal(&mut desk, &json!({ "metric": "issues-resolved", "target": 1 }));
    goal(&mut desk, &json!({ "metric": "issues-applied-in-work", "target": 1 }));
    let issue = desk.open("A lexer");
    let note = json!({ "issue": issue, "force": "enough", "note": "done" });
    assert_eq!(goal_events(&desk.expect("user", "issues.issue.resolve", &note)), ["credits.goal.achieved"]);
    assert_eq!(goal_events(&super::apply(&mut desk, "critic", &issue)), ["credits.goal.achieved"]);
}

/// Nothing that happens between them makes a cause count twice.
fn step() -> impl Strategy<Value = (u8, u8)> {
    (0u8..6, 0u8..3)
}

fn play(desk: &mut Desk, (what, which): (u8, u8)) {
    let (agent, kind) = (["writer", "critic", "editor"][which as usize], ["session", "chapter", "act"][which as usize]);
    match what {
        0 => drop(desk.ask("user", "milestones.milestone.begin", &json!({ "kind": kind, "name": "n" }))),
        1 => drop(desk.ask("user", "milestones.milestone.end", &json!({ "kind": kind }))),
        2 => goal(desk, &json!({ "metric": "verified-citations", "target": 2 })),
        _ => work(desk, agent, 4),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, ..ProptestConfig::default() })]

    /// Control-room 15: the credits of the team are given once per cause.
    #[test]
    fn credits_of_the_team_are_given_once_per_cause(steps in proptest::collection::vec(step(), 1..16)) {
        let mut desk = Desk::staffed();
        for one in steps {
            play(&mut desk, one);
        }
        let team = &desk.rooms().team;
        let mut causes: Vec<(TeamReason, Box<str>)> = Vec::new();
        let mut sum = Credits::ZERO;
        for (_, achievement) in team.achievements.iter() {
            causes.push((achievement.awarded.reason, achievement.awarded.cause.clone()));
            sum += achievement.awarded.amount;
        }
        let distinct: std::collections::BTreeSet<_> = causes.iter().collect();
        prop_assert_eq!(distinct.len(), causes.len());
        prop_assert_eq!(sum, team.totals.credits);
        prop_assert_eq!(team.totals.by_reason.values().sum::<u64>(), causes.len() as u64);
        let achieved = desk.rooms().credit.ended.iter().filter(|(_, goal)| {
            goal.agent.is_none() && goal.ended.is_some_and(|ended| ended.how == credit::goal::GoalEnding::Achieved)
        });
        prop_assert_eq!(achieved.count() as u64, team.totals.by_reason.get(&TeamReason::GoalAchieved).copied().unwrap_or(0));
    }
}
