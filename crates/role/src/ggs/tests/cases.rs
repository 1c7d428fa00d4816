//! The cases that came with the documents (`ggs.json`, and what of `agentval.json` the shared classifier answers).

use super::super::cell::{Cell, GradientLabel};
use super::super::loss::{gradient, is_worsening};
use super::super::message::PreviousDirective;
use super::super::{Directive, ExplainQuery, FailureMix, Ggs, Since, Terminal, distance, explain, omega, process};
use super::*;
use annals_kernel::share::Share;

#[test]
fn ggs_d() {
    let cases = [
        (vec![failed("x"), matched()], 0.5),
        (vec![judged(3, 0, None), judged(0, 1, None)], 0.75),
        (vec![matched(), matched()], 0.0),
    ];
    for (outcomes, expected) in cases {
        assert_eq!(distance(&round(outcomes)), reading(expected));
    }
}

#[test]
fn ggs_p() {
    let of = |outcomes| process(&round(outcomes));
    assert!(of(vec![failed("logic error")]) > Reading::HALF);
    assert_eq!(of(vec![]), Reading::HALF);
    assert!(of(vec![failed("connection refused")]) < Reading::HALF);
    assert_eq!(of(vec![subtask(SubTaskStatus::Failed)]), Reading::HALF);
}

#[test]
fn ggs_omega() {
    for (replans, elapsed, expected) in
        [(3, 300_000, 1.0), (6, 600_000, 1.0), (1, 60_000, 0.28), (3, 0, 0.6), (0, 150_000, 0.2), (4, 0, 0.8)]
    {
        assert_eq!(omega(replans, elapsed, &GgsLimits::default()), reading(expected), "{replans}, {elapsed} ms");
    }
}

#[test]
fn ggs_l() {
    for (d, p, omega, expected) in
        [(0.5, 0.5, 0.2, 0.5), (1.0, 1.0, 1.0, 1.0), (1.0, 0.0, 0.0, 0.6), (0.5, 0.5, 0.5, 0.575)]
    {
        assert_eq!(loss_of(d, p, omega).l, reading(expected), "D {d}, P {p}, Omega {omega}");
    }
}

#[test]
fn ggs_gradient_label() {
    for (grad, d, expected) in [
        (0.05, 0.5, GradientLabel::Plateau),
        (0.05, 0.2, GradientLabel::Stable),
        (0.1, 0.5, GradientLabel::Worsening),
        (-0.1, 0.5, GradientLabel::Improving),
        (0.099_999_999, 0.3, GradientLabel::Stable),
    ] {
        let cell = Cell::of(measures(d, 0.5, 0.2), slope(grad), &GgsLimits::default());
        assert_eq!(cell.label(), expected, "gradient {grad}, D {d}");
    }
}

#[test]
fn ggs_directive() {
    for (grad, d, p, omega, expected) in [
        (0.0, 0.5, 0.2, 0.2, "change_path"),
        (-0.15, 0.5, 0.2, 0.2, "refine"),
        (0.0, 0.5, 0.8, 0.2, "break_symmetry"),
        (0.15, 0.5, 0.2, 0.2, "refine"),
        (0.0, 0.25, 0.8, 0.2, "success"),
    ] {
        let query = ExplainQuery { measures: measures(d, p, omega), since: Since::Gradient(slope(grad)), worsening: 0 };
        assert_eq!(explain(&query, &GgsLimits::default()).state.as_str(), expected, "{grad}, {d}, {p}, {omega}");
    }
}

#[test]
fn ggs_sequences() {
    let said = planned(&mut Ggs::new("t"), &round(vec![failed("logic error")]));
    assert_eq!((said.directive, said.prev_directive), (Directive::BreakSymmetry, PreviousDirective::Init));

    let result = ended(&mut Ggs::new("t"), &round(vec![judged(1, 3, None)]));
    assert_eq!((result.directive, result.loss.measures.d), (Terminal::Success, reading(0.25)));

    let mut ggs = Ggs::new("t");
    planned(&mut ggs, &round(vec![failed("x"), failed("x")]));
    let said = planned(&mut ggs, &round(vec![failed("x"), matched()]));
    assert!(said.grad_l < Gradient::NONE);
    assert_eq!((said.directive, said.prev_directive), (Directive::Refine, PreviousDirective::ChangePath));

    let result = ended(&mut Ggs::new("t"), &after(600_000, vec![failed("x")]));
    assert_eq!((result.directive, result.loss.measures.omega), (Terminal::Abandon, Reading::WHOLE));
}

#[test]
fn ggs_law2() {
    let worse = |fail, pass| round(vec![judged(fail, pass, Some(FailureClass::Environmental))]);
    let mut ggs = Ggs::new("t");
    planned(&mut ggs, &worse(4, 6));
    let said = planned(&mut ggs, &worse(7, 3));
    assert!(said.grad_l.number() > 0.1, "one worsening round: {said:?}");
    let result = ended(&mut ggs, &worse(10, 0));
    assert!(result.grad_l.number() > 0.1 && result.loss.measures.omega.number() < 0.8, "{result:?}");
    assert_eq!(result.directive, Terminal::Abandon);
}

#[test]
fn ggs_blocking_and_class() {
    let mut outcome = failed("x");
    outcome.tool_uses = vec![call("search", "X", CallResult::Failed)];
    let said = planned(&mut Ggs::new("t"), &round(vec![outcome]));
    assert_eq!((said.directive, said.blocked_targets), (Directive::ChangePath, vec!["X".to_owned()]));

    let rho = Share::thousandths(500);
    for (p, expected) in [(0.5, FailureMix::Mixed), (0.499, FailureMix::Environmental), (0.501, FailureMix::Logical)] {
        assert_eq!(FailureMix::of(reading(p), rho), expected, "P {p}");
    }

    let mut ggs = Ggs::new("t");
    let used = |mut outcome: SubTaskOutcome| {
        outcome.tool_uses = vec![call("shell", "ls", CallResult::Failed)];
        outcome
    };
    planned(&mut ggs, &round(vec![used(failed("timeout")), used(failed("timeout"))]));
    let said = planned(&mut ggs, &round(vec![used(failed("timeout")), matched()]));
    assert_eq!((said.directive, said.blocked_tools), (Directive::Refine, vec![]));
}

/// Decision 29: at P = 0 the same step raises L by 0.112, more than ε, and still does not count.
#[test]
fn ggs_derived_time_drift() {
    for (p, expected) in [(0.5, 0.07), (1.0, 0.028), (0.0, 0.112)] {
        let (before, now) = (loss_of(0.5, p, 0.28), loss_of(0.5, p, 0.56));
        assert_eq!(gradient(Some(before.l), &now), slope(expected), "P {p}");
        assert!(!is_worsening(&before, &now, &GgsLimits::default()), "P {p}");
    }
}

/// `agentval.environmental`; decision 30: one classifier for R4a and R7.
#[test]
fn agentval_environmental() {
    for text in ["tool call: connection refused", "Permission denied (os error 13)", "ls: no such file"] {
        assert_eq!(FailureClass::of_text(text), Some(FailureClass::Environmental), "{text}");
    }
}
