//! Entries that contradict each other: which holds, by whose words they are (Galatea, Phase F).

use serde_json::json;

use super::super::command::{Give, Settle, Supersede, UseEnding};
use super::super::event::Superseded;
use super::super::settle::{SettledBy, Unsettled, WordObserved, contradictions};
use super::*;

const TABS: &str = "use tabs in the Go files";
const NO_TABS: &str = "never use tabs in the Go files";

fn own(sessions: u32) -> WordObserved {
    WordObserved { own: true, sessions }
}

fn others(sessions: u32) -> WordObserved {
    WordObserved { own: false, sessions }
}

/// Two that contradict each other, the second added a day later as another kind.
fn two(kind: KnowledgeKind) -> (Bench, EntryId, EntryId) {
    let mut bench = Bench::default();
    let entry = bench.add(0, fact(TABS));
    let other = bench.add(1, Add { kind, ..fact(NO_TABS) });
    (bench, entry, other)
}

fn settle(bench: &mut Bench, pair: Settle, observed: [WordObserved; 2]) -> Result<Vec<Event>, Refusal> {
    let [entry, other] = observed.map(Some);
    let outcome = bench.ask_observed(Standing::User, day(2), pair, &Observed { entry, other });
    outcome.refusal.map_or(Ok(outcome.events), Err)
}

#[test]
fn the_persons_own_word_holds_then_the_later_correction_then_what_more_sessions_say() {
    use KnowledgeKind::{Correction, Fact};
    use SettledBy::{Agreement, OwnWord};
    use Unsettled::{BothOwn, NobodysWord};
    for (kind, first, second, expected) in [
        (Fact, own(0), others(9), Ok((0, OwnWord))),
        (Correction, own(0), others(9), Ok((0, OwnWord))),
        (Fact, others(9), own(0), Ok((1, OwnWord))),
        (Correction, others(0), others(0), Err(NobodysWord)),
        (Correction, own(9), own(0), Ok((1, SettledBy::Correction))),
        (Fact, own(1), own(2), Ok((1, Agreement))),
        (Fact, own(0), own(2), Ok((1, Agreement))),
        (Fact, own(0), own(1), Err(BothOwn)),
        (Fact, own(2), own(3), Err(BothOwn)),
        // The older one may have been given up.
        (Fact, own(9), own(1), Err(BothOwn)),
    ] {
        let (mut bench, entry, other) = two(kind);
        let ids = [entry, other];
        let expected = match expected {
            Ok((holds, because)) => {
                Ok(vec![Superseded { entry: ids[1 - holds], by: ids[holds], because: Some(because) }.into()])
            }
            Err(why) => Err(Refusal::Unsettled { entry, other, why }),
        };
        assert_eq!(settle(&mut bench, Settle { entry, other }, [first, second]), expected, "{first:?} {second:?}");
    }
}

#[test]
fn what_was_settled_contradicts_no_more_and_says_by_which_rule() {
    let (mut bench, entry, other) = two(KnowledgeKind::Fact);
    let found = |bench: &Bench| contradictions(&bench.state, &bench.settings, day(2));
    assert_eq!(found(&bench), [(entry, other)]);
    settle(&mut bench, Settle { entry, other }, [others(0), own(0)]).expect("settled");
    assert_eq!(found(&bench), []);
    let ended = bench.state.entry(entry).and_then(|entry| entry.superseded_by.clone());
    assert_eq!(ended.map(|ended| (ended.by, ended.because)), Some((other, Some(SettledBy::OwnWord))));
    assert_eq!(
        settle(&mut bench, Settle { entry, other }, [own(0), own(0)]),
        Err(Refusal::Superseded { entry, by: other })
    );
}

/// An agent gives feedback, retrieves, adds where it may: none of that settles anything, nor may it ask.
#[test]
fn no_agent_settles_anything_in_favour_of_its_own_words() {
    let (mut bench, entry, other) = two(KnowledgeKind::Correction);
    bench.set("knowledge.agents_may_add", json!(true));
    for _ in 0..9 {
        bench.ask_as(agent("critic"), day(1), Give { entry: other, result: UseEnding::Success });
        bench.ask_as(agent("critic"), day(1), Give { entry, result: UseEnding::Failed });
    }
    for standing in [agent("critic"), agent("moderator"), agent("team-lead"), Standing::System] {
        let refused = bench.ask_as(standing.clone(), day(2), Settle { entry, other }).refusal;
        assert!(matches!(refused, Some(Refusal::NotAReviewer { .. })), "{standing:?}");
    }
    let unsettled = settle(&mut bench, Settle { entry, other }, [others(0), others(0)]);
    assert_eq!(unsettled, Err(Refusal::Unsettled { entry, other, why: Unsettled::NobodysWord }));
    assert_eq!(
        bench.no(2, Settle { entry, other }),
        Some(Refusal::Unsettled { entry, other, why: Unsettled::NobodysWord })
    );
}

#[test]
fn what_does_not_contradict_is_not_settled() {
    let (mut bench, entry, other) = two(KnowledgeKind::Fact);
    let third = bench.add(1, fact("push to the main branch on Fridays"));
    let refused = settle(&mut bench, Settle { entry, other: third }, [own(0), others(0)]);
    assert_eq!(refused, Err(Refusal::NotOpposed { entry, other: third }));
    bench.ask(2, Supersede { entry: other, by: third });
    assert_eq!(contradictions(&bench.state, &bench.settings, day(2)), []);
}
