//! Formulas, architectures, error rates.

use serde_json::{Value, json};

use super::choice::{ChoiceLimits, amplification, efficiency, overhead, recommended, should_use_multi_agent};
use super::*;
use crate::testing::{by, call, child, failed, id, patch, prompt, ran, read, said, session, session_above, with};

fn given(value: Value) -> Given {
    serde_json::from_value(value).expect("what is given")
}

/// AFS 5.2.3, "Architecture Selection Formula".
#[test]
fn the_formula_chooses_line_by_line() {
    use Architecture::*;
    let cases: [(Value, Result<Architecture, &str>); 13] = [
        (json!({}), Err("baseline_accuracy")),
        (json!({"baseline_accuracy": 0.451}), Ok(Single)),
        (json!({"baseline_accuracy": 0.45}), Err("task_decomposability, output_structured")),
        (json!({"baseline_accuracy": 0.4, "task_decomposability": 0.31, "output_structured": true}), Ok(Centralized)),
        (json!({"baseline_accuracy": 0.4, "task_decomposability": 0.6}), Err("output_structured (give")),
        (json!({"baseline_accuracy": 0.4, "task_decomposability": 0.3}), Err("requires_exploration, high_entropy")),
        (
            json!({"baseline_accuracy": 0.4, "output_structured": false, "requires_exploration": true}),
            Ok(Decentralized),
        ),
        (json!({"baseline_accuracy": 0.4, "output_structured": false, "high_entropy": true}), Ok(Decentralized)),
        (
            json!({"baseline_accuracy": 0.4, "output_structured": false, "high_entropy": false}),
            Err("requires_exploration (give"),
        ),
        (
            json!({"baseline_accuracy": 0.4, "output_structured": false, "high_entropy": false, "requires_exploration": false,
                "need_diversity": true, "needs_coordination": false}),
            Ok(Independent),
        ),
        (
            json!({"baseline_accuracy": 0.4, "output_structured": false, "high_entropy": false, "requires_exploration": false,
                "need_diversity": true, "needs_coordination": true}),
            Ok(Hybrid),
        ),
        (
            json!({"baseline_accuracy": 0.4, "output_structured": false, "high_entropy": false, "requires_exploration": false,
                "need_diversity": false}),
            Ok(Hybrid),
        ),
        (
            json!({"baseline_accuracy": 0.4, "output_structured": false, "high_entropy": false, "requires_exploration": false}),
            Err("need_diversity, needs_coordination"),
        ),
    ];
    for (value, expected) in cases {
        match (recommended(&given(value.clone()), &ChoiceLimits::default()), expected) {
            (Computed::Is(choice), Ok(architecture)) => assert_eq!(choice.architecture, architecture, "{value}"),
            (Computed::NotComputable(missing), Err(what)) => assert!(missing.starts_with(what), "{value}: {missing}"),
            (found, expected) => panic!("{value}: {found:?}, not {expected:?}"),
        }
    }
}

/// AFS 5.2.3: `P_SA < 0.45 AND T <= 4`; of what was given, and it says of what.
#[test]
fn several_agents_are_for_hard_tasks_with_few_tools() {
    let (weak, few) = ("baseline_accuracy 0.44 is below 0.45", "task_tool_count 4 is not above 4");
    let cases = [
        (json!({}), Err("baseline_accuracy and task_tool_count")),
        (json!({"baseline_accuracy": 0.44, "task_tool_count": 4}), Ok((true, format!("{weak}, {few}")))),
        (
            json!({"baseline_accuracy": 0.45, "task_tool_count": 4}),
            Ok((false, "baseline_accuracy 0.45 is not below 0.45".into())),
        ),
        (json!({"baseline_accuracy": 0.44, "task_tool_count": 5}), Ok((false, "task_tool_count 5 is above 4".into()))),
        (json!({"baseline_accuracy": 0.44}), Err("task_tool_count")),
        (json!({"baseline_accuracy": 0.9}), Ok((false, "baseline_accuracy 0.9 is not below 0.45".into()))),
        (json!({"task_tool_count": 4}), Err("baseline_accuracy")),
    ];
    for (value, expected) in cases {
        match (should_use_multi_agent(&given(value.clone()), &ChoiceLimits::default()), expected) {
            (Computed::Is(found), Ok(expected)) => assert_eq!((found.is, found.because), expected, "{value}"),
            (Computed::NotComputable(missing), Err(what)) => assert!(missing.starts_with(what), "{value}: {missing}"),
            (found, expected) => panic!("{value}: {found:?}, not {expected:?}"),
        }
    }
}

/// AFS 5.2.3: `O%`, `E_c`, `A_e`.
#[test]
fn the_figures_against_one_agent_follow_their_formulas() {
    let decimal = |thousandths| Some(Decimal::thousandths(thousandths));
    assert_eq!((overhead(15, 10), overhead(5, 10), overhead(5, 0)), (decimal(50_000), decimal(-50_000), None));
    assert_eq!(efficiency(Share::thousandths(800), 20, 10), decimal(400));
    assert_eq!(
        (amplification(5, 10, Share::thousandths(250)), amplification(5, 10, Share::NONE)),
        (decimal(2000), None)
    );
}

/// AFS 5.2.3: the cosine of what agents said.
#[test]
fn redundancy_is_the_cosine_of_terms() {
    let direction = |text: &str| Direction::of(text).expect("words");
    let cosine = |left: &str, right: &str| direction(left).cosine(&direction(right)).in_thousandths();
    assert_eq!(cosine("a b", "a b"), 1000);
    assert_eq!(cosine("a b", "c d"), 0);
    // (2·1 + 1·1) / (√5 · √2)
    assert_eq!(cosine("a a b", "b A"), 949);
    assert_eq!(Direction::of("… !"), None);
    let all = ["a b", "a b", "c d"].map(direction);
    // Three pairs: 1, 0, 0.
    assert_eq!(mean_of_pairs(&all), Some(Share::thousandths(333)));
    assert_eq!(mean_of_pairs(&all[..1]), None);
}

fn of(steps: &[Value]) -> Metrics {
    analyse(&session(steps), &Settings::default())
}

/// AFS 5.2.3, "Architecture Types".
#[test]
fn the_shape_of_a_session_comes_from_who_talks_with_whom() {
    let worker =
        |name: &str, first| child(name, &format!("claude-code/{name}"), first, &[said("I found the cause of it.")]);
    let silent = |name: &str, first| child(name, &format!("claude-code/{name}"), first, &[ran("ls", "")]);
    let shape = |record: &Record| Agents::of(record).architecture();
    assert_eq!(shape(&session(&[prompt("Hello.")])), None);
    assert_eq!(shape(&session(&[said("Hello.")])), Some(Architecture::Single));
    let led = session_above(&[said("Let us look.")], vec![worker("a", 20), worker("b", 30)]);
    assert_eq!(shape(&led), Some(Architecture::Centralized));
    let peers = session(&[said("a"), by("other", said("b")), said("c")]);
    assert_eq!(shape(&peers), Some(Architecture::Decentralized));
    let room = child("r", "x", 40, &[said("a"), said("b")]);
    let mut mixed = session_above(&[said("Let us look.")], vec![room]);
    mixed.children[0].steps[1].agent = "y".into();
    assert_eq!(shape(&mixed), Some(Architecture::Hybrid));
    let apart = session(&[ran("ls", ""), by("other", ran("ls", ""))]);
    assert_eq!(shape(&apart), Some(Architecture::Independent));
    assert_eq!(shape(&session_above(&[ran("ls", "")], vec![silent("a", 20)])), Some(Architecture::Centralized));
}

#[test]
fn work_that_does_not_come_back_is_a_failure_of_coordination() {
    let task = json!({ "prompt": "Look", "description": "Look" });
    let metrics = of(&[call("Task", task.clone(), "Done."), failed("Task", task, "interrupted")]);
    assert_eq!(metrics.error_rates.coordination_failure, Computed::Is(Share::thousandths(500)));
    assert_eq!(metrics.findings.iter().map(|found| found.entries.clone()).collect::<Vec<_>>(), [vec![id(2)]]);
}

/// A call that succeeded says only that a session began.
#[test]
fn a_session_below_that_never_answers_is_lost_whatever_its_call_says() {
    let task = || json!({ "prompt": "Look", "description": "Look" });
    let silent = || child("a", "claude-code/a", 20, &[ran("ls", "")]);
    let lost = |call: Value, below: Vec<Record>| {
        let metrics = analyse(&session_above(&[call], below), &Settings::default());
        metrics.error_rates.coordination_failure
    };
    let share = |thousandths| Computed::Is(Share::thousandths(thousandths));
    assert_eq!(lost(call("Task", task(), "The pears are ripe."), vec![silent()]), share(0));
    assert_eq!(lost(call("Task", task(), "Launched: it was launched."), vec![silent()]), share(1000));
    assert_eq!(lost(call("Task", task(), ""), vec![silent()]), share(1000));
    assert_eq!(lost(call("Task", task(), "Done."), vec![silent(), child("b", "x", 30, &[ran("ls", "")])]), share(500));
}

#[test]
fn an_edit_without_its_text_is_said_to_be_one() {
    let metrics = of(&[call("edit_file", json!({ "file_path": "src/pie.rs" }), "")]);
    let missing = "an edit that says what it found in its file (1 edit does not)";
    assert_eq!(metrics.error_rates.context_omission, Computed::missing(missing));
}

#[test]
fn errors_are_told_by_what_the_record_has_against_them() {
    let metrics = of(&[
        prompt("Fix the parser."),
        patch("src/lexer.rs", "a", "b"),
        read("src/parser.rs"),
        patch("src/parser.rs", "a", "b"),
        ran("cargo test | tail", "test result: FAILED. 11 passed; 1 failed"),
        said("All 12 tests passed."),
    ]);
    let half = Computed::Is(Share::thousandths(500));
    assert_eq!(metrics.error_rates.logical_contradiction, Computed::Is(Share::WHOLE));
    assert_eq!(metrics.error_rates.numerical_drift, Computed::Is(Share::WHOLE));
    assert_eq!(metrics.error_rates.context_omission, half);
    let found: Vec<_> = metrics.findings.iter().map(|found| (found.kind.as_str(), found.entries.clone())).collect();
    assert_eq!(
        found,
        [
            ("logical_contradiction", vec![id(6), id(5)]),
            ("numerical_drift", vec![id(6), id(5)]),
            ("context_omission", vec![id(2)]),
        ]
    );
}

/// Never a default score.
#[test]
fn what_nobody_gave_is_not_computable() {
    let metrics = of(&[prompt("Hello."), said("Hello.")]);
    let missing = [
        metrics.coordination_overhead.value().is_none(),
        metrics.redundancy_rate.value().is_none(),
        metrics.error_amplification.value().is_none(),
        metrics.baseline_accuracy.value().is_none(),
        metrics.recommended_architecture.value().is_none(),
        metrics.error_rates.numerical_drift.value().is_none(),
        metrics.error_rates.coordination_failure.value().is_none(),
    ];
    assert_eq!(missing, [true; 7]);
    assert_eq!(metrics.message_density, Computed::Is(Decimal::thousandths(0)));
    let settings = with(&METRICS_GIVEN, json!({ "baseline_accuracy": 0.8 }));
    let metrics = analyse(&session(&[said("Hello.")]), &settings);
    assert_eq!(metrics.recommended_architecture, Computed::Is(Architecture::Single));
}

/// AFS 5.2.3: the document's limits.
#[test]
fn the_limits_of_the_document_are_the_defaults() {
    let limits = json!({"baseline_accuracy": 0.45, "task_decomposability": 0.3, "task_tool_count": 4, "max_effective_agents": 4, "redundancy": 0.8});
    assert_eq!(serde_json::to_value(ChoiceLimits::default()).expect("JSON"), limits);
}
