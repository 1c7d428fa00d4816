//! What holds in a clone, of every kind of word for it.

use serde_json::json;

use super::*;
use annals_kernel::id::{AgentId, EntryId};

fn settings(values: &[(&str, Value)]) -> Settings {
    let mut settings = Settings::default();
    for (key, value) in values {
        settings.set(key, Some(value.clone()));
    }
    settings
}

fn consent(values: &[(&str, Value)]) -> Consent {
    let mut consent = Consent::default();
    for (key, value) in values {
        consent.enter(key, Entered { value: Some(value.clone()), entry: EntryId::MIN });
    }
    consent
}

#[test]
fn what_a_file_asks_for_holds_only_where_it_does_not_weaken() {
    let asked = [
        ("sanitization.enabled", json!(false)),
        ("sanitization.patterns.pii", json!(true)),
        ("sanitization.excluded_tools", json!(["Bash"])),
        ("hook.fail_closed", json!(true)),
        ("views.auto", json!(true)),
        ("roster.require_token", json!(true)),
        ("sanity.preset", json!("light")),
        ("history.rotation", json!("weekly")),
    ];
    let file = settings(&asked);
    let holds = in_force(&file, &Consent::default());
    let strict = ["sanitization.patterns.pii", "roster.require_token", "history.rotation"];
    let expected: Vec<_> = asked.iter().filter(|(key, _)| strict.contains(key)).cloned().collect();
    assert_eq!(holds, settings(&expected));
    let waits: Vec<_> = waiting(&file, &holds).into_iter().map(|waiting| waiting.key).collect();
    assert_eq!(
        waits,
        ["hook.fail_closed", "sanitization.enabled", "sanitization.excluded_tools", "sanity.preset", "views.auto"]
    );
    assert_eq!(held(&holds), []);
}

#[test]
fn what_the_user_entered_holds_until_the_user_says_otherwise() {
    let entered = [
        ("sanitization.enabled", json!(false)),
        ("sanity.preset", json!("strict")),
        ("roster.require_token", json!(true)),
    ];
    let (file, own) = (settings(&entered), consent(&entered));
    assert_eq!(in_force(&file, &own), file);
    assert_eq!(waiting(&file, &file), []);
    // A file that came with a merge takes back what protects, and asks for other limits.
    let merged = settings(&[("sanity.preset", json!("light"))]);
    let holds = in_force(&merged, &own);
    assert_eq!(holds, settings(&[("sanity.preset", json!("strict")), ("roster.require_token", json!(true))]));
    let keys: Vec<_> = waiting(&merged, &holds).into_iter().map(|waiting| (waiting.key, waiting.asked)).collect();
    assert_eq!(keys, [("roster.require_token", json!(false)), ("sanity.preset", json!("light"))]);
}

#[test]
fn another_clones_line_strengthens_and_does_not_weaken() {
    let log = settings(&[
        ("sanity.preset", json!("light")),
        ("sanity.enabled", json!(false)),
        ("roster.require_token", json!(true)),
    ]);
    let none = Settings::default();
    let expected = BTreeMap::from([("sanity.preset".into(), None), ("sanity.enabled".into(), None)]);
    assert_eq!(apart(&log, &none, &Consent::default()), expected);
    let own = consent(&[("sanity.preset", json!("light")), ("sanity.enabled", json!(false))]);
    assert_eq!(
        apart(&log, &none, &own),
        BTreeMap::from([("sanity.enabled".into(), None)]),
        "the file says nothing of it"
    );
    let file = settings(&[("sanity.enabled", json!(false))]);
    assert_eq!(apart(&log, &file, &own), BTreeMap::new());
}

#[test]
fn a_decision_adopts_of_a_file_what_does_not_weaken() {
    let file = settings(&[
        ("sanity.preset", json!("light")),
        ("session.idle_minutes", json!(5)),
        ("sanitization.patterns.pii", json!(true)),
    ]);
    // What protects is not taken back, whoever said it: the user here, or in another clone.
    let log = settings(&[
        ("history.rotation", json!("weekly")),
        ("roster.require_token", json!(true)),
        ("sanity.enabled", json!(false)),
        ("sanity.blind_first_pass_enabled", json!(true)),
    ]);
    let adopted = adoptable(&log, &file, &consent(&[("roster.require_token", json!(true))]));
    let expected = BTreeMap::from([
        ("session.idle_minutes".into(), Some(json!(5))),
        ("sanitization.patterns.pii".into(), Some(json!(true))),
        ("history.rotation".into(), None),
        ("sanity.enabled".into(), None),
    ]);
    assert_eq!(adopted, expected);
}

#[test]
fn a_value_of_the_wrong_type_holds_nowhere() {
    let own = consent(&[("sanity.preset", json!("none at all"))]);
    assert_eq!(in_force(&Settings::default(), &own), Settings::default());
}

/// A file may ask for more care, and for less of it only with the user.
#[test]
fn of_a_number_a_file_may_say_the_safer_one() {
    let asked = |votes: u32, wait: u32| {
        settings(&[
            ("canon.required_votes_for_agent_promotion", json!(votes)),
            ("hook.lock_wait_ms", json!(wait)),
            ("dialectic.proceed_confidence", json!(0.9)),
        ])
    };
    let holds = in_force(&asked(5, 20), &Consent::default());
    assert_eq!(holds, asked(5, 20));
    assert_eq!(held(&holds), []);
    let weaker = asked(0, 60_000);
    let holds = in_force(&weaker, &Consent::default());
    assert_eq!(holds, settings(&[("dialectic.proceed_confidence", json!(0.9))]));
    let keys: Vec<_> = waiting(&weaker, &holds).into_iter().map(|waiting| waiting.key).collect();
    assert_eq!(keys, ["canon.required_votes_for_agent_promotion", "hook.lock_wait_ms"]);
    let own = consent(&[("canon.required_votes_for_agent_promotion", json!(0)), ("hook.lock_wait_ms", json!(60_000))]);
    let holds = in_force(&weaker, &own);
    assert_eq!(holds, weaker);
    let keys: Vec<_> = held(&holds).into_iter().map(|held| held.key).collect();
    assert_eq!(keys, ["canon.required_votes_for_agent_promotion", "hook.lock_wait_ms"]);
}

#[test]
fn a_token_counts_as_it_was_first_seen_or_given() {
    let seals = |all: &[(&str, &str)]| -> BTreeMap<AgentId, Box<str>> {
        all.iter().map(|(id, seal)| (AgentId::from(*id), Box::from(*seal))).collect()
    };
    let (user, wil) = (AgentId::from("user"), AgentId::from("wil"));
    let mut consent = Consent::default();
    let first = seals(&[("wil", "1")]);
    assert_eq!(consent.seal(&wil, Some("1")), Some("1"), "nothing was seen yet");
    consent.let_count(consent.unseen(&first, []));
    assert_eq!(consent.unseen(&first, []), BTreeMap::new());
    // A merge brings another token of an agent, one of a new agent, and one of the user, who had none.
    let merged = seals(&[("ann", "3"), ("user", "4"), ("wil", "2")]);
    consent.let_count(consent.unseen(&merged, []));
    let counts = |consent: &Consent| {
        merged.iter().map(|(id, seal)| consent.seal(id, Some(seal)).map(str::to_owned)).collect::<Vec<_>>()
    };
    assert_eq!(counts(&consent), [Some("3".to_owned()), None, Some("1".to_owned())]);
    assert_eq!(consent.other_seals(&merged), [user.clone(), wil.clone()]);
    assert_eq!(consent.other_seals(&first), [], "away on another branch");
    consent.let_count(BTreeMap::from([(user, Some("4".into())), (wil, Some("2".into()))]));
    assert_eq!(consent.other_seals(&merged), []);
}

/// A setting that weakens when it is greater or smaller is a number, so that a file can be told from another.
#[test]
fn a_setting_has_a_value_on_the_safer_side() {
    for setting in settings::all() {
        let default = setting.default_value();
        match setting.weakens() {
            Weakens::WhenOff | Weakens::WhenOn => assert!(default.is_boolean(), "{}", setting.key()),
            Weakens::WhenLower | Weakens::WhenHigher => assert!(default.is_number(), "{}", setting.key()),
            Weakens::Always | Weakens::Never => {}
        }
    }
}
