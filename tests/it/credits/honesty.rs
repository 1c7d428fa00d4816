//! Nobody makes itself rich, whatever it tries.

use annals::domain::credit::CreditReason;
use annals::domain::credit::event::Awarded;
use annals::domain::credit::formula::slices;
use annals::domain::{Event, credit};
use annals::kernel::credits::Credits;
use annals::kernel::id::{AgentId, IssueId};
use proptest::prelude::*;
use serde_json::{Value, json};

use super::{apply, cite, credits, found, open_by, resolve};
use crate::control::desk::{Desk, names, rule};

fn thanks(agent: &str, issue: &IssueId) -> Value {
    json!({ "agent": agent, "reason": "peer-marked-helpful", "about": { "issue": issue } })
}

/// Control-room 11.6: refused, and recorded.
#[test]
fn an_award_to_oneself_is_refused_and_recorded() {
    let mut desk = Desk::staffed();
    let issue = desk.open("A lexer");
    let decided = desk.ask("writer", "credits.credit.award", &thanks("writer", &issue));
    assert_eq!((names(&decided), rule(&decided)), (vec!["credits.award.refused"], Some("credits.self_award")));
    assert_eq!((desk.rooms().credit.totals.refused, credits(&desk, "writer")), (1, Credits::ZERO));
}

/// Control-room 11.6: names with one token, or that differ in case and signs alone, are in the same hands.
#[test]
fn an_award_to_oneself_through_another_name_is_refused_and_recorded() {
    let mut desk = Desk::staffed();
    desk.expect("user", "roster.agent.add", &json!({ "agent": "Writer-", "role": "critic" }));
    desk.expect("user", "roster.agent.add", &json!({ "agent": "pen", "role": "critic", "name": "The Writer" }));
    desk.expect("user", "roster.agent.add", &json!({ "agent": "scribe", "role": "critic", "name": "the-writer" }));
    let seal = "ab".repeat(32);
    for agent in ["editor", "critic"] {
        desk.expect("user", "roster.agent.seal", &json!({ "agent": agent, "seal": seal }));
    }
    let issue = desk.open("A lexer");
    for (by, to) in [("Writer-", "writer"), ("pen", "scribe"), ("editor", "critic"), ("critic", "editor")] {
        let decided = desk.ask(by, "credits.credit.award", &thanks(to, &issue));
        assert_eq!(
            (names(&decided), rule(&decided)),
            (vec!["credits.award.refused"], Some("credits.same_hands")),
            "{by}"
        );
        let done = json!({ "issue": issue, "doer": to });
        assert_eq!(rule(&desk.ask(by, "credits.slice.complete", &done)), Some("credits.same_hands"));
        let cut = json!({ "issue": issue, "doer": to, "total": 10, "slices": 2 });
        assert_eq!(rule(&desk.ask(by, "credits.task.slice", &cut)), Some("credits.same_hands"));
    }
    assert_eq!(desk.rooms().credit.totals.refused, 8);
}

/// Control-room 11.6: a name that is in no roster, and one whose token was not shown.
#[test]
fn a_stranger_and_a_forged_name_award_nothing_and_are_recorded() {
    let mut desk = Desk::staffed();
    let issue = desk.open("A lexer");
    let decided = desk.ask("ghost", "credits.credit.award", &thanks("writer", &issue));
    assert_eq!((names(&decided), rule(&decided)), (vec!["credits.award.refused"], Some("credits.stranger")));
    desk.set("roster.require_token", &json!(true));
    let praise = json!({ "agent": "writer", "reason": "moderator-commendation", "amount": 3 });
    let decided = desk.ask("mod", "credits.credit.award", &praise);
    let told = vec!["roster.actor.forged", "roster.actor.barred", "notices.notice.posted"];
    assert_eq!((names(&decided), rule(&decided)), (told, Some("roster.not_proved")));
    assert_eq!(credits(&desk, "writer"), Credits::ZERO);
}

/// Guard `credits::guard`.
#[test]
fn credits_are_about_issues_that_are_there() {
    let mut desk = Desk::staffed();
    let decided = desk.ask("critic", "credits.credit.award", &thanks("writer", &IssueId::from("nowhere")));
    assert_eq!((names(&decided), rule(&decided)), (vec!["credits.award.refused"], Some("credits.unknown_issue")));
}

/// Control-room 2.1: without oversight nobody awards anything.
#[test]
fn an_unhealthy_swarm_awards_nothing() {
    let mut desk = Desk::staffed();
    let issue = desk.open("A lexer");
    desk.expect("user", "roster.agent.change", &json!({ "agent": "mod", "duty": "retired" }));
    assert_eq!(desk.refused("critic", "credits.credit.award", &thanks("writer", &issue)), "roster.no_moderator");
}

/// Control-room 11.4.1: cutting a task does not make it larger.
#[test]
fn a_task_that_was_cut_up_is_worth_what_it_was() {
    let mut desk = Desk::staffed();
    desk.expect("user", "roster.agent.add", &json!({ "agent": "aide", "role": "assistant" }));
    let issue = desk.open("A lexer");
    let cut = json!({ "issue": issue, "doer": "writer", "total": 10, "slices": 3 });
    desk.expect("aide", "credits.task.slice", &cut);
    for _ in 0..3 {
        desk.expect("aide", "credits.slice.complete", &json!({ "issue": issue, "doer": "writer" }));
    }
    assert_eq!(
        desk.refused("aide", "credits.slice.complete", &json!({ "issue": issue, "doer": "writer" })),
        "credits.no_part"
    );
    assert_eq!(credits(&desk, "writer"), Credits::whole(10));
}

const AGENTS: [&str; 3] = ["writer", "critic", "editor"];

/// What an agent may try.
#[derive(Debug, Clone)]
enum Try {
    Open,
    Cite(usize, u32),
    Resolve,
    Mark(&'static str),
    Award(usize, CreditReason),
    Slice(usize),
    Complete(usize),
    Goal,
    Milestone,
}

fn attempt() -> impl Strategy<Value = (usize, Try)> {
    let what = prop_oneof![
        Just(Try::Open),
        (0usize..4, 700u32..1000).prop_map(|(file, similarity)| Try::Cite(file, similarity)),
        Just(Try::Resolve),
        prop_oneof![Just("applied"), Just("irrelevant")].prop_map(Try::Mark),
        (0..AGENTS.len(), proptest::sample::select(CreditReason::ALL)).prop_map(|(to, reason)| Try::Award(to, reason)),
        (0..AGENTS.len()).prop_map(Try::Slice),
        (0..AGENTS.len()).prop_map(Try::Complete),
        Just(Try::Goal),
        Just(Try::Milestone),
    ];
    (0..AGENTS.len(), what)
}

fn play(desk: &mut Desk, issues: &mut Vec<IssueId>, actor: &str, what: &Try) -> annals::domain::RoomsDecided {
    let issue = issues[issues.len() - 1].clone();
    match what {
        Try::Open => {
            issues.push(open_by(desk, actor));
            annals::domain::RoomsDecided::default()
        }
        Try::Cite(file, similarity) => {
            cite(desk, actor, &issue, "resolve-conflict", &[found(&format!("{file}.rs"), *similarity)])
        }
        Try::Resolve => resolve(desk, actor, &issue, &[found("0.rs", 1000)]),
        Try::Mark("applied") => apply(desk, actor, &issue),
        Try::Mark(usefulness) => {
            desk.ask(actor, "issues.issue.mark", &json!({ "issue": issue, "usefulness": usefulness }))
        }
        Try::Award(to, reason) => {
            let fields = json!({ "agent": AGENTS[*to], "reason": reason, "about": { "issue": issue } });
            desk.ask(actor, "credits.credit.award", &fields)
        }
        Try::Slice(doer) => {
            let cut = json!({ "issue": issue, "doer": AGENTS[*doer], "total": 10, "slices": 3 });
            desk.ask(actor, "credits.task.slice", &cut)
        }
        Try::Complete(doer) => {
            desk.ask(actor, "credits.slice.complete", &json!({ "issue": issue, "doer": AGENTS[*doer] }))
        }
        Try::Goal => desk.ask(actor, "credits.goal.set", &json!({ "metric": "total-credits", "target": 1 })),
        Try::Milestone => desk.ask(actor, "milestones.milestone.begin", &json!({ "kind": "session", "name": "x" })),
    }
}

fn awarded(decided: &annals::domain::RoomsDecided) -> Vec<&Awarded> {
    let awarded = decided.events.iter().filter_map(|event| {
        let Event::Credit(credit::Event::Awarded(awarded)) = event else { return None };
        Some(awarded)
    });
    awarded.collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 32, failure_persistence: None, ..ProptestConfig::default() })]

    /// Control-room 11.1, 11.6: whatever agents do, credits come from the rules, or from somebody else; and what the rules
    /// give an agent for its own act is for citations that code verified.
    #[test]
    fn no_agent_raises_its_own_credits(tries in proptest::collection::vec(attempt(), 1..40)) {
        let mut desk = Desk::staffed();
        let mut issues = vec![desk.open("A lexer")];
        for (who, what) in tries {
            let actor = AgentId::from(AGENTS[who]);
            let before = credits(&desk, AGENTS[who]);
            let decided = play(&mut desk, &mut issues, AGENTS[who], &what);
            for award in awarded(&decided).into_iter().filter(|award| award.amount > Credits::ZERO) {
                prop_assert_ne!(&award.by, &award.agent);
                if award.agent == actor {
                    prop_assert_eq!(award.by.as_str(), "system");
                    prop_assert!(award.reason.is_of_citations() && !award.citations.is_empty(), "{:?}", award);
                }
            }
            let own: Credits = awarded(&decided).iter().filter(|award| award.agent == actor).map(|award| award.amount).sum();
            prop_assert_eq!(credits(&desk, AGENTS[who]), before + own);
        }
    }

    /// Control-room 11.4.1, decision 15a.
    #[test]
    fn the_sum_of_slices_is_the_whole(total in 1i64..1_000_000, count in 1u32..500) {
        let parts = slices(Credits::thousandths(total), count).expect("slices");
        prop_assert_eq!(parts.iter().copied().sum::<Credits>(), Credits::thousandths(total));
        prop_assert_eq!(parts.len(), count as usize);
        prop_assert!(parts.windows(2).all(|pair| pair[0] >= pair[1] && pair[0] - pair[1] <= Credits::thousandths(1)));
    }
}

/// Control-room 11.5: who says that something was applied and names what is not there claims what is verifiably false.
#[test]
fn a_claim_that_is_not_true_costs_credits() {
    let mut desk = Desk::staffed();
    let issue = open_by(&mut desk, "writer");
    let fields = json!({ "issue": issue, "usefulness": "applied", "file": "src/gone.rs" });
    let decided = desk.ask_with("critic", "issues.issue.mark", &fields, &json!({ "shown": "missing" }));
    let events = vec!["issues.claim.refuted", "credits.credit.awarded"];
    assert_eq!((names(&decided), rule(&decided)), (events, Some("issues.refuted")));
    assert_eq!((credits(&desk, "critic"), credits(&desk, "writer")), (Credits::whole(-3), Credits::ZERO));
}

/// Decision 15: what was committed before the issue was opened, it did not lead to.
#[test]
fn a_commit_from_before_the_issue_shows_nothing_applied() {
    let mut desk = Desk::staffed();
    let issue = open_by(&mut desk, "writer");
    let opened_at = desk.rooms().issue.issue(&issue).expect("an issue").opened_at;
    let mark = json!({ "issue": issue, "usefulness": "applied", "commit": "abcdef12" });
    let made = |millis| json!({ "shown": "found", "committed_at": opened_at.plus_millis(millis) });
    for (observed, expected) in [
        (json!({ "shown": "found" }), Some("issues.not_shown")),
        (made(-1000), Some("issues.old_commit")),
        (made(-86_400_000), Some("issues.old_commit")),
        (made(0), None),
        (made(60_000), None),
    ] {
        let mut desk = desk.clone();
        assert_eq!(rule(&desk.ask_with("critic", "issues.issue.mark", &mark, &observed)), expected, "{observed}");
        assert_eq!(credits(&desk, "writer"), Credits::ZERO);
    }
    assert_eq!(rule(&desk.ask_with("user", "issues.issue.mark", &mark, &made(-1000))), None, "the user is believed");
}
