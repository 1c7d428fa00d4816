//! What waits for a review.

use super::*;
use crate::domain::knowledge::command::{Accept, Consolidate, Gather, Propose, Reject, Supersede};
use crate::domain::knowledge::event::Proposed;
use crate::domain::knowledge::row::{Candidate, Review};
use crate::domain::knowledge::text::key;

fn at(number: u128) -> EntryId {
    EntryId::new(day(-9), number)
}

fn from(entries: &[u128]) -> KnowledgeSource {
    KnowledgeSource {
        session: Some("s".into()),
        entries: entries.iter().map(|number| at(*number)).collect(),
        rule: None,
    }
}

fn propose(content: &str, entries: &[u128]) -> Propose {
    let (kind, source) = (KnowledgeKind::Correction, from(entries));
    let (content, entities) = (content.into(), Vec::new());
    Propose { kind, content, entities, about: None, confidence: None, impact: None, source }
}

fn accept(candidate: &str) -> Accept {
    Accept { candidate: candidate.into(), ..Accept::default() }
}

fn reject(candidate: &str) -> Reject {
    Reject { candidate: candidate.into(), reason: Some("no".into()) }
}

fn candidate(bench: &Bench, id: &str) -> Candidate {
    bench.state.candidate(id).cloned().expect("a candidate")
}

#[test]
fn what_is_proposed_does_not_count_before_it_is_accepted() {
    let mut bench = Bench::default();
    let id = key("correction", "use tabs");
    assert_eq!(bench.ask_as(agent("writer"), day(0), propose("use tabs", &[1])).refusal, None);
    assert_eq!((bench.came(0, look_for("tabs")), bench.state.totals.waiting), (vec![], 1));
    assert_eq!(candidate(&bench, &id).said.confidence, share(800), "as it is configured for corrections");
    let accepted = bench.ask(1, accept(&id));
    let entry = candidate(&bench, &id).entry.expect("it became an entry");
    assert_eq!((accepted.events.len(), bench.came(1, look_for("tabs"))), (2, vec![entry]));
    let kept = bench.state.entry(entry).expect("an entry");
    assert_eq!((&kept.said.source, kept.extracted_at), (&from(&[1]), day(1)));
    assert_eq!((bench.state.totals.waiting, candidate(&bench, &id).review), (0, Review::Accepted));
}

#[test]
fn the_same_text_from_other_entries_is_the_same_candidate_and_from_the_same_no_news() {
    let mut bench = Bench::default();
    let id = key("correction", "use tabs");
    assert_eq!(bench.no(0, propose("use tabs", &[1])), None);
    assert_eq!(bench.no(0, propose("Use tabs.", &[2])), None);
    let known = Some(Refusal::Proposed { candidate: id.clone(), review: Review::Waiting });
    assert_eq!(bench.no(0, propose("use tabs", &[2])), known);
    assert_eq!(bench.no(0, propose("use tabs", &[])), known);
    let found = candidate(&bench, &id);
    assert_eq!((found.seen, found.said.source.entries, bench.state.totals.waiting), (2, vec![at(1), at(2)], 1));
    assert_eq!(bench.no(0, reject(&id)), None);
    let settled = Some(Refusal::Proposed { candidate: id.clone(), review: Review::Rejected });
    assert_eq!(bench.no(0, propose("use tabs", &[3])), settled);
}

#[test]
fn a_candidate_is_reviewed_once_by_somebody_who_may() {
    let mut bench = Bench::default();
    let id = key("correction", "use tabs");
    let unknown = Some(Refusal::UnknownCandidate { candidate: id.clone() });
    assert_eq!((bench.no(0, accept(&id)), bench.no(0, reject(&id))), (unknown.clone(), unknown));
    assert_eq!(bench.no(0, propose("use tabs", &[1])), None);
    let writer = bench.ask_as(agent("writer"), day(0), accept(&id)).refusal;
    assert!(matches!(writer, Some(Refusal::NotAReviewer { .. })), "{writer:?}");
    let writer = bench.ask_as(agent("writer"), day(0), reject(&id)).refusal;
    assert!(matches!(writer, Some(Refusal::NotAReviewer { .. })), "{writer:?}");
    assert_eq!(bench.no(0, reject(&id)), None);
    let settled = Some(Refusal::Settled { candidate: id.clone(), review: Review::Rejected });
    assert_eq!((bench.no(0, accept(&id)), bench.no(0, reject(&id))), (settled.clone(), settled));
    assert_eq!(candidate(&bench, &id).reason.as_deref(), Some("no"));
}

#[test]
fn a_reviewer_may_put_it_better() {
    let mut bench = Bench::default();
    let id = key("correction", "use tabs");
    assert_eq!(bench.no(0, propose("use tabs", &[1])), None);
    let better = Accept {
        content: Some("Tabs in `Makefile`".into()),
        kind: Some(KnowledgeKind::Rule),
        confidence: Some(share(990)),
        ..accept(&id)
    };
    assert_eq!(bench.no(1, Accept { content: Some(" ".into()), ..better.clone() }), Some(Refusal::NoText));
    assert_eq!(bench.no(1, better), None);
    let entry = bench.state.entry(candidate(&bench, &id).entry.expect("an entry")).expect("an entry");
    let said = &entry.said;
    assert_eq!((said.kind, &*said.content, said.confidence), (KnowledgeKind::Rule, "Tabs in `Makefile`", share(990)));
    assert_eq!(said.entities, ["Makefile".into()]);
}

/// Of two branches one accepts and one rejects: what counts is not lost.
#[test]
fn a_candidate_that_somebody_accepted_stays_accepted() {
    let mut bench = Bench::default();
    let id = key("correction", "use tabs");
    assert_eq!(bench.no(0, propose("use tabs", &[1])), None);
    assert_eq!(bench.no(0, accept(&id)), None);
    let actor = "who".into();
    let rejected = Reject { candidate: id.clone(), reason: None };
    bench.state.evolve(&rejected.into(), &Cause { asked: None, id: at(7), at: day(2), actor: &actor });
    assert_eq!((candidate(&bench, &id).review, bench.state.totals.waiting), (Review::Accepted, 0));
}

fn learnt(bench: &mut Bench, content: &str, confidence: u16, entry: u128) -> EntryId {
    let add = Add { confidence: Some(share(confidence)), source: from(&[entry]), ..fact(content) };
    bench.add(0, add)
}

/// Cases `knowledge.consolidation`.
#[test]
fn three_entries_of_the_same_text_are_one_candidate_and_two_are_none() {
    let mut bench = Bench::default();
    let mut ids = vec![learnt(&mut bench, "use pnpm", 900, 1), learnt(&mut bench, "Use pnpm.", 950, 2)];
    learnt(&mut bench, "a one-off", 500, 4);
    assert_eq!(bench.ask(1, Consolidate {}).events, []);
    ids.push(learnt(&mut bench, "use  pnpm", 850, 3));
    let events = bench.ask(1, Consolidate {}).events;
    let [Event::Proposed(Proposed { candidate, said, supersedes })] = &events[..] else { panic!("{events:?}") };
    ids.reverse();
    // (0.9² + 0.95² + 0.85²) / (0.9 + 0.95 + 0.85); the plain mean is 0.9.
    assert_eq!((said.confidence, supersedes), (share(902), &ids), "each by its own weight");
    assert_eq!(&*said.content, "Use pnpm.", "the words of the surest");
    assert_eq!(said.source.entries, [at(1), at(2), at(3)]);
    assert_eq!(bench.ask(1, Consolidate {}).events, [], "it waits already");
    assert_eq!(bench.came(1, look_for("pnpm")).len(), 3, "it does not count yet");
    assert_eq!(bench.no(2, accept(candidate)), None);
    let came = bench.came(2, look_for("pnpm"));
    assert_eq!((came.len(), bench.state.totals.superseded), (1, 3));
    assert_eq!(bench.ask(3, Consolidate {}).events, [], "one entry is enough");
}

/// Each counts as much as it is sure; worked by hand.
#[test]
fn a_consolidation_weighs_confidence() {
    for (confidences, expected) in [
        (&[900, 950, 850][..], 902),
        (&[900, 900, 100], 858),
        (&[1000, 500, 500], 750),
        (&[800, 800, 800], 800),
        (&[300, 0, 0], 300),
        (&[0, 0, 0], 0),
    ] {
        let mut bench = Bench::default();
        for (number, confidence) in (1..).zip(confidences) {
            learnt(&mut bench, "use pnpm", *confidence, number);
        }
        let events = bench.ask(1, Consolidate {}).events;
        let [Event::Proposed(Proposed { said, .. })] = &events[..] else { panic!("{events:?}") };
        assert_eq!(said.confidence, share(expected), "{confidences:?}");
    }
}

/// What hangs on it goes the whole way, and the greatest counts where many become one.
#[test]
fn an_impact_goes_with_what_is_known() {
    let mut bench = Bench::default();
    assert_eq!(bench.no(0, Propose { impact: Some(Effect::Low), ..propose("use tabs", &[1]) }), None);
    let id = key("correction", "use tabs");
    assert_eq!(candidate(&bench, &id).said.impact, Some(Effect::Low));
    assert_eq!(bench.no(0, Accept { impact: Some(Effect::Medium), ..accept(&id) }), None);
    let entry = candidate(&bench, &id).entry.expect("an entry");
    assert_eq!(bench.state.entry(entry).and_then(|entry| entry.said.impact), Some(Effect::Medium));
    for (number, impact) in [(1, None), (2, Some(Effect::High)), (3, Some(Effect::Low))] {
        bench.add(0, Add { impact, source: from(&[number]), ..fact("use pnpm") });
    }
    let events = bench.ask(1, Consolidate {}).events;
    let [Event::Proposed(Proposed { said, .. })] = &events[..] else { panic!("{events:?}") };
    assert_eq!(said.impact, Some(Effect::High));
}

#[test]
fn a_consolidation_that_was_rejected_comes_again_only_with_other_entries() {
    let mut bench = Bench::default();
    let ids: Vec<EntryId> = (1..=3).map(|number| learnt(&mut bench, "use pnpm", 900, number)).collect();
    assert_eq!(bench.ask(1, Consolidate {}).events.len(), 1);
    assert_eq!(bench.no(1, reject(&key("fact", "use pnpm"))), None);
    assert_eq!(bench.ask(1, Consolidate {}).events, []);
    learnt(&mut bench, "use pnpm", 900, 4);
    assert_eq!(bench.ask(1, Consolidate {}).events.len(), 1);
    assert_eq!(bench.state.totals.waiting, 1);
    let other = learnt(&mut bench, "use yarn", 900, 5);
    assert_eq!(bench.no(2, Supersede { entry: ids[0], by: other }), None);
    assert_eq!(bench.no(2, accept(&key("fact", "use pnpm"))), None, "what is superseded meanwhile is left alone");
    assert_eq!(bench.state.totals.superseded, 4);
}

/// What was found before is nothing new, and of more than the rule allows at once nothing is taken.
#[test]
fn what_is_gathered_is_news_and_comes_in_portions() {
    let mut bench = Bench::default();
    let gather =
        |count: u128| Gather { found: (1..=count).map(|at| propose(&format!("use tab {at}"), &[at])).collect() };
    let refusal = |bench: &mut Bench, who, count| bench.ask_as(who, day(0), gather(count)).refusal;
    assert_eq!(refusal(&mut bench, Standing::System, 129), Some(Refusal::TooMuch { most: 128 }));
    assert!(matches!(refusal(&mut bench, agent("writer"), 1), Some(Refusal::NotAReviewer { .. })));
    assert_eq!(refusal(&mut bench, Standing::System, 1), None);
    assert_eq!(refusal(&mut bench, Standing::System, 1), Some(Refusal::NothingNew));
}
