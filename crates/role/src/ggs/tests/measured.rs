//! What is measured: D, P, the bounds of their parts, limits, and what numbers may be.

use super::super::limits::BadLimits;
use super::super::{GapAttempt, distance, process, worst_criterion};
use super::*;
use annals_kernel::share::Share;

fn attempt(unmet: &[&str]) -> GapAttempt {
    GapAttempt { unmet_criteria: unmet.iter().map(|one| (*one).to_owned()).collect(), failure_class: None }
}

#[test]
fn a_plausible_failure_counts_as_often_as_it_came_back() {
    let cases: [(&[&[&str]], f64); 4] = [
        (&[], 1.0),
        (&[&["f0"], &["f0"], &["f0"]], 1.0),
        (&[&["x"], &["f0"]], 0.5),
        (&[&["x"], &["x"], &[], &[]], 0.25),
    ];
    for (trajectory, expected) in cases {
        let mut outcome = judged(1, 0, None);
        outcome.criteria_verdicts[0].mode = CriterionMode::Plausible;
        outcome.gap_trajectory = trajectory.iter().map(|unmet| attempt(unmet)).collect();
        assert_eq!(distance(&round(vec![outcome.clone()])), reading(expected), "{trajectory:?}");
        outcome.criteria_verdicts[0].mode = CriterionMode::Verifiable;
        assert_eq!(distance(&round(vec![outcome])), Reading::WHOLE, "verifiable, {trajectory:?}");
    }
}

#[test]
fn nothing_tried_is_as_far_as_it_gets() {
    assert_eq!(distance(&round(vec![])), Reading::WHOLE);
}

#[test]
fn a_failed_subtask_is_no_success_because_its_criteria_passed() {
    let mut outcome = judged(0, 1, None);
    outcome.status = SubTaskStatus::Failed;
    assert_eq!(distance(&round(vec![outcome])), Reading::HALF);
}

#[test]
fn what_the_gate_turned_down_has_a_gap() {
    let mut turned_down = round(vec![matched()]);
    turned_down.gate = Gate::Rejected;
    assert_eq!(distance(&turned_down), Reading::HALF);
    turned_down.task_verdicts = vec![verdict("together", Verdict::Fail, None), verdict("t", Verdict::Pass, None)];
    assert_eq!(distance(&turned_down), reading(0.333_333_333));
}

#[test]
fn the_worst_criterion_is_the_one_that_came_back_most() {
    let mut outcome = judged(2, 0, None);
    outcome.criteria_verdicts[0].mode = CriterionMode::Plausible;
    outcome.gap_trajectory = vec![attempt(&["f1"]), attempt(&["f0", "f1"])];
    assert_eq!(worst_criterion(&round(vec![outcome])), Some("f1"));
    assert_eq!(worst_criterion(&round(vec![judged(2, 0, None)])), Some("f0"), "the first of equals");
    assert_eq!(worst_criterion(&round(vec![failed("why")])), Some("why"));
    assert_eq!(worst_criterion(&round(vec![matched()])), None);
}

#[test]
fn a_class_counts_before_words() {
    let (logical, environmental) = (Some(FailureClass::Logical), Some(FailureClass::Environmental));
    let mut outcome = judged(2, 0, logical);
    outcome.failure_reason = Some("timeout".to_owned());
    assert_eq!(process(&round(vec![outcome.clone()])), Reading::WHOLE);
    outcome.criteria_verdicts[1].failure_class = environmental;
    assert_eq!(process(&round(vec![outcome.clone()])), Reading::HALF);
    outcome.criteria_verdicts.iter_mut().for_each(|verdict| verdict.failure_class = None);
    assert_eq!(process(&round(vec![outcome.clone()])), Reading::NONE, "the reason");
    outcome.criteria_verdicts[0].evidence = "wrong answer".to_owned();
    assert_eq!(process(&round(vec![outcome.clone()])), Reading::WHOLE, "the evidence before the reason");
    outcome.gap_trajectory = vec![GapAttempt { unmet_criteria: vec![], failure_class: environmental }];
    assert_eq!(process(&round(vec![outcome])), Reading::NONE, "the last attempt before words");
}

#[test]
fn process_is_the_logical_part_of_what_has_a_class() {
    let round = round(vec![
        judged(1, 0, Some(FailureClass::Logical)),
        judged(3, 0, Some(FailureClass::Environmental)),
        failed("no idea"),
    ]);
    assert_eq!(process(&round), reading(0.25));
}

#[test]
fn words_are_whole_and_environmental_wins() {
    for (text, expected) in [
        ("Logic error", Some(FailureClass::Logical)),
        ("It doesn’t match", Some(FailureClass::Logical)),
        ("analogical thinking", None),
        ("networking", None),
        ("invalid answer: EACCES, permission-denied", Some(FailureClass::Environmental)),
        ("", None),
    ] {
        assert_eq!(FailureClass::of_text(text), expected, "{text}");
    }
}

#[test]
fn no_number_beyond_the_bounds_is_taken() {
    for number in [-0.001, 1.001, f64::NAN, f64::INFINITY] {
        assert!(Reading::of(number).is_err(), "{number}");
    }
    assert!(Gradient::of(-1.0).is_ok() && Gradient::of(-1.1).is_err() && Gradient::of(f64::NAN).is_err());
    assert!(serde_json::from_str::<Reading>("1.5").is_err());
}

#[test]
fn limits_have_the_values_of_the_document_and_are_checked() {
    let limits = GgsLimits::default();
    assert_eq!(limits.check(), Ok(()));
    let shares = [limits.alpha, limits.beta, limits.lambda, limits.w1, limits.w2];
    assert_eq!(shares.map(Share::in_thousandths), [600, 300, 400, 600, 400]);
    let thresholds = [limits.epsilon, limits.delta, limits.rho, limits.theta];
    assert_eq!(thresholds.map(Share::in_thousandths), [100, 300, 500, 800]);
    assert_eq!((limits.time_budget_ms, limits.max_replans, limits.law2_rounds), (300_000, 3, 2));
    let heavy = GgsLimits { beta: Share::thousandths(401), ..limits };
    assert!(matches!(heavy.check(), Err(BadLimits::LossAboveOne { .. })));
    let none = GgsLimits { max_replans: 0, ..limits };
    assert_eq!(none.check(), Err(BadLimits::Zero { name: "max_replans" }));
    let partial: GgsLimits = serde_json::from_str(r#"{"delta": 0.2}"#).expect("limits");
    assert_eq!(partial, GgsLimits { delta: Share::thousandths(200), ..limits });
}

/// Decision 29: ∇L > ε, D did not fall, and it is not the cost alone; ε itself is not above ε.
#[test]
fn a_round_is_worsening_only_when_the_result_or_the_approach_is() {
    for (before, now, expected) in [
        ((0.5, 0.0, 0.2), (0.5, 1.0, 0.2), true),
        ((0.5, 0.0, 0.2), (0.45, 1.0, 0.2), false),
        ((0.4, 0.0, 0.2), (0.7, 0.0, 0.2), true),
        ((0.5, 0.0, 0.2), (0.5, 0.0, 0.6), false),
        ((0.5, 0.0, 0.2), (0.6, 0.0, 0.3), false),
        ((0.5, 0.0, 0.2), (0.6, 0.0, 0.300_000_01), true),
    ] {
        let (earlier, later) = (loss_of(before.0, before.1, before.2), loss_of(now.0, now.1, now.2));
        let found = super::super::is_worsening(&earlier, &later, &GgsLimits::default());
        assert_eq!(found, expected, "{before:?}, {now:?}");
    }
}
