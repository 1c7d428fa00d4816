//! What is offered to instruction files.

use serde_json::json;

use super::super::command::{Give, UseEnding};
use super::super::promote::{PromotionStanding, Unpromoted, like_procedures, standings};
use super::*;

/// Added on the first day, and retrieved so often.
fn used(bench: &mut Bench, add: Add, times: u32) -> EntryId {
    let content = add.content.clone();
    let id = bench.add(0, add);
    for _ in 0..times {
        bench.ask(1, look_for(&content));
    }
    id
}

fn against(bench: &Bench, now: Timestamp) -> Vec<Option<Unpromoted>> {
    standings(&bench.state, &bench.settings, now).into_iter().map(|standing| standing.against).collect()
}

#[test]
fn what_held_two_weeks_came_three_times_and_is_sure_is_offered() {
    let mut bench = Bench::default();
    used(&mut bench, fact("The parser lives in src/parse"), 3);
    assert_eq!(against(&bench, day(13)), [Some(Unpromoted::Young)]);
    assert_eq!(against(&bench, day(14)), [None]);
    assert_eq!(against(&bench, day(33)), [Some(Unpromoted::Unsure)], "it fades");
}

#[test]
fn what_came_seldom_is_unsure_or_did_harm_is_not_offered() {
    let mut bench = Bench::default();
    used(&mut bench, fact("The parser lives in src/parse"), 2);
    used(&mut bench, Add { confidence: Some(share(799)), ..fact("Releases happen on Fridays") }, 3);
    let harmful = used(&mut bench, fact("The cache may be deleted"), 3);
    bench.ask(2, Give { entry: harmful, result: UseEnding::Failed });
    let all = [Some(Unpromoted::Unused), Some(Unpromoted::Unsure), Some(Unpromoted::Harmful)];
    assert_eq!(against(&bench, day(20)), all);
    bench.set("memory.consolidation.min_retrievals", json!(2));
    assert_eq!(against(&bench, day(20))[0], None);
}

#[test]
fn of_two_entries_that_contradict_each_other_none_is_offered_before_it_is_settled() {
    let mut bench = Bench::default();
    let spaces = used(&mut bench, fact("use tabs in the Go files"), 3);
    let tabs = used(&mut bench, fact("never use tabs in the Go files"), 3);
    let standing =
        |entry, opposed| PromotionStanding { entry, against: Some(Unpromoted::Contradicted), opposed: Some(opposed) };
    let expected = [standing(spaces, tabs), standing(tabs, spaces)];
    assert_eq!(standings(&bench.state, &bench.settings, day(20)), expected);
}

#[test]
fn three_procedures_about_the_same_are_a_skill() {
    let mut bench = Bench::default();
    let procedure =
        |content: &str, about: &str| Add { kind: KnowledgeKind::Procedure, about: Some(about.into()), ..fact(content) };
    let first = used(&mut bench, procedure("Tag the commit before you build", "Releases"), 3);
    let second = used(&mut bench, procedure("Write the changes into the changelog", "releases"), 3);
    let other = used(&mut bench, procedure("Rotate the keys once a quarter", "keys"), 3);
    let plain = used(&mut bench, Add { about: Some("releases".into()), ..fact("Two people sign a build") }, 3);
    assert_eq!(like_procedures(&bench.state, &[first, second, other, plain]), Vec::<Vec<EntryId>>::new());
    let third = used(&mut bench, procedure("Upload the build by hand", "releases"), 3);
    assert_eq!(like_procedures(&bench.state, &[first, second, other, plain, third]), [vec![first, second, third]]);
}
