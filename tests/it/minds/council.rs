//! Laws of council.

use std::collections::BTreeSet;

use annals::domain::council::command::CouncilPurpose;
use annals::domain::council::count::{Choice, VoteCount, VoteVerdict};
use annals::domain::council::{CouncilSession, CouncilStatus};
use annals::domain::notice::Matter;
use annals::kernel::actor::Standing;
use annals::kernel::id::{NO_SESSION, SessionId};
use annals::kernel::share::Share;
use annals::policy::{DueTurn, due};
use proptest::prelude::*;
use serde_json::{Value, json};

use super::branches::Branch;

type Votes = Vec<(Choice, Share)>;

fn votes() -> impl Strategy<Value = Votes> {
    let choice = prop_oneof![Just(Choice::Approve), Just(Choice::Reject), Just(Choice::Abstain)];
    prop::collection::vec((choice, (0u16..=1000).prop_map(Share::thousandths)), 0..8)
}

fn verdict(votes: &Votes, threshold: Share) -> Option<VoteVerdict> {
    VoteCount::of(votes.iter().copied()).verdict(threshold)
}

fn turned(choice: Choice) -> Choice {
    match choice {
        Choice::Approve => Choice::Reject,
        Choice::Reject => Choice::Approve,
        Choice::Abstain => Choice::Abstain,
    }
}

fn opposite(verdict: VoteVerdict) -> VoteVerdict {
    match verdict {
        VoteVerdict::Approve => VoteVerdict::Reject,
        VoteVerdict::Reject => VoteVerdict::Approve,
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    /// AFS 7.2, decision 20.
    #[test]
    fn the_ratio_has_its_laws(votes in votes(), more in 0u16..=1000, threshold in 501u16..=1000) {
        let threshold = Share::thousandths(threshold);
        let found = verdict(&votes, threshold);
        let other_way: Votes = votes.iter().map(|(choice, sure)| (turned(*choice), *sure)).collect();
        prop_assert_eq!(verdict(&other_way, threshold), found.map(opposite), "both sides are alike");
        let reversed: Votes = votes.iter().rev().copied().collect();
        prop_assert_eq!(verdict(&reversed, threshold), found, "the order does not count");
        let twice: Votes = votes.iter().chain(&votes).copied().collect();
        prop_assert_eq!(verdict(&twice, threshold), found, "only the shares count");
        let with = |choice| {
            let mut votes = votes.clone();
            votes.push((choice, Share::thousandths(more)));
            verdict(&votes, threshold)
        };
        prop_assert_eq!(with(Choice::Abstain), found, "who abstains changes nothing");
        if found == Some(VoteVerdict::Approve) {
            prop_assert_eq!(with(Choice::Approve), found, "one more for it does not end it");
        }
        if found == Some(VoteVerdict::Reject) {
            prop_assert_ne!(with(Choice::Reject), Some(VoteVerdict::Approve));
            prop_assert_eq!(with(Choice::Reject), found);
        }
    }
}

/// A command by chance: what, by whom, and on which key.
#[derive(Debug, Clone, Copy)]
struct Step {
    what: usize,
    who: usize,
    key: usize,
    choice: usize,
}

const ACTORS: [&str; 5] = ["user", "explore", "critic", "general", "anna"];
const KEYS: [&str; 2] = ["one", "two"];

/// Also of what changes who there is, and under which rules.
fn unsteady() -> impl Strategy<Value = Step> {
    (0usize..19, 0usize..5, 0usize..2, 0usize..3).prop_map(|(what, who, key, choice)| Step { what, who, key, choice })
}

fn step() -> impl Strategy<Value = Step> {
    (0usize..16, 0usize..5, 0usize..2, 0usize..3).prop_map(|(what, who, key, choice)| Step { what, who, key, choice })
}

fn asked(branch: &Branch, step: Step) -> (&'static str, Value) {
    let key = KEYS[step.key];
    let running = branch.world.rooms.council.running(key).next().unwrap_or("none").to_owned();
    let vote = ["approve", "reject", "abstain"][step.choice];
    match step.what {
        0 => ("hivemind.entry.add", json!({ "category": "knowledge", "key": key, "value": "a" })),
        1 | 2 => {
            let fields = json!({ "key": key, "reason": "r", "alternative": (["a", "b", "c"][step.choice]) });
            ("hivemind.entry.contest", fields)
        }
        3 => ("hivemind.entry.nominate", json!({ "key": key, "rise": "golden", "reason": "r" })),
        4 => ("hivemind.entry.settle", json!({ "key": key, "verdict": "reject" })),
        5 => {
            let side = if step.choice == 0 { "pro" } else { "con" };
            ("council.argument.give", json!({ "council": running, "side": side, "argument": "a" }))
        }
        6 => ("council.session.resolve", json!({ "council": running })),
        7 => {
            let decision = if step.choice == 0 { "approve" } else { "reject" };
            ("council.session.resolve", json!({ "council": running, "decision": decision, "synthesis": "s" }))
        }
        16 => {
            let duty = if step.choice == 0 { "active" } else { "retired" };
            ("roster.agent.change", json!({ "agent": ACTORS[1 + step.who % 4], "duty": duty }))
        }
        17 => {
            let (agents, quorum) =
                [(json!(["explore", "critic"]), 2), (json!([]), 1), (json!(["writer", "x"]), 1)][step.choice].clone();
            let values = json!({ "hivemind.council.council_agents": agents, "hivemind.council.quorum": quorum });
            ("config.value.change", json!({ "values": values }))
        }
        18 => {
            let fields = json!({ "purpose": "architecture", "key": key, "reason": "r", "proposed": "p" });
            ("council.session.open", fields)
        }
        8 => ("council.session.open", json!({ "purpose": "conflict", "key": key, "reason": "r", "proposed": "p" })),
        _ => {
            let sure = [1.0, 0.98, 0.5][step.choice];
            ("council.vote.give", json!({ "council": running, "vote": vote, "confidence": sure, "rationale": "r" }))
        }
    }
}

fn play(branch: &mut Branch, steps: &[Step]) {
    for step in steps {
        let (command, fields) = asked(branch, *step);
        let actor = if matches!(step.what, 16 | 17) { ACTORS[0] } else { ACTORS[step.who] };
        branch.ask(actor, command, &fields);
    }
}

/// What holds of councils in any log.
fn in_order(branch: &Branch) -> Result<(), TestCaseError> {
    let council = &branch.world.rooms.council;
    let mut open = 0;
    for (id, session) in council.sessions.iter() {
        let members: BTreeSet<_> = session.votes.iter().map(|vote| &vote.agent_role).collect();
        prop_assert_eq!(members.len(), session.votes.len(), "a member voted twice in {}", id);
        prop_assert!(members.iter().all(|member| session.has_member(member)));
        prop_assert!(session.votes.iter().all(|vote| *vote.agent_role == *vote.cast_by.as_str()), "in {}", id);
        prop_assert_eq!(session.status.is_open(), session.audit.completed_at.is_none());
        prop_assert_eq!(session.status.is_open(), council.running(&session.entry_key).any(|open| *open == **id));
        open += u64::from(session.status.is_open());
    }
    prop_assert_eq!(council.totals.open, open);
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..ProptestConfig::default() })]

    /// AFS 7; of two branches the earlier vote and the earlier result count.
    #[test]
    fn councils_are_in_order_in_any_branch_and_any_merge(
        before in prop::collection::vec(step(), 0..20),
        left in prop::collection::vec(step(), 0..20),
        right in prop::collection::vec(step(), 0..20),
        after in prop::collection::vec(step(), 0..20),
    ) {
        let mut ours = Branch::first();
        for agent in &ACTORS[1..] {
            ours.ask("user", "roster.agent.add", &json!({ "agent": agent, "role": "writer" }));
        }
        play(&mut ours, &before);
        let mut theirs = ours.parted();
        play(&mut ours, &left);
        play(&mut theirs, &right);
        in_order(&ours)?;
        let mut both = ours.merged(&theirs);
        prop_assert_eq!(&both.world, &theirs.merged(&ours).world);
        in_order(&both)?;
        play(&mut both, &after);
        in_order(&both)?;
    }
}

/// What the rules find due, until nothing is.
fn react(branch: &mut Branch) {
    let session = SessionId::from(NO_SESSION);
    for _ in 0..4 {
        let turn = DueTurn { session: &session, at: branch.now(), settings: &branch.world.rooms.config.settings };
        for command in due(&branch.world.rooms, &turn) {
            branch.ask("system", command.name(), &command.data().read().expect("fields"));
        }
    }
}

fn open(branch: &Branch) -> Vec<(Box<str>, CouncilSession)> {
    let all = branch.world.rooms.council.sessions.iter().filter(|(_, session)| session.status.is_open());
    all.map(|(id, session)| (id.clone(), session.clone())).collect()
}

/// Whether somebody who is there was told that this waits for it.
fn is_told(branch: &Branch, id: &str) -> bool {
    let rooms = &branch.world.rooms;
    let notices = rooms.notice.notices.iter().map(|(_, notice)| &notice.posted);
    let mut about =
        notices.filter(|posted| matches!(&posted.matter, Some(Matter::Council { council, .. }) if &**council == id));
    about.any(|posted| rooms.roster.standing(&posted.to) != Standing::Stranger)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..ProptestConfig::default() })]

    /// Decision 56: whatever becomes of the roster and the rules, no council waits for ever, and somebody knows.
    #[test]
    fn every_council_comes_to_an_end(
        first in 1usize..6,
        left in prop::collection::vec(unsteady(), 0..30),
        right in prop::collection::vec(unsteady(), 0..30),
    ) {
        let mut ours = Branch::first();
        for agent in &ACTORS[1..first] {
            ours.ask("user", "roster.agent.add", &json!({ "agent": agent, "role": "writer" }));
        }
        let mut theirs = ours.parted();
        play(&mut ours, &left);
        play(&mut theirs, &right);
        let mut both = ours.merged(&theirs);
        in_order(&both)?;
        both.wait(60 * 24);
        react(&mut both);
        for (id, session) in open(&both) {
            prop_assert!(session.status != CouncilStatus::Voting || session.purpose == CouncilPurpose::Architecture);
            prop_assert!(is_told(&both, &id), "{:?} waits for somebody who was not told", session);
        }
        both.wait(60 * 24);
        for (id, session) in open(&both) {
            // Of two that branches called about one entry, the end of the first ends the other.
            if !both.world.rooms.council.session(&id).is_some_and(|session| session.status.is_open()) {
                continue;
            }
            let word = json!({ "council": id, "decision": "reject", "synthesis": "so it is" });
            let answer = json!({ "council": id, "answer": "reject", "note": "so it is" });
            let refusal = match session.purpose {
                CouncilPurpose::Architecture => both.ask("user", "council.session.confirm", &answer).refusal,
                CouncilPurpose::Conflict | CouncilPurpose::DecayPromotion | CouncilPurpose::GlobalPromotion => {
                    both.ask("user", "council.session.resolve", &word).refusal
                }
            };
            prop_assert_eq!(refusal, None);
        }
        prop_assert_eq!(both.world.rooms.council.totals.open, 0);
    }
}
