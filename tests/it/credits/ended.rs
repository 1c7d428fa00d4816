//! What becomes of citations that wait where their issue ends.

use annals::domain::credit::event::{Settling, Waited};
use annals::domain::{Event, RoomsDecided, credit};
use annals::kernel::grounding::CitationOutcome;
use annals::kernel::id::IssueId;
use serde_json::json;

use super::{apply, award, awards, cite, cite_because, found, open_by, resolve};
use crate::control::desk::Desk;

/// What citations of an issue came to that waited: whose, of which file, why they wait no more, and the outcome.
fn settled(decided: &RoomsDecided) -> Vec<(String, String, Settling, Option<CitationOutcome>)> {
    let settled = decided.events.iter().filter_map(|event| {
        let Event::Credit(credit::Event::Settled(settled)) = event else { return None };
        Some(&settled.citations)
    });
    let shown = |one: &Waited| (one.agent.to_string(), one.file.to_string(), one.because, one.outcome);
    settled.flatten().map(shown).collect()
}

fn waiting(desk: &Desk, issue: &IssueId) -> usize {
    desk.rooms().credit.ledger(issue).map_or(0, |ledger| ledger.citations.iter().filter(|kept| kept.waits()).count())
}

/// Control-room 11.7: pending credit ends with the issue.
/// Policy `credits::settled`.
#[test]
fn nothing_waits_on_an_issue_that_was_closed() {
    let mut desk = Desk::staffed();
    let issue = open_by(&mut desk, "writer");
    cite(&mut desk, "writer", &issue, "resolve-conflict", &[found("a.rs", 1000)]);
    let citation = json!({ "trigger": "support-proposal", "trigger_ref": issue, "outcome": "no-action" });
    cite_because(&mut desk, "critic", &issue, &citation, &[found("b.rs", 1000)]);
    assert_eq!(waiting(&desk, &issue), 2);
    let closed = desk.expect("user", "issues.issue.close", &json!({ "issue": issue }));
    let lapsed = |agent: &str, file: &str| (agent.to_owned(), file.to_owned(), Settling::Undecided, None);
    assert_eq!(settled(&closed), [lapsed("writer", "a.rs"), lapsed("critic", "b.rs")]);
    assert_eq!((waiting(&desk, &issue), awards(&closed).len()), (0, 0), "what was earned stays");
    desk.expect("user", "issues.issue.reopen", &json!({ "issue": issue }));
    assert_eq!(awards(&apply(&mut desk, "editor", &issue)), [], "it ended, and comes to nothing any more");
    assert_eq!(settled(&desk.expect("user", "issues.issue.close", &json!({ "issue": issue }))), []);
}

/// Decision 15: nobody's own word shows an outcome; what is worth no more is said to have led to something.
#[test]
fn what_a_resolution_does_not_pay_is_settled_by_it() {
    let mut desk = Desk::staffed();
    let issue = open_by(&mut desk, "writer");
    cite(&mut desk, "writer", &issue, "resolve-conflict", &[found("a.rs", 1000)]);
    cite(&mut desk, "critic", &issue, "support-proposal", &[found("b.rs", 900)]);
    cite(&mut desk, "editor", &issue, "resolve-conflict", &[found("c.rs", 1000)]);
    let resolved = resolve(&mut desk, "writer", &issue, &[]);
    let own = ("writer".to_owned(), "a.rs".to_owned(), Settling::OwnWord, None);
    let no_more =
        ("critic".to_owned(), "b.rs".to_owned(), Settling::WorthNoMore, Some(CitationOutcome::InformedDecision));
    assert_eq!(settled(&resolved), [own, no_more]);
    assert!(awards(&resolved).contains(&award("editor", 1, "evidence-outcome-upgrade")));
    assert_eq!(waiting(&desk, &issue), 0);
    let applied = awards(&apply(&mut desk, "user", &issue));
    assert!(applied.contains(&award("critic", 1, "evidence-outcome-upgrade")), "{applied:?}");
    assert!(!applied.contains(&award("writer", 1, "evidence-outcome-upgrade")), "{applied:?}");
}
