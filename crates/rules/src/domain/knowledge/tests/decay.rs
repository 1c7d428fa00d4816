//! How knowledge fades.

use super::*;
use crate::domain::knowledge::command::{Archive, Expire, Restore, Supersede};
use crate::domain::knowledge::event::{Crossing, Faded};
use crate::domain::knowledge::{KnowledgeDecay, KnowledgeEntry, KnowledgeStatus};

fn entry(bench: &Bench, id: EntryId) -> KnowledgeEntry {
    bench.state.entry(id).cloned().expect("an entry")
}

fn stands(bench: &Bench, id: EntryId, at: Timestamp) -> (f64, KnowledgeStatus) {
    let decay = KnowledgeDecay::of(&bench.settings);
    let entry = entry(bench, id);
    (decay.strength(&entry, at), decay.status(&entry, at))
}

fn is_close(left: f64, right: f64) -> bool {
    (left - right).abs() < 5e-7
}

/// Cases `knowledge.decay`: confidence, days since the last retrieval, confidence then, status then.
const CASES: [(u16, i64, f64, KnowledgeStatus); 4] = [
    (800, 5, 0.8, KnowledgeStatus::Active),
    (800, 50, 0.286_789, KnowledgeStatus::Archived),
    (800, 49, 0.301_883, KnowledgeStatus::Decaying),
    (800, 35, 0.619_025, KnowledgeStatus::Decaying),
];

/// Galatea 3, "Formula"; decision 23.
#[test]
fn confidence_is_the_closed_formula_of_the_initial_one_the_last_retrieval_and_now() {
    for (confidence, days, expected, status) in CASES {
        let mut bench = Bench::default();
        let id = bench.add(0, Add { confidence: Some(share(confidence)), ..fact("The sky is blue") });
        let (strength, stands) = stands(&bench, id, day(days));
        assert!(is_close(strength, expected), "{days} days: {strength}");
        assert_eq!(stands, status, "{days} days");
    }
}

/// Galatea 3, "Testing": retrieved yesterday, so no decay.
#[test]
fn a_retrieval_starts_the_clock_anew_and_does_not_touch_the_confidence() {
    let mut bench = Bench::default();
    let id = bench.add(0, fact("The sky is blue"));
    assert_eq!(bench.came(45, look_for("sky")), [id]);
    assert_eq!(stands(&bench, id, day(46)), (0.8, KnowledgeStatus::Active));
    let entry = entry(&bench, id);
    assert_eq!((entry.said.confidence, entry.last_retrieved_at, entry.retrievals), (share(800), Some(day(45)), 1));
}

/// Galatea 3, "Testing": the grace is respected.
#[test]
fn within_the_grace_nothing_changes_however_little_there_was() {
    let mut bench = Bench::default();
    let id = bench.add(0, Add { confidence: Some(share(200)), ..fact("The sky is blue") });
    let end = day(30);
    assert_eq!(stands(&bench, id, end.plus_millis(-1)), (0.2, KnowledgeStatus::Active));
    assert_eq!(stands(&bench, id, end), (0.2, KnowledgeStatus::Archived));
    let threshold = bench.add(0, Add { confidence: Some(share(300)), ..fact("The sea is green") });
    assert_eq!(stands(&bench, threshold, end).1, KnowledgeStatus::Decaying, "the threshold itself is not below it");
    assert_eq!(stands(&bench, threshold, end.plus_millis(1)).1, KnowledgeStatus::Archived);
}

/// Galatea 3, "Exemptions": a rule never fades, unless that is configured.
#[test]
fn rules_are_exempt() {
    let mut bench = Bench::default();
    let id = bench.add(0, Add { kind: KnowledgeKind::Rule, ..fact("Never push to main") });
    assert_eq!(stands(&bench, id, day(10_000)), (0.8, KnowledgeStatus::Active));
    assert_eq!(KnowledgeDecay::of(&bench.settings).archives_at(&entry(&bench, id)), None);
    bench.set("memory.decay.exempt_types", serde_json::json!([]));
    assert_eq!(stands(&bench, id, day(50)).1, KnowledgeStatus::Archived);
}

/// Cases `knowledge.decay_exempt`.
#[test]
fn what_is_superseded_or_put_away_stays_as_it_was() {
    let mut bench = Bench::default();
    let (old, new) = (bench.add(0, fact("The sky is blue")), bench.add(0, fact("The sky is grey")));
    let away = bench.add(0, fact("The sea is green"));
    assert_eq!(bench.no(40, Supersede { entry: old, by: new }), None);
    assert_eq!(bench.no(40, Archive { entry: away, reason: None }), None);
    let then = 0.8 * libm::pow(0.95, 10.0);
    for (id, status) in [(old, KnowledgeStatus::Superseded), (away, KnowledgeStatus::Archived)] {
        for later in [40, 50, 5000] {
            let (strength, stands) = stands(&bench, id, day(later));
            assert!(is_close(strength, then), "{strength}");
            assert_eq!(stands, status);
        }
    }
    let faded = bench.ask(60, Expire {}).events;
    let named = |id| {
        faded
            .iter()
            .any(|event| matches!(event, Event::Faded(faded) if faded.entries.iter().any(|one| one.entry == id)))
    };
    assert_eq!([old, away, new].map(named), [false, false, true]);
}

/// Decision 23: archived at the moment at which it crosses the threshold.
#[test]
fn the_moment_of_the_crossing_is_exact() {
    let mut bench = Bench::default();
    for (factor, threshold, grace) in [(950, 300, 30), (999, 299, 0), (500, 1, 7), (1, 300, 1), (0, 300, 3)] {
        bench.set("memory.decay.decay_factor", serde_json::json!(share(factor)));
        bench.set("memory.decay.archive_threshold", serde_json::json!(share(threshold)));
        bench.set("memory.decay.decay_start_days", serde_json::json!(grace));
        let decay = KnowledgeDecay::of(&bench.settings);
        for confidence in [1000, 999, 800, 301, 300, 299, 1, 0] {
            let crossing = decay.crossing(share(confidence), day(0)).expect("it crosses");
            let below = |at: Timestamp| {
                decay.is_past_grace(day(0), at)
                    && decay.confidence(share(confidence), day(0), at) < decay.threshold.number()
            };
            assert!(below(crossing), "{factor} {threshold} {grace} {confidence}: {crossing}");
            assert!(!below(crossing.plus_millis(-1)), "{factor} {threshold} {grace} {confidence}: {crossing}");
        }
    }
}

#[test]
fn what_does_not_fade_so_far_never_crosses() {
    let mut bench = Bench::default();
    bench.set("memory.decay.archive_threshold", serde_json::json!(0));
    assert_eq!(KnowledgeDecay::of(&bench.settings).crossing(share(800), day(0)), None);
    bench.set("memory.decay.archive_threshold", serde_json::json!(0.3));
    bench.set("memory.decay.decay_factor", serde_json::json!(1));
    assert_eq!(KnowledgeDecay::of(&bench.settings).crossing(share(800), day(0)), None);
    assert_eq!(KnowledgeDecay::of(&bench.settings).crossing(share(200), day(0)), Some(day(30)));
    bench.set("memory.decay.enabled", serde_json::json!(false));
    let id = bench.add(0, fact("The sky is blue"));
    assert_eq!(stands(&bench, id, day(9000)), (0.8, KnowledgeStatus::Active));
    assert_eq!(bench.ask(9000, Expire {}).events, []);
}

/// Decision 23: what has faded is announced once, and nothing is changed by it.
#[test]
fn what_has_faded_is_announced_once_and_the_entry_stays() {
    let mut bench = Bench::default();
    let id = bench.add(0, fact("The sky is blue"));
    let before = entry(&bench, id);
    assert_eq!(bench.ask(49, Expire {}).events, []);
    let at = KnowledgeDecay::of(&bench.settings).archives_at(&before).expect("it fades");
    let expected = Faded { entries: vec![Crossing { entry: id, since: day(0), at }] };
    assert_eq!(bench.ask(50, Expire {}), Outcome::of(expected));
    assert_eq!(bench.ask(51, Expire {}).events, []);
    assert_eq!(entry(&bench, id), before);
}

#[test]
fn what_was_brought_back_can_fade_and_be_announced_again() {
    let mut bench = Bench::default();
    let id = bench.add(0, fact("The sky is blue"));
    assert_eq!(bench.ask(50, Expire {}).events.len(), 1);
    assert_eq!(bench.no(60, Restore { entry: id }), None);
    assert_eq!(stands(&bench, id, day(61)), (0.8, KnowledgeStatus::Active));
    assert_eq!(bench.ask(61, Expire {}).events, []);
    assert_eq!(bench.ask(120, Expire {}).events.len(), 1);
}

/// A retrieval that another branch made before the crossing makes the announcement void.
#[test]
fn an_announcement_counts_only_for_the_time_that_it_names() {
    let mut bench = Bench::default();
    let id = bench.add(0, fact("The sky is blue"));
    assert_eq!(bench.came(20, look_for("sky")), [id]);
    let stale = Faded { entries: vec![Crossing { entry: id, since: day(0), at: day(49) }] };
    let actor = "who".into();
    bench.state.evolve(&stale.into(), &Cause { asked: None, id: EntryId::new(day(50), 0), at: day(50), actor: &actor });
    assert_eq!(bench.ask(80, Expire {}).events.len(), 1, "it has faded since, and nobody has said so");
}

/// Decision 37.
#[test]
fn what_is_configured_by_default_is_what_the_document_has() {
    assert_eq!(KnowledgeDecay::of(&Settings::default()), KnowledgeDecay::documented());
}

/// Under another curve the order of the clocks is not that of the crossings.
#[test]
fn what_fades_under_another_curve_is_found_too() {
    for (factor, threshold, grace) in [(500, 900, 0), (999, 990, 3), (950, 300, 29), (10, 10, 60)] {
        let mut bench = Bench::default();
        for number in 0..=50_u16 {
            let confidence = Some(share(number * 20));
            bench.add(i64::from(number % 7), Add { confidence, ..fact(&format!("fact {number}")) });
        }
        bench.set("memory.decay.decay_factor", serde_json::json!(share(factor)));
        bench.set("memory.decay.archive_threshold", serde_json::json!(share(threshold)));
        bench.set("memory.decay.decay_start_days", serde_json::json!(grace));
        let decay = KnowledgeDecay::of(&bench.settings);
        for number in 7..100 {
            let due = |bench: &Bench| {
                let entries = bench.state.entries.iter();
                entries.filter(|(_, entry)| decay.has_faded(entry, day(number))).count()
            };
            bench.ask(number, Expire {});
            let announced = bench.state.clocks.iter().filter(|(_, clock)| clock.is_announced).count();
            assert_eq!(announced, due(&bench), "{factor} {threshold} {grace}, day {number}");
        }
    }
}

#[test]
fn many_are_announced_a_hundred_at_a_time_whatever_lies_before_them() {
    let mut bench = Bench::default();
    for number in 0..250 {
        bench.add(0, Add { kind: KnowledgeKind::Rule, ..fact(&format!("rule {number}")) });
        bench.add(0, fact(&format!("fact {number}")));
        bench.add(0, Add { confidence: Some(share(1000)), ..fact(&format!("sure {number}")) });
    }
    let mut counts = Vec::new();
    for _ in 0..5 {
        let events = bench.ask(50, Expire {}).events;
        counts.push(
            events
                .iter()
                .map(|event| if let Event::Faded(faded) = event { faded.entries.len() } else { 0 })
                .sum::<usize>(),
        );
    }
    assert_eq!(counts, [100, 100, 50, 0, 0]);
    bench.set("memory.decay.exempt_types", serde_json::json!([]));
    let events = bench.ask(50, Expire {}).events;
    assert!(matches!(&events[..], [Event::Faded(faded)] if faded.entries.len() == 100), "rules fade now, too");
}

/// Galatea 3, "Trigger": by the way, and not more often than is configured.
#[test]
fn a_retrieval_announces_what_has_faded_once_in_an_interval() {
    let mut bench = Bench::default();
    let mut add = |number: i64, name: &str| bench.add(number, fact(name));
    add(0, "The sky is blue");
    add(1, "The sea is green");
    let minute = |number: i64| day(50).plus_millis(number * 60_000);
    let mut names = |at: Timestamp| {
        let events = bench.ask_as(Standing::User, at, look_for("nothing")).events;
        events.iter().map(|event| if let Event::Faded(faded) = event { faded.entries.len() } else { 0 }).sum::<usize>()
    };
    assert_eq!(names(minute(0)), 1);
    assert_eq!(names(minute(59)), 0);
    let next = day(51);
    assert_eq!(names(next), 1);
}
