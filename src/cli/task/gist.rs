//! A message of the bus in one line, for the screen of a run and for its record.
//!
//! Wording only. Texts of models are cut, and made harmless where they are printed.

use crate::role::message::{BusMessage, ExecutionResult, OutcomeReport};
use crate::role::run::BusSaid;
use crate::role::tool::ToolRequest;

/// So much of a text is shown in a line.
const CHARS: usize = 120;

/// What was said.
pub(crate) fn gist(said: &BusSaid) -> String {
    match &said.message {
        BusMessage::Request(request) => short(&request.raw_input),
        BusMessage::TaskSpec(spec) => short(&spec.intent),
        BusMessage::MemoryQuery(query) => format!("what of {} {}?", query.space, query.entity),
        BusMessage::MemoryAnswer(answer) => match answer.remembered.len() {
            0 => "nothing".to_owned(),
            many => format!(
                "{many} remembered: {}",
                answer.remembered.iter().map(|one| one.action.as_str()).collect::<Vec<_>>().join(", ")
            ),
        },
        BusMessage::DispatchManifest(manifest) => {
            let (subtasks, criteria) = (manifest.subtasks.len(), manifest.task_criteria.len());
            format!("round {}: subtasks {subtasks}, task criteria {criteria}", manifest.round)
        }
        BusMessage::SubTask(subtask) => format!("{}: {}", subtask_name(&subtask.subtask_id), short(&subtask.intent)),
        BusMessage::ExecutionResult(result) => executed(result),
        BusMessage::CorrectionSignal(signal) => format!("again: {}", short(&signal.what_was_wrong)),
        BusMessage::SubTaskOutcome(report) => judged(report),
        BusMessage::ReplanRequest(round) | BusMessage::OutcomeSummary(round) => {
            // What fails in a subtask stands in the line of that one.
            let unmet = round.task_verdicts.iter().find(|verdict| verdict.is_failed());
            let unmet = unmet.map(|verdict| format!("; not met: {}", short(&verdict.criterion))).unwrap_or_default();
            format!("{}: {}{unmet}", round.gate, short(&round.summary))
        }
        BusMessage::PlanDirective(directive) => short(&directive.rationale),
        BusMessage::Megram(megram) => format!("{} {} ({})", megram.space, megram.entity, megram.state),
        BusMessage::DraftRequest(request) => short(&request.rationale),
        BusMessage::Draft(draft) => {
            format!("achieved {}, failed {}, next {}", draft.achieved.len(), draft.failed.len(), draft.next.len())
        }
        BusMessage::FinalResult(result) => short(&result.rationale),
        BusMessage::ApprovalRequest(asked) => {
            format!("{}: {}", used(&asked.request), asked.why.lines().collect::<Vec<_>>().join("; "))
        }
        BusMessage::Approval(approval) if approval.is_granted => "yes, once".to_owned(),
        BusMessage::Approval(approval) if approval.reason.is_empty() => "no".to_owned(),
        BusMessage::Approval(approval) => format!("no: {}", approval.reason),
        BusMessage::Abort(_) => "no more of it".to_owned(),
    }
}

/// What a subtask is called within its task: `r1-s1`, `proposal`.
pub(crate) fn subtask_name(id: &str) -> &str {
    let name = id.match_indices("-r").last().or_else(|| id.rmatch_indices("-proposal").next());
    name.map_or(id, |(at, _)| &id[at + 1..])
}

/// A tool and what it is used on.
pub(crate) fn used(request: &ToolRequest) -> String {
    let mut members = ["command", "path", "pattern", "name", "url"].iter();
    let target = members.find_map(|member| request.input.get(*member)?.as_str()).unwrap_or_default();
    format!("{} {}", request.tool, short(target))
}

fn executed(result: &ExecutionResult) -> String {
    let (status, calls) = (result.status, result.tool_calls.len());
    let name = subtask_name(&result.subtask_id);
    format!("{name} attempt {}: {status}, calls {calls}: {}", result.attempt, short(&result.output))
}

fn judged(report: &OutcomeReport) -> String {
    let outcome = &report.outcome;
    let failed = outcome.failed_verdicts().count();
    let of = outcome.criteria_verdicts.len();
    let met = of - failed;
    let why = outcome.failure_reason.as_deref().map(|why| format!(": {}", short(why))).unwrap_or_default();
    format!("{}: {}, criteria met {met} of {of}{why}", subtask_name(&outcome.subtask_id), outcome.status)
}

/// The first line of a text, cut.
pub(super) fn short(text: &str) -> String {
    let line = text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default().trim();
    if line.chars().count() <= CHARS { line.to_owned() } else { line.chars().take(CHARS - 1).chain(['…']).collect() }
}
