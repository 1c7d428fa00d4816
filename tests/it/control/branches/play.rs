//! Commands of all rooms, drawn by chance.

use std::collections::BTreeSet;

use annals::domain::credit::CreditReason;
use annals::kernel::id::IssueId;
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::control::desk::REASONS;

pub const ACTORS: [&str; 6] = ["user", "mod", "critic", "writer", "editor", "aide"];
const TAGS: [&str; 3] = ["#pacing", "＃Pacing", "#chapter-7"];
const KINDS: [&str; 3] = ["session", "chapter", "act"];
const METRICS: [&str; 3] = ["verified-citations", "zero-penalties", "issues-resolved"];
const REASONS_TO_AWARD: [CreditReason; 6] = [
    CreditReason::PeerMarkedHelpful,
    CreditReason::UserMarkedHelpful,
    CreditReason::ModeratorCommendation,
    CreditReason::ModeratorPenalty,
    CreditReason::CleanUnfreeze,
    CreditReason::EvidenceVerified,
];

/// A command by chance: what, by whom, and three numbers for its fields.
#[derive(Debug, Clone, Copy)]
pub struct Step {
    what: usize,
    pub who: usize,
    one: usize,
    other: usize,
    third: usize,
}

pub fn step() -> impl Strategy<Value = Step> {
    // The user and the moderator may do most, so they do more.
    let who = prop_oneof![2 => 0usize..2, 3 => 0usize..ACTORS.len()];
    (0usize..44, who, 0usize..12, 0usize..12, 0usize..12).prop_map(|(what, who, one, other, third)| Step {
        what,
        who,
        one,
        other,
        third,
    })
}

/// What is there to be named in a command.
pub struct Known {
    pub issues: Vec<IssueId>,
    pub goals: Vec<String>,
    pub notices: Vec<String>,
}

impl Known {
    fn issue(&self, which: usize) -> IssueId {
        self.issues.get(which % self.issues.len().max(1)).cloned().unwrap_or_default()
    }
}

fn named(list: &[String], which: usize) -> &str {
    list.get(which % list.len().max(1)).map_or("", String::as_str)
}

fn agent(which: usize) -> &'static str {
    ACTORS[which % ACTORS.len()]
}

pub fn found(which: usize) -> Value {
    let path = ["a.rs", "b.rs", "c.rs"][which % 3];
    json!({ "path": path, "exists": which < 10, "lines_valid": true, "similarity": 900 + which * 9, "sha256": path })
}

fn comment(known: &Known, step: Step) -> (&'static str, Value, Value) {
    let Step { one, other, third, .. } = step;
    let body = match third {
        0 => "Short.".to_owned(),
        1 => format!("URGENT, CRITICAL, a DISASTER. {REASONS}"),
        _ => REASONS.to_owned(),
    };
    let canon: &[&str] = if third == 2 { &["eyes@1"] } else { &[] };
    let fields = json!({
        "issue": known.issue(one), "body": body, "stance": (["support", "oppose", "neutral"][third % 3]),
        "evidence": { "files": [{ "path": found(other)["path"] }], "canon": canon },
        "citation": { "trigger": (["resolve-conflict", "challenge-consensus", "unprompted"][other % 3]) },
    });
    ("issues.comment.add", fields, json!({ "evidence": [found(other)] }))
}

fn issue_command(known: &Known, step: Step) -> (&'static str, Value, Value) {
    let Step { one, other, third, .. } = step;
    let (issue, none) = (known.issue(one), json!({}));
    match step.what {
        0..9 => comment(known, step),
        9..12 => {
            let fields = json!({ "title": format!("Matter {other}"), "tags": [TAGS[other % 3]], "source": (["a", "b"].get(third)) });
            ("issues.issue.open", fields, none)
        }
        12..14 => {
            let fields = json!({ "issue": issue, "note": REASONS, "force": "enough", "evidence": { "files": [{ "path": found(other)["path"] }] } });
            ("issues.issue.resolve", fields, json!({ "evidence": [found(other)] }))
        }
        14 => ("issues.issue.close", json!({ "issue": issue }), none),
        15 => ("issues.issue.reopen", json!({ "issue": issue }), none),
        16 => ("issues.issue.freeze", json!({ "issue": issue, "reason": "heated" }), none),
        17 => ("issues.issue.unfreeze", json!({ "issue": issue, "guidance": "files, please" }), none),
        18 => {
            let kind = ["blocks", "parent", "discovered-from", "related"][third % 4];
            let name = if other < 9 { "issues.issue.link" } else { "issues.issue.unlink" };
            (name, json!({ "issue": issue, "kind": kind, "to": known.issue(other) }), none)
        }
        19 | 20 => {
            let usefulness = if other < 8 { "applied" } else { "irrelevant" };
            let shown = if third < 9 { "found" } else { "missing" };
            (
                "issues.issue.mark",
                json!({ "issue": issue, "usefulness": usefulness, "file": "a.rs" }),
                json!({ "shown": shown }),
            )
        }
        21 => ("issues.issue.start", json!({ "issue": issue }), none),
        22 => ("issues.issue.read", json!({ "issue": issue }), none),
        _ => {
            let fields =
                json!({ "issue": issue, "assignee": agent(other), "priority": "high", "tags": [TAGS[third % 3]] });
            ("issues.issue.edit", fields, none)
        }
    }
}

fn canon_command(known: &Known, step: Step) -> (&'static str, Value, Value) {
    let Step { one, other, third, .. } = step;
    let claim = |value: usize| json!([{ "subject": "Seryn", "attribute": "eyes", "value": (["amber", "green", "grey"][value % 3]) }]);
    match other % 5 {
        0 | 1 => {
            let fields = json!({ "key": "eyes", "text": format!("Eyes {third}."), "claims": claim(third) });
            ("canon.entry.state", fields, json!({}))
        }
        2 => {
            let fields = json!({ "issue": known.issue(one), "title": "Eyes", "key": "eyes", "text": format!("Promoted {third}.") });
            ("canon.issue.promote", fields, json!({}))
        }
        3 => ("canon.conflict.detect", json!({ "text": "t", "claims": claim(third) }), json!({})),
        _ if third == 0 => ("canon.entry.retire", json!({ "key": "eyes" }), json!({})),
        _ => {
            let fields = json!({
                "text": "t", "claims": claim(third), "answer": (["keep", "override"][one % 2]),
                "detected_by": (["writer", "critic"].get(one)),
            });
            ("canon.conflict.resolve", fields, json!({}))
        }
    }
}

fn credit_command(known: &Known, step: Step) -> (&'static str, Value, Value) {
    let Step { one, other, third, .. } = step;
    let (issue, none) = (known.issue(one), json!({}));
    match step.what {
        27 | 28 => {
            let fields =
                json!({ "agent": agent(other), "reason": REASONS_TO_AWARD[third % 6], "about": { "issue": issue } });
            ("credits.credit.award", fields, none)
        }
        29 => ("credits.task.slice", json!({ "issue": issue, "doer": "writer", "total": 10, "slices": 3 }), none),
        30 | 31 => ("credits.slice.complete", json!({ "issue": issue, "doer": "writer" }), none),
        32 => {
            let whose = ["writer", "critic"].get(other);
            let deadline = if third % 2 == 0 { "chapter-end" } else { "session-end" };
            let fields = json!({ "metric": METRICS[third % 3], "target": 1, "agent": whose, "deadline": deadline });
            ("credits.goal.set", fields, none)
        }
        33 => ("credits.goal.drop", json!({ "goal": named(&known.goals, other) }), none),
        34 | 35 => ("milestones.milestone.begin", json!({ "kind": KINDS[other % 3], "name": "7" }), none),
        _ => ("milestones.milestone.end", json!({ "kind": KINDS[other % 3] }), none),
    }
}

fn swarm_command(known: &Known, step: Step) -> (&'static str, Value, Value) {
    let Step { one, other, third, .. } = step;
    let (issue, none) = (known.issue(one), json!({}));
    match step.what {
        37 => {
            let name = if third < 9 { "advocate.assignment.assign" } else { "advocate.assignment.release" };
            (name, json!({ "issue": issue }), none)
        }
        38 => ("blind.pass.open", json!({ "issue": issue, "participants": ["critic", "writer"] }), none),
        39 => ("blind.opinion.submit", json!({ "issue": issue }), json!({ "seal": "ab".repeat(32) })),
        40 if third < 6 => ("blind.pass.close", json!({ "issue": issue }), none),
        40 => {
            let opinion = json!({ "salt": "s", "stance": "support", "body": REASONS });
            ("blind.opinion.reveal", json!({ "issue": issue, "agent": "critic" }), json!({ "opinion": opinion }))
        }
        41 => ("notices.notice.acknowledge", json!({ "notice": named(&known.notices, other) }), none),
        42 => {
            let fields = json!({ "agent": agent(other), "model": (["m1", "m2"].get(third % 3)), "duty": (["active", "retired", "active"][one % 3]) });
            ("roster.agent.change", fields, none)
        }
        _ => moderation_command(known, step),
    }
}

fn moderation_command(known: &Known, step: Step) -> (&'static str, Value, Value) {
    let Step { one, other, third, .. } = step;
    let (issue, none) = (known.issue(one), json!({}));
    match third {
        0 | 1 => ("moderation.tag.freeze", json!({ "tag": "#pacing", "reason": "enough" }), none),
        2 => ("moderation.tag.unfreeze", json!({ "tag": "#pacing" }), none),
        3 | 4 => {
            let freedom = ["restricted", "normal", "trusted"][one % 3];
            ("moderation.agent.adjust", json!({ "agent": agent(other), "freedom": freedom }), none)
        }
        5 => ("moderation.issue.escalate", json!({ "issue": issue, "summary": "Which day?" }), none),
        6 | 7 => {
            let issues = BTreeSet::from([issue, known.issue(other)]);
            ("moderation.issue.consolidate", json!({ "issues": issues, "title": "Both" }), none)
        }
        8 => ("moderation.assist.begin", json!({ "agent": agent(other), "reason": "smaller" }), none),
        9 => ("moderation.assist.end", json!({ "agent": agent(other) }), none),
        10 => ("moderation.report.record", json!({}), none),
        _ => ("config.value.change", json!({ "values": { "sanity.preset": (["light", "standard"][one % 2]) } }), none),
    }
}

pub fn command(known: &Known, step: Step) -> (&'static str, Value, Value) {
    match step.what {
        0..24 => issue_command(known, step),
        24..27 => canon_command(known, step),
        27..37 => credit_command(known, step),
        _ => swarm_command(known, step),
    }
}
