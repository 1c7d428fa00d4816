//! Moods and where they come from.

use serde_json::{Value, json};

use super::*;
use crate::testing::{broke, call, failed, id, interrupt, mind, prompt, ran, rejection, said, session, typed, with};

fn of(steps: &[Value]) -> Emotional {
    analyse(&session(steps), &Settings::default())
}

/// AFS 5.2.5.
#[test]
fn every_mood_has_its_cause() {
    let fail = |number: usize| broke(&format!("cargo build {number}"), "exit code 1");
    let cases: [(Vec<Value>, Mood); 5] = [
        (vec![prompt("Hello.")], Mood::Neutral),
        (vec![prompt("Go on."), ran("ls", "")], Mood::Focused),
        (vec![prompt("Go on."), ran("ls", ""), prompt("This is wrong.")], Mood::Frustrated),
        (vec![prompt("Go on."), ran("ls", ""), prompt("Thanks!")], Mood::Satisfied),
        ((0..10).map(fail).collect(), Mood::Anxious),
    ];
    for (steps, mood) in cases {
        assert_eq!(of(&steps).mood.current, Computed::Is(mood), "{steps:?}");
    }
}

#[test]
fn anxiety_adds_up_what_lately_speaks_for_caution() {
    let nothing = of(&[prompt("Hello."), ran("ls", "")]).anxiety;
    assert_eq!((nothing.level, nothing.sources), (Computed::Is(Share::NONE), Vec::new()));
    let half = of(&[ran("ls", ""), broke("deploy", "exit code 1")]).anxiety;
    // Half of the last calls failed: 0.5 of 0.8.
    assert_eq!(half.level, Computed::Is(Share::thousandths(400)));
    assert_eq!(half.sources, ["1 of the last 2 calls failed (0.4)"]);
    let refused = of(&[prompt("x"), rejection("Bash", &json!({}), "no"), prompt("Stop doing that.")]).anxiety;
    // 1 - 0.75 × 0.8
    assert_eq!(refused.level, Computed::Is(Share::thousandths(400)));
    assert_eq!(refused.mitigation_suggestions.len(), refused.sources.len());
}

#[test]
fn failures_in_a_row_are_one_frustration_until_the_same_works() {
    let steps = [broke("bake pie", "exit code 1"), broke("peel pears", "exit code 2")];
    let after = |more: &[Value]| {
        let all: Vec<_> = steps.iter().chain(more).cloned().collect();
        let felt = of(&all).frustrations.remove(0);
        (felt.id, felt.intensity, felt.resolved, felt.entries)
    };
    let felt = |resolved| (id(1), 4, resolved, vec![id(1), id(2)]);
    assert_eq!(after(&[]), felt(Some(false)));
    assert_eq!(after(&[ran("ls", "")]), felt(Some(false)), "another call makes nothing good");
    assert_eq!(after(&[ran("bake cake", ""), ran("peel apples", "")]), felt(Some(true)));
    assert_eq!(after(&[ran("bake cake", "")]), felt(Some(false)), "the pears are not peeled");
    assert_eq!(after(&[prompt("Leave it.")]), felt(None), "nobody can say");
    assert_eq!(of(&steps[..1]).frustrations, []);
}

#[test]
fn the_word_of_a_mood_follows_from_what_was_felt_last_and_is_not_over() {
    let trouble = || vec![broke("bake", "exit code 1"), broke("bake", "exit code 1"), ran("bake", "")];
    let mut fine = trouble();
    fine.extend([prompt("Thanks!"), said("Yes."), prompt("Perfect.")]);
    for (steps, mood, side) in [
        ([vec![ran("ls", ""); 8], trouble()[..2].to_vec()].concat(), Mood::Frustrated, Some(-1)),
        (trouble(), Mood::Focused, Some(-1)),
        (fine, Mood::Satisfied, Some(1)),
        (vec![ran("ls", "")], Mood::Focused, None),
    ] {
        let now = of(&steps).mood;
        let sign = now.valence.value().map(|valence| valence.in_thousandths().signum());
        assert_eq!((now.current, sign), (Computed::Is(mood), side));
    }
}

/// No default score: of what could tell nothing, nothing is said.
#[test]
fn where_nothing_was_recorded_nothing_is_computable() {
    for steps in [vec![], vec![typed("/exit")]] {
        let felt = of(&steps);
        let missing = || "a prompt, a message or a call".to_owned();
        let expected = MoodNow {
            current: Computed::NotComputable(missing()),
            intensity: Computed::NotComputable(missing()),
            valence: Computed::missing("something that went well or wrong"),
        };
        assert_eq!((felt.mood, felt.anxiety.level), (expected, Computed::NotComputable(missing())), "{steps:?}");
    }
}

#[test]
fn what_a_person_shows_is_made_good_by_the_person() {
    let steps = [prompt("Go on."), ran("a", ""), interrupt(), ran("b", ""), prompt("Now the tests.")];
    assert_eq!(of(&steps[..4]).frustrations[0].resolved, Some(false));
    assert_eq!(of(&steps).frustrations[0].resolved, Some(true));
}

#[test]
fn a_person_who_leaves_stops_nobody() {
    assert_eq!(of(&[interrupt(), prompt("x"), typed("/exit"), interrupt(), interrupt()]).frustrations, []);
}

#[test]
fn a_check_that_passes_after_it_failed_is_a_satisfaction() {
    let felt = of(&[broke("cargo test", "exit code 101"), ran("cargo test", "ok")]).satisfactions;
    assert_eq!(felt.iter().map(|felt| felt.entries.clone()).collect::<Vec<_>>(), [vec![id(1), id(2)]]);
    let other = [broke("cargo test", "exit code 101"), ran("cargo check", "")];
    assert_eq!(of(&other).satisfactions, [], "another check had not failed");
    let fears = of(&[said("This might break the build.")]).fears;
    assert_eq!(fears.iter().map(|felt| felt.id).collect::<Vec<_>>(), [id(1)]);
    assert_eq!(of(&[said("I renamed it without confusing anybody.")]).fears, []);
}

/// AFS 5.2.5: the document's thresholds. Of what could not be computed there is no limit to show.
#[test]
fn the_thresholds_of_the_document_are_the_defaults_of_what_was_computed() {
    let limits = |steps: &[Value]| {
        let emotional = of(steps);
        (emotional.high_anxiety_threshold, emotional.frustration_spinning_threshold)
    };
    assert_eq!(limits(&[]), (None, None));
    let json = serde_json::to_string(&of(&[])).expect("JSON");
    assert!(!json.contains("threshold"), "{json}");
    let angry = [prompt("Bake."), ran("ls", ""), prompt("Stop doing that.")];
    assert_eq!(limits(&angry), (Some(Share::thousandths(700)), Some(3)));
}

/// What calls for a look at an agent that is afraid, and what is said then, go by one limit (AFS 5.2.5, 5.3).
#[test]
fn the_limit_of_anxiety_is_that_of_the_trigger() {
    let angry = session(&[prompt("Bake."), ran("ls", ""), prompt("Stop doing that.")]);
    let own = json!({ CAUTION: { "thresholds": { "anxiety_level": 0.4 } } });
    for (settings, thousandths) in [
        (Settings::default(), 700),
        (with(&limits::HIGH_ANXIETY, json!(0.5)), 500),
        (with(&limits::PER_TRIGGER, own), 400),
    ] {
        let trigger = limits::threshold(&settings, CAUTION, SessionMetric::AnxietyLevel);
        let share = Share::thousandths(thousandths);
        assert_eq!((trigger, analyse(&angry, &settings).high_anxiety_threshold), (Some(share.into()), Some(share)));
    }
}

/// The share of the last calls that failed is that of the live mind (AFS 4.2).
#[test]
fn the_last_calls_are_those_that_the_live_mind_counts() {
    let wait = || call("write_stdin", json!({ "session_id": 1, "chars": "" }), "");
    let stopped = || failed("Bash", json!({ "command": "x" }), "interrupted");
    let steps = [ran("a", ""), broke("b", "it broke"), wait(), stopped(), ran("c", ""), ran("d", ""), broke("e", "no")];
    assert_eq!(mind(&steps).watch.effectiveness(), Some(Share::thousandths(600)));
    let sources = of(&steps).anxiety.sources;
    assert!(sources[0].starts_with("2 of the last 5 calls failed"), "{sources:?}");
}
