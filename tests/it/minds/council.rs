//! Laws of council.

use std::collections::BTreeSet;

use annals::domain::council::count::{Choice, Count, Verdict};
use annals::kernel::share::Share;
use proptest::prelude::*;
use serde_json::{Value, json};

use super::branches::Branch;

type Votes = Vec<(Choice, Share)>;

fn votes() -> impl Strategy<Value = Votes> {
    let choice = prop_oneof![Just(Choice::Approve), Just(Choice::Reject), Just(Choice::Abstain)];
    prop::collection::vec((choice, (0u16..=1000).prop_map(Share::thousandths)), 0..8)
}

fn verdict(votes: &Votes, threshold: Share) -> Option<Verdict> {
    Count::of(votes.iter().copied()).verdict(threshold)
}

fn turned(choice: Choice) -> Choice {
    match choice {
        Choice::Approve => Choice::Reject,
        Choice::Reject => Choice::Approve,
        Choice::Abstain => Choice::Abstain,
    }
}

fn opposite(verdict: Verdict) -> Verdict {
    match verdict {
        Verdict::Approve => Verdict::Reject,
        Verdict::Reject => Verdict::Approve,
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
        if found == Some(Verdict::Approve) {
            prop_assert_eq!(with(Choice::Approve), found, "one more for it does not end it");
        }
        if found == Some(Verdict::Reject) {
            prop_assert_ne!(with(Choice::Reject), Some(Verdict::Approve));
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
        5 => (
            "council.debate.argue",
            json!({
                "council": running, "pro_argument": "p", "con_argument": "c", "pro_agent": "explore", "con_agent": "critic",
            }),
        ),
        6 => ("council.session.resolve", json!({ "council": running })),
        7 => {
            let decision = if step.choice == 0 { "approve" } else { "reject" };
            ("council.session.resolve", json!({ "council": running, "decision": decision, "synthesis": "s" }))
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
        branch.ask(ACTORS[step.who], command, &fields);
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
