//! Given / when / then for what nobody steps around: the words of an issue, its tags, and who may change them.

use serde_json::{Value, json};

use super::swarm::{Swarm, comment};
use crate::domain::issue::Issue;
use crate::domain::issue::row::Revision;
use crate::domain::issue::status::EpistemicStatus;
use annals_kernel::grounding::Stance;
use annals_kernel::id::IssueId;

fn row<'s>(swarm: &'s Swarm, issue: &IssueId) -> &'s Issue {
    swarm.world.rooms.issue.issue(issue).expect("an issue")
}

fn tags<'s>(swarm: &'s Swarm, issue: &IssueId) -> Vec<&'s str> {
    row(swarm, issue).tags.iter().map(|tag| &**tag).collect()
}

fn edit(swarm: &mut Swarm, actor: &str, issue: &IssueId, mut fields: Value) -> (Vec<&'static str>, String) {
    fields["issue"] = json!(issue);
    swarm.tells(actor, "issues.issue.edit", &fields)
}

fn opened(swarm: &mut Swarm, actor: &str, fields: &Value) -> IssueId {
    let decided = swarm.asks(actor, "issues.issue.open", fields, &json!({}));
    assert_eq!(decided.refusal, None);
    decided.events[0].data().value()["issue"].as_str().expect("an issue").into()
}

#[test]
fn meta_is_what_rules_say_and_no_tag_that_somebody_types() {
    let mut swarm = Swarm::new();
    let issue = swarm.opens("The reactor", &[]);
    for tag in ["meta", "#meta", "＃META", " #Meta ", "#mеta", "me\u{200b}ta"] {
        let open = json!({ "title": "Quiet", "tags": [tag] });
        for actor in ["anna", "mo", "user"] {
            assert_eq!(swarm.tells(actor, "issues.issue.open", &open).1, "issues.reserved_tag", "{tag}");
            assert_eq!(edit(&mut swarm, actor, &issue, json!({ "tags": [tag] })).1, "issues.reserved_tag", "{tag}");
        }
    }
    assert!(!row(&swarm, &issue).is_meta());
    swarm.tells("mo", "advocate.assignment.assign", &json!({ "issue": issue }));
    let (id, task) = swarm.world.rooms.issue.issues.iter().find(|(_, issue)| issue.meta.is_some()).expect("a task");
    assert!(task.is_meta());
    let id = id.clone();
    assert_eq!(edit(&mut swarm, "carl", &id, json!({ "untag": ["META"] })).1, "issues.reserved_tag");
}

#[test]
fn title_and_text_are_edited_by_the_author_or_a_lead() {
    let mut swarm = Swarm::new();
    let issue = opened(&mut swarm, "anna", &json!({ "title": "The reactor", "body": "It leaks." }));
    for fields in [json!({ "title": "The pump" }), json!({ "body": "It holds." })] {
        assert_eq!(edit(&mut swarm, "bert", &issue, fields).1, "issues.not_privileged");
    }
    assert_eq!(edit(&mut swarm, "bert", &issue, json!({ "priority": "high", "tags": ["pump"] })).1, "");
    assert!(row(&swarm, &issue).revisions.is_empty(), "that changes no words");
    let text = row(&swarm, &issue).text;
    assert_eq!(edit(&mut swarm, "anna", &issue, json!({ "title": "The pump", "body": "It holds." })).1, "");
    assert_eq!(edit(&mut swarm, "mo", &issue, json!({ "title": "The old pump" })).1, "");
    let shown = |revision: &Revision| (revision.by.to_string(), revision.title_was.clone(), revision.text_was);
    let revisions: Vec<_> = row(&swarm, &issue).revisions.iter().map(shown).collect();
    assert_eq!(
        revisions,
        [("anna".into(), Some("The reactor".into()), Some(text)), ("mo".into(), Some("The pump".into()), None)]
    );
}

/// Control-room 6.1: what was agreed on were the words that it had.
#[test]
fn other_words_are_not_agreed_on() {
    let mut swarm = Swarm::new();
    swarm.set("sanity.auto_devils_advocate_enabled", false.into());
    let issue = opened(&mut swarm, "anna", &json!({ "title": "The reactor" }));
    for agent in ["bert", "carl"] {
        swarm.does(agent, comment(&issue, Stance::Support, None, 0, &[]));
    }
    assert_eq!(row(&swarm, &issue).epistemic, EpistemicStatus::Agreed);
    let (events, _) = edit(&mut swarm, "anna", &issue, json!({ "tags": ["pump"] }));
    assert_eq!(events, ["issues.issue.edited"]);
    let (events, _) = edit(&mut swarm, "anna", &issue, json!({ "title": "The reactor is sold" }));
    assert_eq!(events, ["issues.issue.edited", "issues.epistemic.changed"]);
    assert_eq!(row(&swarm, &issue).epistemic, EpistemicStatus::Tentative);
    assert!(row(&swarm, &issue).voters().0.is_empty(), "support was for other words");
    swarm.does("dora", comment(&issue, Stance::Neutral, None, 0, &[]));
    assert_eq!(row(&swarm, &issue).epistemic, EpistemicStatus::Tentative, "a neutral word brings nothing back");
    swarm.does("dora", comment(&issue, Stance::Oppose, None, 0, &[]));
    edit(&mut swarm, "anna", &issue, json!({ "title": "The reactor is not sold" }));
    assert_eq!(row(&swarm, &issue).voters().1.len(), 1, "opposition stays until it is taken back");
}

/// Control-room 9.3.
#[test]
fn a_frozen_tag_is_frozen_in_all_letters() {
    let mut swarm = Swarm::new();
    let freeze = |tag: &str| json!({ "tag": tag, "reason": "enough" });
    assert_eq!(swarm.tells("mo", "moderation.tag.freeze", &freeze("Pacing")).1, "");
    assert_eq!(swarm.tells("mo", "moderation.tag.freeze", &freeze("#PACING")).1, "moderation.nothing_to_change");
    for tag in ["Pacing", "pacing", "＃ｐacing", "#рacing", " pacing", "pa\u{ad}cing"] {
        let open = json!({ "title": "Again", "tags": [tag] });
        assert_eq!(swarm.tells("anna", "issues.issue.open", &open).1, "moderation.tag_frozen", "{tag}");
    }
    assert_eq!(swarm.tells("mo", "moderation.tag.unfreeze", &json!({ "tag": "pacing" })).1, "");
    assert!(swarm.world.rooms.moderation.frozen_tags.is_empty());
}

/// Control-room 8.1: a topic is one, whatever letters it is typed in.
#[test]
fn a_tag_is_shown_as_it_was_typed_first() {
    let mut swarm = Swarm::new();
    let first = opened(&mut swarm, "anna", &json!({ "title": "One", "tags": ["Pacing"] }));
    let second = opened(&mut swarm, "anna", &json!({ "title": "Two", "tags": ["＃PACING", "#new"] }));
    let third = opened(&mut swarm, "anna", &json!({ "title": "Three" }));
    edit(&mut swarm, "anna", &third, json!({ "tags": ["pаcing"] }));
    assert_eq!([tags(&swarm, &first), tags(&swarm, &third)], [["#Pacing"], ["#Pacing"]]);
    assert_eq!(tags(&swarm, &second), ["#Pacing", "#new"]);
    let counted = |swarm: &Swarm| swarm.world.rooms.topic.topic("#Pacing").map(|topic| topic.issues);
    assert_eq!(counted(&swarm), Some(3));
    assert_eq!(edit(&mut swarm, "anna", &second, json!({ "tags": ["pacing"] })).1, "issues.nothing_to_change");
    assert_eq!(edit(&mut swarm, "anna", &second, json!({ "untag": ["pacing"] })).1, "");
    assert_eq!((tags(&swarm, &second), counted(&swarm)), (vec!["#new"], Some(2)));
}

/// Control-room 3.2: words of alarm are words of alarm in titles and texts, too.
#[test]
fn title_and_text_pass_the_rules_of_words() {
    const ALARM: &str = "breakers.escalation-language";
    let mut swarm = Swarm::new();
    let mantra = "We agree on it. ".repeat(20);
    for (title, body, expected) in [
        ("The pump", "", ""),
        ("The pump", "It leaks at the second valve.", ""),
        ("An URGENT disaster", "", ALARM),
        ("An urgent matter", "This is a catastrophic emergency.", ALARM),
        ("The pump", &mantra, "breakers.low-vocabulary"),
    ] {
        let open = json!({ "title": title, "body": body });
        assert_eq!(swarm.tells("anna", "issues.issue.open", &open).1, expected, "{title} {body}");
        assert_eq!(swarm.tells("user", "issues.issue.open", &open).1, "", "the user is exempt");
    }
    let issue = opened(&mut swarm, "anna", &json!({ "title": "The valve" }));
    let (events, rule) = edit(&mut swarm, "anna", &issue, json!({ "title": "URGENT: a vital disaster" }));
    assert_eq!((events[0], &*rule), ("breakers.text.rejected", ALARM));
    assert_eq!(events, ["breakers.text.rejected", "credits.credit.awarded"], "there is nothing to freeze");
    assert_eq!(&*row(&swarm, &issue).title, "The valve");
}
