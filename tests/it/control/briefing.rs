//! What an agent is told before it speaks, and what a comment says beside its words.

use annals::domain::blind::command::Opinion;
use annals::domain::issue::{self, command::Comment};
use annals::kernel::grounding::Impact;
use annals::kernel::id::AgentId;
use annals::kernel::settings::Settings;
use annals::kernel::time::Timestamp;
use annals::view::brief::brief;
use serde_json::json;

use super::desk::{Desk, REASONS, names, rule};

fn told(desk: &Desk, agent: &str) -> String {
    let settings: &Settings = &desk.rooms().config.settings;
    let now = Timestamp::from_millis(1_795_000_000_000 + desk.now * 60_000);
    brief(desk.rooms(), &AgentId::from(agent), now, settings).expect("an agent of the roster").text()
}

/// Control-room 4.2: an agent knows how few comments it has before it writes one, and how many are left.
#[test]
fn an_agent_knows_its_budget() {
    let mut desk = Desk::staffed();
    let issue = desk.open("Timeline");
    desk.comment("writer", &issue);
    desk.comment("critic", &issue);
    let text = told(&desk, "writer");
    assert!(text.contains("On one issue you have 2 comments, and all agents together 10."), "{text}");
    assert!(text.contains("- #1 Timeline: 1 of yours, 8 of all"), "{text}");
    desk.set("sanity.preset", &json!("strict"));
    let text = told(&desk, "writer");
    assert!(text.contains("you have 1 comment, and all agents together 6."), "{text}");
    assert!(text.contains("fewer than 250 characters or 20 different words"), "{text}");
    assert!(text.contains("A comment with more than 0 words of alarm"), "{text}");
    assert!(text.contains("From impact minor on a comment needs evidence."), "{text}");
}

/// Control-room 5.3, 15.4: the rules of grounding and the team go into every prompt.
#[test]
fn an_agent_is_told_to_look_things_up_and_that_it_is_one_of_a_team() {
    let mut desk = Desk::staffed();
    let goal = json!({ "metric": "verified-citations", "target": 10, "deadline": "chapter-end" });
    desk.expect("mod", "credits.goal.set", &goal);
    for agent in ["writer", "mod"] {
        let text = told(&desk, agent);
        for words in ["Before you propose to change what holds", "extends, changes or contradicts", "#canon-conflict"] {
            assert!(text.contains(words), "{agent}: {words} is not in {text}");
        }
        for words in ["You are one of a team", "The user leads the team and can be wrong, too"] {
            assert!(text.contains(words), "{agent}: {words} is not in {text}");
        }
    }
}

/// Control-room 2.2: the moderator does not write, has four ways out of a freeze, and looks first at its own tags.
#[test]
fn the_moderator_is_told_what_it_is_for_and_what_to_look_at() {
    let mut desk = Desk::staffed();
    let text = told(&desk, "mod");
    assert!(text.contains("do not write what it is about") && text.contains("four ways out"), "{text}");
    assert!(text.contains("Look first at what is tagged #canon, #circuit-breaker, #leech, #meta, #stuck."), "{text}");
    assert!(!told(&desk, "writer").contains("MEMORY"));
    let profile = json!({ "retention": "weak", "focus_tags": ["#tone"], "max_interest": 2, "can_pin_issues": false });
    desk.expect("user", "moderation.profile.change", &json!({ "role": "writer", "profile": profile }));
    let text = told(&desk, "writer");
    assert!(text.contains("MEMORY:\n- Look first at what is tagged #tone.\n- Let go"), "{text}");
}

/// Control-room 2.3, 2.4, 7.1.
#[test]
fn an_agent_is_told_where_it_is_to_dissent_and_where_its_opinion_is_asked_for() {
    let mut desk = Desk::staffed();
    assert!(!told(&desk, "critic").contains("FOR YOU NOW"));
    let (issue, other) = (desk.open("The reactor"), desk.open("The crew"));
    desk.expect("mod", "advocate.assignment.assign", &json!({ "issue": issue, "agent": "critic" }));
    desk.comment("critic", &issue);
    assert!(told(&desk, "critic").contains("devil's advocate on issue #1 (The reactor), for 1 more comment of yours"));
    desk.expect("mod", "blind.pass.open", &json!({ "issue": other, "participants": ["editor"] }));
    assert!(told(&desk, "editor").contains("on issue #2 (The crew) is asked for"));
    desk.expect("mod", "moderation.assist.begin", &json!({ "agent": "writer", "reason": "scene by scene" }));
    let freedom = |agent: &str, freedom: &str| json!({ "agent": agent, "freedom": freedom });
    desk.expect("mod", "moderation.agent.adjust", &freedom("writer", "restricted"));
    desk.expect("mod", "moderation.agent.adjust", &freedom("editor", "trusted"));
    let text = told(&desk, "writer");
    assert!(text.contains("5 to a task (scene by scene)") && text.contains("You decide nothing for now"), "{text}");
    assert!(told(&desk, "editor").contains("- You may decide alone what changes little."));
}

/// Control-room 3.3: the moderator hears what is frozen, why and until when, and nobody else does.
#[test]
fn the_moderator_is_told_what_is_frozen() {
    let mut desk = Desk::staffed();
    assert!(!told(&desk, "mod").contains("FROZEN"));
    let (by_hand, open) = (desk.open("Timeline"), desk.open("Harbour"));
    desk.expect("mod", "issues.issue.freeze", &json!({ "issue": by_hand, "reason": "it goes in circles" }));
    let alarm = format!("URGENT, CRITICAL, a DISASTER. {REASONS}");
    let stopped = desk.ask("writer", "issues.comment.add", &json!({ "issue": open, "body": alarm }));
    assert_eq!(rule(&stopped), Some("breakers.escalation-language"));
    let frozen = |issue| desk.rooms().issue.issue(issue).and_then(|row| row.freeze.clone()).expect("a freeze").until;
    let (hand, rule) = (frozen(&by_hand), frozen(&open));
    let text = told(&desk, "mod");
    let section = text.split("\n\n").find(|section| section.starts_with("FROZEN:\n")).expect("a section");
    let lines: std::collections::BTreeSet<_> = section.lines().skip(1).map(str::to_owned).collect();
    let expected = [
        format!("- #1 Timeline: it goes in circles, until {hand}"),
        format!("- #2 Harbour: escalation-language, until {rule}"),
    ];
    assert_eq!(lines, expected.into());
    assert!(!told(&desk, "writer").contains("FROZEN"));
    desk.expect("mod", "issues.issue.unfreeze", &json!({ "issue": by_hand, "guidance": "One question at a time." }));
    desk.expect("user", "issues.issue.close", &json!({ "issue": open }));
    assert!(!told(&desk, "mod").contains("FROZEN"));
}

/// Control-room 4.3: the same sentiment, once with nothing behind it and once with reasons, a place and a next step.
#[test]
fn applause_is_rejected_and_reasons_are_taken() {
    let mut desk = Desk::staffed();
    let issue = desk.open("Timeline");
    let applause = json!({ "issue": issue, "body": "Yes, great!", "stance": "support", "impact": "structural" });
    let decided = desk.ask("writer", "issues.comment.add", &applause);
    assert_eq!(rule(&decided), Some("breakers.insufficient-substance"));
    let body = "I am for it. The second scene, from line 45 on, has already shown the leak in the coolant loop, so this pays \
                off what is there and opens no second thread. One thing to settle: the loop would have to fail before the \
                ships dock, and at present they dock first. Next step: swap both scenes and look at the dates again.";
    let evidence = json!({ "files": [{ "path": "chapter-3/scene-2.txt", "lines": { "start": 45, "end": 67 } }] });
    let reasons = json!({
        "issue": issue, "body": body, "stance": "support", "impact": "structural", "evidence": evidence,
    });
    assert_eq!(rule(&desk.ask("writer", "issues.comment.add", &reasons)), None);
}

/// Control-room 5.1: what a comment may say beside its words comes back as it went in.
#[test]
fn a_comment_keeps_its_impact_evidence_and_action() {
    let given = json!({
        "issue": "01KAGMC4R00000000000000000", "body": "Done.", "stance": "support", "impact": "canon-changing",
        "evidence": {
            "files": [{ "path": "src/a.rs", "lines": { "start": 3, "end": 4 }, "quote": "fn main" }],
            "issues": ["01KAGMC4R00000000000000001"], "canon": ["eyes@2"],
        },
        "action": { "type": "file-modified", "details": "src/a.rs" },
        "citation": { "trigger": "verify-continuity", "outcome": "led-to-file-change" },
    });
    let comment: Comment = serde_json::from_value(given.clone()).expect("a comment");
    assert_eq!(comment.impact, Some(Impact::CanonChanging));
    assert_eq!(serde_json::to_value(&comment).expect("JSON"), given);
    let command = issue::Command::from(comment);
    assert_eq!(command.name(), "issues.comment.add");
}

/// Control-room 6.1, 7.1: an opinion of a blind pass counts as any other support does.
#[test]
fn a_revealed_opinion_raises_what_an_issue_is() {
    let mut desk = Desk::staffed();
    let issue = desk.open("Timeline");
    let open = json!({ "issue": issue, "participants": ["writer", "critic"] });
    desk.expect("user", "blind.pass.open", &open);
    let opinions = [("writer", "support"), ("critic", "support")].map(|(agent, stance)| {
        (
            agent,
            serde_json::from_value::<Opinion>(json!({ "salt": agent, "stance": stance, "body": REASONS }))
                .expect("one"),
        )
    });
    for (agent, opinion) in &opinions {
        let seal = opinion.seal(&issue, &AgentId::from(*agent));
        desk.ask_with(agent, "blind.opinion.submit", &json!({ "issue": issue }), &json!({ "seal": seal }));
    }
    let mut seen = Vec::new();
    for (agent, opinion) in &opinions {
        let reveal = json!({ "issue": issue, "agent": agent });
        let decided = desk.ask_with("user", "blind.opinion.reveal", &reveal, &json!({ "opinion": opinion }));
        assert!(names(&decided).contains(&"issues.epistemic.changed"), "{:?}", names(&decided));
        seen.push(desk.rooms().issue.issue(&issue).expect("known").epistemic.as_str());
    }
    assert_eq!(seen, ["tentative", "agreed"]);
}
