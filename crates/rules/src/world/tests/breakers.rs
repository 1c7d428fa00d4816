//! What breakers make of a discussion, with the freeze that follows: given / when / then over rooms.

use serde_json::json;

use super::swarm::{Swarm, comment};
use crate::domain::issue::command::{Reopen, Resolve, Unfreeze};
use crate::domain::roster::command::Add;
use annals_kernel::actor::Role;
use annals_kernel::grounding::{Impact, Stance};
use annals_kernel::id::{AgentId, IssueId};

/// Limits that only one rule reaches.
fn loose() -> Swarm {
    let mut swarm = Swarm::new();
    swarm.set("sanity.max_comments_per_agent_per_issue", 50.into());
    swarm.set("sanity.max_consecutive_same_agent_pair", 50.into());
    swarm.set("sanity.max_total_comments_per_issue", 50.into());
    swarm.set("sanity.min_turns_before_resolution", 1.into());
    swarm
}

fn resolve(issue: &IssueId) -> Resolve {
    Resolve { issue: issue.clone(), note: "Done, URGENT, CRITICAL.".into(), ..Resolve::default() }
}

/// Decision 7: the rule that asks for an end must not forbid it.
#[test]
fn a_resolution_is_stopped_by_no_breaker_once_an_agent_and_epoch() {
    let mut swarm = loose();
    swarm.set("sanity.max_comments_per_agent_per_issue", 1.into());
    swarm.set("sanity.max_total_comments_per_issue", 1.into());
    let issue = swarm.opens("The reactor", &[]);
    swarm.does("anna", comment(&issue, Stance::Neutral, None, 0, &[]));
    swarm.does("anna", resolve(&issue));
    swarm.does("user", Reopen { issue: issue.clone(), reason: None });
    assert_eq!(swarm.fails("anna", resolve(&issue)), "breakers.insufficient-substance");
    swarm.does("bert", resolve(&issue));
}

/// Decision 7.
#[test]
fn words_of_the_user_use_up_nobodys_total() {
    let mut swarm = loose();
    swarm.set("sanity.max_total_comments_per_issue", 2.into());
    let issue = swarm.opens("The reactor", &[]);
    for _ in 0..5 {
        swarm.does("user", comment(&issue, Stance::Neutral, None, 0, &[]));
    }
    swarm.does("anna", comment(&issue, Stance::Neutral, None, 0, &[]));
    swarm.does("bert", comment(&issue, Stance::Neutral, None, 0, &[]));
    assert_eq!(swarm.fails("carl", comment(&issue, Stance::Neutral, None, 0, &[])), "breakers.issue-comment-limit");
}

/// Decision 10: a turn with evidence that is new and true goes on with the work.
#[test]
fn ping_pong_does_not_count_turns_with_new_evidence() {
    let mut swarm = loose();
    swarm.set("sanity.max_consecutive_same_agent_pair", 2.into());
    let issue = swarm.opens("The reactor", &[]);
    let say = |swarm: &mut Swarm, actor: &str, path: &str, line: u32| {
        let body = comment(&issue, Stance::Neutral, None, 0, &[]).body;
        let file = json!({ "path": path, "lines": { "start": line } });
        let fields = json!({ "issue": issue, "body": body, "evidence": { "files": [file] } });
        let checked = json!({ "path": path, "exists": true, "lines_valid": true });
        let decided = swarm.asks(actor, "issues.comment.add", &fields, &json!({ "evidence": [checked] }));
        decided.refusal.map(|refusal| refusal.rule.to_string()).unwrap_or_default()
    };
    for (line, actor) in (1..).zip(["anna", "bert", "anna", "bert", "anna", "bert"]) {
        assert_eq!(say(&mut swarm, actor, &format!("src/{line}.rs"), line), "");
    }
    let same: Vec<_> = ["anna", "bert", "anna", "bert"].map(|actor| say(&mut swarm, actor, "src/1.rs", 1)).into();
    assert_eq!(same, ["", "", "", "breakers.ping-pong-detected"]);
    swarm.does("user", Unfreeze { issue: issue.clone(), guidance: "Say what is new.".into() });
    let line_by_line = (1..).zip(["anna", "bert", "anna", "bert", "anna", "bert"]);
    let rules: Vec<_> = line_by_line.map(|(line, actor)| say(&mut swarm, actor, "src/pump.rs", line)).collect();
    assert_eq!(rules, ["", "", "", "", "", "breakers.ping-pong-detected"], "two places of a file are new");
}

/// Decision 11: an issue that was opened to be cited shows nothing, until somebody else has a part in it.
#[test]
fn an_issue_of_ones_own_in_which_nobody_else_has_a_part_is_no_evidence() {
    let mut swarm = loose();
    swarm.set("sanity.auto_devils_advocate_enabled", false.into());
    let issue = swarm.opens("The reactor", &[]);
    let own = |swarm: &mut Swarm, title: &str| {
        let opened = swarm.asks("anna", "issues.issue.open", &json!({ "title": title }), &json!({}));
        IssueId::from(opened.events[0].data().value()["issue"].as_str().expect("an issue"))
    };
    let (made_up, spoken, marked) = (own(&mut swarm, "As I said"), own(&mut swarm, "Asked"), own(&mut swarm, "Used"));
    let structural = Some(Impact::Structural);
    let cites = |cited: &IssueId| comment(&issue, Stance::Neutral, structural, 0, std::slice::from_ref(cited));
    swarm.does("anna", comment(&made_up, Stance::Neutral, None, 0, &[]));
    for cited in [&made_up, &spoken, &marked] {
        assert_eq!(swarm.fails("anna", cites(cited)), "breakers.missing-evidence-for-impact");
    }
    swarm.does("bert", cites(&made_up));
    swarm.does("bert", comment(&spoken, Stance::Neutral, None, 0, &[]));
    swarm.tells("mo", "issues.issue.mark", &json!({ "issue": marked, "usefulness": "irrelevant" }));
    for (cited, refused) in [(&made_up, true), (&spoken, false), (&marked, false)] {
        let rule = swarm.fails("anna", cites(cited));
        assert_eq!(rule == "breakers.missing-evidence-for-impact", refused, "{rule}");
    }
}

/// Decision 58: rejected twice, the third freezes, and it begins anew.
#[test]
fn echo_rejects_and_the_third_in_a_thread_freezes() {
    let mut swarm = loose();
    swarm.set("sanity.echo", true.into());
    let issue = swarm.opens("The reactor", &[]);
    let again = comment(&issue, Stance::Neutral, None, 0, &[]);
    swarm.does("anna", again.clone());
    for _ in 0..2 {
        assert_eq!(swarm.fails("bert", again.clone()), "breakers.echo");
        assert!(swarm.world.rooms.issue.issue(&issue).is_some_and(|issue| issue.freeze.is_none()));
    }
    assert_eq!(swarm.fails("carl", again.clone()), "breakers.echo");
    assert!(swarm.world.rooms.issue.issue(&issue).is_some_and(|issue| issue.freeze.is_some()));
    swarm.does("user", Unfreeze { issue: issue.clone(), guidance: "Say what is new.".into() });
    swarm.does("user", again.clone());
    assert_eq!(swarm.fails("bert", again), "breakers.echo");
    assert!(swarm.world.rooms.issue.issue(&issue).is_some_and(|issue| issue.freeze.is_none()));
}

/// The issue's own text is a part of its thread.
#[test]
fn to_say_again_what_the_issue_says_is_echo() {
    let mut swarm = loose();
    swarm.set("sanity.echo", true.into());
    let text = comment(&IssueId::default(), Stance::Neutral, None, 0, &[]).body;
    let (_, rule) = swarm.tells("user", "issues.issue.open", &json!({ "title": "The reactor", "body": text }));
    assert_eq!(rule, "");
    let issue = swarm.world.rooms.issue.issues.iter().next().map(|(id, _)| id.clone()).expect("opened");
    assert_eq!(swarm.fails("anna", comment(&issue, Stance::Neutral, None, 0, &[])), "breakers.echo");
}

fn agent(id: &str, role: Role) -> Add {
    Add { agent: AgentId::from(id), name: None, role, model: None, program: None, can_be_devils_advocate: false }
}

/// Decision 60.
#[test]
fn one_agent_and_its_user_need_nobody_else_until_a_second_one_comes() {
    let mut swarm = Swarm::empty();
    swarm.does("user", agent("anna", Role::Writer));
    let issue = swarm.opens("The reactor", &[]);
    for _ in 0..2 {
        let said = swarm.does("anna", comment(&issue, Stance::Support, None, 0, &[]));
        assert!(!Swarm::names(&said).iter().any(|name| name.starts_with("advocate.")));
    }
    // The user stands for the moderator.
    let stopped =
        swarm.ask("anna", comment(&issue, Stance::Support, None, 0, &[]), &annals_kernel::json::Json::empty_object());
    assert!(Swarm::names(&stopped.events).contains(&"breakers.comment.frozen"));
    let meta = swarm.world.rooms.issue.issues.iter().find(|(_, issue)| issue.is_meta()).expect("a report");
    assert_eq!(meta.1.assignee, Some(AgentId::from("user")));

    let second = swarm.does("user", agent("bert", Role::Writer));
    assert_eq!(Swarm::names(&second), ["roster.agent.changed", "notices.notice.posted"]);
    let other = swarm.opens("The harbour", &[]);
    assert_eq!(swarm.fails("anna", comment(&other, Stance::Neutral, None, 0, &[])), "roster.no_moderator");
}

#[test]
fn whoever_says_editor_has_no_solo_mode() {
    let mut swarm = Swarm::empty();
    swarm.set("swarm.mode", "editor".into());
    swarm.does("user", agent("anna", Role::Writer));
    let issue = swarm.opens("The reactor", &[]);
    assert_eq!(swarm.fails("anna", comment(&issue, Stance::Neutral, None, 0, &[])), "roster.no_moderator");
}
