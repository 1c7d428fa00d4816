//! What a model is asked about plausible task criteria, and what it says (artoo R4b).
//!
//! Wording, and the reading of verdicts; `gate` decides whether they are believed. The model has to be at least as strong as
//! R2's: the registry's matter.

use super::gate::{may_ask, quotable};
use super::gathering::{Gathering, NumberedReport};
use crate::criterion::{CheckResult, checks_of, numbered, plausible, read_verdicts, verdict_prompt};
use crate::evidence::{fenced, head_tail};
use crate::ggs::CriterionVerdict;
use crate::message::{DispatchManifest, OutcomeReport};
use crate::plan::CriterionCheck;
use crate::prompt::{BadAnswer, RolePrompt};

/// Characters of all subtasks together.
const SHOWN_CHARS: usize = 16_000;
/// Characters of one claim, an intent.
const CLAIM_CHARS: usize = 1000;
const INTENT_CHARS: usize = 300;

const RULES: &str = r#"You check whether the criteria of a whole task are met by what its subtasks came to. You are strict.
What is said is only a claim. What tools gave is the truth.
- "pass" needs evidence: a line, copied word for word, from what tools gave.
- Without such a line, or in doubt: "fail", and the reason as evidence."#;

/// What code has to check.
pub fn checks(manifest: &DispatchManifest) -> Vec<CriterionCheck> {
    checks_of(&manifest.task_criteria)
}

/// What a model is asked; nothing where code decides every criterion, or where anything failed.
pub fn question(gathering: &Gathering, checks: &[CheckResult], rejected: Option<&BadAnswer>) -> Option<RolePrompt> {
    let criteria = plausible(&gathering.manifest().task_criteria);
    if criteria.is_empty() || !may_ask(gathering, checks) {
        return None;
    }
    let reports: Vec<_> = gathering.reports().collect();
    let share = SHOWN_CHARS / reports.len().max(1);
    let mut parts: Vec<_> = reports.iter().map(|one| shown(one, share)).collect();
    parts.push(format!("Criteria:\n{}", numbered(&criteria)));
    Some(verdict_prompt(RULES, parts, criteria.len(), rejected))
}

fn shown(one: &NumberedReport<'_>, chars: usize) -> String {
    let intent = fenced(&head_tail(&one.subtask.intent, INTENT_CHARS));
    let claim = fenced(&head_tail(&one.report.output, CLAIM_CHARS.min(chars / 4)));
    let given = fenced(&head_tail(&given(one.report), chars - chars / 4));
    format!("Subtask {}:\n{intent}\nWhat is said (a claim):\n{claim}\nWhat tools gave:\n{given}", one.number)
}

/// The quotes that met its criteria, then the calls.
fn given(report: &OutcomeReport) -> String {
    let quotes = quotable(report, "").map(|evidence| evidence.quote.clone());
    let calls = report.calls.iter().map(|call| format!("{} ->\n{}", call.request, call.output));
    quotes.chain(calls).collect::<Vec<_>>().join("\n")
}

/// What the model said of each plausible task criterion, in order.
pub fn read(raw: &str, manifest: &DispatchManifest) -> Result<Vec<CriterionVerdict>, BadAnswer> {
    read_verdicts(raw, &plausible(&manifest.task_criteria))
}
