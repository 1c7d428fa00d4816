//! What a model is asked about plausible criteria, and what it says (artoo R4a).
//!
//! Wording, and the reading of verdicts; `grounding` decides whether they are believed.

use super::judging::Judging;
use crate::criterion::{checks_of, numbered, plausible, read_verdicts, verdict_prompt};
use crate::evidence::transcript::TRANSCRIPT_CHARS;
use crate::evidence::{fenced, head_tail, transcript};
use crate::ggs::CriterionVerdict;
use crate::plan::{CriterionCheck, SubTask};
use crate::prompt::{BadAnswer, RolePrompt};

/// Characters of an intent, a claim, what was given before.
const INTENT_CHARS: usize = 2000;
const CLAIM_CHARS: usize = 2000;
const GIVEN_CHARS: usize = 16_000;

const RULES: &str = r#"You check whether the criteria of a subtask are met. You are strict.
What the executor says is only a claim. What its tools gave is the truth.
- "pass" needs evidence: a line, copied word for word, from the output of a call that worked.
- Without such a line, or in doubt: "fail", and the reason as evidence.
- When a search for just what the criterion asks for worked and gave no output: "pass", evidence "nothing found"."#;

/// What code has to check.
pub fn checks(subtask: &SubTask) -> Vec<CriterionCheck> {
    checks_of(&subtask.success_criteria)
}

/// What a model is asked; nothing where code decides every criterion, or where an answer would not matter.
pub fn question(judging: &Judging<'_>, rejected: Option<&BadAnswer>) -> Option<RolePrompt> {
    let criteria = plausible(&judging.subtask.success_criteria);
    if criteria.is_empty() || judging.settled().is_some() {
        return None;
    }
    let parts = vec![
        format!("Subtask:\n{}", fenced(&head_tail(&judging.subtask.intent, INTENT_CHARS))),
        format!("What the executor says (a claim):\n{}", fenced(&head_tail(&judging.result.output, CLAIM_CHARS))),
        evidence_part(judging),
        format!("Criteria:\n{}", numbered(&criteria)),
    ];
    Some(verdict_prompt(RULES, parts, criteria.len(), rejected))
}

/// What the tools gave; what they gave to the groups before, where no tool was needed.
fn evidence_part(judging: &Judging<'_>) -> String {
    if judging.result.tool_calls.is_empty() {
        let lines: Vec<_> = judging.given.iter().map(|call| format!("{} ->\n{}", call.request, call.output)).collect();
        let before = if lines.is_empty() { "None.".to_owned() } else { lines.join("\n") };
        let before = fenced(&head_tail(&before, GIVEN_CHARS));
        return format!("No tool was called. Evidence can only be a line of what tools gave before:\n{before}");
    }
    format!("What its tools gave:\n{}", transcript(&judging.result.tool_calls, TRANSCRIPT_CHARS))
}

/// What the model said of each plausible criterion, in order.
pub fn read(raw: &str, subtask: &SubTask) -> Result<Vec<CriterionVerdict>, BadAnswer> {
    read_verdicts(raw, &plausible(&subtask.success_criteria))
}
