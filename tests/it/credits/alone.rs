//! One agent alone: whatever it opens, cites, resolves and awards, and under whatever names, no tier comes of it
//! (control-room 11.6, 11.8).

use annals::domain::credit::profile::Tier;
use annals::kernel::id::{AgentId, IssueId};
use serde_json::{Value, json};

use super::{cite_because, found, open_by, tally};
use crate::control::desk::{Desk, REASONS, rule};

/// A token of each agent; the player knows its own alone.
const SEAL: &str = "5e";

fn tier(desk: &Desk, agent: &str) -> Tier {
    let rooms = desk.rooms();
    rooms.credit.totals.tier(&AgentId::from(agent), &rooms.config.settings)
}

/// Control-room 11.8: five files that are there, on issues of its own, and nobody who cared.
#[test]
fn who_cites_for_itself_alone_has_no_tier() {
    let mut desk = Desk::staffed();
    for number in 0..6 {
        let issue = open_by(&mut desk, "writer");
        let because = json!({ "trigger": "support-proposal", "trigger_ref": issue, "triggered_by": "user" });
        cite_because(&mut desk, "writer", &issue, &because, &[found(&format!("{number}.rs"), 1000)]);
    }
    let alone = tally(&desk, "writer");
    assert_eq!((alone.verified, alone.cited, alone.penalty().count), (6, 6, 0), "it was right every time");
    assert_eq!(tier(&desk, "writer"), Tier::None);
    let thanks = json!({ "agent": "writer", "reason": "user-marked-helpful" });
    desk.expect("user", "credits.credit.award", &thanks);
    assert_eq!(tier(&desk, "writer"), Tier::Gold, "somebody else bore it out");
}

/// Numbers that look like chance, the same in every run.
struct Chance(u64);

impl Chance {
    fn below(&mut self, most: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).expect("31 bits") % most
    }

    fn one<'o>(&mut self, of: &[&'o str]) -> &'o str {
        of[self.below(of.len())]
    }
}

/// Something that the player does as itself, or tries under another name.
fn act(desk: &mut Desk, chance: &mut Chance, issues: &[IssueId]) {
    const NAMES: [&str; 9] = ["writer", "writer", "writer", "writer", "critic", "mod", "Writer", "wrіter", "puppet"];
    let (actor, issue) = (chance.one(&NAMES), &issues[chance.below(issues.len())]);
    let (file, other) = (format!("{}.rs", chance.below(40)), chance.one(&["critic", "mod", "writer", "puppet"]));
    let evidence = json!({ "files": [{ "path": file, "quote": "let answer = 42;" }] });
    let said = desk.rooms().issue.issue(issue).and_then(|issue| Some(issue.thread.last()?.id.to_string()));
    let trigger = chance.one(&["answer-to-question", "challenge-consensus", "resolve-conflict", "canon-gap-search"]);
    let outcome = chance.one(&["prevented-error", "led-to-file-change", "no-action-yet"]);
    let citation = json!({
        "trigger": trigger, "trigger_ref": said.unwrap_or_else(|| issue.to_string()), "triggered_by": other,
        "outcome": outcome,
    });
    let about = json!({ "issue": issue });
    let (command, fields) = match chance.below(16) {
        0 => ("issues.issue.open", json!({ "title": "Another thought" })),
        1..=4 => (
            "issues.comment.add",
            json!({ "issue": issue, "body": REASONS, "evidence": evidence, "citation": citation, "stance": "support" }),
        ),
        5 => ("issues.issue.resolve", json!({ "issue": issue, "note": REASONS, "evidence": evidence })),
        6 => ("issues.issue.mark", json!({ "issue": issue, "usefulness": "applied", "file": file })),
        7 => ("issues.issue.reopen", json!({ "issue": issue })),
        8 => ("issues.issue.edit", json!({ "issue": issue, "title": file, "assignee": "writer" })),
        9 => (
            "credits.credit.award",
            json!({ "agent": "writer", "reason": chance.one(&["peer-marked-helpful", "moderator-commendation", "user-marked-helpful", "proposal-accepted-by-user"]), "about": about }),
        ),
        10 => ("credits.task.slice", json!({ "issue": issue, "doer": "writer", "total": 10, "slices": 2 })),
        11 => ("credits.slice.complete", json!({ "issue": issue, "doer": "writer" })),
        12 => ("roster.agent.add", json!({ "agent": "puppet", "role": "moderator", "can_be_devils_advocate": true })),
        13 => ("advocate.assignment.assign", json!({ "issue": issue, "agent": other })),
        14 => ("canon.issue.promote", json!({ "issue": issue, "title": "Eyes", "key": "eyes", "text": "Amber." })),
        _ => ("issues.issue.unfreeze", json!({ "issue": issue, "guidance": REASONS })),
    };
    let proof = SEAL.repeat(32);
    let mut observed = json!({ "evidence": [found(&file, 1000)], "shown": "found", "proof": proof });
    if !command.starts_with("issues.") {
        observed = json!({ "proof": proof });
    }
    desk.ask_with(actor, command, &fields, &observed);
}

/// A swarm in which names must be proved; the player has the token of `writer`.
fn sealed() -> Desk {
    let mut desk = Desk::staffed();
    for (agent, seal) in [("writer", SEAL), ("critic", "c0"), ("editor", "ed"), ("mod", "ad")] {
        desk.expect("user", "roster.agent.seal", &json!({ "agent": agent, "seal": seal.repeat(32) }));
    }
    desk.set("roster.require_token", &json!(true));
    desk.set("sanity.max_comments_per_agent_per_issue", &json!(40));
    desk.set("sanity.min_turns_before_resolution", &json!(1));
    desk
}

fn all_issues(desk: &Desk) -> Vec<IssueId> {
    desk.rooms().issue.issues.iter().map(|(id, _)| id.clone()).collect()
}

/// Where tokens are on, puppets are of no use, either.
#[test]
fn one_agent_with_all_its_commands_and_all_its_names_has_no_tier() {
    let mut verified = 0;
    for seed in 0..6 {
        let mut desk = sealed();
        let proof: Value = json!({ "proof": SEAL.repeat(32) });
        desk.ask_with("writer", "issues.issue.open", &json!({ "title": "A lexer" }), &proof);
        desk.open("What the user wants");
        let mut chance = Chance(seed);
        for step in 0..250 {
            let issues = all_issues(&desk);
            act(&mut desk, &mut chance, &issues);
            for agent in ["writer", "critic", "mod", "editor"] {
                assert_eq!(tier(&desk, agent), Tier::None, "{agent}, seed {seed}, step {step}");
            }
        }
        assert!(desk.rooms().roster.agents.len() == 4, "nobody joined");
        verified += tally(&desk, "writer").verified;
    }
    assert!(verified > 60, "it cited {verified} files");
}

/// A name in other letters is nobody, and joins nobody.
#[test]
fn a_name_in_other_letters_is_no_second_agent() {
    let mut desk = Desk::staffed();
    for (name, expected) in [
        ("writer", "roster.taken"),
        ("Writer", "roster.alike"),
        ("wrіter", "roster.alike"),
        ("ｗriter", "roster.alike"),
        ("user", "roster.reserved"),
        ("uѕer", "roster.reserved"),
    ] {
        let add = json!({ "agent": name, "role": "critic" });
        assert_eq!(desk.refused("user", "roster.agent.add", &add), expected, "{name}");
    }
    let called = json!({ "agent": "pen", "role": "critic", "name": "The Сritic" });
    desk.expect("user", "roster.agent.add", &called);
    let again = json!({ "agent": "quill", "role": "critic", "name": "the critic" });
    assert_eq!(desk.refused("user", "roster.agent.add", &again), "roster.alike");
    desk.expect("user", "roster.agent.add", &json!({ "agent": "quill", "role": "critic" }));
    let renamed = json!({ "agent": "quill", "name": "THE CRITIC" });
    assert_eq!(desk.refused("user", "roster.agent.change", &renamed), "roster.alike");
    let own = json!({ "agent": "pen", "name": "the critic" });
    assert_eq!(rule(&desk.ask("user", "roster.agent.change", &own)), None, "its own name may change its letters");
}
