//! Two branches on which a swarm works at once, merged by union of lines: whatever either did, in whatever order the lines
//! stand, there is one state, every decision can be made again, and what pays once has paid once.
//!
//! Commands of all rooms, drawn by chance; many are refused, and that is recorded, too.

use std::collections::{BTreeMap, BTreeSet};

use annals::domain::Command;
use annals::domain::credit::Reason;
use annals::engine::By;
use annals::engine::replay::Which;
use annals::kernel::credits::Credits;
use annals::kernel::id::{AgentId, IssueId, NO_SESSION};
use annals::kernel::json::Json;
use annals::kernel::time::Timestamp;
use annals::world::replay::Overlay;
use proptest::prelude::*;
use serde_json::{Value, json};

use super::desk::REASONS;
use crate::repo::{Merge, Repo};
use crate::support::{Project, findings_of, world_hash};

const ACTORS: [&str; 6] = ["user", "mod", "critic", "writer", "editor", "aide"];
const TAGS: [&str; 3] = ["#pacing", "#meta", "#chapter-7"];
const KINDS: [&str; 3] = ["session", "chapter", "act"];
const METRICS: [&str; 3] = ["verified-citations", "zero-penalties", "issues-resolved"];
const REASONS_TO_AWARD: [Reason; 6] = [
    Reason::PeerMarkedHelpful,
    Reason::UserMarkedHelpful,
    Reason::ModeratorCommendation,
    Reason::ModeratorPenalty,
    Reason::CleanUnfreeze,
    Reason::EvidenceVerified,
];

/// A command by chance: what, by whom, and three numbers for its fields.
#[derive(Debug, Clone, Copy)]
struct Step {
    what: usize,
    who: usize,
    one: usize,
    other: usize,
    third: usize,
}

fn step() -> impl Strategy<Value = Step> {
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
struct Known {
    issues: Vec<IssueId>,
    goals: Vec<String>,
    notices: Vec<String>,
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

fn found(which: usize) -> Value {
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
            let opinion = json!({ "salt": "s", "stance": "support", "body": "five days" });
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

fn command(known: &Known, step: Step) -> (&'static str, Value, Value) {
    match step.what {
        0..24 => issue_command(known, step),
        24..27 => canon_command(known, step),
        27..37 => credit_command(known, step),
        _ => swarm_command(known, step),
    }
}

/// A branch that goes on, a minute's quarter of an hour at a time.
struct Branch<'p> {
    project: &'p Project,
    at: Timestamp,
    seed: &'static str,
}

impl Branch<'_> {
    fn decide(&mut self, who: &str, name: &str, fields: &Value, observed: &Value) {
        const STEP_MS: i64 = 13 * 60_000;
        self.at = Timestamp::from_millis(self.at.millis() + STEP_MS);
        let engine = self.project.engine(&self.at.to_string(), self.seed);
        let command = Command::read(name, &Json::of(fields)).expect("a command");
        engine.decide(command, &Json::of(observed), &By::new(who, NO_SESSION)).expect("decided");
    }

    fn play(&mut self, steps: &[Step]) {
        for step in steps {
            let engine = self.project.engine(&self.at.to_string(), self.seed);
            let known = engine
                .ask(|world| {
                    let rooms = &world.rooms;
                    let mut issues: Vec<_> =
                        rooms.issue.issues.first_by_rank(100).into_iter().map(|(id, _)| id.clone()).collect();
                    issues.sort();
                    let goals = rooms.credit.totals.goals.keys().map(ToString::to_string).collect();
                    let notices = rooms.notice.notices.first_by_rank(100).into_iter().map(|(id, _)| id.to_string());
                    Known { issues, goals, notices: notices.collect() }
                })
                .expect("asked");
            let (name, fields, observed) = command(&known, *step);
            self.decide(ACTORS[step.who], name, &fields, &observed);
        }
    }
}

const BEGIN: &str = "2026-11-20T00:00:00Z";

fn branch<'p>(project: &'p Project, at: Timestamp, seed: &'static str) -> Branch<'p> {
    Branch { project, at, seed }
}

/// A swarm, with an issue that has a citation, a task in parts, and a goal, in a chapter that goes on.
fn base(steps: &[Step]) -> (Repo, Timestamp) {
    let repo = Repo::new();
    let mut base = branch(&repo.project, BEGIN.parse().expect("a time"), "base");
    base.decide("user", "config.value.change", &json!({ "values": { "history.durability": "os" } }), &json!({}));
    for (agent, role) in
        [("mod", "moderator"), ("critic", "critic"), ("writer", "writer"), ("editor", "editor"), ("aide", "assistant")]
    {
        let add = json!({ "agent": agent, "role": role, "model": "m1", "can_be_devils_advocate": agent == "critic" });
        base.decide("user", "roster.agent.add", &add, &json!({}));
    }
    base.decide("user", "milestones.milestone.begin", &json!({ "kind": "chapter", "name": "7" }), &json!({}));
    base.decide("writer", "issues.issue.open", &json!({ "title": "A lexer" }), &json!({}));
    let issue = named_first(&repo.project);
    let cut = json!({ "issue": issue, "doer": "writer", "total": 10, "slices": 3 });
    base.decide("user", "credits.task.slice", &cut, &json!({}));
    base.decide("mod", "credits.goal.set", &json!({ "metric": "issues-resolved", "target": 1 }), &json!({}));
    base.decide("user", "canon.entry.state", &json!({ "key": "eyes", "text": "Seryn has amber eyes.", "claims": [{ "subject": "Seryn", "attribute": "eyes", "value": "amber" }] }), &json!({}));
    base.play(steps);
    let at = base.at;
    repo.commit("base");
    (repo, at)
}

fn named_first(project: &Project) -> IssueId {
    let engine = project.engine("2026-12-31T00:00:00Z", "reader");
    let first = |world: &annals::world::World| world.rooms.issue.issues.iter().next().map(|(id, _)| id.clone());
    engine.ask(first).expect("asked").expect("an issue")
}

/// The lines of both, those of each file mixed by a number.
fn mixed(one: &Project, other: &Project, mix: usize) -> BTreeMap<String, String> {
    let (mut all, theirs) = (one.files(), other.files());
    for (name, text) in theirs {
        let own = all.entry(name).or_default();
        let mut lines: Vec<String> = own.lines().map(ToOwned::to_owned).collect();
        for line in text.lines().filter(|line| !own.lines().any(|known| known == *line)).map(ToOwned::to_owned) {
            let place = mix * 7 % (lines.len() + 1);
            lines.insert(place, line);
        }
        let turn = mix % lines.len().max(1);
        lines.rotate_left(turn);
        *own = lines.join("\n") + "\n";
    }
    all
}

/// What pays once has paid once, and the sums are those of what was paid.
fn assert_paid_once(project: &Project) {
    let engine = project.engine("2026-12-31T00:00:00Z", "reader");
    engine
        .ask(|world| {
            let team = &world.rooms.team;
            let sum: Credits = team.achievements.iter().map(|(_, one)| one.awarded.amount).sum();
            assert_eq!(sum, team.totals.credits);
            let ledgers = &world.rooms.credit.ledgers;
            let earned = world.rooms.credit.totals.tally(&AgentId::from("writer"), None);
            let parts = earned.by_reason.get(&Reason::AssistedSlice).copied().unwrap_or_default();
            let tasks = ledgers.iter().filter_map(|(_, ledger)| ledger.tasks.get(&AgentId::from("writer")));
            let (done, whole) =
                tasks.fold((0, 0), |(done, whole), task| (done + task.done, whole + i64::from(task.total)));
            assert_eq!(parts.times, u64::from(done), "each part once");
            assert!(parts.credits <= Credits::whole(whole), "no more than the whole");
        })
        .expect("asked");
}

fn assert_replays(project: &Project) {
    let report = project.engine("2026-12-31T00:00:00Z", "replayer").replay(&Which::All, &Overlay::default());
    let report = report.expect("replayed");
    assert!(report.differed.is_empty(), "{:#?}", report.differed);
    assert_eq!(report.matched, report.decisions, "{:?}", report.passed_over);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 8, failure_persistence: None, ..ProptestConfig::default() })]

    /// DESIGN 2; control-room 15: two branches of a swarm and their merge.
    #[test]
    fn two_branches_of_a_swarm_fold_to_one_state_whichever_way_they_are_merged(
        before in proptest::collection::vec(step(), 0..12),
        left in proptest::collection::vec(step(), 1..24),
        right in proptest::collection::vec(step(), 1..24),
        after in proptest::collection::vec(step(), 0..8),
        mix in 0usize..100,
    ) {
        let (base, at) = base(&before);
        let (one, other) = (base.cloned(), base.cloned());
        branch(&one.project, at, "left").play(&left);
        branch(&other.project, Timestamp::from_millis(at.millis() + 60_000), "right").play(&right);
        one.commit("left");
        other.commit("right");
        one.fetch(&other, "other");
        other.fetch(&one, "other");
        let shuffled = Project::new();
        shuffled.set_files(&mixed(&one.project, &other.project, mix));
        prop_assert_eq!([one.merge("other"), other.merge("other")], [Merge::Clean; 2]);
        let hashes = [&one.project, &other.project, &shuffled].map(|project| world_hash(&project.context()));
        prop_assert_eq!(&hashes[0], &hashes[1], "whichever way they are merged");
        prop_assert_eq!(&hashes[0], &hashes[2], "in whatever order the lines stand");
        prop_assert_eq!(findings_of(&one.project.context()), [""; 0]);
        assert_replays(&one.project);
        assert_paid_once(&one.project);
        let mut merged = branch(&one.project, Timestamp::from_millis(at.millis() + 86_400_000), "left");
        merged.play(&after);
        let stored = merged.project.engine("2026-12-31T00:00:00Z", "reader").ask(annals::world::World::hash);
        prop_assert_eq!(stored.expect("asked"), one.project.fresh_hash());
        assert_replays(&one.project);
    }
}

/// Control-room 11.4.1, 11.7, 15: what is given once, and both branches gave, counts once.
#[test]
fn what_two_branches_both_paid_counts_once() {
    let (base, at) = base(&[]);
    let issue = named_first(&base.project);
    let cite = json!({
        "issue": issue, "body": REASONS, "evidence": { "files": [{ "path": "a.rs" }] },
        "citation": { "trigger": "resolve-conflict" },
    });
    let both = [("left", 0), ("right", 60_000)].map(|(seed, later)| {
        let repo = base.cloned();
        let mut branch = branch(&repo.project, Timestamp::from_millis(at.millis() + later), seed);
        branch.decide("editor", "issues.comment.add", &cite, &json!({ "evidence": [found(0)] }));
        let thanks = json!({ "agent": "writer", "reason": "peer-marked-helpful", "about": { "issue": issue } });
        branch.decide("critic", "credits.credit.award", &thanks, &json!({}));
        for _ in 0..2 {
            branch.decide("user", "credits.slice.complete", &json!({ "issue": issue, "doer": "writer" }), &json!({}));
        }
        let resolve = json!({ "issue": issue, "note": "done", "force": "enough" });
        branch.decide("user", "issues.issue.resolve", &resolve, &json!({}));
        let applied = json!({ "issue": issue, "usefulness": "applied", "file": "a.rs" });
        branch.decide("mod", "issues.issue.mark", &applied, &json!({ "shown": "found" }));
        branch.decide("user", "milestones.milestone.end", &json!({ "kind": "chapter" }), &json!({}));
        repo.commit(seed);
        repo
    });
    let earned = |repo: &Repo| {
        let engine = repo.project.engine("2026-12-31T00:00:00Z", "reader");
        let of = |world: &annals::world::World| {
            let rooms = &world.rooms;
            let of = |agent: &str| rooms.credit.totals.tally(&AgentId::from(agent), None).by_reason;
            (of("writer"), of("editor"), rooms.team.totals.credits, rooms.team.totals.by_reason.clone())
        };
        engine.ask(of).expect("asked")
    };
    let alone = earned(&both[0]);
    assert_eq!(earned(&both[1]), alone);
    both[0].fetch(&both[1], "other");
    assert_eq!(both[0].merge("other"), Merge::Clean);
    assert_eq!(earned(&both[0]), alone, "after the merge as before it");
    assert_replays(&both[0].project);
}
