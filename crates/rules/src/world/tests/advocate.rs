//! Given / when / then for dissent.

use super::swarm::{Swarm, comment};
use crate::domain::advocate::command::{Assign, Release};
use crate::domain::advocate::event::{DissentEnding, Expired, Failed, Fulfilled, Made};
use crate::domain::issue::Issue;
use crate::domain::issue::command::{Close, Comment};
use crate::domain::issue::meta::Meta;
use crate::domain::issue::status::{EpistemicStatus, IssuePriority};
use crate::domain::roster::command::{Change, Duty};
use crate::domain::{Event, advocate};
use annals_kernel::grounding::{DissentReason, Impact, Stance};
use annals_kernel::id::{AgentId, IssueId};
use annals_kernel::json::Json;

/// What happened about dissent.
fn of_dissent(events: Vec<Event>) -> Vec<advocate::Event> {
    events.into_iter().filter_map(|event| if let Event::Advocate(event) = event { Some(event) } else { None }).collect()
}

fn made(issue: &IssueId, agent: &str, reason: DissentReason, by: &str) -> advocate::Event {
    Made { issue: issue.clone(), agent: agent.into(), reason, by: by.into(), comments: 2 }.into()
}

fn approves(issue: &IssueId) -> Comment {
    comment(issue, Stance::Support, None, 0, &[])
}

fn task_of<'s>(swarm: &'s Swarm, issue: &IssueId) -> &'s Issue {
    let rooms = &swarm.world.rooms;
    let past = rooms.advocate.challenges.get(issue.as_str()).expect("challenges");
    let task = past.assignments.last().and_then(|assignment| assignment.task.as_ref());
    rooms.issue.issue(task.expect("a task")).expect("an issue")
}

/// Control-room 7.2, 13.2.
/// Policy `advocate::trigger`.
#[test]
fn a_quick_consensus_gives_somebody_the_task_to_challenge_it() {
    let mut swarm = Swarm::new();
    let issue = swarm.opens("The reactor", &["#pacing"]);
    assert_eq!(of_dissent(swarm.does("anna", approves(&issue))), []);
    let events = swarm.does("bert", approves(&issue));
    assert_eq!(of_dissent(events), [made(&issue, "carl", DissentReason::NoEvidenceConsensus, "system")]);
    let task = task_of(&swarm, &issue);
    let (assignee, tags) = (AgentId::from("carl"), ["#devils-advocate", "#issue-1", "#meta"].map(Into::into).into());
    let expected = Issue {
        assignee: Some(assignee),
        priority: IssuePriority::High,
        tags,
        related: [issue.clone()].into(),
        epistemic: EpistemicStatus::Agreed,
        meta: Some(Meta::Dissent { about: issue, reason: DissentReason::NoEvidenceConsensus, comments: 2 }),
        ..task.clone()
    };
    assert_eq!(*task, expected);
}

/// Control-room 7.2.
#[test]
fn an_approval_with_substantial_evidence_needs_no_challenge() {
    let mut swarm = Swarm::new();
    let issue = swarm.opens("The reactor", &[]);
    swarm.does("anna", comment(&issue, Stance::Support, None, 2, &[]));
    assert_eq!(of_dissent(swarm.does("bert", approves(&issue))), []);
}

/// Control-room 7.2, decision 11: what is no evidence makes no challenge needless.
#[test]
fn an_approval_that_cites_what_is_not_so_is_challenged() {
    let there = serde_json::json!({ "exists": true, "lines_valid": true });
    for (observed, says) in [
        (vec![], "nobody looked"),
        (vec![serde_json::json!({ "path": "chapter-0.md", "exists": false, "lines_valid": false })], "it is not there"),
        (
            vec![serde_json::json!({ "path": "chapter-0.md", "exists": true, "lines_valid": true, "blank": true })],
            "empty",
        ),
    ] {
        let mut swarm = Swarm::new();
        let issue = swarm.opens("The reactor", &[]);
        let cites = comment(&issue, Stance::Support, None, 1, &[issue.clone(), issue.clone()]);
        let observed = Json::of(&serde_json::json!({ "evidence": observed }));
        assert_eq!(swarm.ask("anna", cites, &observed).refusal, None);
        let events = of_dissent(swarm.does("bert", approves(&issue)));
        assert_eq!(events, [made(&issue, "carl", DissentReason::NoEvidenceConsensus, "system")], "{says}");
    }
    let mut swarm = Swarm::new();
    let issue = swarm.opens("The reactor", &[]);
    let mut same = there;
    (same["path"], same["sha256"]) = ("chapter-0.md".into(), "1".into());
    let mut copy = same.clone();
    copy["path"] = "chapter-1.md".into();
    let observed = Json::of(&serde_json::json!({ "evidence": [same, copy] }));
    assert_eq!(swarm.ask("anna", comment(&issue, Stance::Support, None, 2, &[]), &observed).refusal, None);
    let events = of_dissent(swarm.does("bert", approves(&issue)));
    assert_eq!(events, [made(&issue, "carl", DissentReason::QuickConsensus, "system")], "a copy is the same file");
}

/// Control-room 13.1.
#[test]
fn the_reason_says_whether_a_file_was_cited_and_how_much_would_change() {
    for (impact, files, reason) in [
        (None, 1, DissentReason::QuickConsensus),
        (Some(Impact::Minor), 0, DissentReason::NoEvidenceConsensus),
        (Some(Impact::Structural), 3, DissentReason::HighImpactProposal),
    ] {
        let mut swarm = Swarm::new();
        let issue = swarm.opens("The reactor", &[]);
        swarm.does("anna", comment(&issue, Stance::Support, impact, files, &[]));
        let events = swarm.does("bert", comment(&issue, Stance::Support, impact, files, &[]));
        assert_eq!(of_dissent(events), [made(&issue, "carl", reason, "system")]);
    }
}

/// Control-room 7.2: the user's word is not the swarm's.
#[test]
fn the_user_and_switched_off_triggers_call_for_nobody() {
    let mut swarm = Swarm::new();
    let issue = swarm.opens("The reactor", &[]);
    swarm.does("user", approves(&issue));
    assert_eq!(of_dissent(swarm.does("anna", approves(&issue))), []);
    swarm.set("sanity.auto_devils_advocate_enabled", false.into());
    assert_eq!(of_dissent(swarm.does("bert", approves(&issue))), []);
}

/// Control-room 13.3.
/// Policies `advocate::answer` and `advocate::task`.
#[test]
fn the_task_goes_to_whoever_had_it_least_of_late_and_has_no_part_in_the_discussion() {
    let mut swarm = Swarm::new();
    let mut turns = Vec::new();
    for count in 0..4 {
        let issue = swarm.opens(&format!("Proposal {count}"), &[]);
        for event in of_dissent(swarm.does("mo", Assign { issue, agent: None })) {
            if let advocate::Event::Made(made) = event {
                turns.push(made.agent.to_string());
            }
        }
    }
    assert_eq!(turns, ["carl", "dora", "erik", "carl"]);
    swarm.at = swarm.at.plus_millis(8 * 86_400_000);
    let issue = swarm.opens("Proposal 5", &[]);
    swarm.does("carl", comment(&issue, Stance::Neutral, None, 0, &[]));
    let events = of_dissent(swarm.does("mo", Assign { issue: issue.clone(), agent: None }));
    let over = DissentReason::ModeratorOverride;
    assert_eq!(events.last(), Some(&made(&issue, "dora", over, "mo")), "after a week all are equal again");
}

/// Control-room 13.1, 13.2.
/// Policy `advocate::expire`.
#[test]
fn two_comments_of_the_agent_on_the_issue_fulfil_the_task_and_close_it() {
    let mut swarm = Swarm::new();
    let issue = swarm.opens("The reactor", &[]);
    swarm.does("mo", Assign { issue: issue.clone(), agent: Some("dora".into()) });
    swarm.does("anna", comment(&issue, Stance::Neutral, None, 0, &[]));
    let against = comment(&issue, Stance::Oppose, None, 1, &[]);
    assert_eq!(of_dissent(swarm.does("dora", against.clone())), []);
    let events = of_dissent(swarm.does("dora", against));
    let agent = AgentId::from("dora");
    let ending = DissentEnding::CommentsMade;
    let expired = Expired { issue: issue.clone(), agent: agent.clone(), used: 2, ending };
    assert_eq!(events, [expired.into(), Fulfilled { issue: issue.clone(), agent }.into()]);
    assert!(task_of(&swarm, &issue).status.has_ended());
    assert_eq!(swarm.world.rooms.advocate.live_of(&"dora".into()), []);
}

/// What was said before a challenge calls for no other one.
#[test]
fn a_consensus_is_challenged_once_and_a_new_one_again() {
    let mut swarm = Swarm::new();
    swarm.set("sanity.max_comments_per_agent_per_issue", 9.into());
    swarm.set("sanity.max_consecutive_same_agent_pair", 9.into());
    let issue = swarm.opens("The reactor", &[]);
    swarm.does("anna", approves(&issue));
    swarm.does("bert", approves(&issue));
    swarm.does("user", Release { issue: issue.clone() });
    assert_eq!(of_dissent(swarm.does("anna", approves(&issue))), []);
    assert_eq!(of_dissent(swarm.does("bert", approves(&issue))).len(), 1);
}

/// Policy `advocate::finish`.
#[test]
fn an_issue_that_ends_ends_the_task_which_counts_only_where_something_was_said() {
    let mut swarm = Swarm::new();
    let issue = swarm.opens("The reactor", &[]);
    swarm.does("mo", Assign { issue: issue.clone(), agent: Some("dora".into()) });
    let events = of_dissent(swarm.does("user", Close { issue: issue.clone(), reason: None }));
    assert_eq!(events, [Expired { issue, agent: "dora".into(), used: 0, ending: DissentEnding::IssueEnded }.into()]);
}

/// Policy `advocate::tell`.
#[test]
fn where_nobody_can_dissent_the_moderator_hears_of_it() {
    let mut swarm = Swarm::new();
    for agent in ["carl", "dora"] {
        swarm.does("user", Change { agent: agent.into(), duty: Some(Duty::Retired), ..Change::default() });
    }
    let issue = swarm.opens("The reactor", &[]);
    swarm.does("erik", approves(&issue));
    let events = swarm.does("anna", approves(&issue));
    let reason = DissentReason::NoEvidenceConsensus;
    let failed = Failed { issue: issue.clone(), reason, by: "system".into() };
    assert_eq!(of_dissent(events), [failed.into()]);
    assert_eq!(swarm.world.rooms.notice.totals.waiting, [(AgentId::from("mo"), 1)].into());
    assert_eq!(of_dissent(swarm.does("bert", approves(&issue))), [], "it is not said again");
}

/// Control-room 2.2, 9.3.
/// Guard `advocate::call`.
#[test]
fn a_call_is_refused_where_there_is_nothing_to_challenge_or_nobody_who_may() {
    let mut swarm = Swarm::new();
    let issue = swarm.opens("The reactor", &[]);
    let assign = |issue: &IssueId, agent: Option<&str>| Assign { issue: issue.clone(), agent: agent.map(Into::into) };
    assert_eq!(swarm.fails("anna", assign(&issue, None)), "advocate.not_privileged");
    assert_eq!(swarm.fails("mo", assign(&"x".into(), None)), "advocate.unknown_issue");
    assert_eq!(swarm.fails("mo", assign(&issue, Some("anna"))), "advocate.not_able");
    assert_eq!(swarm.fails("mo", Release { issue: issue.clone() }), "advocate.not_live");
    swarm.does("mo", assign(&issue, Some("dora")));
    assert_eq!(swarm.fails("mo", assign(&issue, Some("carl"))), "advocate.live");
    let task = task_of(&swarm, &issue).label;
    let task = swarm.world.rooms.issue.by_label(task).expect("an issue").clone();
    assert_eq!(swarm.fails("mo", assign(&task, None)), "advocate.nothing_to_challenge");
    let done = swarm.opens("Done", &[]);
    swarm.does("user", Close { issue: done.clone(), reason: None });
    assert_eq!(swarm.fails("mo", assign(&done, None)), "advocate.nothing_to_challenge");
}

/// Issues about the swarm itself set off nothing further.
#[test]
fn agreement_on_a_task_calls_for_no_task() {
    let mut swarm = Swarm::new();
    let issue = swarm.raises();
    swarm.does("anna", approves(&issue));
    assert_eq!(of_dissent(swarm.does("bert", approves(&issue))), []);
}
