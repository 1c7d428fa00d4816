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

/// What a check was told stands in what it saw: `{file: log.txt, contains: "All unit tests pass"}`.
#[test]
fn what_a_check_saw_is_evidence_of_what_it_checks_and_of_nothing_else() {
    let seen = "log.txt contains \"All unit tests pass\"";
    let mut checked = matched("the log is written", "done");
    checked.evidence[0].quote = seen.to_owned();
    checked.outcome.criteria_verdicts[0].mode = CriterionMode::Verifiable;
    checked.outcome.criteria_verdicts[0].evidence = seen.to_owned();
    for (criterion_text, said, is_met) in [
        ("All tests pass", "All unit tests pass", false),
        ("All tests pass", seen, false),
        ("the log is written", "All unit tests pass", true),
        ("All tests pass", "the output of the log is written", true),
    ] {
        let plan = manifest(&[criterion(criterion_text)], &[("the log is written", 1)]);
        let round = heard(plan.clone(), &[checked.clone()]);
        let outcome = gated(&round, &[], &says(&plan, &[("pass", said)]));
        assert_eq!(outcome.gate == Gate::Accepted, is_met, "{criterion_text}: {said}");
    }
    let cited = super::super::cited("All unit tests pass", &[checked]);
    assert!(!cited.is_evidenced, "{cited:?}");
}

/// The same holds of the whole as of a part: own words, empty searches and scraps show nothing.
#[test]
fn what_the_task_wrote_and_what_no_search_found_does_not_meet_the_whole() {
    let gave = |request: &str, output: &str| {
        let mut report = matched("a", "done");
        report.calls = vec![CallEvidence { request: request.to_owned(), output: output.to_owned(), entry: None }];
        report
    };
    let mut write = crate::testing::worked(crate::tool::ToolName::Write, "log.txt", "written");
    write.request.input["content"] = "b.txt was deleted, and all unit tests pass".into();
    let mut written = OwnWords::nothing();
    written.add(&[write]);
    let log = gave("read {\"path\":\"log.txt\"}", "b.txt was deleted, and all unit tests pass");
    for (report, text, said, is_met) in [
        (log.clone(), "b.txt is deleted", "b.txt was deleted", false),
        (log.clone(), "All tests pass", "all unit tests pass", false),
        (log.clone(), "log.txt tells of b.txt", "b.txt was deleted", true),
        (
            gave("shell {\"command\":\"cargo test\"}", "3 passed; 0 failed"),
            "All tests pass",
            "3 passed; 0 failed",
            true,
        ),
        (gave("glob {\"pattern\":\"zzz*\"}", "no file"), "the list is sorted", "no file", false),
        (gave("find {\"name\":\"b.txt\"}", "no file"), "b.txt is gone", "no file", true),
        (gave("read {\"path\":\"n.txt\"}", "     1\tand so"), "there are no errors", "1", false),
        (gave("read {\"path\":\"n.txt\"}", "     1\tand so on"), "it goes on", "1 and so on", true),
        (gave("shell {\"command\":\"cat n.txt\"}", "1\nand"), "there are no errors", "1", false),
        (gave("shell {\"command\":\"python3 sum.py\"}", "42"), "the sum is told", "42", true),
    ] {
        let plan = manifest(&[criterion(text)], &[("a", 1)]);
        let round = heard(plan.clone(), &[report]);
        let outcome = gated_with(&round, &[], &says(&plan, &[("pass", said)]), &written);
        assert_eq!(outcome.gate == Gate::Accepted, is_met, "{text}: {said}");
    }
}

#[test]
fn an_empty_search_of_a_part_shows_of_the_whole_what_it_looked_for() {
    let mut report = matched("b.txt is found nowhere", "done");
    report.calls.clear();
    for (seen, text, said, is_met) in [
        ("nothing found: find: {\"name\":\"b.txt\"} → no file", "b.txt is gone", "nothing found: find", true),
        ("nothing found: glob: {\"pattern\":\"zzz*\"} → no file", "the list is sorted", "nothing found: glob", false),
        (
            "nothing found: search: {\"pattern\":\"All tests pass\"} → no line",
            "All tests pass",
            "All tests pass",
            false,
        ),
    ] {
        report.evidence[0].quote = seen.to_owned();
        let plan = manifest(&[criterion(text)], &[("b.txt is found nowhere", 1)]);
        let round = heard(plan.clone(), &[report.clone()]);
        let outcome = gated(&round, &[], &says(&plan, &[("pass", said)]));
        assert_eq!(outcome.gate == Gate::Accepted, is_met, "{text}: {said}");
    }
}
