//! What is accepted, and what is not.

use super::super::merge;
use super::*;
use crate::ggs::{Answer, Ggs, GgsLimits, Terminal};
use crate::testing::{criterion, verifiable};

const ENVIRONMENTAL: Option<FailureClass> = Some(FailureClass::Environmental);

#[test]
fn a_round_in_which_all_is_met_is_accepted() {
    let plan = manifest(&[verifiable("it builds", "make"), criterion("both are there")], &[("a", 1), ("b", 1)]);
    let round = heard(plan.clone(), &[matched("a", "A."), matched("b", "B.")]);
    let verdicts = says(&plan, &[("pass", "the output of b")]);
    let outcome = accepted(gated(&round, &[found("make", CheckState::Met)], &verdicts));
    let met = |criterion: &str, mode, evidence: &str| CriterionVerdict {
        mode,
        evidence: evidence.to_owned(),
        ..verdict(criterion, Verdict::Pass, None)
    };
    let expected = RoundOutcome {
        gate: Gate::Accepted,
        outcomes: vec![matched("a", "").outcome, matched("b", "").outcome],
        task_verdicts: vec![
            met("it builds", CriterionMode::Verifiable, "seen"),
            met("both are there", CriterionMode::Plausible, "the output of b"),
        ],
        summary:
            "2 of 2 subtasks matched\nmet: a: the output of a [evidence: e-a]\nmet: b: the output of b [evidence: e-b]"
                .to_owned(),
        merged_output: json!({
            "1": { "output": "A.", "evidence": ["the output of a"] },
            "2": { "output": "B.", "evidence": ["the output of b"] },
        }),
        unmet_demands: 0,
        elapsed_ms: 7,
    };
    assert_eq!(outcome, expected);
    let ruling = Ggs::new("t1").take(&outcome, &GgsLimits::default()).expect("open");
    assert!(matches!(ruling.answer, Answer::FinalResult(result) if result.directive == Terminal::Accept));
}

/// Artoo, "Key Invariants": a failed subtask is never accepted, and R4b's model is not asked then.
#[test]
fn where_a_subtask_failed_the_round_is_rejected_without_a_model() {
    let plan = manifest(&[criterion("x"), verifiable("y", "make")], &[("a", 1), ("b", 2), ("c", 3)]);
    let round = heard(plan.clone(), &[matched("a", "A."), failed("b", ENVIRONMENTAL)]);
    let outcome = rejected(gated(&round, &[], &says(&plan, &[("pass", "the output of a")])));
    assert_eq!(outcome.task_verdicts, [], "R4b did not come so far");
    let statuses: Vec<_> = outcome.outcomes.iter().map(|one| (one.subtask_id.as_str(), one.status)).collect();
    assert_eq!(statuses, [("a", SubTaskStatus::Matched), ("b", SubTaskStatus::Failed), ("c", SubTaskStatus::Failed)]);
    let idle = outcome.outcomes[2].failure_reason.as_deref();
    assert_eq!(idle, Some("never started: a subtask before it failed"));
    let expected = "1 of 3 subtasks matched, 1 never started; failures are environmental\nnot met: b: seen b\nmet: a: the output of a [evidence: e-a]";
    assert_eq!(outcome.summary, expected);
    assert_eq!(outcome.merged_output, json!({ "1": { "output": "A.", "evidence": ["the output of a"] } }));

    let checked = rejected(gated(&round, &[found("make", CheckState::Unmet)], &[]));
    assert_eq!(checked.task_verdicts.len(), 1, "what code found is kept");
}

#[test]
fn in_doubt_a_round_is_rejected() {
    let plan = manifest(&[criterion("x"), criterion("y")], &[("a", 1)]);
    let round = heard(plan.clone(), &[matched("a", "all is well, x and y are done")]);
    let pass = ("pass", "the output of a");
    accepted(gated(&round, &[], &says(&plan, &[pass, pass])));
    for said in [
        says(&plan, &[pass]),
        says(&plan, &[pass, ("fail", "no")]),
        says(&plan, &[pass, ("maybe", "the output of a")]),
        says(&plan, &[pass, ("pass", "")]),
        says(&plan, &[pass, ("pass", "made up by the model")]),
        says(&plan, &[pass, ("pass", "all is well, x and y are done")]),
        says(&plan, &[pass, pass])[1..].to_vec(),
        Vec::new(),
    ] {
        let outcome = rejected(gated(&round, &[], &said));
        assert_eq!(outcome.task_verdicts.len(), 2, "each criterion has its verdict: {said:?}");
    }
    let open = heard(manifest(&[], &[("a", 1), ("b", 1)]), &[matched("a", "A.")]);
    rejected(gated(&open, &[], &[]));
}

#[test]
fn code_decides_what_code_can_check() {
    let plan = manifest(&[verifiable("it builds", "make")], &[("a", 1)]);
    let round = heard(plan, &[matched("a", "A.")]);
    let claims = [verdict("it builds", Verdict::Pass, None)];
    for checks in [
        vec![found("make", CheckState::Unmet)],
        vec![found("make", CheckState::CouldNotRun)],
        vec![found("make", CheckState::Met), found("make", CheckState::Unmet)],
        vec![found("other", CheckState::Met)],
        vec![],
    ] {
        rejected(gated(&round, &checks, &claims));
    }
    let denies = [verdict("it builds", Verdict::Fail, None)];
    accepted(gated(&round, &[found("make", CheckState::Met)], &denies));
}

#[test]
fn a_round_without_task_criteria_rests_on_its_subtasks() {
    accepted(gated(&heard(manifest(&[], &[("a", 1)]), &[matched("a", "A.")]), &[], &[]));
    let mut odd = matched("a", "A.");
    odd.outcome.criteria_verdicts.push(verdict("z", Verdict::Fail, None));
    let round = heard(manifest(&[], &[("a", 1)]), &[odd]);
    rejected(gated(&round, &[], &[]));
    assert_eq!(merge(&round), json!({}), "matched, and a criterion not met: it failed");
}
