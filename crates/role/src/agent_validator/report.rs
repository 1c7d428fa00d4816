//! What a subtask came to, as R4b and the solver are told (artoo R4a, output contract).
//!
//! Puts together; decides nothing.

use super::judging::{Judging, gap};
use crate::criterion::GroundedVerdict;
use crate::evidence::call::request_line;
use crate::evidence::quote::given;
use crate::evidence::{head_tail, one_line, tool_use};
use crate::ggs::{SubTaskOutcome, SubTaskStatus};
use crate::message::{CallEvidence, CriterionEvidence, OutcomeReport};
use crate::tool::ToolCall;

/// Characters of an output that go with a report, head and tail; R4b checks task criteria by them.
const OUTPUT_CHARS: usize = 400;
/// Characters of a reason.
const REASON_CHARS: usize = 600;

/// Everything that is known of it.
pub fn report(judging: &Judging<'_>, status: SubTaskStatus, found: Vec<GroundedVerdict>) -> OutcomeReport {
    let evidence = found.iter().filter(|one| !one.verdict.is_failed()).map(criterion_evidence).collect();
    OutcomeReport {
        parent_task_id: judging.subtask.parent_task_id.clone(),
        output: judging.result.output.clone(),
        evidence,
        calls: calls(judging),
        outcome: outcome(judging, status, found),
    }
}

fn outcome(judging: &Judging<'_>, status: SubTaskStatus, found: Vec<GroundedVerdict>) -> SubTaskOutcome {
    let all = judging.earlier.iter().chain(std::iter::once(judging.result)).flat_map(|result| &result.tool_calls);
    SubTaskOutcome {
        subtask_id: judging.subtask.subtask_id.clone(),
        status,
        failure_reason: (status == SubTaskStatus::Failed).then(|| reason(judging, &found)),
        gap_trajectory: judging.gaps.iter().cloned().chain([gap(&found)]).collect(),
        tool_uses: all.map(tool_use).collect(),
        criteria_verdicts: found.into_iter().map(|one| one.verdict).collect(),
    }
}

fn reason(judging: &Judging<'_>, found: &[GroundedVerdict]) -> String {
    let unmet = found.iter().find(|one| one.verdict.is_failed()).map(|one| &one.verdict);
    let settled = judging.hopeless().or_else(|| judging.settled()).map(|settled| settled.why(judging));
    let why = settled.or_else(|| unmet.map(|verdict| format!("not met: {}: {}", verdict.criterion, verdict.evidence)));
    one_line(&format!("attempt {}: {}", judging.result.attempt, why.unwrap_or_default()), REASON_CHARS)
}

fn criterion_evidence(one: &GroundedVerdict) -> CriterionEvidence {
    let verdict = &one.verdict;
    CriterionEvidence {
        criterion: verdict.criterion.clone(),
        quote: verdict.evidence.clone(),
        entries: one.entries.clone(),
    }
}

/// Without what the attempts wrote themselves, but for what the subtask speaks of.
fn calls(judging: &Judging<'_>) -> Vec<CallEvidence> {
    let (own, about) = (judging.own_words(), judging.about());
    let told = |call: &ToolCall| {
        let is_disguised = judging.is_disguised(call, about.unwrap_or_default());
        let given = if is_disguised { String::new() } else { given(call) };
        call_evidence(call, &about.map(|about| own.without(&given, about)).unwrap_or(given))
    };
    judging.counting_calls().into_iter().map(told).collect()
}

fn call_evidence(call: &ToolCall, given: &str) -> CallEvidence {
    CallEvidence {
        request: request_line(&call.request),
        output: head_tail(given, OUTPUT_CHARS),
        entry: call.entry.clone(),
    }
}
