//! Given / when / then for the goal-gradient solver.

mod cases;
mod grid;
mod measured;
mod sequences;

use super::{
    Answer, CallResult, CriterionMode, CriterionVerdict, FailureClass, FinalResult, Gate, Ggs, GgsLimits, Gradient,
    Loss, Measures, PlanDirective, Reading, RoundOutcome, SubTaskOutcome, SubTaskStatus, ToolUse, Verdict,
};

fn reading(number: f64) -> Reading {
    Reading::of(number).expect("0 to 1")
}

fn slope(number: f64) -> Gradient {
    Gradient::of(number).expect("-1 to 1")
}

fn measures(d: f64, p: f64, omega: f64) -> Measures {
    Measures { d: reading(d), p: reading(p), omega: reading(omega) }
}

fn loss_of(d: f64, p: f64, omega: f64) -> Loss {
    super::loss(measures(d, p, omega), &GgsLimits::default())
}

fn subtask(status: SubTaskStatus) -> SubTaskOutcome {
    SubTaskOutcome {
        subtask_id: "s".to_owned(),
        status,
        failure_reason: None,
        gap_trajectory: Vec::new(),
        criteria_verdicts: Vec::new(),
        tool_uses: Vec::new(),
    }
}

fn matched() -> SubTaskOutcome {
    subtask(SubTaskStatus::Matched)
}

fn failed(reason: &str) -> SubTaskOutcome {
    SubTaskOutcome { failure_reason: Some(reason.to_owned()), ..subtask(SubTaskStatus::Failed) }
}

/// A failed subtask with so many failed criteria, and passed ones after them.
fn judged(fail: usize, pass: usize, class: Option<FailureClass>) -> SubTaskOutcome {
    let failures = (0..fail).map(|at| verdict(&format!("f{at}"), Verdict::Fail, class));
    let passes = (0..pass).map(|at| verdict(&format!("p{at}"), Verdict::Pass, None));
    let status = if fail == 0 { SubTaskStatus::Matched } else { SubTaskStatus::Failed };
    SubTaskOutcome { criteria_verdicts: failures.chain(passes).collect(), ..subtask(status) }
}

fn verdict(criterion: &str, verdict: Verdict, failure_class: Option<FailureClass>) -> CriterionVerdict {
    let mode = CriterionMode::Verifiable;
    CriterionVerdict { criterion: criterion.to_owned(), mode, verdict, failure_class, evidence: String::new() }
}

fn call(tool: &str, target: &str, result: CallResult) -> ToolUse {
    ToolUse { tool: tool.to_owned(), target: target.to_owned(), result }
}

fn round(outcomes: Vec<SubTaskOutcome>) -> RoundOutcome {
    let is_failing = outcomes.iter().any(SubTaskOutcome::is_failing);
    RoundOutcome {
        gate: if is_failing || outcomes.is_empty() { Gate::Rejected } else { Gate::Accepted },
        outcomes,
        task_verdicts: Vec::new(),
        summary: "so far".to_owned(),
        merged_output: serde_json::json!(["part"]),
        unmet_demands: 0,
        elapsed_ms: 0,
    }
}

fn after(elapsed_ms: u64, outcomes: Vec<SubTaskOutcome>) -> RoundOutcome {
    RoundOutcome { elapsed_ms, ..round(outcomes) }
}

fn planned(ggs: &mut Ggs, round: &RoundOutcome) -> PlanDirective {
    match ggs.take(round, &GgsLimits::default()).expect("open").answer {
        Answer::PlanDirective(said) => said,
        Answer::FinalResult(result) => panic!("{result:?}"),
    }
}

fn ended(ggs: &mut Ggs, round: &RoundOutcome) -> FinalResult {
    match ggs.take(round, &GgsLimits::default()).expect("open").answer {
        Answer::FinalResult(result) => result,
        Answer::PlanDirective(said) => panic!("{said:?}"),
    }
}
