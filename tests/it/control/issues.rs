//! The life of an issue, how well founded it is, what it waits for (control-room 6.1, 8.1; decision 12).

use annals::domain::issue::status::{EpistemicStatus, IssueStatus};
use annals::kernel::id::IssueId;
use serde_json::json;

use super::desk::{Desk, REASONS, names, rule};

fn back(desk: &mut Desk, actor: &str, issue: &IssueId, stance: &str) -> Vec<&'static str> {
    let fields = json!({ "issue": issue, "body": REASONS, "stance": stance });
    names(&desk.ask(actor, "issues.comment.add", &fields))
}

fn epistemic(desk: &Desk, issue: &IssueId) -> EpistemicStatus {
    desk.rooms().issue.issue(issue).expect("known").epistemic
}

/// Control-room 6.1: one supporter makes it tentative, two, or one and the user, agreed.
#[test]
fn support_founds_an_issue() {
    for second in ["writer", "user"] {
        let mut desk = Desk::staffed();
        let opened = desk.expect("editor", "issues.issue.open", &json!({ "title": "Timeline" }));
        let data: serde_json::Value = opened.events[0].data().read().expect("JSON");
        let issue = IssueId::from(data["issue"].as_str().expect("an id"));
        assert_eq!(epistemic(&desk, &issue), EpistemicStatus::Draft);
        back(&mut desk, "editor", &issue, "support");
        assert_eq!(epistemic(&desk, &issue), EpistemicStatus::Draft, "its author's own word founds nothing");
        back(&mut desk, "critic", &issue, "support");
        assert_eq!(epistemic(&desk, &issue), EpistemicStatus::Tentative);
        back(&mut desk, second, &issue, "support");
        assert_eq!(epistemic(&desk, &issue), EpistemicStatus::Agreed, "{second}");
    }
}

#[test]
fn whoever_opposes_keeps_it_from_being_agreed_and_the_last_word_counts() {
    let mut desk = Desk::staffed();
    let issue = desk.open("Timeline");
    back(&mut desk, "editor", &issue, "oppose");
    back(&mut desk, "critic", &issue, "support");
    back(&mut desk, "writer", &issue, "support");
    assert_eq!(epistemic(&desk, &issue), EpistemicStatus::Tentative);
    back(&mut desk, "editor", &issue, "support");
    assert_eq!(epistemic(&desk, &issue), EpistemicStatus::Agreed);
}

/// Control-room 6.1: what is agreed is so as long as nobody opposes it.
#[test]
fn what_is_agreed_falls_by_a_later_opposition() {
    let mut desk = Desk::staffed();
    let issue = desk.open("Timeline");
    back(&mut desk, "critic", &issue, "support");
    back(&mut desk, "writer", &issue, "support");
    assert_eq!(epistemic(&desk, &issue), EpistemicStatus::Agreed);
    back(&mut desk, "editor", &issue, "oppose");
    assert_eq!(epistemic(&desk, &issue), EpistemicStatus::Tentative);
    back(&mut desk, "editor", &issue, "support");
    assert_eq!(epistemic(&desk, &issue), EpistemicStatus::Agreed, "the last word counts");
}

/// Decision 12: the resolution counts as a comment; fewer than three refuse it, but for user and moderator.
#[test]
fn an_issue_is_not_resolved_too_early() {
    let mut desk = Desk::staffed();
    let issue = desk.open("Timeline");
    let resolve = json!({ "issue": issue, "note": "Done." });
    desk.comment("critic", &issue);
    assert_eq!(desk.refused("writer", "issues.issue.resolve", &resolve), "issues.too_early");
    let force = json!({ "issue": issue, "note": "Done.", "force": "the deadline" });
    assert_eq!(desk.refused("writer", "issues.issue.resolve", &force), "issues.not_privileged");
    desk.comment("editor", &issue);
    desk.expect("writer", "issues.issue.resolve", &resolve);
    let row = desk.rooms().issue.issue(&issue).expect("known");
    assert_eq!((row.status, row.thread.len()), (IssueStatus::Resolved, 3));
    let issue = desk.open("Other");
    let force = json!({ "issue": issue, "note": "Done.", "force": "the deadline" });
    desk.expect("mod", "issues.issue.resolve", &force);
}

#[test]
fn what_has_ended_takes_no_words_until_it_is_reopened() {
    let mut desk = Desk::staffed();
    let issue = desk.open("Timeline");
    assert_eq!(desk.refused("writer", "issues.issue.close", &json!({ "issue": issue })), "issues.not_privileged");
    desk.expect("user", "issues.issue.close", &json!({ "issue": issue }));
    assert_eq!(rule(&desk.comment("writer", &issue)), Some("issues.not_then"));
    for command in ["issues.issue.close", "issues.issue.start"] {
        assert_eq!(desk.refused("user", command, &json!({ "issue": issue })), "issues.not_then", "{command}");
    }
    desk.expect("writer", "issues.issue.reopen", &json!({ "issue": issue }));
    assert_eq!(desk.refused("writer", "issues.issue.reopen", &json!({ "issue": issue })), "issues.not_then");
    desk.expect("writer", "issues.issue.start", &json!({ "issue": issue }));
    assert_eq!(desk.refused("writer", "issues.issue.start", &json!({ "issue": issue })), "issues.nothing_to_change");
    assert_eq!(rule(&desk.comment("writer", &issue)), None);
}

#[test]
fn an_issue_is_ready_when_those_that_block_it_have_ended() {
    let mut desk = Desk::staffed();
    let (first, second, third) = (desk.open("One"), desk.open("Two"), desk.open("Three"));
    let link = |from: &IssueId, kind: &str, to: &IssueId| json!({ "issue": from, "kind": kind, "to": to });
    desk.expect("writer", "issues.issue.link", &link(&first, "blocks", &second));
    desk.expect("writer", "issues.issue.link", &link(&second, "blocks", &third));
    assert_eq!(
        desk.refused("writer", "issues.issue.link", &link(&first, "blocks", &second)),
        "issues.nothing_to_change"
    );
    assert_eq!(desk.refused("writer", "issues.issue.link", &link(&third, "blocks", &first)), "issues.circular");
    assert_eq!(desk.refused("writer", "issues.issue.link", &link(&first, "related", &first)), "issues.circular");
    desk.expect("writer", "issues.issue.link", &link(&third, "related", &first));
    let ready = |desk: &Desk| {
        let issues = &desk.rooms().issue;
        [&first, &second, &third].map(|id| issues.is_ready(issues.issue(id).expect("known")))
    };
    assert_eq!(ready(&desk), [true, false, false]);
    desk.expect("user", "issues.issue.close", &json!({ "issue": first }));
    assert_eq!(ready(&desk), [false, true, false]);
    desk.expect("writer", "issues.issue.unlink", &link(&second, "blocks", &third));
    assert_eq!(ready(&desk), [false, true, true]);
    let gone = link(&second, "blocks", &third);
    assert_eq!(desk.refused("writer", "issues.issue.unlink", &gone), "issues.nothing_to_change");
}

/// Control-room 8.1: an agent is believed only where a file or commit shows it.
#[test]
fn what_was_applied_is_shown() {
    let mut desk = Desk::staffed();
    let issue = desk.open("Timeline");
    let mark = json!({ "issue": issue, "usefulness": "applied", "file": "a.rs" });
    assert_eq!(desk.refused("writer", "issues.issue.mark", &mark), "issues.not_shown");
    let missing = json!({ "shown": "missing" });
    assert_eq!(rule(&desk.ask_with("writer", "issues.issue.mark", &mark, &missing)), Some("issues.refuted"));
    assert_eq!(rule(&desk.ask_with("writer", "issues.issue.mark", &mark, &json!({ "shown": "found" }))), None);
    let again = desk.ask_with("critic", "issues.issue.mark", &mark, &json!({ "shown": "found" }));
    assert_eq!(rule(&again), Some("issues.nothing_to_change"));
    desk.expect("writer", "issues.issue.mark", &json!({ "issue": issue, "usefulness": "irrelevant" }));
}

#[test]
fn texts_and_titles_have_limits() {
    let mut desk = Desk::staffed();
    let issue = desk.open("Timeline");
    for title in ["", "  ", "two\nlines", "nul\0", &"x".repeat(201)] {
        let open = json!({ "title": title });
        assert_eq!(desk.refused("user", "issues.issue.open", &open), "issues.bad_title", "{title:?}");
        let edit = json!({ "issue": issue, "title": title });
        assert_eq!(desk.refused("user", "issues.issue.edit", &edit), "issues.bad_title", "{title:?}");
    }
    let long = "x".repeat(50_001);
    for (command, fields) in [
        ("issues.issue.open", json!({ "title": "Other", "body": long })),
        ("issues.issue.edit", json!({ "issue": issue, "body": long })),
        ("issues.comment.add", json!({ "issue": issue, "body": long })),
        ("issues.issue.resolve", json!({ "issue": issue, "note": long })),
    ] {
        assert_eq!(desk.refused("user", command, &fields), "issues.too_long", "{command}");
    }
    for (command, field) in [("issues.comment.add", "body"), ("issues.issue.resolve", "note")] {
        let fields = json!({ "issue": issue, field: " \n" });
        assert_eq!(desk.refused("user", command, &fields), "issues.no_text", "{command}");
    }
    let other = json!({ "issue": "01KAGMC4R00000000000000000", "body": REASONS });
    assert_eq!(desk.refused("user", "issues.comment.add", &other), "issues.unknown_issue");
    let cites = json!({ "issue": issue, "body": REASONS, "evidence": { "issues": ["nobody"] } });
    assert_eq!(desk.refused("user", "issues.comment.add", &cites), "issues.unknown_issue");
    let related = json!({ "title": "Other", "related": ["nobody"] });
    assert_eq!(desk.refused("user", "issues.issue.open", &related), "issues.unknown_issue");
}

#[test]
fn an_edit_changes_what_it_names() {
    let mut desk = Desk::staffed();
    let issue = desk.open("Timeline");
    let edit =
        json!({ "issue": issue, "title": "Other", "assignee": "writer", "priority": "high", "tags": ["a", "#b"] });
    desk.expect("user", "issues.issue.edit", &edit);
    assert_eq!(desk.refused("writer", "issues.issue.edit", &edit), "issues.nothing_to_change");
    desk.expect("writer", "issues.issue.edit", &json!({ "issue": issue, "assignee": "", "untag": ["b"] }));
    let row = desk.rooms().issue.issue(&issue).expect("known");
    let tags: Vec<_> = row.tags.iter().map(|tag| &**tag).collect();
    assert_eq!((&*row.title, &row.assignee, row.priority.as_str(), tags), ("Other", &None, "high", vec!["#a"]));
}

#[test]
fn the_same_source_is_opened_once() {
    let mut desk = Desk::staffed();
    let open = json!({ "title": "Timeline", "source": "beads:bd-1" });
    desk.expect("user", "issues.issue.open", &open);
    assert_eq!(desk.refused("user", "issues.issue.open", &open), "issues.known_source");
}
