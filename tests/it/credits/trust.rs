//! What an agent of low trust may not decide, and what one of high trust may decide alone (control-room 8.2).

use annals::domain::reliability::record::AgentTrust;
use annals::kernel::id::{AgentId, IssueId};
use annals::kernel::settings::Settings;
use serde_json::{Value, json};

use super::{apply, cite, found};
use crate::control::desk::{Desk, rule};

fn desk() -> Desk {
    let mut desk = Desk::staffed();
    desk.set("sanity.min_turns_before_resolution", &json!(1));
    desk
}

/// An issue that says how much it would change, if it does.
fn proposes(desk: &mut Desk, agent: &str, impact: Option<&str>) -> IssueId {
    let mut fields = json!({ "title": "A lexer that looks ahead" });
    if let Some(impact) = impact {
        fields["impact"] = impact.into();
    }
    let decided = desk.expect(agent, "issues.issue.open", &fields);
    let data: Value = decided.events[0].data().read().expect("JSON");
    IssueId::from(data["issue"].as_str().expect("an issue"))
}

/// By which rule an agent may not resolve an issue.
fn denied(desk: &mut Desk, agent: &str, issue: &IssueId) -> Option<String> {
    let decided = desk.ask(agent, "issues.issue.resolve", &json!({ "issue": issue, "note": "Two productions." }));
    rule(&decided).map(str::to_owned)
}

fn trust(desk: &Desk, agent: &str) -> AgentTrust {
    let record = desk.rooms().reliability.current(&AgentId::from(agent));
    record.map_or(AgentTrust::Normal, |record| record.trust(&Settings::default()))
}

/// So many issues of an agent, of which so many are found irrelevant.
fn loses_trust(desk: &mut Desk, agent: &str, (issues, irrelevant): (usize, usize)) {
    for number in 0..issues {
        let issue = proposes(desk, agent, None);
        if number < irrelevant {
            desk.expect("editor", "issues.issue.mark", &json!({ "issue": issue, "usefulness": "irrelevant" }));
        }
    }
}

/// An agent whose issues are applied and whose comments cite files.
fn earns_trust(desk: &mut Desk, agent: &str) {
    for _ in 0..5 {
        let issue = proposes(desk, agent, None);
        cite(desk, agent, &issue, "support-proposal", &[found("a.rs", 1000)]);
        apply(desk, "editor", &issue);
    }
}

/// Control-room 8.2.
#[test]
fn what_comes_from_low_trust_or_is_decided_by_it_needs_the_support_of_another() {
    const LOW: Option<&str> = Some("moderation.low_trust");
    let mut desk = desk();
    loses_trust(&mut desk, "writer", (5, 5));
    assert_eq!(trust(&desk, "writer"), AgentTrust::Low);
    let (own, other) = (proposes(&mut desk, "writer", None), proposes(&mut desk, "editor", None));
    assert_eq!(denied(&mut desk, "writer", &own).as_deref(), LOW);
    assert_eq!(denied(&mut desk, "editor", &own).as_deref(), LOW, "its author is doubted");
    assert_eq!(denied(&mut desk, "writer", &other).as_deref(), LOW, "who decides is doubted");
    assert_eq!(denied(&mut desk, "editor", &other), None);
    let supports = json!({ "issue": own, "body": crate::control::desk::REASONS, "stance": "support" });
    desk.expect("critic", "issues.comment.add", &supports);
    assert_eq!(denied(&mut desk, "writer", &own), None, "another supports it");
    let third = proposes(&mut desk, "writer", None);
    assert_eq!(denied(&mut desk, "mod", &third), None, "who watches over the swarm decides");
}

/// Control-room 8.2, decision 18: half of them is not more than half, and few say nothing.
#[test]
fn trust_is_lost_beyond_the_bound_and_not_before_anything_can_be_said() {
    for (counts, expected) in [((5, 3), AgentTrust::Low), ((6, 3), AgentTrust::Normal), ((4, 4), AgentTrust::Normal)] {
        let mut desk = desk();
        loses_trust(&mut desk, "writer", counts);
        assert_eq!(trust(&desk, "writer"), expected, "{counts:?}");
    }
}

/// Control-room 8.2: the other way to low trust.
#[test]
fn who_is_stopped_too_often_is_of_low_trust() {
    for (stopped, expected) in [(2, AgentTrust::Low), (1, AgentTrust::Normal)] {
        let mut desk = desk();
        for number in 0..5 {
            let issue = desk.open("A lexer");
            let body = if number < stopped { "Great idea" } else { crate::control::desk::REASONS };
            desk.ask("writer", "issues.comment.add", &json!({ "issue": issue, "body": body }));
        }
        assert_eq!(trust(&desk, "writer"), expected, "{stopped} of 5");
        let issue = desk.open("A parser");
        let rule = (expected == AgentTrust::Low).then_some("moderation.low_trust");
        assert_eq!(denied(&mut desk, "writer", &issue).as_deref(), rule);
    }
}

/// Control-room 8.2, 9.3.
#[test]
fn high_trust_decides_alone_what_changes_little_unless_the_moderator_says_otherwise() {
    let mut desk = desk();
    let before = proposes(&mut desk, "writer", Some("minor"));
    assert_eq!(denied(&mut desk, "writer", &before).as_deref(), Some("moderation.not_alone"));
    earns_trust(&mut desk, "writer");
    assert_eq!(trust(&desk, "writer"), AgentTrust::High);
    let structural = proposes(&mut desk, "writer", Some("structural"));
    assert_eq!(denied(&mut desk, "writer", &structural).as_deref(), Some("moderation.not_alone"));
    assert_eq!(denied(&mut desk, "writer", &before), None);
    desk.expect("mod", "moderation.agent.adjust", &json!({ "agent": "writer", "freedom": "restricted" }));
    let minor = proposes(&mut desk, "writer", Some("minor"));
    assert_eq!(denied(&mut desk, "writer", &minor).as_deref(), Some("moderation.restricted"));
}
