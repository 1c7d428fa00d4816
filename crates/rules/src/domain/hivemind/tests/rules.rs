//! Who may do what with which entry.

use super::*;
use crate::domain::hivemind::event::{Contested, PromotedGlobal, PromotedGolden, Removed, Updated, Upheld};
use crate::domain::hivemind::row::{Contest as Open, ContestPurpose, EntryStatus, Other, Scope};

fn one(category: EntryCategory) -> Scene {
    let mut scene = Scene::default();
    scene.does("anna", day(0), add(category, "k", "v"));
    scene
}

/// AFS 6.1.
#[test]
fn an_entry_says_who_learnt_it_and_why_it_is_kept() {
    let mut scene = Scene::default();
    let full = Add {
        reason: Some(" it broke twice ".into()),
        tags: vec!["#ci".into(), "ci".into(), "build".into()],
        related: vec!["runner".into()],
        ..sure(950, add(EntryCategory::Fear, "Flaky  Suite", " it hangs\n"))
    };
    scene.does("anna", day(3), full);
    let entry = scene.state.entry("flaky-suite").expect("there");
    assert_eq!((&*entry.value, entry.confidence, entry.scope), ("it hangs", Share::thousandths(950), Scope::Project));
    assert_eq!((&*entry.source.agent_role, entry.source.agent_id.as_str()), ("critic", "anna"));
    assert_eq!((&*entry.source.promotion_reason, entry.source.timestamp), ("it broke twice", day(3)));
    assert_eq!((entry.tags.join(" "), entry.related.join(" ")), ("build ci".to_owned(), "runner".to_owned()));
    assert_eq!(scene.state.totals.entries.get(&EntryCategory::Fear), Some(&1));
}

#[test]
fn what_cannot_be_kept_is_refused() {
    let mut scene = one(EntryCategory::Knowledge);
    let mut refuses = |add: Add| scene.refuses("anna", day(1), add).rule();
    let plain = || add(EntryCategory::Knowledge, "new", "v");
    assert_eq!(refuses(Add { key: "a|b".into(), ..plain() }), "hivemind.bad_key");
    assert_eq!(refuses(Add { value: " \n".into(), ..plain() }), "hivemind.no_value");
    assert_eq!(refuses(Add { value: "x".repeat(4001).into(), ..plain() }), "hivemind.too_long");
    assert_eq!(refuses(Add { reason: Some("x".repeat(501).into()), ..plain() }), "hivemind.too_long");
    assert_eq!(refuses(Add { reason: Some(" ".into()), ..plain() }), "hivemind.no_reason");
    assert_eq!(refuses(Add { tags: vec!["two words".into()], ..plain() }), "hivemind.bad_words");
    let many = (0..17).map(|number| number.to_string().into()).collect();
    assert_eq!(refuses(Add { related: many, ..plain() }), "hivemind.bad_words");
    assert_eq!(refuses(Add { key: " K".into(), ..plain() }), "hivemind.known", "a key is one entry");
    assert_eq!(
        refuses(Add { category: EntryCategory::Fear, key: "K".into(), value: "w".into(), ..plain() }),
        "hivemind.other_value"
    );
}

#[test]
fn what_is_not_there_cannot_be_used_or_questioned() {
    let mut scene = Scene::default();
    let unknown = Refusal::UnknownEntry { key: "k".into() };
    assert_eq!(scene.refuses("anna", day(1), access("k")), unknown);
    assert_eq!(scene.refuses("anna", day(1), contest("k", "w")), unknown);
    assert_eq!(scene.refuses("anna", day(1), nominate("k", Rise::Golden)), unknown);
    assert_eq!(scene.refuses("anna", day(1), supersede("k", "w")), unknown);
    assert_eq!(scene.refuses("user", day(1), settle("k", ContestVerdict::Reject)), unknown);
    assert_eq!(scene.refuses("user", day(1), remove("k")), unknown);
}

/// AFS 6.1, `contested`.
#[test]
fn a_contest_says_what_is_right_instead() {
    let mut scene = one(EntryCategory::Knowledge);
    assert_eq!(scene.refuses("bert", day(1), contest("k", "v")), Refusal::SameValue { key: "k".into() });
    let silent = Contest { alternative: None, ..contest("k", "w") };
    assert_eq!(scene.refuses("bert", day(1), silent), Refusal::NoAlternative);
    let because_of_nothing = Contest { reason: " ".into(), ..contest("k", "w") };
    assert_eq!(scene.refuses("bert", day(1), because_of_nothing), Refusal::NoReason);
    let (key, purpose, reason): (Box<str>, _, Box<str>) = ("k".into(), ContestPurpose::Conflict, "measured".into());
    let alternative: Option<Box<str>> = Some("w".into());
    let expected = Contested { key, purpose, reason: reason.clone(), alternative: alternative.clone() };
    assert_eq!(scene.ask("bert", day(1), contest("k", "w")), Outcome::of(expected));
    let open = Open { purpose, reason, alternative, by: "bert".into(), at: day(1), council: None };
    assert_eq!(scene.state.entry("k").and_then(|entry| entry.contest.clone()), Some(open));
    assert_eq!(scene.state.totals.contested, 1);
    let again = Refusal::ContestedAlready { key: "k".into() };
    assert_eq!(scene.refuses("bert", day(2), contest("k", "x")), again);
    assert_eq!(scene.refuses("bert", day(2), nominate("k", Rise::Global)), again);
    assert_eq!(scene.refuses("anna", day(2), supersede("k", "x")), again);
    scene.does("bert", day(2), access("k"));
}

/// AFS 6.2: contested → golden | active. AFS 7.1: what each purpose comes to.
#[test]
fn what_is_approved_holds() {
    let council = Some("c1");
    let (key, by): (Box<str>, AgentId) = ("k".into(), "general".into());
    let settled = |ask: Command, verdict| {
        let mut scene = one(EntryCategory::Decision);
        scene.does("bert", day(1), ask);
        scene.state.settled("k", verdict, &by, council, &scene.settings)
    };
    let council: Option<Box<str>> = Some("c1".into());
    let updated = Updated {
        key: key.clone(),
        changes: vec!["value".into()],
        value: Some("w".into()),
        confidence: None,
        council: council.clone(),
        source_project: None,
    };
    assert_eq!(settled(contest("k", "w").into(), ContestVerdict::Approve), Some(updated.into()));
    let golden = PromotedGolden { key: key.clone(), by: by.clone(), council: council.clone(), decay_rate: Share::NONE };
    assert_eq!(settled(nominate("k", Rise::Golden).into(), ContestVerdict::Approve), Some(golden.into()));
    let global = PromotedGlobal { key: key.clone(), by: by.clone(), council: council.clone() };
    assert_eq!(settled(nominate("k", Rise::Global).into(), ContestVerdict::Approve), Some(global.into()));
    let upheld = Upheld { key, council };
    for ask in [contest("k", "w").into(), nominate("k", Rise::Golden).into(), nominate("k", Rise::Global).into()] {
        assert_eq!(settled(ask, ContestVerdict::Reject), Some(upheld.clone().into()));
    }
    assert_eq!(settled(access("k").into(), ContestVerdict::Approve), None);
}

#[test]
fn who_leads_may_end_a_contest_without_a_council() {
    let mut scene = one(EntryCategory::Decision);
    let nothing = Refusal::NotContested { key: "k".into() };
    assert_eq!(scene.refuses("user", day(1), settle("k", ContestVerdict::Approve)), nothing);
    scene.does("bert", day(1), contest("k", "w"));
    let agent = Refusal::NotALead { actor: "bert".into(), what: "end_a_contest" };
    assert_eq!(scene.refuses("bert", day(1), settle("k", ContestVerdict::Approve)), agent);
    scene.does("lead", day(2), settle("k", ContestVerdict::Approve));
    let entry = scene.state.entry("k").expect("there");
    let past = Other { entry_id: entry.id.clone(), value: "v".into(), by: "anna".into(), at: day(0) };
    assert_eq!((&*entry.value, &entry.contest, entry.past.as_slice()), ("w", &None, [past].as_slice()));
    assert_eq!(entry.decay.last_accessed, day(2), "it was looked at");
    assert_eq!(scene.state.totals.contested, 0);
}

#[test]
fn what_was_upheld_remembers_what_it_is_not_to_say() {
    let mut scene = one(EntryCategory::Decision);
    scene.does("bert", day(1), contest("k", "w"));
    scene.does("user", day(2), settle("k", ContestVerdict::Reject));
    let entry = scene.state.entry("k").expect("there");
    assert_eq!((&*entry.value, entry.declined.len(), &entry.contest), ("v", 1, &None));
}

/// AFS 6.2; only who leads questions what is golden.
#[test]
fn what_is_golden_is_questioned_by_those_who_lead() {
    let mut scene = one(EntryCategory::Decision);
    scene.does("anna", day(1), nominate("k", Rise::Golden));
    scene.does("user", day(2), settle("k", ContestVerdict::Approve));
    assert_eq!(scene.state.totals.golden, 1);
    let golden = Refusal::Golden { key: "k".into() };
    assert_eq!(scene.refuses("bert", day(3), contest("k", "w")), golden);
    assert_eq!(scene.refuses("anna", day(3), supersede("k", "w")), golden);
    assert_eq!(scene.refuses("anna", day(3), nominate("k", Rise::Golden)), Refusal::GoldenAlready { key: "k".into() });
    scene.does("lead", day(3), contest("k", "w"));
    scene.does("user", day(4), settle("k", ContestVerdict::Reject));
    let status = scene.state.entry("k").expect("there").status_at(day(5), &scene.settings);
    assert_eq!(status, EntryStatus::Golden);
    scene.does("user", day(5), supersede("k", "w"));
    assert_eq!(scene.state.totals.golden, 0, "what is new has to become golden itself");
}

/// AFS 6.5, 13.2.
#[test]
fn only_what_means_something_elsewhere_becomes_global() {
    for category in [EntryCategory::Fear, EntryCategory::Satisfaction] {
        let refusal = one(category).refuses("anna", day(1), nominate("k", Rise::Global));
        assert_eq!(refusal, Refusal::StaysHere { category });
    }
    for category in [EntryCategory::Knowledge, EntryCategory::Decision, EntryCategory::Preference] {
        let mut scene = one(category);
        scene.does("anna", day(1), nominate("k", Rise::Global));
        scene.does("user", day(2), settle("k", ContestVerdict::Approve));
        assert_eq!(scene.state.entry("k").map(|entry| entry.scope), Some(Scope::Global));
        let already = scene.refuses("anna", day(3), nominate("k", Rise::Global));
        assert_eq!(already, Refusal::GlobalAlready { key: "k".into() });
    }
    let mut scene = one(EntryCategory::Knowledge);
    scene.settings.set("hivemind.global_enabled", Some(false.into()));
    assert_eq!(scene.refuses("anna", day(1), nominate("k", Rise::Global)), Refusal::GlobalDisabled);
}

#[test]
fn a_new_value_is_a_new_entry_that_leads_back_to_the_old_one() {
    let mut scene = one(EntryCategory::Decision);
    let stranger = Refusal::NotItsAuthor { actor: "bert".into(), key: "k".into(), author: "anna".into() };
    assert_eq!(scene.refuses("bert", day(1), supersede("k", "w")), stranger);
    assert_eq!(scene.refuses("anna", day(1), supersede("k", "v")), Refusal::SameValue { key: "k".into() });
    scene.does("anna", day(1), supersede("k", "w"));
    let entry = scene.state.entry("k").expect("there");
    let (old, new) = (id(day(0)).to_string(), id(day(1)).to_string());
    assert_eq!((&*entry.id, entry.original.as_deref(), &*entry.value), (&*new, Some(&*old), "w"));
    scene.does("lead", day(2), supersede("k", "x"));
    let entry = scene.state.entry("k").expect("there");
    assert_eq!(entry.past.iter().map(|past| &*past.value).collect::<Vec<_>>(), ["v", "w"]);
    assert_eq!(scene.state.totals.all(), 1);
}

#[test]
fn the_user_takes_away_and_nobody_else() {
    let mut scene = one(EntryCategory::Knowledge);
    for who in ["anna", "lead"] {
        assert_eq!(scene.refuses(who, day(1), remove("k")), Refusal::NotTheUser { actor: who.into() });
    }
    let silent = Remove { reason: "".into(), ..remove("k") };
    assert_eq!(scene.refuses("user", day(1), silent), Refusal::NoReason);
    let entry_id: Box<str> = id(day(0)).to_string().into();
    let expected = Removed { key: "k".into(), entry_id: entry_id.clone(), reason: "wrong".into() };
    assert_eq!(scene.ask("user", day(1), remove("k")), Outcome::of(expected));
    assert_eq!((scene.state.entry("k"), scene.state.totals.all()), (None, 0));
    assert!(scene.state.row("k").is_some(), "it can still be read");
    scene.does("anna", day(2), add(EntryCategory::Knowledge, "k", "v"));
    assert_eq!(scene.state.entry("k").and_then(|entry| entry.original.clone()), Some(entry_id));
}

/// What two branches did is merged, and nothing of it is lost.
#[test]
fn a_key_of_two_branches_keeps_both_values() {
    let mut scene = one(EntryCategory::Decision);
    let mut other = Scene::default();
    let theirs = other.ask("bert", day(1), add(EntryCategory::Decision, "k", "w")).events;
    scene.take_in("bert", day(1), &theirs[0]);
    let entry = scene.state.entry("k").expect("there");
    let rival = Other { entry_id: id(day(1)).to_string().into(), value: "w".into(), by: "bert".into(), at: day(1) };
    assert_eq!((&*entry.value, entry.rivals.as_slice()), ("v", [rival].as_slice()));
    let by_default = Contest { alternative: None, ..contest("k", "") };
    scene.does("carl", day(2), by_default);
    scene.does("user", day(3), settle("k", ContestVerdict::Approve));
    let entry = scene.state.entry("k").expect("there");
    assert_eq!((&*entry.value, entry.rivals.len()), ("w", 0));
}

#[test]
fn a_key_that_another_branch_gave_the_same_value_was_used() {
    let mut scene = one(EntryCategory::Decision);
    let theirs = Scene::default().ask("bert", day(9), add(EntryCategory::Decision, "k", "v")).events;
    scene.take_in("bert", day(9), &theirs[0]);
    let entry = scene.state.entry("k").expect("there");
    assert_eq!((entry.decay.last_accessed, entry.decay.access_count), (day(9), 1));
    scene.take_in("bert", day(4), &crate::domain::hivemind::event::Accessed { key: "k".into() }.into());
    assert_eq!(scene.state.entry("k").map(|entry| entry.decay.last_accessed), Some(day(9)), "the later access counts");
}

#[test]
fn what_another_branch_has_replaced_is_not_taken_away() {
    let mut scene = one(EntryCategory::Decision);
    let gone = Scene { state: scene.state.clone(), ..Scene::default() }.ask("user", day(5), remove("k")).events;
    scene.does("anna", day(4), supersede("k", "w"));
    scene.take_in("user", day(5), &gone[0]);
    assert_eq!(scene.state.entry("k").map(|entry| &*entry.value), Some("w"));
}

#[test]
fn of_two_contests_in_two_branches_the_first_stands_and_the_other_is_kept() {
    let mut scene = one(EntryCategory::Decision);
    let theirs = Scene { state: scene.state.clone(), ..Scene::default() }.ask("carl", day(2), contest("k", "x")).events;
    scene.does("bert", day(1), contest("k", "w"));
    scene.take_in("carl", day(2), &theirs[0]);
    let entry = scene.state.entry("k").expect("there");
    let alternative = entry.contest.as_ref().and_then(|contest| contest.alternative.as_deref());
    assert_eq!((alternative, &*entry.rivals[0].value), (Some("w"), "x"));
    assert_eq!(scene.state.totals.contested, 1);
}

#[test]
fn the_council_that_was_called_is_known() {
    let mut scene = one(EntryCategory::Decision);
    scene.state.learn_council("k", "c0");
    scene.does("bert", day(1), contest("k", "w"));
    scene.state.learn_council("k", "c1");
    let contest = scene.state.entry("k").and_then(|entry| entry.contest.clone());
    assert_eq!(contest.and_then(|contest| contest.council).as_deref(), Some("c1"));
}
