//! Given / when / then for the validator of a round.

mod asked;
mod cases;
mod claims;
mod gated;
mod gathered;
mod laws;

use serde_json::json;

use super::{GateFindings, Gathering, gate, read, round_outcome};
use crate::bus::MessageKind;
use crate::criterion::{CheckResult, CheckState};
use crate::evidence::own_words::OwnWords;
use crate::ggs::{
    CriterionMode, CriterionVerdict, FailureClass, Gate, RoundOutcome, SubTaskOutcome, SubTaskStatus, Verdict,
};
use crate::message::{CallEvidence, CriterionEvidence, DispatchManifest, OutcomeReport};
use crate::plan::{Criterion, SubTask};
use crate::testing::{check, subtask};

fn part(id: &str, sequence: u32) -> SubTask {
    SubTask { subtask_id: id.to_owned(), sequence, intent: format!("do {id}"), context: String::new(), ..subtask(&[]) }
}

fn manifest(criteria: &[Criterion], subtasks: &[(&str, u32)]) -> DispatchManifest {
    DispatchManifest {
        task_id: "t1".to_owned(),
        round: 1,
        task_criteria: criteria.to_vec(),
        subtasks: subtasks.iter().map(|(id, sequence)| part(id, *sequence)).collect(),
    }
}

fn verdict(criterion: &str, verdict: Verdict, failure_class: Option<FailureClass>) -> CriterionVerdict {
    let mode = CriterionMode::Plausible;
    CriterionVerdict {
        criterion: criterion.to_owned(),
        mode,
        verdict,
        failure_class,
        evidence: format!("seen {criterion}"),
    }
}

fn outcome(id: &str, status: SubTaskStatus, criteria_verdicts: Vec<CriterionVerdict>) -> SubTaskOutcome {
    SubTaskOutcome {
        subtask_id: id.to_owned(),
        status,
        failure_reason: None,
        gap_trajectory: Vec::new(),
        criteria_verdicts,
        tool_uses: Vec::new(),
    }
}

/// Matched, with one criterion that a recorded call shows.
fn matched(id: &str, output: &str) -> OutcomeReport {
    let quote = format!("the output of {id}");
    OutcomeReport {
        parent_task_id: "t1".to_owned(),
        outcome: outcome(id, SubTaskStatus::Matched, vec![verdict(id, Verdict::Pass, None)]),
        output: output.to_owned(),
        evidence: vec![CriterionEvidence {
            criterion: id.to_owned(),
            quote: quote.clone(),
            entries: vec![format!("e-{id}")],
        }],
        calls: vec![CallEvidence { request: format!("read {id}"), output: quote, entry: Some(format!("e-{id}")) }],
    }
}

fn failed(id: &str, class: Option<FailureClass>) -> OutcomeReport {
    OutcomeReport {
        outcome: outcome(id, SubTaskStatus::Failed, vec![verdict(id, Verdict::Fail, class)]),
        evidence: Vec::new(),
        ..matched(id, "a claim of what failed")
    }
}

fn ids(subtasks: &[SubTask]) -> Vec<&str> {
    subtasks.iter().map(|subtask| subtask.subtask_id.as_str()).collect()
}

fn found(run: &str, state: CheckState) -> CheckResult {
    CheckResult { check: check(run), state, evidence: "seen".to_owned(), entry: None }
}

fn says(manifest: &DispatchManifest, said: &[(&str, &str)]) -> Vec<CriterionVerdict> {
    let row = |(at, (verdict, evidence)): (usize, &(&str, &str))| json!({ "n": at + 1, "verdict": verdict, "evidence": evidence });
    let rows: Vec<_> = said.iter().enumerate().map(row).collect();
    read(&json!({ "verdicts": rows }).to_string(), manifest).expect("readable")
}

/// A round in which all that was heard is this.
fn heard(manifest: DispatchManifest, reports: &[OutcomeReport]) -> Gathering {
    let mut gathering = Gathering::of(manifest);
    for report in reports {
        gathering.heard(report.clone());
    }
    gathering
}

fn gated(gathering: &Gathering, checks: &[CheckResult], verdicts: &[CriterionVerdict]) -> RoundOutcome {
    gated_with(gathering, checks, verdicts, &OwnWords::nothing())
}

fn gated_with(
    gathering: &Gathering,
    checks: &[CheckResult],
    verdicts: &[CriterionVerdict],
    written: &OwnWords,
) -> RoundOutcome {
    let findings = GateFindings { checks, verdicts, written, elapsed_ms: 7 };
    let outcome = round_outcome(gathering, findings);
    let kind = match outcome.gate {
        Gate::Accepted => MessageKind::OutcomeSummary,
        Gate::Rejected => MessageKind::ReplanRequest,
    };
    assert_eq!(gate(gathering, findings).kind(), kind);
    outcome
}

fn accepted(outcome: RoundOutcome) -> RoundOutcome {
    assert_eq!(outcome.gate, Gate::Accepted, "{outcome:?}");
    outcome
}

fn rejected(outcome: RoundOutcome) -> RoundOutcome {
    assert_eq!(outcome.gate, Gate::Rejected, "{outcome:?}");
    outcome
}
