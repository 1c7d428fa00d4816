//! Criteria as both validators see them: which code decides, how a model is asked for the rest, and what it answered (artoo
//! R4a, R4b; decision 62).
//!
//! Runs no check, and does not decide whether a verdict is believed: each validator has its own evidence.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::evidence::fence::DATA_RULE;
use super::evidence::quote::MOST_CHARS;
use super::evidence::{fenced, first_chars, one_line};
use super::ggs::{CriterionMode, CriterionVerdict, FailureClass, Verdict};
use super::plan::{Criterion, CriterionCheck};
use super::prompt::{BadAnswer, RolePrompt};
use super::reply::{self, ReplyObject};
use annals_kernel::grounding::words;

words! {
    /// What a check came to.
    pub enum CheckState {
        /// It holds.
        Met = "met",
        /// It ran, and does not hold.
        Unmet = "unmet",
        /// It did not run, or not to its end.
        CouldNotRun = "could_not_run",
    }
}

/// What code found of a criterion.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CheckResult {
    /// What was checked.
    pub check: CriterionCheck,
    /// What it came to.
    pub state: CheckState,
    /// What was seen.
    #[serde(default)]
    pub evidence: String,
    /// The entry that records it.
    #[serde(default)]
    pub entry: Option<String>,
}

/// A verdict, and the entries that record what it rests on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GroundedVerdict {
    /// What became of the criterion.
    pub verdict: CriterionVerdict,
    /// Empty where nothing that was recorded holds the evidence.
    pub entries: Vec<String>,
}

/// What stands as evidence where a model gave no verdict, or no single one.
pub const NO_VERDICT: &str = "no verdict";
/// What a model says instead of a quote where a search found nothing.
pub const NOTHING_FOUND: &str = "nothing found";
/// Characters of evidence that are kept with a verdict.
const EVIDENCE_CHARS: usize = 400;
/// Characters of the reason why an answer could not be used.
const REASON_CHARS: usize = 300;
/// Characters of a criterion in a prompt.
const CRITERION_CHARS: usize = 500;
/// A verdict with its quote, and the brackets around all of them.
const VERDICT_TOKENS: u32 = 160;
const FORM_TOKENS: u32 = 64;

/// How a model has to answer.
const VERDICT_FORM: &str = r#"Answer with one JSON object and nothing else, one verdict for each number:
{"verdicts":[{"n":1,"verdict":"pass","evidence":"test result: ok. 3 passed; 0 failed"},{"n":2,"verdict":"fail","evidence":"nothing shows it"}]}"#;

/// What code has to check, each once.
pub fn checks_of(criteria: &[Criterion]) -> Vec<CriterionCheck> {
    let mut found: Vec<CriterionCheck> = Vec::new();
    for check in criteria.iter().filter_map(|criterion| criterion.check.as_ref()) {
        if !found.contains(check) {
            found.push(check.clone());
        }
    }
    found
}

/// The criteria that code cannot check, in order; their numbers count from 1.
pub fn plausible(criteria: &[Criterion]) -> Vec<&Criterion> {
    criteria.iter().filter(|criterion| criterion.mode() == CriterionMode::Plausible).collect()
}

/// What code says of a criterion, alone: a model is not heard (decision 62). Of several results of one check the worst
/// counts, and a check without a result was not run.
pub fn by_code(criterion: &Criterion, check: &CriterionCheck, results: &[CheckResult]) -> GroundedVerdict {
    let worst = results.iter().filter(|result| result.check == *check).max_by_key(|result| result.state);
    let Some(result) = worst else { return failed(criterion, "the check was not run", None) };
    let evidence = one_line(&result.evidence, EVIDENCE_CHARS);
    match result.state {
        CheckState::Met => {
            let entries = result.entry.iter().cloned().collect();
            GroundedVerdict { verdict: verdict(criterion, Verdict::Pass, evidence, None), entries }
        }
        CheckState::Unmet => {
            let class = FailureClass::of_text(&result.evidence).unwrap_or(FailureClass::Logical);
            failed(criterion, &evidence, Some(class))
        }
        CheckState::CouldNotRun => failed(criterion, &evidence, Some(FailureClass::Environmental)),
    }
}

/// Whether a check was made, and held each time.
pub fn has_held(check: &CriterionCheck, results: &[CheckResult]) -> bool {
    let mut own = results.iter().filter(|result| result.check == *check).peekable();
    own.peek().is_some() && own.all(|result| result.state == CheckState::Met)
}

/// A criterion that is not met.
pub fn failed(criterion: &Criterion, evidence: &str, class: Option<FailureClass>) -> GroundedVerdict {
    let evidence = one_line(evidence, EVIDENCE_CHARS);
    GroundedVerdict { verdict: verdict(criterion, Verdict::Fail, evidence, class), entries: Vec::new() }
}

/// A criterion that is met.
pub fn passed(criterion: &Criterion, evidence: String, entries: Vec<String>) -> GroundedVerdict {
    GroundedVerdict { verdict: verdict(criterion, Verdict::Pass, evidence, None), entries }
}

fn verdict(
    criterion: &Criterion,
    verdict: Verdict,
    evidence: String,
    failure_class: Option<FailureClass>,
) -> CriterionVerdict {
    CriterionVerdict { criterion: criterion.text.clone(), mode: criterion.mode(), verdict, failure_class, evidence }
}

/// The criteria as a numbered list, as data.
pub fn numbered(criteria: &[&Criterion]) -> String {
    let line =
        |(at, criterion): (usize, &&Criterion)| format!("{}. {}", at + 1, one_line(&criterion.text, CRITERION_CHARS));
    fenced(&criteria.iter().enumerate().map(line).collect::<Vec<_>>().join("\n"))
}

/// What a validator asks: its rules, what it has to look at, and why its last answer could not be used.
pub fn verdict_prompt(
    rules: &str,
    mut parts: Vec<String>,
    criteria: usize,
    rejected: Option<&BadAnswer>,
) -> RolePrompt {
    parts.extend(rejected.map(|reason| {
        let reason = one_line(&reason.to_string(), REASON_CHARS);
        format!("Your last answer could not be used: {reason}.\n{VERDICT_FORM}")
    }));
    RolePrompt {
        system: [rules, VERDICT_FORM, DATA_RULE].join("\n"),
        user: parts.join("\n\n"),
        schema: Some(verdict_schema()),
        max_tokens: verdict_tokens(criteria),
        may_think: false,
    }
}

/// Tokens that verdicts on a number of criteria take at most.
fn verdict_tokens(criteria: usize) -> u32 {
    let count = u32::try_from(criteria).unwrap_or(u32::MAX);
    count.saturating_mul(VERDICT_TOKENS).saturating_add(FORM_TOKENS)
}

/// The form of an answer, for servers that can constrain.
fn verdict_schema() -> Value {
    let verdict = json!({
        "type": "object",
        "properties": {
            "n": { "type": "integer" },
            "verdict": { "type": "string", "enum": ["pass", "fail"] },
            "evidence": { "type": "string" },
        },
        "required": ["n", "verdict", "evidence"],
        "additionalProperties": false,
    });
    json!({
        "type": "object",
        "properties": { "verdicts": { "type": "array", "items": verdict } },
        "required": ["verdicts"],
        "additionalProperties": false,
    })
}

/// What a model said of each criterion, in order. What it said not at all, twice, or not clearly is a fail; an answer that
/// says nothing of any of them could not be read. Whether its quotes are there is not looked at.
pub fn read_verdicts(raw: &str, criteria: &[&Criterion]) -> Result<Vec<CriterionVerdict>, BadAnswer> {
    let members = reply::object(raw, &["verdicts"])?;
    let answer = ReplyObject::new(&members);
    let rows = answer.objects("verdicts")?;
    let found: Vec<_> = (1..).zip(criteria).map(|(number, _)| single(&rows, number)).collect();
    if !criteria.is_empty() && found.iter().all(Option::is_none) {
        return Err(answer.bad("verdicts", "has no clear verdict, or more than one, on each of the numbers"));
    }
    let unclear = || SaidVerdict { word: Verdict::Fail, evidence: NO_VERDICT.to_owned() };
    let said = criteria.iter().zip(found).map(|(criterion, said)| (criterion, said.unwrap_or_else(unclear)));
    Ok(said.map(|(criterion, said)| verdict(criterion, said.word, said.evidence, None)).collect())
}

/// A verdict as a model put it.
struct SaidVerdict {
    word: Verdict,
    evidence: String,
}

/// The verdict of a number, where there is exactly one and it is clear.
fn single(rows: &[ReplyObject<'_>], number: i64) -> Option<SaidVerdict> {
    let mut own = rows.iter().filter(|row| row.optional_whole("n") == Ok(Some(number)));
    let (row, None) = (own.next()?, own.next()) else { return None };
    let word = row.value("verdict")?.as_str()?.trim().to_ascii_lowercase().parse().ok()?;
    let evidence = row.value("evidence").and_then(Value::as_str).unwrap_or_default();
    // One character more than a quote may have, so that what is cut is none.
    Some(SaidVerdict { word, evidence: first_chars(evidence, MOST_CHARS + 1).to_owned() })
}
