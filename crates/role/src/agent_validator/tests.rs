//! Given / when / then for the validator of one subtask.

mod asked;
mod cases;
mod grounded;
mod hostile;
mod judged;
mod laws;

use serde_json::json;

use super::{Judging, SubTaskJudgement, ValidatorLimits, judge, read};
use crate::criterion::{CheckResult, CheckState};
use crate::evidence::own_words::OwnWords;
use crate::ggs::{CriterionVerdict, FailureClass, Verdict};
use crate::message::{CorrectionSignal, ExecutionResult, OutcomeReport};
use crate::plan::SubTask;
use crate::testing::check;

static NOTHING_WRITTEN: OwnWords = OwnWords::nothing();

fn judging<'j>(subtask: &'j SubTask, result: &'j ExecutionResult) -> Judging<'j> {
    Judging { subtask, earlier: &[], gaps: &[], result, given: &[], written: &NOTHING_WRITTEN, figure_asked: None }
}

fn found(run: &str, state: CheckState, evidence: &str) -> CheckResult {
    let entry = Some(format!("entry of {run}"));
    CheckResult { check: check(run), state, evidence: evidence.to_owned(), entry }
}

fn met(run: &str) -> CheckResult {
    found(run, CheckState::Met, "exit code 0")
}

/// What a model says of the plausible criteria, in order.
fn says(subtask: &SubTask, said: &[(&str, &str)]) -> Vec<CriterionVerdict> {
    let row = |(at, (verdict, evidence)): (usize, &(&str, &str))| json!({ "n": at + 1, "verdict": verdict, "evidence": evidence });
    let rows: Vec<_> = said.iter().enumerate().map(row).collect();
    read(&json!({ "verdicts": rows }).to_string(), subtask).expect("readable")
}

fn judged(judging: &Judging<'_>, checks: &[CheckResult], verdicts: &[CriterionVerdict]) -> SubTaskJudgement {
    judge(judging, checks, verdicts, ValidatorLimits::default())
}

fn matched(judgement: SubTaskJudgement) -> OutcomeReport {
    match judgement {
        SubTaskJudgement::Matched(report) => report,
        other @ (SubTaskJudgement::Retry { .. } | SubTaskJudgement::Failed(_)) => panic!("{other:?}"),
    }
}

fn failed(judgement: SubTaskJudgement) -> OutcomeReport {
    match judgement {
        SubTaskJudgement::Failed(report) => report,
        other @ (SubTaskJudgement::Retry { .. } | SubTaskJudgement::Matched(_)) => panic!("{other:?}"),
    }
}

fn corrected(judgement: SubTaskJudgement) -> CorrectionSignal {
    match judgement {
        SubTaskJudgement::Retry { signal, .. } => signal,
        other @ (SubTaskJudgement::Failed(_) | SubTaskJudgement::Matched(_)) => panic!("{other:?}"),
    }
}

fn summed_up(verdicts: &[CriterionVerdict]) -> Vec<(Verdict, Option<FailureClass>, &str)> {
    verdicts.iter().map(|one| (one.verdict, one.failure_class, one.evidence.as_str())).collect()
}
