//! What the executor is told to do otherwise (artoo R4a, `CorrectionSignal`).
//!
//! Said by rule, so that a retry costs no further question. The executor lays it into its prompt as data.

use super::grounding::Settled;
use super::judging::{Judging, class};
use crate::criterion::GroundedVerdict;
use crate::evidence::head_tail;
use crate::ggs::{CriterionMode, FailureClass};
use crate::message::CorrectionSignal;

/// Characters of what was wrong.
const WRONG_CHARS: usize = 2000;

/// What was wrong, and what to do.
pub fn signal(judging: &Judging<'_>, found: &[GroundedVerdict]) -> CorrectionSignal {
    CorrectionSignal {
        subtask_id: judging.subtask.subtask_id.clone(),
        attempt: judging.result.attempt,
        what_was_wrong: head_tail(&wrong(found), WRONG_CHARS),
        what_to_do: to_do(judging, found).join(" "),
        failure_class: class(found),
    }
}

fn unmet(found: &[GroundedVerdict]) -> impl Iterator<Item = &GroundedVerdict> {
    found.iter().filter(|one| one.verdict.is_failed())
}

fn wrong(found: &[GroundedVerdict]) -> String {
    let not_met = CorrectionSignal::NOT_MET;
    let line = |one: &GroundedVerdict| format!("{not_met}{}: {}", one.verdict.criterion, one.verdict.evidence);
    unmet(found).map(line).collect::<Vec<_>>().join("\n")
}

fn to_do(judging: &Judging<'_>, found: &[GroundedVerdict]) -> Vec<&'static str> {
    let has = |mode: CriterionMode| unmet(found).any(|one| one.verdict.mode == mode);
    let is_contradiction = matches!(judging.settled(), Some(Settled::Contradiction(_)));
    let environment = class(found) == Some(FailureClass::Environmental);
    let said = [
        (is_contradiction, "Your last act did not work; do it in another way, and say done only when it has worked."),
        (has(CriterionMode::Verifiable), "Change what the failed checks look at, so that they hold."),
        (
            has(CriterionMode::Plausible) && !is_contradiction,
            "Call a tool whose output shows that each criterion is met; what you only say does not count.",
        ),
        (environment, "The environment was in the way: use another path, target or tool."),
        (!environment, "Use another approach than before."),
    ];
    said.into_iter().filter(|(applies, _)| *applies).map(|(_, words)| words).collect()
}
