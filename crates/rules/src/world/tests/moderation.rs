//! Given / when / then for what the moderator does.

use serde_json::{Value, json};

use super::swarm::{Swarm, comment};
use crate::domain::issue::meta::Meta;
use crate::domain::issue::status::{EpistemicStatus, IssueStatus, LinkKind};
use crate::domain::moderation::state::{Freedom, Profile, Retention};
use crate::domain::notice::{Matter, NoticeLevel};
use annals_kernel::actor::Role;
use annals_kernel::grounding::{Impact, Stance};
use annals_kernel::id::{AgentId, EntryId, IssueId};
use annals_kernel::json::Json;

/// Control-room 9.3: freeze-tag.
/// Guard `moderation::frozen_tag`.
#[test]
fn a_frozen_tag_takes_no_new_issues_of_agents() {
    let mut swarm = Swarm::new();
    let freeze = json!({ "tag": "pacing", "reason": "three circles" });
    assert_eq!(swarm.tells("mo", "moderation.tag.freeze", &freeze).0, ["moderation.tag.frozen"]);
    assert_eq!(swarm.tells("mo", "moderation.tag.freeze", &freeze).1, "moderation.nothing_to_change");
    let open = json!({ "title": "Again", "tags": ["#pacing"] });
    assert_eq!(swarm.tells("anna", "issues.issue.open", &open).1, "moderation.tag_frozen");
    let issue = swarm.opens("By the user", &["pacing"]);
    let other = swarm.opens("Other", &[]);
    let edit = |issue: &IssueId| json!({ "issue": issue, "tags": ["pacing"] });
    assert_eq!(swarm.tells("anna", "issues.issue.edit", &edit(&other)).1, "moderation.tag_frozen");
    swarm.does("anna", comment(&issue, Stance::Neutral, None, 0, &[]));
    assert_eq!(swarm.tells("mo", "moderation.tag.unfreeze", &json!({ "tag": "#pacing" })).1, "");
    assert_eq!(swarm.tells("anna", "issues.issue.open", &open).1, "");
    assert_eq!(
        swarm.tells("mo", "moderation.tag.unfreeze", &json!({ "tag": "pacing" })).1,
        "moderation.nothing_to_change"
    );
    let refusals = [("", "why"), ("two words", "why")].map(|(tag, reason)| json!({ "tag": tag, "reason": reason }));
    for freeze in refusals {
        assert_eq!(swarm.tells("mo", "moderation.tag.freeze", &freeze).1, "moderation.bad_tag");
    }
    assert_eq!(
        swarm.tells("mo", "moderation.tag.freeze", &json!({ "tag": "a", "reason": " " })).1,
        "moderation.no_text"
    );
}

/// Control-room 9.3: escalate-to-user.
/// Policy `moderation::escalate`.
#[test]
fn an_escalation_is_a_notice_to_the_user() {
    let mut swarm = Swarm::new();
    let issue = swarm.opens("The reactor", &[]);
    let escalate = json!({ "issue": issue, "summary": "two canons, one must go" });
    let happened = swarm.tells("mo", "moderation.issue.escalate", &escalate).0;
    assert_eq!(happened, ["moderation.issue.escalated", "notices.notice.posted"]);
    let notice = swarm.world.rooms.notice.notices.iter().next().expect("a notice").1.posted.clone();
    let matter = Matter::Escalation { summary: "two canons, one must go".into() };
    assert_eq!((notice.to.as_str(), notice.level, notice.matter), ("user", NoticeLevel::Critical, Some(matter)));
    let unknown = json!({ "issue": "x", "summary": "?" });
    assert_eq!(swarm.tells("mo", "moderation.issue.escalate", &unknown).1, "moderation.unknown_issue");
    let silent = json!({ "issue": issue, "summary": "" });
    assert_eq!(swarm.tells("mo", "moderation.issue.escalate", &silent).1, "moderation.no_text");
    assert_eq!(swarm.tells("anna", "moderation.issue.escalate", &escalate).1, "moderation.not_privileged");
}

/// Control-room 9.3: consolidate-issues.
/// Policy `moderation::consolidate`.
#[test]
fn issues_that_are_joined_are_closed_parts_of_a_new_draft() {
    let mut swarm = Swarm::new();
    let parts = [swarm.opens("One", &["pacing"]), swarm.opens("Two", &["tone"])];
    let join = json!({ "issues": parts, "title": "Both", "body": "Decide once." });
    assert_eq!(swarm.tells("mo", "moderation.issue.consolidate", &join).1, "");
    let rooms = &swarm.world.rooms;
    let (id, new) = rooms.issue.issues.iter().last().expect("an issue");
    let tags: Vec<_> = new.tags.iter().map(AsRef::as_ref).collect();
    assert_eq!((&*new.title, tags, new.epistemic), ("Both", vec!["#pacing", "#tone"], EpistemicStatus::Draft));
    assert_eq!(new.meta, Some(Meta::Joined { from: parts.clone().into(), body: "Decide once.".into() }));
    for part in &parts {
        let part = rooms.issue.issue(part).expect("an issue");
        assert_eq!((part.status, &part.links), (IssueStatus::Closed, &[(LinkKind::Parent, id.clone())].into()));
    }
    let (one, two) = (&parts[0], swarm.opens("Three", &[]));
    for (issues, title, rule) in [
        (json!([two]), "Both", "moderation.not_several"),
        (json!([two, one]), "Both", "moderation.issue_ended"),
        (json!([two, "x"]), "Both", "moderation.unknown_issue"),
    ] {
        let join = json!({ "issues": issues, "title": title });
        assert_eq!(swarm.tells("mo", "moderation.issue.consolidate", &join).1, rule);
    }
    let four = swarm.opens("Four", &[]);
    let join = json!({ "issues": [two, four], "title": "a\nb" });
    assert_eq!(swarm.tells("mo", "moderation.issue.consolidate", &join).1, "moderation.bad_title");
}

fn adjust(agent: &str, freedom: &str) -> Value {
    json!({ "agent": agent, "freedom": freedom })
}

/// Control-room 8.2, 9.3: adjust-agent-freedom.
#[test]
fn freedom_decides_what_an_agent_may_decide_alone() {
    let mut swarm = Swarm::new();
    swarm.set("sanity.min_turns_before_resolution", 1.into());
    let open = |swarm: &mut Swarm, impact: &str| {
        let fields = json!({ "title": "A change", "impact": impact });
        let decided = swarm.asks("user", "issues.issue.open", &fields, &json!({}));
        let data: Value = decided.events[0].data().read().expect("JSON");
        IssueId::from(data["issue"].as_str().expect("an id"))
    };
    let resolve = |swarm: &mut Swarm, issue: &IssueId| {
        swarm.tells("anna", "issues.issue.resolve", &json!({ "issue": issue, "note": "done" })).1
    };
    let (minor, structural, plain) = (open(&mut swarm, "minor"), open(&mut swarm, "structural"), swarm.opens("x", &[]));
    assert_eq!(resolve(&mut swarm, &minor), "moderation.not_alone");
    swarm.tells("mo", "moderation.agent.adjust", &adjust("anna", "restricted"));
    assert_eq!(resolve(&mut swarm, &plain), "moderation.restricted");
    swarm.tells("mo", "moderation.agent.adjust", &adjust("anna", "trusted"));
    assert_eq!(resolve(&mut swarm, &structural), "moderation.not_alone");
    assert_eq!(resolve(&mut swarm, &minor), "");
    swarm.does("bert", comment(&structural, Stance::Support, None, 2, &[]));
    assert_eq!(resolve(&mut swarm, &structural), "");
    assert_eq!(resolve(&mut swarm, &plain), "");
    assert_eq!(swarm.world.rooms.moderation.freedom, [(AgentId::from("anna"), Freedom::Trusted)].into());
}

/// Guard `moderation::known`.
#[test]
fn nobody_sets_its_own_freedom_or_that_of_strangers() {
    let mut swarm = Swarm::new();
    for (actor, fields, rule) in [
        ("mo", adjust("mo", "trusted"), "moderation.own_freedom"),
        ("mo", adjust("nobody", "trusted"), "moderation.unknown_agent"),
        ("mo", adjust("anna", "normal"), "moderation.nothing_to_change"),
        ("anna", adjust("bert", "trusted"), "moderation.not_privileged"),
    ] {
        assert_eq!(swarm.tells(actor, "moderation.agent.adjust", &fields).1, rule);
    }
}

/// Control-room 2.4.
/// Policies `moderation::assist` and `moderation::unassist`.
#[test]
fn an_agent_that_is_stopped_again_and_again_works_in_smaller_portions_for_a_while() {
    let mut swarm = Swarm::new();
    swarm.set("sanity.max_comments_per_agent_per_issue", 9.into());
    let issue = swarm.opens("The reactor", &[]);
    let short = json!({ "issue": issue, "body": "Yes!" });
    for _ in 0..2 {
        assert_eq!(
            swarm.tells("anna", "issues.comment.add", &short).0,
            ["breakers.comment.rejected", "credits.credit.awarded"]
        );
    }
    let third = swarm.tells("anna", "issues.comment.add", &short).0;
    assert_eq!(third, ["breakers.comment.rejected", "credits.credit.awarded", "moderation.assist.begun"]);
    let good = comment(&issue, Stance::Neutral, None, 0, &[]);
    swarm.does("anna", good.clone());
    swarm.does("anna", good.clone());
    let events = swarm.does("anna", good);
    assert_eq!(Swarm::names(&events).last(), Some(&"moderation.assist.ended"));
    assert!(swarm.world.rooms.moderation.assisted.is_empty());
}

/// Control-room 2.4.
#[test]
fn the_assistant_cuts_the_tasks_of_others() {
    let mut swarm = Swarm::new();
    swarm.tells("user", "roster.agent.add", &json!({ "agent": "lena", "role": "assistant" }));
    let assist = json!({ "agent": "anna", "reason": "one scene at a time" });
    assert_eq!(swarm.tells("anna", "moderation.assist.begin", &assist).1, "moderation.not_privileged");
    assert_eq!(swarm.tells("lena", "moderation.assist.begin", &assist).0, ["moderation.assist.begun"]);
    assert_eq!(swarm.tells("lena", "moderation.assist.begin", &assist).1, "moderation.nothing_to_change");
    let odd = json!({ "agent": "anna", "reason": "x", "slices": 1 });
    assert_eq!(swarm.tells("lena", "moderation.assist.begin", &odd).1, "moderation.bad_slices");
    assert_eq!(swarm.world.rooms.moderation.assisted[&AgentId::from("anna")].slices, 5);
    let end = json!({ "agent": "anna" });
    assert_eq!(swarm.tells("lena", "moderation.assist.end", &end).0, ["moderation.assist.ended"]);
    assert_eq!(swarm.tells("lena", "moderation.assist.end", &end).1, "moderation.nothing_to_change");
    assert_eq!(
        swarm.tells("lena", "moderation.tag.freeze", &json!({ "tag": "a", "reason": "b" })).1,
        "moderation.not_privileged"
    );
}

/// Control-room 2.2.
#[test]
fn agents_of_a_role_remember_as_it_was_set() {
    let mut swarm = Swarm::new();
    let moderator = swarm.world.rooms.moderation.profile_of(&Role::Moderator);
    assert_eq!((moderator.retention, moderator.max_interest, moderator.can_pin_issues), (Retention::Strong, 5, true));
    let profile = json!({ "retention": "weak", "focus_tags": ["tone"], "max_interest": 2, "can_pin_issues": false });
    let remember = json!({ "role": "critic", "profile": profile });
    assert_eq!(swarm.tells("user", "moderation.profile.change", &remember).1, "");
    assert_eq!(swarm.tells("user", "moderation.profile.change", &remember).1, "moderation.nothing_to_change");
    let focus_tags = ["#tone".into()].into();
    let expected = Profile { retention: Retention::Weak, focus_tags, max_interest: 2, can_pin_issues: false };
    assert_eq!(swarm.world.rooms.moderation.profile_of(&Role::Critic), expected);
    let bad =
        json!({ "role": "critic", "profile": { "retention": "weak", "max_interest": 6, "can_pin_issues": false } });
    assert_eq!(swarm.tells("user", "moderation.profile.change", &bad).1, "moderation.bad_interest");
}

/// What is contested is not decided by whoever comes first, whatever impact is claimed.
#[test]
fn where_opposition_is_as_strong_only_the_user_or_a_lead_resolves() {
    let lead = |swarm: &mut Swarm| {
        let add = json!({ "agent": "lea", "role": "team-lead" });
        assert_eq!(swarm.tells("user", "roster.agent.add", &add).1, "");
    };
    for (support, oppose, contested) in [
        (&["carl"][..], &["dora"][..], true),
        (&["carl"], &["dora", "bert"], true),
        (&[], &["dora"], true),
        (&["carl", "bert"], &["dora"], false),
        (&["carl", "bert"], &["user"], true),
    ] {
        for impact in [None, Some(Impact::Minor)] {
            let mut swarm = Swarm::new();
            lead(&mut swarm);
            let issue = swarm.opens("The reactor", &[]);
            for (voices, stance) in [(support, Stance::Support), (oppose, Stance::Oppose)] {
                for voice in voices {
                    swarm.does(voice, comment(&issue, stance, impact, 1, &[]));
                }
            }
            swarm.does("erik", comment(&issue, Stance::Neutral, None, 1, &[]));
            let resolve = json!({ "issue": issue, "note": "We keep the log, and change the chapter with one line." });
            let rule = if contested { "moderation.contested" } else { "" };
            if contested {
                let forced = json!({ "issue": issue, "note": "So be it.", "force": "I say so" });
                assert_eq!(swarm.tells("mo", "issues.issue.resolve", &forced).1, rule, "{support:?} {oppose:?}");
            }
            let mut other = Swarm { world: swarm.world.clone(), settings: swarm.settings.clone(), at: swarm.at };
            assert_eq!(other.tells("erik", "issues.issue.resolve", &resolve).1, rule, "{support:?} {oppose:?}");
            assert_eq!(swarm.tells("lea", "issues.issue.resolve", &resolve).1, "", "{support:?} {oppose:?}");
        }
    }
}

/// Control-room 3.3: the report says who, and by which text.
#[test]
fn a_freeze_report_names_who_and_what_tripped_it() {
    let mut swarm = Swarm::new();
    let issue = swarm.opens("The reactor", &[]);
    for agent in ["anna", "bert", "anna"] {
        swarm.does(agent, comment(&issue, Stance::Neutral, None, 0, &[]));
    }
    let decided = swarm.ask("bert", comment(&issue, Stance::Neutral, None, 0, &[]), &Json::empty_object());
    assert!(decided.refusal.is_some());
    let id = EntryId::new(swarm.at, 7);
    let issues = &swarm.world.rooms.issue.issues;
    let meta = issues.iter().find_map(|(_, issue)| issue.meta.clone()).expect("a report");
    let Meta::Freeze { by, stopped, .. } = meta else { panic!("{meta:?}") };
    assert_eq!((by, stopped), (Some("bert".into()), Some(id)));
}
