//! What goes from one store to another.

use super::*;
use crate::domain::hivemind::command::{Clash, Pull, Push};
use crate::domain::hivemind::event::{Contested, Pulled, Pushed, Updated};
use crate::domain::hivemind::row::{ContestPurpose, Scope};
use crate::domain::hivemind::sync::{MOST_CLASHES, MOST_OFFERS};

/// What another project offers: an entry that was learnt there on the first day.
fn offer(category: EntryCategory, key: &str, value: &str) -> NewEntry {
    let mut there = Scene::default();
    there.does("dora", day(1), add(category, key, value));
    let entry = there.state.entry(key).expect("there");
    NewEntry {
        id: entry.id.clone(),
        key: key.into(),
        category,
        scope: Scope::Global,
        value: value.into(),
        confidence: entry.confidence,
        source: entry.source.clone(),
        decay_rate: entry.decay.decay_rate,
        expires_below: entry.decay.expires_below,
        tags: Vec::new(),
        related_entries: Vec::new(),
        original_entry_id: None,
        source_project: Some("there".into()),
        last_accessed: Some(day(1)),
    }
}

fn pull(conflicts: Clash) -> Pull {
    Pull { from: "shared".into(), conflicts }
}

fn offered(scene: &mut Scene, at: Timestamp, conflicts: Clash, offers: Vec<NewEntry>) -> Vec<Event> {
    scene.offers = offers;
    let outcome = scene.ask("user", at, pull(conflicts));
    assert_eq!(outcome.refusal, None);
    outcome.events
}

/// AFS 6.5.
#[test]
fn knowledge_decisions_and_preferences_travel_and_nothing_else() {
    let mut scene = Scene::default();
    let offers = EntryCategory::ALL.iter().map(|category| offer(*category, category.as_str(), "v")).collect::<Vec<_>>();
    let events = offered(&mut scene, day(9), Clash::Skip, offers.clone());
    let [Event::Pulled(pulled)] = events.as_slice() else { panic!("{events:?}") };
    let keys: Vec<_> = pulled.added.iter().map(|new| &*new.key).collect();
    assert_eq!(keys, ["knowledge", "decision", "preference"]);
    let entry = scene.state.entry("decision").expect("there");
    assert_eq!((entry.scope, entry.sync.source_project.as_deref()), (Scope::Global, Some("there")));
    assert_eq!((entry.source.agent_id.as_str(), entry.source.timestamp), ("dora", day(1)));
    assert_eq!((entry.decay.last_accessed, entry.sync.last_sync), (day(1), Some(day(9))), "it goes on fading");
    assert_eq!(offered(&mut scene, day(10), Clash::Council, offers), [], "a second time adds nothing");
}

/// AFS 6.4: the stores of every project get what is global, and nothing else.
#[test]
fn what_only_a_group_shares_does_not_become_global_by_that() {
    let in_group = |key: &str| NewEntry { scope: Scope::Project, ..offer(EntryCategory::Knowledge, key, "theirs") };
    let from_group = |scene: &mut Scene, at, conflicts, offers| {
        scene.offers = offers;
        scene.ask("user", at, Pull { from: "groups/zelda".into(), conflicts })
    };
    let mut scene = Scene::default();
    from_group(&mut scene, day(2), Clash::Skip, vec![in_group("port")]);
    let entry = scene.state.entry("port").expect("there");
    assert_eq!((entry.scope, entry.sync.source_project.as_deref()), (Scope::Project, Some("there")));
    let global = offer(EntryCategory::Knowledge, "port", "theirs");
    assert_eq!(offered(&mut scene, day(3), Clash::Replace, vec![global]), [], "it is here already");
    scene.does("anna", day(4), add(EntryCategory::Knowledge, "known", "ours"));
    scene.does("anna", day(4).plus_millis(1), nominate("known", Rise::Global));
    scene.does("user", day(5), settle("known", ContestVerdict::Approve));
    for conflicts in [Clash::Skip, Clash::Replace, Clash::Council] {
        let outcome = from_group(&mut scene, day(6), conflicts, vec![in_group("known")]);
        assert_eq!(outcome, Outcome { events: vec![], refusal: None }, "{conflicts:?}: what is global stays");
    }
}

/// AFS 6.5: `skip | replace | council`.
#[test]
fn a_key_that_has_another_value_here_stays_is_replaced_or_is_contested() {
    let sync = |conflicts| {
        let mut scene = Scene::default();
        scene.does("anna", day(0), add(EntryCategory::Decision, "k", "ours"));
        let events = offered(&mut scene, day(9), conflicts, vec![offer(EntryCategory::Decision, "k", "theirs")]);
        let again = offered(&mut scene, day(9), conflicts, vec![offer(EntryCategory::Decision, "k", "theirs")]);
        assert_eq!(again, [], "a second time changes nothing");
        events
    };
    let pulled = |replaced: &[&str], contested: &[&str]| -> Event {
        let keys = |keys: &[&str]| keys.iter().map(|key| (*key).into()).collect();
        Pulled { from: "shared".into(), added: vec![], replaced: keys(replaced), contested: keys(contested) }.into()
    };
    assert_eq!(sync(Clash::Skip), []);
    let updated = Updated {
        key: "k".into(),
        changes: vec!["value".into(), "confidence".into()],
        value: Some("theirs".into()),
        confidence: Some(Share::thousandths(800)),
        council: None,
        source_project: Some("there".into()),
    };
    assert_eq!(sync(Clash::Replace), [pulled(&["k"], &[]), updated.into()]);
    let contested = Contested {
        key: "k".into(),
        purpose: ContestPurpose::Conflict,
        reason: "there has another value".into(),
        alternative: Some("theirs".into()),
    };
    assert_eq!(sync(Clash::Council), [pulled(&[], &["k"]), contested.into()]);
}

#[test]
fn what_was_decided_here_is_not_undone_by_the_next_sync() {
    let mut scene = Scene::default();
    let theirs = || vec![offer(EntryCategory::Decision, "k", "theirs")];
    scene.does("anna", day(0), add(EntryCategory::Decision, "k", "ours"));
    assert_eq!(offered(&mut scene, day(1), Clash::Council, theirs()).len(), 2);
    scene.does("user", day(2), settle("k", ContestVerdict::Reject));
    assert_eq!(offered(&mut scene, day(3), Clash::Council, theirs()), []);
    assert_eq!(offered(&mut scene, day(3), Clash::Replace, theirs()), []);
    scene.does("user", day(4), remove("k"));
    assert_eq!(offered(&mut scene, day(5), Clash::Replace, theirs()), []);
    scene.does("anna", day(6), add(EntryCategory::Decision, "k", "ours"));
    scene.does("anna", day(6).plus_millis(1), nominate("k", Rise::Golden));
    scene.does("user", day(7), settle("k", ContestVerdict::Approve));
    assert_eq!(offered(&mut scene, day(8), Clash::Replace, theirs()), []);
}

#[test]
fn what_expired_here_and_was_used_elsewhere_comes_back() {
    let mut scene = Scene::default();
    scene.does("anna", day(0), add(EntryCategory::Decision, "k", "v"));
    let used = NewEntry { last_accessed: Some(day(80)), ..offer(EntryCategory::Decision, "k", "v") };
    let events = offered(&mut scene, day(90), Clash::Skip, vec![used]);
    let [Event::Pulled(pulled)] = events.as_slice() else { panic!("{events:?}") };
    assert_eq!(pulled.added[0].original_entry_id.as_deref(), Some(&*id(day(0)).to_string()));
}

#[test]
fn an_offer_that_no_rule_would_have_let_in_is_passed_over() {
    let mut scene = Scene::default();
    let sound = || offer(EntryCategory::Decision, "k", "v");
    let offers = vec![
        NewEntry { key: "Bad Key".into(), ..sound() },
        NewEntry { value: "x".repeat(5000).into(), ..sound() },
        NewEntry { confidence: Share::thousandths(5), ..sound() },
    ];
    assert_eq!(offered(&mut scene, day(1), Clash::Council, offers), []);
}

#[test]
fn one_decision_takes_over_so_much() {
    let mut scene = Scene::default();
    let keys = |count: usize| (0..count).map(|number| format!("k{number}"));
    let offers = |count| keys(count).map(|key| offer(EntryCategory::Decision, &key, "theirs")).collect::<Vec<_>>();
    scene.offers = offers(MOST_OFFERS + 1);
    let refusal = scene.refuses("user", day(2), pull(Clash::Skip));
    assert_eq!(refusal, Refusal::TooMany { count: MOST_OFFERS + 1, most: MOST_OFFERS });
    for (number, key) in keys(MOST_CLASHES + 4).enumerate() {
        let at = day(1).plus_millis(i64::try_from(number).expect("small"));
        scene.does("anna", at, add(EntryCategory::Decision, &key, "ours"));
    }
    let mut counts = |at| offered(&mut scene, at, Clash::Council, offers(MOST_CLASHES + 4)).len();
    assert_eq!([counts(day(2)), counts(day(3)), counts(day(4))], [1 + MOST_CLASHES, 1 + 4, 0]);
}

#[test]
fn who_leads_syncs_and_the_user_may_forbid_it() {
    let mut scene = Scene::default();
    let push = |to: &str| Push { to: to.into(), keys: vec!["k".into()] };
    let refusal = Refusal::NotALead { actor: "anna".into(), what: "sync_with_other_projects" };
    assert_eq!(scene.refuses("anna", day(1), pull(Clash::Skip)), refusal);
    assert_eq!(scene.refuses("anna", day(1), push("shared")), refusal);
    assert_eq!(scene.refuses("lead", day(1), push("../x")), Refusal::BadStore { name: "../x".into() });
    assert_eq!(scene.refuses("lead", day(1), push("shared")), Refusal::UnknownEntry { key: "k".into() });
    scene.settings.set("hivemind.global_enabled", Some(false.into()));
    assert_eq!(scene.refuses("user", day(1), pull(Clash::Skip)), Refusal::GlobalDisabled);
}

/// AFS 6.1, `sync`.
#[test]
fn an_entry_knows_which_stores_have_it() {
    let mut scene = Scene::default();
    scene.does("anna", day(0), add(EntryCategory::Decision, "k", "v"));
    let push = || Push { to: "groups/zelda".into(), keys: vec!["k".into(), "K".into()] };
    let expected = Pushed { to: "groups/zelda".into(), keys: vec!["k".into()] };
    assert_eq!(scene.ask("user", day(1), push()), Outcome::of(expected));
    assert_eq!(scene.ask("user", day(2), push()).events, [], "once");
    let sync = &scene.state.entry("k").expect("there").sync;
    assert_eq!((sync.synced_to.join(" "), sync.last_sync), ("groups/zelda".to_owned(), Some(day(1))));
}

/// Two stores that give each other what they have keep nothing alive that nobody uses.
#[test]
fn nothing_lives_on_by_going_to_and_fro() {
    let faded = || vec![offer(EntryCategory::Decision, "k", "v")];
    let mut scene = Scene::default();
    assert_eq!(offered(&mut scene, day(20), Clash::Skip, faded()).len(), 1);
    let gone = scene.state.entry("k").and_then(crate::domain::hivemind::HivemindEntry::expires_at);
    assert!(gone.is_some_and(|at| at < day(42)), "as where it was learnt");
    assert_eq!(offered(&mut scene, day(42), Clash::Skip, faded()), []);
    let ahead = vec![NewEntry { last_accessed: Some(day(500)), ..offer(EntryCategory::Decision, "ahead", "v") }];
    offered(&mut scene, day(43), Clash::Skip, ahead);
    assert_eq!(scene.state.entry("ahead").map(|entry| entry.decay.last_accessed), Some(day(43)), "clocks differ");
}
