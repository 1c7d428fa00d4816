//! Frozen issues: who may act on them, and how a freeze ends (control-room 3.3, 3.4; decision 13).

use annals::domain::issue::status::IssueStatus;
use annals::kernel::id::IssueId;
use serde_json::json;

use super::desk::{Desk, REASONS, names, rule};

fn frozen(desk: &mut Desk) -> IssueId {
    let issue = desk.open("Timeline");
    desk.comment("critic", &issue);
    trip(desk, "writer", &issue);
    issue
}

fn trip(desk: &mut Desk, actor: &str, issue: &IssueId) {
    let body = format!("{REASONS} It must be so; that is vital; a disaster, a catastrophic emergency.");
    let decided = desk.ask(actor, "issues.comment.add", &json!({ "issue": issue, "body": body }));
    assert_eq!(rule(&decided), Some("breakers.escalation-language"));
}

fn status(desk: &Desk, issue: &IssueId) -> IssueStatus {
    desk.rooms().issue.issue(issue).expect("known").status
}

/// Control-room 3.4; worked cases: another agent is turned away, and the attempt is in the log.
#[test]
fn agents_are_turned_away_from_a_frozen_issue() {
    let mut desk = Desk::staffed();
    let issue = frozen(&mut desk);
    for (command, fields) in [
        ("issues.comment.add", json!({ "issue": issue, "body": REASONS })),
        ("issues.issue.resolve", json!({ "issue": issue, "note": "Done." })),
        ("issues.issue.edit", json!({ "issue": issue, "title": "Other" })),
        ("issues.issue.start", json!({ "issue": issue })),
    ] {
        let decided = desk.ask("editor", command, &fields);
        assert_eq!((rule(&decided), names(&decided)), (Some("issues.frozen"), vec!["issues.actor.turned_away"]));
    }
}

/// Control-room 3.4: user, moderator and team lead may act; they do not thaw it by that.
#[test]
fn the_privileged_act_on_a_frozen_issue() {
    let mut desk = Desk::staffed();
    desk.expect("user", "roster.agent.add", &json!({ "agent": "lead", "role": "team-lead" }));
    let issue = frozen(&mut desk);
    for actor in ["user", "mod", "lead"] {
        assert_eq!(rule(&desk.comment(actor, &issue)), None, "{actor}");
    }
    assert_eq!(status(&desk, &issue), IssueStatus::Frozen);
}

/// Decision 13: after the cooldown the first action thaws the issue, and budgets begin anew.
#[test]
fn the_first_action_after_the_cooldown_thaws() {
    let mut desk = Desk::staffed();
    let issue = frozen(&mut desk);
    desk.comment("critic", &issue);
    desk.now += 30;
    let decided = desk.comment("critic", &issue);
    assert_eq!(names(&decided), ["issues.issue.thawed", "issues.comment.added"]);
    assert_eq!(status(&desk, &issue), IssueStatus::Open);
    desk.comment("writer", &issue);
    assert_eq!(rule(&desk.comment("critic", &issue)), None, "two comments in this epoch");
    assert_eq!(rule(&desk.comment("critic", &issue)), Some("breakers.comment-budget-exceeded"));
}

/// A comment that would freeze a thawing issue again does so from a fresh epoch.
#[test]
fn an_issue_can_be_thawed_and_frozen_by_one_comment() {
    let mut desk = Desk::staffed();
    let issue = frozen(&mut desk);
    desk.now += 31;
    let body = format!("{REASONS} It must be so; that is vital; a disaster.");
    let decided = desk.ask("editor", "issues.comment.add", &json!({ "issue": issue, "body": body }));
    assert_eq!(names(&decided)[..3], ["issues.issue.thawed", "breakers.comment.frozen", "issues.issue.frozen"]);
    assert_eq!(desk.rooms().issue.issue(&issue).map(|issue| issue.freezes), Some(2));
}

/// Decision 13: from the third freeze on, time alone ends nothing.
#[test]
fn the_third_freeze_waits_for_somebody() {
    let mut desk = Desk::staffed();
    let issue = frozen(&mut desk);
    for actor in ["editor", "critic"] {
        desk.now += 31;
        trip(&mut desk, actor, &issue);
    }
    desk.now += 10_000;
    assert_eq!(rule(&desk.comment("writer", &issue)), Some("issues.frozen_for_good"));
    let unfreeze = json!({ "issue": issue, "guidance": "Cite the scene before you go on." });
    assert_eq!(desk.refused("writer", "issues.issue.unfreeze", &unfreeze), "issues.not_privileged");
    desk.expect("mod", "issues.issue.unfreeze", &unfreeze);
    assert_eq!(rule(&desk.comment("writer", &issue)), None);
    let row = desk.rooms().issue.issue(&issue).expect("known");
    assert_eq!(row.epoch().len(), 1, "guidance is no comment of this epoch");
}

#[test]
fn freezing_and_unfreezing_by_hand_is_for_the_privileged() {
    let mut desk = Desk::staffed();
    let issue = desk.open("Timeline");
    let freeze = json!({ "issue": issue, "reason": "wait for the user" });
    let unfreeze = json!({ "issue": issue, "guidance": "Go on." });
    assert_eq!(desk.refused("writer", "issues.issue.freeze", &freeze), "issues.not_privileged");
    assert_eq!(desk.refused("mod", "issues.issue.unfreeze", &unfreeze), "issues.not_then");
    desk.expect("mod", "issues.issue.freeze", &freeze);
    assert_eq!(desk.refused("user", "issues.issue.freeze", &freeze), "issues.nothing_to_change");
    desk.expect("user", "issues.issue.unfreeze", &unfreeze);
    assert_eq!(status(&desk, &issue), IssueStatus::Open);
}

/// Decision 6 and 13: an issue tagged #meta sets off no further one.
#[test]
fn a_frozen_meta_issue_raises_no_other() {
    let mut desk = Desk::staffed();
    let issue = frozen(&mut desk);
    let meta = desk.rooms().issue.by_label(annals::domain::issue::number::Label { number: 2, twin: 0 }).cloned();
    let meta = meta.expect("a meta-issue");
    trip(&mut desk, "editor", &meta);
    assert_eq!((status(&desk, &meta), desk.rooms().issue.totals.last_number), (IssueStatus::Frozen, 2));
    assert_ne!(issue, meta);
}

/// Control-room 3.1: the cooldown is configuration.
#[test]
fn the_cooldown_is_configured() {
    let mut desk = Desk::staffed();
    desk.set("sanity.frozen_issue_cooldown_minutes", &json!(5));
    let issue = frozen(&mut desk);
    desk.now += 5;
    assert_eq!(rule(&desk.comment("editor", &issue)), None);
}
