//! How entries fade.

use super::*;
use crate::domain::hivemind::command::Announce;
use crate::domain::hivemind::decay::Curve;
use crate::domain::hivemind::row::EntryStatus;

/// The cases of `hivemind.decay`: confidence, rate, days; strength, expired, the day of expiry.
const CASES: [(u16, u16, i64, f64, bool, f64); 5] = [
    (1000, 20, 30, 0.545_484, false, 113.97),
    (900, 30, 30, 0.360_906, false, 72.14),
    (800, 100, 20, 0.097_261, true, 19.74),
    (800, 100, 0, 0.8, false, 19.74),
    (800, 50, 41, 0.097_669, true, 40.54),
];

/// AFS 6.2.
#[test]
fn strength_is_confidence_times_what_is_left_of_each_day_since_the_last_access() {
    for (confidence, rate, days, strength, expired, last_day) in CASES {
        let (confidence, rate) = (Share::thousandths(confidence), Share::thousandths(rate));
        let curve = Curve { confidence, rate, floor: Share::thousandths(100), since: day(1000) };
        let now = day(1000 + days);
        let expires_at = curve.expires_at().expect("it fades");
        assert!((curve.strength_at(now) - strength).abs() < 0.000_001, "{curve:?}");
        assert_eq!(expires_at <= now, expired, "{curve:?}");
        #[expect(clippy::cast_precision_loss, reason = "some days")]
        let day_of_expiry = expires_at.since(day(1000)) as f64 / DAY_MS as f64;
        assert!((day_of_expiry - last_day).abs() < 0.005, "{day_of_expiry}");
        let before = expires_at.plus_millis(-1);
        assert!(curve.strength_at(before) >= 0.1 && curve.strength_at(expires_at) < 0.1, "to the millisecond");
    }
}

/// AFS 6.2: the unrounded strength decides; 0.097 is 0.1 to one digit, and has expired.
#[test]
fn what_is_shown_as_a_tenth_may_have_expired() {
    let mut scene = Scene::default();
    scene.does("anna", day(0), add(EntryCategory::Fear, "flaky", "the suite hangs"));
    let entry = scene.state.entry("flaky").expect("there");
    assert!((entry.strength_at(day(20)) - 0.097_261).abs() < 0.000_001);
    assert_eq!(entry.status_at(day(20), &scene.settings), EntryStatus::Expired);
}

/// AFS 6.2, the table of default rates.
#[test]
fn rates_are_those_of_the_category_and_can_be_configured() {
    let rates = |settings: &Settings| {
        EntryCategory::ALL
            .iter()
            .map(|category| crate::domain::hivemind::settings::rate_of(*category, settings))
            .map(Share::in_thousandths)
            .collect::<Vec<_>>()
    };
    let mut settings = Settings::default();
    assert_eq!(rates(&settings), [100, 100, 0, 50, 0]);
    settings.set("hivemind.decay.default_rates", Some(serde_json::json!({ "fear": 0.2, "preference": 0.3 })));
    assert_eq!(rates(&settings), [200, 100, 0, 50, 0], "preferences are exempt");
    settings.set("hivemind.decay.preferences_exempt", Some(false.into()));
    assert_eq!(rates(&settings), [200, 100, 0, 50, 300]);
}

/// AFS 6.2, the cases of `hivemind.decay_rules`.
#[test]
fn knowledge_preferences_and_what_is_golden_never_expire() {
    let mut scene = Scene::default();
    let ages = day(100_000);
    for (category, key) in
        [(EntryCategory::Knowledge, "k"), (EntryCategory::Preference, "p"), (EntryCategory::Fear, "g")]
    {
        scene.does("anna", day(0), add(category, key, "v"));
    }
    scene.does("anna", day(1), nominate("g", Rise::Golden));
    scene.does("user", day(2), settle("g", ContestVerdict::Approve));
    let status = |key: &str| scene.state.entry(key).expect("there").status_at(ages, &scene.settings);
    assert_eq!(["k", "p", "g"].map(status), [EntryStatus::Active, EntryStatus::Active, EntryStatus::Golden]);
    assert_eq!(scene.state.expiries(ages, 10), []);
}

/// AFS 13.2: `golden_exempt`.
#[test]
fn golden_entries_fade_where_they_are_not_exempt() {
    let mut scene = Scene::default();
    scene.settings.set("hivemind.decay.golden_exempt", Some(false.into()));
    scene.does("anna", day(0), add(EntryCategory::Fear, "g", "v"));
    scene.does("anna", day(1), nominate("g", Rise::Golden));
    scene.does("user", day(2), settle("g", ContestVerdict::Approve));
    let entry = scene.state.entry("g").expect("there");
    let at = |number| entry.status_at(day(number), &scene.settings);
    assert_eq!([at(3), at(21), at(22)], [EntryStatus::Golden, EntryStatus::Golden, EntryStatus::Expired]);
}

/// Decision 21: decaying is what expires within seven days.
#[test]
fn an_entry_is_decaying_in_its_last_days() {
    let mut scene = Scene::default();
    scene.does("anna", day(0), add(EntryCategory::Fear, "f", "v"));
    let entry = scene.state.entry("f").expect("there").clone();
    let expiry = entry.expires_at().expect("it fades");
    let week = 7 * DAY_MS;
    let at = |millis: i64, settings: &Settings| entry.status_at(expiry.plus_millis(millis), settings);
    let settings = &scene.settings;
    assert_eq!([at(-week - 1, settings), at(-week, settings)], [EntryStatus::Active, EntryStatus::Decaying]);
    assert_eq!([at(-1, settings), at(0, settings)], [EntryStatus::Decaying, EntryStatus::Expired]);
    scene.settings.set("hivemind.decay.warning_threshold_days", Some(0.into()));
    assert_eq!(at(-1, &scene.settings), EntryStatus::Active);
}

/// Decision 22.
#[test]
fn an_access_begins_the_curve_anew() {
    let mut scene = Scene::default();
    scene.does("anna", day(0), add(EntryCategory::Fear, "f", "v"));
    scene.does("bert", day(19), access("f"));
    let entry = scene.state.entry("f").expect("there");
    assert_eq!((entry.decay.last_accessed, entry.decay.access_count), (day(19), 1));
    assert!((entry.strength_at(day(39)) - 0.097_261).abs() < 0.000_001);
}

/// Decision 21.
#[test]
fn after_the_crossing_an_access_is_refused_and_the_key_can_be_taken_up_again() {
    let mut scene = Scene::default();
    scene.does("anna", day(0), add(EntryCategory::Fear, "f", "v"));
    let expiry = scene.state.entry("f").and_then(super::super::HivemindEntry::expires_at).expect("it fades");
    let expired = Refusal::Expired { key: "f".into(), at: expiry };
    assert_eq!(scene.refuses("anna", expiry, access("f")), expired);
    assert_eq!(scene.refuses("anna", day(30), contest("f", "w")), expired);
    assert_eq!(scene.refuses("anna", day(30), nominate("f", Rise::Golden)), expired);
    assert_eq!(scene.refuses("anna", day(30), supersede("f", "w")), expired);
    assert_eq!(scene.refuses("user", day(30), settle("f", ContestVerdict::Approve)), expired);
    scene.does("bert", day(31), add(EntryCategory::Fear, "F", "w"));
    let entry = scene.state.entry("f").expect("there");
    assert_eq!(entry.original.as_deref(), Some(&*id(day(0)).to_string()));
    assert_eq!(entry.past.iter().map(|past| &*past.value).collect::<Vec<_>>(), ["v"]);
    assert_eq!(scene.state.totals.all(), 1);
}

/// Decision 21: announced once, and nothing changes.
#[test]
fn an_expiry_is_announced_once_and_changes_nothing() {
    let mut scene = Scene::default();
    scene.does("anna", day(0), add(EntryCategory::Fear, "f", "v"));
    scene.does("anna", day(1), add(EntryCategory::Fear, "later", "v"));
    assert_eq!(scene.ask("user", day(19), Announce {}), Outcome { events: vec![], refusal: None });
    let before = scene.state.entries.clone();
    let expiry = before.get("f").and_then(super::super::HivemindEntry::expires_at).expect("it fades");
    let events = scene.ask("user", day(20), Announce {}).events;
    let expected = super::super::event::EntryExpired {
        key: "f".into(),
        entry_id: id(day(0)).to_string().into(),
        expired_at: expiry,
    };
    assert_eq!(events, [expected.into()]);
    assert_eq!(scene.state.entries, before);
    assert_eq!(scene.ask("user", day(20).plus_millis(1), Announce {}).events, []);
    scene.does("anna", day(21).plus_millis(2), add(EntryCategory::Fear, "f", "again"));
    assert_eq!(scene.ask("user", day(60), Announce {}).events.len(), 2, "one for each expiry");
}

#[test]
fn one_decision_announces_so_many_and_the_next_the_others() {
    let mut scene = Scene::default();
    for number in 0..40 {
        scene.does("anna", day(0).plus_millis(number), add(EntryCategory::Fear, &format!("f{number}"), "v"));
    }
    let counts: Vec<_> = (0..4).map(|n| scene.ask("user", day(90).plus_millis(n), Announce {}).events.len()).collect();
    assert_eq!(counts, [16, 16, 8, 0]);
}

/// AFS 6.2: contested → golden or active, not expired.
#[test]
fn a_contested_entry_does_not_expire_before_that_has_ended() {
    let mut scene = Scene::default();
    scene.does("anna", day(0), add(EntryCategory::Fear, "f", "v"));
    scene.does("anna", day(19), nominate("f", Rise::Golden));
    let status = |scene: &Scene, at| scene.state.entry("f").expect("there").status_at(at, &scene.settings);
    assert_eq!(status(&scene, day(50)), EntryStatus::Contested);
    assert_eq!(scene.ask("user", day(50), Announce {}).events, []);
    scene.does("user", day(50), settle("f", ContestVerdict::Reject));
    assert_eq!(status(&scene, day(50)), EntryStatus::Active);
    assert_eq!(status(&scene, day(70)), EntryStatus::Expired);
}

#[test]
fn what_would_be_gone_at_once_is_not_taken() {
    let mut scene = Scene::default();
    let weak = |category| sure(99, add(category, "k", "v"));
    let too_weak = Refusal::TooWeak { confidence: Share::thousandths(99), least: Share::thousandths(100) };
    assert_eq!(scene.refuses("anna", day(0), weak(EntryCategory::Decision)), too_weak);
    scene.does("anna", day(0), weak(EntryCategory::Knowledge));
    scene.does("anna", day(1), sure(100, add(EntryCategory::Fear, "edge", "v")));
    let edge = scene.state.entry("edge").expect("there");
    assert_eq!(edge.expires_at(), Some(day(1).plus_millis(1)));
}

#[test]
fn what_goes_at_once_is_gone_in_a_millisecond() {
    let mut scene = Scene::default();
    scene.settings.set("hivemind.decay.default_rates", Some(serde_json::json!({ "fear": 1 })));
    scene.does("anna", day(1), add(EntryCategory::Fear, "f", "v"));
    assert_eq!(scene.state.entry("f").and_then(super::super::HivemindEntry::expires_at), Some(day(1).plus_millis(1)));
}
