//! What is earned beyond citations: contradictions kept out of canon, proposals that went through dissent, dissent that
//! was heeded.

use annals::domain::{Event, RoomsDecided, team};
use annals::kernel::id::IssueId;
use serde_json::{Value, json};

use super::{apply, award, awards, found, missing, open_by};
use crate::control::desk::{Desk, REASONS};

/// What the team gets credit for, and whose deed that was.
fn of_team(decided: &RoomsDecided) -> Vec<(&'static str, String)> {
    let awarded = decided.events.iter().filter_map(|event| {
        let Event::Team(team::Event::Awarded(awarded)) = event else { return None };
        Some((awarded.reason.as_str(), awarded.agent.as_ref().map(ToString::to_string).unwrap_or_default()))
    });
    awarded.collect()
}

fn eyes(colour: &str) -> Value {
    json!([{ "subject": "Seryn", "attribute": "eyes", "value": colour }])
}

/// What canon says: Seryn has amber eyes.
fn with_canon() -> Desk {
    let mut desk = Desk::staffed();
    let fields = json!({ "key": "seryn", "text": "Seryn has amber eyes.", "claims": eyes("amber") });
    desk.expect("user", "canon.entry.state", &fields);
    desk
}

fn notices(desk: &mut Desk, actor: &str, colour: &str) -> RoomsDecided {
    desk.expect(actor, "canon.conflict.detect", &json!({ "text": colour, "claims": eyes(colour) }))
}

fn keeps(desk: &mut Desk, actor: &str, colour: &str) -> RoomsDecided {
    let fields = json!({ "answer": "keep", "text": colour, "claims": eyes(colour) });
    desk.expect(actor, "canon.conflict.resolve", &fields)
}

/// Control-room 14.4.
/// Policy `merits::caught`.
#[test]
fn who_catches_a_contradiction_earns_credits_with_the_team_once_for_each() {
    let mut desk = with_canon();
    assert_eq!(awards(&notices(&mut desk, "writer", "green")), [], "noticing alone earns nothing");
    let first = keeps(&mut desk, "user", "green");
    assert_eq!(awards(&first), [award("writer", 3, "prevented-user-conflict")]);
    assert_eq!(of_team(&first), [("team-canon-integrity", "writer".to_owned())]);
    notices(&mut desk, "critic", "green");
    let again = keeps(&mut desk, "user", "green");
    assert_eq!((awards(&again), of_team(&again)), (vec![], vec![]), "it was paid for");
    notices(&mut desk, "critic", "blue");
    let other = keeps(&mut desk, "user", "blue");
    assert_eq!(awards(&other), [award("critic", 3, "prevented-user-conflict")]);
    assert_eq!(of_team(&other), [("team-canon-integrity", "critic".to_owned())]);
}

/// Control-room 14.4: who leads must have answered.
#[test]
fn the_answer_of_an_agent_earns_nobody_anything() {
    let mut desk = with_canon();
    notices(&mut desk, "writer", "green");
    for actor in ["writer", "editor"] {
        let decided = keeps(&mut desk, actor, "green");
        assert_eq!((awards(&decided), of_team(&decided)), (vec![], vec![]), "{actor}");
    }
}

fn assign(desk: &mut Desk, issue: &IssueId, agent: &str) {
    desk.expect("mod", "advocate.assignment.assign", &json!({ "issue": issue, "agent": agent }));
}

/// Comments with a stance, citing files of which code found this.
fn says(desk: &mut Desk, (actor, issue): (&str, &IssueId), stance: &str, files: &[Value]) -> RoomsDecided {
    let cited: Vec<_> = files.iter().map(|file| json!({ "path": file["path"] })).collect();
    let fields = json!({ "issue": issue, "body": REASONS, "stance": stance, "evidence": { "files": cited } });
    desk.ask_with(actor, "issues.comment.add", &fields, &json!({ "evidence": files }))
}

fn consultations(decided: &RoomsDecided) -> Vec<(String, i64, &'static str)> {
    awards(decided).into_iter().filter(|(_, _, reason)| *reason == "consulted-devils-advocate").collect()
}

/// Control-room 11.5.
/// Policy `merits::consulted`.
#[test]
fn the_author_of_a_proposal_earns_a_credit_when_dissent_was_heard_once_an_issue() {
    let mut desk = Desk::staffed();
    desk.expect("user", "roster.agent.change", &json!({ "agent": "editor", "can_be_devils_advocate": true }));
    let issue = open_by(&mut desk, "writer");
    assign(&mut desk, &issue, "critic");
    assert_eq!(consultations(&says(&mut desk, ("critic", &issue), "oppose", &[])), []);
    let second = says(&mut desk, ("critic", &issue), "oppose", &[]);
    assert_eq!(consultations(&second), [award("writer", 1, "consulted-devils-advocate")]);
    assign(&mut desk, &issue, "editor");
    says(&mut desk, ("editor", &issue), "oppose", &[]);
    assert_eq!(consultations(&says(&mut desk, ("editor", &issue), "oppose", &[])), [], "it was paid for");
}

/// Control-room 11.5.
#[test]
fn dissent_that_was_not_heard_and_dissent_with_oneself_earn_nothing() {
    for (author, comments, expected) in [("writer", 1, 1), ("writer", 0, 0), ("critic", 1, 0), ("user", 1, 0)] {
        let mut desk = Desk::staffed();
        let issue = if author == "user" { desk.open("A lexer") } else { open_by(&mut desk, author) };
        assign(&mut desk, &issue, "critic");
        for _ in 0..comments {
            says(&mut desk, ("critic", &issue), "oppose", &[]);
        }
        let closed = desk.expect("user", "issues.issue.close", &json!({ "issue": issue }));
        assert_eq!(consultations(&closed).len(), expected, "{author}, {comments} comments");
    }
}

/// Control-room 15.1: opposed with evidence that holds, and somebody else changed the work.
/// Policy `merits::heeded`.
#[test]
fn the_team_earns_credits_when_dissent_with_evidence_is_heeded_by_somebody_else() {
    let heeded = [("successful-da-challenge", "critic".to_owned())];
    for (stance, file, by, expected) in [
        ("oppose", found("a.rs", 1000), "editor", &heeded[..]),
        ("support", found("a.rs", 1000), "editor", &[]),
        ("oppose", missing("a.rs"), "editor", &[]),
        ("oppose", found("a.rs", 1000), "critic", &[]),
    ] {
        let mut desk = Desk::staffed();
        let issue = open_by(&mut desk, "writer");
        assign(&mut desk, &issue, "critic");
        says(&mut desk, ("critic", &issue), stance, &[file]);
        assert_eq!(of_team(&apply(&mut desk, by, &issue)), expected, "{stance}, {by}");
    }
}

/// Control-room 15.1: what was said before the task was given, or without one, is no answer to it.
#[test]
fn opposition_without_a_task_is_not_heeded_as_dissent() {
    for is_late in [true, false] {
        let mut desk = Desk::staffed();
        let issue = open_by(&mut desk, "writer");
        says(&mut desk, ("critic", &issue), "oppose", &[found("a.rs", 1000)]);
        if is_late {
            assign(&mut desk, &issue, "critic");
        }
        assert_eq!(of_team(&apply(&mut desk, "editor", &issue)), []);
    }
}
