//! The gate: what a round came to, and whom it is told to (artoo R4b).
//!
//! Accepts only where every subtask matched and every task criterion is met, by code or by a quote of what tools gave.

use serde_json::{Map, Value, json};

use super::claim::met;
use super::gathering::{Gathering, NumberedReport};
use crate::criterion::{CheckResult, GroundedVerdict, NO_VERDICT, by_code, failed, has_held, passed};
use crate::evidence::own_words::{OwnWords, names_a_file};
use crate::evidence::{LiteralQuote, absence, head_tail, one_line};
use crate::ggs::{
    CriterionMode, CriterionVerdict, FailureClass, FailureMix, Gate, RoundOutcome, SubTaskOutcome, SubTaskStatus,
    Verdict,
};
use crate::message::{BusMessage, CriterionEvidence, OutcomeReport};
use crate::plan::{Criterion, SubTask};

/// Characters of a summary, and of one claim in it.
const SUMMARY_CHARS: usize = 8000;
const SAID_CHARS: usize = 300;

/// What was found of the task criteria.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GateFindings<'g> {
    /// By code.
    pub checks: &'g [CheckResult],
    /// By a model, of the plausible ones, in order.
    pub verdicts: &'g [CriterionVerdict],
    /// What the task wrote itself.
    pub written: &'g OwnWords,
    /// How long the task has been alive, in milliseconds.
    pub elapsed_ms: u64,
}

/// What the solver hears of a round: an `OutcomeSummary` where it is accepted, else a `ReplanRequest`.
pub fn gate(gathering: &Gathering, findings: GateFindings<'_>) -> BusMessage {
    let outcome = round_outcome(gathering, findings);
    match outcome.gate {
        Gate::Accepted => BusMessage::OutcomeSummary(outcome),
        Gate::Rejected => BusMessage::ReplanRequest(outcome),
    }
}

/// What a round came to.
pub fn round_outcome(gathering: &Gathering, findings: GateFindings<'_>) -> RoundOutcome {
    let task_verdicts = task_verdicts(gathering, findings);
    let outcomes = outcomes(gathering);
    let is_met = gathering.is_complete()
        && !outcomes.is_empty()
        && !outcomes.iter().any(SubTaskOutcome::is_failing)
        && task_verdicts.len() == gathering.manifest().task_criteria.len()
        && !task_verdicts.iter().any(CriterionVerdict::is_failed);
    RoundOutcome {
        gate: if is_met { Gate::Accepted } else { Gate::Rejected },
        summary: head_tail(&summary(gathering, &outcomes, &task_verdicts), SUMMARY_CHARS),
        outcomes,
        task_verdicts,
        merged_output: merge(gathering),
        unmet_demands: 0,
        elapsed_ms: findings.elapsed_ms,
    }
}

/// The outputs of the subtasks that matched, by their numbers, each with its evidence: data, no prose about it.
pub fn merge(gathering: &Gathering) -> Value {
    let row = |one: NumberedReport<'_>| {
        let evidence: Vec<_> = one.report.evidence.iter().map(|evidence| &evidence.quote).collect();
        (one.number.to_string(), json!({ "output": one.report.output, "evidence": evidence }))
    };
    let matched = gathering.reports().filter(|one| !one.report.outcome.is_failing());
    Value::Object(matched.map(row).collect::<Map<_, _>>())
}

/// What is to blame, of the failed criteria that R4a classified; nothing where it classified none.
pub fn failure_class(outcomes: &[SubTaskOutcome]) -> Option<FailureMix> {
    let classes: Vec<_> = outcomes.iter().filter(|outcome| outcome.is_failing()).flat_map(classes_of).collect();
    let has = |class: FailureClass| classes.contains(&class);
    match (has(FailureClass::Logical), has(FailureClass::Environmental)) {
        (true, true) => Some(FailureMix::Mixed),
        (true, false) => Some(FailureMix::Logical),
        (false, true) => Some(FailureMix::Environmental),
        (false, false) => None,
    }
}

/// Those of the verdicts, else that of the last attempt.
fn classes_of(outcome: &SubTaskOutcome) -> Vec<FailureClass> {
    let of_verdicts: Vec<_> = outcome.failed_verdicts().filter_map(|verdict| verdict.failure_class).collect();
    if of_verdicts.is_empty() {
        outcome.gap_trajectory.last().and_then(|attempt| attempt.failure_class).into_iter().collect()
    } else {
        of_verdicts
    }
}

/// All subtasks: those that were never started count as failed, each as one criterion, behind those that were.
fn outcomes(gathering: &Gathering) -> Vec<SubTaskOutcome> {
    let heard = gathering.reports().map(|one| one.report.outcome.clone());
    heard.chain(gathering.never_started().into_iter().map(never_started)).collect()
}

fn never_started(subtask: &SubTask) -> SubTaskOutcome {
    SubTaskOutcome {
        subtask_id: subtask.subtask_id.clone(),
        status: SubTaskStatus::Failed,
        failure_reason: Some("never started: a subtask before it failed".to_owned()),
        gap_trajectory: Vec::new(),
        criteria_verdicts: Vec::new(),
        tool_uses: Vec::new(),
    }
}

/// One verdict a criterion, as far as R4b came: where a subtask or a check failed, only what was found is there.
fn task_verdicts(gathering: &Gathering, findings: GateFindings<'_>) -> Vec<CriterionVerdict> {
    let asks = may_ask(gathering, findings.checks);
    let mut said = findings.verdicts.iter();
    let one = |criterion: &Criterion| match &criterion.check {
        Some(check) => {
            let is_found = findings.checks.iter().any(|result| result.check == *check);
            (asks || is_found).then(|| by_code(criterion, check, findings.checks).verdict)
        }
        None if asks => {
            let said = said.next().filter(|said| said.criterion == criterion.text);
            Some(by_model(gathering, criterion, said, findings.written).verdict)
        }
        None => None,
    };
    gathering.manifest().task_criteria.iter().filter_map(one).collect()
}

/// Whether a model may be asked: the round is over, and nothing failed (artoo R4b).
pub(super) fn may_ask(gathering: &Gathering, checks: &[CheckResult]) -> bool {
    let has_checked = |criterion: &Criterion| criterion.check.as_ref().is_none_or(|check| has_held(check, checks));
    let is_over = gathering.is_complete() && gathering.reports().next().is_some();
    is_over && !gathering.has_failed() && gathering.manifest().task_criteria.iter().all(has_checked)
}

/// A pass counts only with what tools gave, to the letter; what executors said does not count.
fn by_model(
    gathering: &Gathering,
    criterion: &Criterion,
    said: Option<&CriterionVerdict>,
    written: &OwnWords,
) -> GroundedVerdict {
    let Some(said) = said.filter(|said| said.evidence != NO_VERDICT) else {
        return failed(criterion, NO_VERDICT, None);
    };
    if said.verdict == Verdict::Fail {
        return failed(criterion, &said.evidence, Some(FailureClass::Logical));
    }
    let (text, names_one) = (&criterion.text, names_a_file(&criterion.text));
    let is_own = |quote: &LiteralQuote| {
        if names_one { written.hold_only_elsewhere(quote, text) } else { written.claim(quote, text) }
    };
    let is_given =
        |quote: &LiteralQuote| gathering.reports().any(|one| holds(one.report, &said.evidence, quote, &criterion.text));
    let quote = LiteralQuote::forms_of(&said.evidence).into_iter().find(|quote| !is_own(quote) && is_given(quote));
    let Some(quote) = quote else {
        let why = format!("no tool gave what was said as evidence: {}", one_line(&said.evidence, SAID_CHARS));
        return failed(criterion, &why, Some(FailureClass::Logical));
    };
    passed(criterion, quote.shown(), Vec::new())
}

fn holds(report: &OutcomeReport, said: &str, quote: &LiteralQuote, criterion: &str) -> bool {
    let shows = |evidence: &CriterionEvidence| {
        let is_whole = || !quote.is_short() || quote.is_line_of(&evidence.quote);
        quote.is_in(&evidence.quote)
            && match absence::request_of(&evidence.quote) {
                Some(request) => absence::shows(criterion, request),
                None => is_whole(),
            }
    };
    quotable(report, criterion).any(shows) || report.calls.iter().any(|call| call.shows(said, quote, criterion))
}

/// The evidence that may be quoted: what tools gave. What a check saw counts for what it checks, and holds words that a
/// model wrote.
pub(super) fn quotable<'r>(
    report: &'r OutcomeReport,
    criterion: &'r str,
) -> impl Iterator<Item = &'r CriterionEvidence> {
    let verdicts = &report.outcome.criteria_verdicts;
    let is_of_check = |evidence: &CriterionEvidence| {
        let is_it =
            |verdict: &CriterionVerdict| verdict.criterion == evidence.criterion && verdict.evidence == evidence.quote;
        verdicts.iter().any(|verdict| is_it(verdict) && verdict.mode == CriterionMode::Verifiable)
    };
    report.evidence.iter().filter(move |evidence| evidence.criterion == criterion || !is_of_check(evidence))
}

/// What a person has to know, and what was found to be met, with the entries that show it (Law 0). What subtasks say of
/// themselves is no part of it: memory hears this.
fn summary(gathering: &Gathering, outcomes: &[SubTaskOutcome], task_verdicts: &[CriterionVerdict]) -> String {
    let matched = gathering.reports().map(|one| one.report).filter(|report| !report.outcome.is_failing());
    let lines =
        std::iter::once(head_line(gathering, outcomes)).chain(unmet(outcomes, task_verdicts)).chain(met(matched));
    lines.collect::<Vec<_>>().join("\n")
}

fn head_line(gathering: &Gathering, outcomes: &[SubTaskOutcome]) -> String {
    let matched = outcomes.iter().filter(|outcome| !outcome.is_failing()).count();
    let idle = match gathering.never_started().len() {
        0 => String::new(),
        count => format!(", {count} never started"),
    };
    let class = failure_class(outcomes).map(|class| format!("; failures are {class}")).unwrap_or_default();
    format!("{matched} of {} subtasks matched{idle}{class}", gathering.manifest().subtasks.len())
}

fn unmet(outcomes: &[SubTaskOutcome], task_verdicts: &[CriterionVerdict]) -> Vec<String> {
    let of_subtasks = outcomes.iter().flat_map(SubTaskOutcome::failed_verdicts);
    let of_task = task_verdicts.iter().filter(|verdict| verdict.is_failed());
    let line = |verdict: &CriterionVerdict| format!("not met: {}: {}", verdict.criterion, verdict.evidence);
    of_subtasks.chain(of_task).map(|verdict| one_line(&line(verdict), SAID_CHARS)).collect()
}
