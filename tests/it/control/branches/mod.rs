//! Two branches on which a swarm works at once, merged by union of lines: whatever either did, in whatever order the lines
//! stand, there is one state, every decision can be made again, and what pays once has paid once.
//!
//! Commands of all rooms, drawn by chance; many are refused, and that is recorded, too.

mod play;

use std::collections::BTreeMap;

use annals::domain::Command;
use annals::domain::credit::CreditReason;
use annals::engine::By;
use annals::engine::replay::Which;
use annals::kernel::credits::Credits;
use annals::kernel::id::{AgentId, IssueId, NO_SESSION};
use annals::kernel::json::Json;
use annals::kernel::time::Timestamp;
use proptest::prelude::*;
use serde_json::{Value, json};

use self::play::{ACTORS, Known, Step, command, found, step};
use super::desk::REASONS;
use crate::repo::{Merge, Repo};
use crate::support::{Project, findings_of, world_hash};

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
            let parts = earned.by_reason.get(&CreditReason::AssistedSlice).copied().unwrap_or_default();
            let tasks = ledgers.iter().filter_map(|(_, ledger)| ledger.tasks.get(&AgentId::from("writer")));
            let (done, whole) =
                tasks.fold((0, 0), |(done, whole), task| (done + task.done, whole + i64::from(task.total)));
            assert_eq!(parts.times, u64::from(done), "each part once");
            assert!(parts.credits <= Credits::whole(whole), "no more than the whole");
        })
        .expect("asked");
}

fn assert_replays(project: &Project) {
    let report = project.engine("2026-12-31T00:00:00Z", "replayer").replay(&Which::All);
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
