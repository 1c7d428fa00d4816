//! The cases that came with the documents.

use super::super::potential::{Action, Potentials};
use super::super::quantum::{MacroState, Quantum, Sigma, matrix};
use super::super::row::MegramTrace;
use super::super::tag::{LOCAL, intent, path, tool};
use super::{close, day};
use annals_kernel::fade::days_of_exponential;
use annals_kernel::settings::Settings;
use annals_kernel::share::Share;

fn trace(f: u16, sigma: i16, k: u16, days: f64) -> MegramTrace {
    MegramTrace {
        megram: "m".into(),
        created: day(days),
        recalled: None,
        f: Share::thousandths(f),
        sigma: Sigma::thousandths(sigma),
        k: Share::thousandths(k),
    }
}

/// Artoo R5, "Dual-Channel Convolution Potentials", the table of actions. A bound belongs to the side that the document
/// writes.
#[test]
fn potentials_advise_as_the_table_of_actions_has_it() {
    const CASES: [(f64, f64, Action); 9] = [
        (1.0, -0.2, Action::Caution),
        (0.5, 0.0, Action::Caution),
        (0.5, -0.21, Action::Avoid),
        (1.0, 0.2, Action::Caution),
        (0.5, 0.200_000_001, Action::Exploit),
        (0.9, 0.9, Action::Exploit),
        (0.95, -0.95, Action::Avoid),
        (0.499_999_999, 0.4, Action::Ignore),
        (0.0, 0.0, Action::Ignore),
    ];
    for (attention, decision, expected) in CASES {
        let action = Potentials { attention, decision }.action(&Settings::default());
        assert_eq!(action, expected, "attention {attention}, decision {decision}");
    }
}

/// Artoo R5, "Dual-Channel Convolution Potentials".
#[test]
fn potentials_are_the_sums_of_what_is_left() {
    type Case<'c> = (&'c [(u16, i16, u16)], f64, f64, f64);
    let cases: [Case<'_>; 6] = [
        (&[(900, 1000, 0)], 0.0, 0.9, 0.9),
        (&[(900, 1000, 50)], 14.0, 0.446_927, 0.446_927),
        (&[(950, -1000, 50)], 14.0, 0.471_756, -0.471_756),
        (&[(950, -1000, 0)], 0.0, 0.95, -0.95),
        (&[(900, 1000, 50), (300, 0, 200), (100, 500, 500)], 0.0, 1.3, 0.95),
        (&[], 3.0, 0.0, 0.0),
    ];
    for (megrams, age, attention, decision) in cases {
        let traces: Vec<_> = megrams.iter().map(|(f, sigma, k)| trace(*f, *sigma, *k, 0.0)).collect();
        let found = Potentials::of(&traces, day(age));
        assert!(close(found.attention, attention) && close(found.decision, decision), "{megrams:?}: {found:?}");
    }
}

#[test]
fn what_adding_leaves_in_the_last_places_advises_nothing() {
    let traces = [trace(900, 1000, 0, 0.0), trace(700, -1000, 0, 0.0)];
    let found = Potentials::of(&traces, day(0.0));
    assert_eq!(found.action(&Settings::default()), Action::Caution, "{found:?}");
}

/// Artoo R5, "GGS Quantization Matrix".
#[test]
fn every_state_weighs_what_the_matrix_says() {
    let expected = [
        (MacroState::Abandon, 0.95, -1.0, 0.05),
        (MacroState::Accept, 0.9, 1.0, 0.05),
        (MacroState::ChangeApproach, 0.85, -1.0, 0.05),
        (MacroState::Success, 0.8, 1.0, 0.05),
        (MacroState::BreakSymmetry, 0.75, 1.0, 0.05),
        (MacroState::ChangePath, 0.3, 0.0, 0.2),
        (MacroState::Refine, 0.1, 0.5, 0.5),
    ];
    let found: Vec<_> = matrix()
        .into_iter()
        .map(|(state, Quantum { f, sigma, k })| (state, f.number(), sigma.number(), k.number()))
        .collect();
    assert_eq!(found, expected);
    assert_eq!(matrix().len(), MacroState::ALL.len());
}

/// Artoo R5: the lifetimes that follow from the matrix, and its half-lives.
#[test]
fn what_nobody_remembers_is_gone_when_the_formula_says_so() {
    let lifetime = |f: f64, k: f64| days_of_exponential(f, k, 0.1).expect("it fades");
    assert!((lifetime(0.9, 0.05) - 43.944).abs() < 0.001);
    assert!(lifetime(0.1, 0.5).abs() < f64::EPSILON);
    for (k, half_life) in [(0.05, 13.9), (0.2, 3.5), (0.5, 1.4)] {
        assert!((lifetime(0.2, k) - half_life).abs() < 0.1, "k {k}");
    }
    let due = trace(900, 1000, 50, 0.0).due().expect("it fades");
    assert!((annals_kernel::fade::days_between(day(0.0), due) - 43.944).abs() < 0.001);
    let hour = trace(100, 500, 500, 0.0).due().expect("it fades");
    assert_eq!(hour, day(0.0).plus_millis(3_600_000), "decision 31");
    assert_eq!(trace(900, 1000, 0, 0.0).due(), None);
}

/// Artoo R5, consolidation: how often a success must come back so that it is promoted.
#[test]
fn what_comes_back_often_enough_reaches_the_threshold() {
    for (every, steady, reaches) in [(3.97, 4.999, false), (4.0, 4.965, false), (7.0, 3.048, false), (3.0, 6.461, true)]
    {
        let traces: Vec<_> = (0..400).map(|count| trace(900, 1000, 50, every * f64::from(count))).collect();
        let found = Potentials::of(&traces, day(every * 399.0)).attention;
        assert!((found - steady).abs() < 0.001, "every {every} days: {found}");
        assert_eq!(found >= 5.0, reaches);
    }
}

/// Decision 36; artoo R5, tag conventions.
#[test]
fn an_intent_is_named_by_its_first_three_words() {
    for (text, expected) in [
        ("find all go files in project", "intent:find_all_go"),
        ("", "intent:"),
        ("  Find, ALL!  Go-files", "intent:find_all_go"),
        ("Überall Größen prüfen bitte", "intent:überall_größen_prüfen"),
        ("найти все файлы go", "intent:найти_все_файлы"),
        ("हिन्दी में लिखो अब", "intent:हिन्दी_में_लिखो"),
        ("修复 所有 测试 吧", "intent:修复_所有_测试"),
        ("snake_case stays one", "intent:snake_case_stays_one"),
        ("?!", "intent:"),
    ] {
        assert_eq!(intent(text), expected);
    }
    assert_eq!((tool("grep"), path("src/a.rs")), ("tool:grep".to_owned(), "path:src/a.rs".to_owned()));
    assert_eq!(LOCAL, "env:local");
}

#[test]
fn a_sign_is_written_as_it_is_read() {
    for text in ["-1", "1", "0", "0.5", "-0.25", "0.001"] {
        let sigma: Sigma = serde_json::from_str(text).expect("a sign");
        assert_eq!((serde_json::to_string(&sigma).expect("JSON").as_str(), sigma.to_string().as_str()), (text, text));
    }
    for text in ["1.1", "-2", "NaN", "x"] {
        assert!(text.parse::<Sigma>().is_err(), "{text}");
    }
}
