//! What may be added, superseded, put away and brought back.

use super::*;
use crate::domain::knowledge::command::{Archive, Give, Restore, Supersede, UseEnding};
use crate::domain::knowledge::row::Evidence;

fn unknown() -> EntryId {
    EntryId::new(day(-1), 9)
}

#[test]
fn an_entry_keeps_what_was_said_with_the_names_in_it() {
    let mut bench = Bench::default();
    let source = KnowledgeSource { session: Some("s".into()), entries: vec![unknown()], rule: None };
    let add = Add {
        kind: KnowledgeKind::Preference,
        entities: vec!["pytest".into()],
        about: Some("user".into()),
        source: source.clone(),
        ..fact("  We use `tests/it` with Pytest and MQTT  ")
    };
    let id = bench.add(0, add);
    let entry = bench.state.entry(id).expect("an entry");
    assert_eq!(&*entry.said.content, "We use `tests/it` with Pytest and MQTT");
    assert_eq!(entry.said.entities, ["pytest".into(), "tests/it".into(), "MQTT".into()].map(|name: Box<str>| name));
    assert_eq!((entry.said.about.as_deref(), &entry.said.source, entry.extracted_at), (Some("user"), &source, day(0)));
    assert_eq!(bench.state.totals.entries.get(&KnowledgeKind::Preference), Some(&1));
}

#[test]
fn what_says_nothing_too_much_or_has_bad_names_is_refused() {
    let mut bench = Bench::default();
    for empty in ["", "  ", "..."] {
        assert_eq!(bench.no(0, fact(empty)), Some(Refusal::NoText), "{empty:?}");
    }
    assert_eq!(bench.no(0, fact(&"x".repeat(2000))), None);
    assert_eq!(bench.no(0, fact(&"y".repeat(2001))), Some(Refusal::TooLong { length: 2001, most: 2000 }));
    for bad in ["", " ", "a\nb", &"x".repeat(81)] {
        let add = Add { entities: vec![bad.into()], ..fact("The sky is blue") };
        assert_eq!(bench.no(0, add), Some(Refusal::BadName { most: 80 }), "{bad:?}");
        let add = Add { about: Some(bad.into()), ..fact("The sky is blue") };
        assert_eq!(bench.no(0, add), Some(Refusal::BadName { most: 80 }), "{bad:?}");
    }
}

#[test]
fn the_same_from_the_same_source_is_no_news() {
    let mut bench = Bench::default();
    let entry = bench.add(0, fact("The sky is blue"));
    assert_eq!(bench.no(0, fact("the sky  is blue.")), Some(Refusal::Known { entry }));
    let elsewhere = KnowledgeSource { session: Some("other".into()), ..KnowledgeSource::default() };
    assert_eq!(bench.no(0, Add { source: elsewhere, ..fact("The sky is blue") }), None);
    assert_eq!(bench.no(0, Add { kind: KnowledgeKind::Rule, ..fact("The sky is blue") }), None);
    assert_eq!(bench.no(0, Archive { entry, reason: None }), None);
    assert_eq!(bench.no(0, fact("The sky is blue")), None, "what is put away says nothing any more");
}

/// Galatea 0: superseded entries are filtered from the context; they stay readable.
#[test]
fn what_is_superseded_stays_readable_and_does_not_come() {
    let mut bench = Bench::default();
    let old = bench.add(0, fact("The port is 80"));
    let new = bench.add(1, Add { supersedes: Some(old), ..fact("The port is 8080") });
    assert_eq!(bench.came(2, look_for("port")), [new]);
    let kept = bench.state.entry(old).expect("it is there");
    assert_eq!(kept.superseded_by.as_ref().map(|by| (by.at, by.by)), Some((day(1), new)));
    assert_eq!(bench.state.totals.superseded, 1);
}

#[test]
fn only_what_holds_can_be_superseded_by_something_else_that_holds() {
    let mut bench = Bench::default();
    let (old, new, third) = (
        bench.add(0, fact("The port is 80")),
        bench.add(0, fact("The port is 81")),
        bench.add(0, fact("The port is 82")),
    );
    assert_eq!(bench.no(1, Supersede { entry: old, by: old }), Some(Refusal::Itself { entry: old }));
    assert_eq!(bench.no(1, Supersede { entry: unknown(), by: old }), Some(Refusal::UnknownEntry { entry: unknown() }));
    assert_eq!(bench.no(1, Supersede { entry: old, by: unknown() }), Some(Refusal::UnknownEntry { entry: unknown() }));
    assert_eq!(bench.no(1, Supersede { entry: old, by: new }), None);
    let gone = Some(Refusal::Superseded { entry: old, by: new });
    assert_eq!(bench.no(1, Supersede { entry: old, by: third }), gone);
    assert_eq!(bench.no(1, Supersede { entry: new, by: old }), gone);
    assert_eq!(bench.no(1, Archive { entry: old, reason: None }), gone);
    assert_eq!(bench.no(1, Restore { entry: old }), gone);
    assert_eq!(bench.no(1, Add { supersedes: Some(old), ..fact("The port is 83") }), gone);
}

/// Two branches may each put one in the other's place; something must hold.
#[test]
fn of_entries_that_supersede_each_other_the_one_named_last_holds() {
    let mut bench = Bench::default();
    let ids = [bench.add(0, fact("one")), bench.add(0, fact("two")), bench.add(0, fact("three"))];
    let actor = "who".into();
    for (from, to) in [(0, 1), (1, 2), (2, 0), (0, 0)] {
        let event = crate::domain::knowledge::event::Superseded { entry: ids[from], by: ids[to], because: None };
        bench.state.evolve(&event.into(), &Cause { asked: None, id: unknown(), at: day(1), actor: &actor });
    }
    let holds = ids.map(|id| bench.state.entry(id).is_some_and(|entry| entry.superseded_by.is_none()));
    assert_eq!((holds, bench.state.totals.superseded), ([true, false, false], 2));
}

#[test]
fn what_is_put_away_can_be_brought_back_and_what_is_there_cannot() {
    let mut bench = Bench::default();
    let entry = bench.add(0, fact("The sky is blue"));
    assert_eq!(bench.no(1, Restore { entry }), Some(Refusal::NotArchived { entry }));
    assert_eq!(bench.no(1, Archive { entry, reason: Some("it rains".into()) }), None);
    assert_eq!((bench.state.totals.archived, bench.came(1, look_for("sky"))), (1, vec![]));
    assert_eq!(bench.no(1, Archive { entry, reason: None }), Some(Refusal::Archived { entry }));
    assert_eq!(bench.no(2, Restore { entry }), None);
    assert_eq!((bench.state.totals.archived, bench.came(2, look_for("sky"))), (0, vec![entry]));
    assert_eq!(bench.no(60, Archive { entry, reason: None }), Some(Refusal::Archived { entry }), "it has faded");
    assert_eq!(
        bench.no(60, Archive { entry: unknown(), reason: None }),
        Some(Refusal::UnknownEntry { entry: unknown() })
    );
    assert_eq!(bench.no(60, Restore { entry: unknown() }), Some(Refusal::UnknownEntry { entry: unknown() }));
}

/// Cases `knowledge.feedback`.
#[test]
fn feedback_counts_an_exposure_and_what_came_of_it() {
    let mut bench = Bench::default();
    let entry = bench.add(0, fact("The sky is blue"));
    let evidence = |bench: &Bench| bench.state.entry(entry).expect("an entry").evidence;
    for ending in [UseEnding::Success, UseEnding::Neutral] {
        assert_eq!(bench.no(1, Give { entry, result: ending }), None);
    }
    assert_eq!(evidence(&bench), Evidence { exposed: 2, helpful: 1, harmful: 0 });
    assert_eq!(bench.no(1, Give { entry, result: UseEnding::Success }), None);
    assert_eq!(evidence(&bench), Evidence { exposed: 3, helpful: 2, harmful: 0 });
    assert_eq!(bench.no(1, Give { entry, result: UseEnding::Failed }), None);
    assert_eq!(evidence(&bench), Evidence { exposed: 4, helpful: 2, harmful: 1 });
    let nobody = Give { entry: unknown(), result: UseEnding::Success };
    assert_eq!(bench.no(1, nobody), Some(Refusal::UnknownEntry { entry: unknown() }));
}

#[test]
fn agents_propose_and_retrieve_and_do_not_add_unless_they_may() {
    let mut bench = Bench::default();
    let entry = bench.add(0, fact("The sky is blue"));
    let no = |bench: &mut Bench, standing: Standing, command: Command| {
        let refusal = bench.ask_as(standing, day(1), command).refusal;
        matches!(refusal, Some(Refusal::NotAReviewer { .. }))
    };
    let writer = || agent("writer");
    assert!(no(&mut bench, writer(), fact("The sea is green").into()));
    assert!(no(&mut bench, writer(), Supersede { entry, by: entry }.into()));
    assert!(no(&mut bench, writer(), Archive { entry, reason: None }.into()));
    assert!(no(&mut bench, writer(), Restore { entry }.into()));
    assert!(!no(&mut bench, writer(), look_for("sky").into()));
    assert!(!no(&mut bench, writer(), Give { entry, result: UseEnding::Success }.into()));
    assert!(!no(&mut bench, agent("moderator"), fact("The sea is green").into()));
    bench.set("knowledge.agents_may_add", serde_json::json!(true));
    assert!(!no(&mut bench, writer(), fact("The sun is yellow").into()));
}
