//! A claim of a final text, and the entries that show it (Law 0: never deceive).
//!
//! Simple and strict: a sentence is evidenced where it stands, to the letter, in what tools gave, or is a criterion that was
//! found to be met, in a subtask each of whose criteria rests on recorded calls or checks. What is only said is unverified,
//! whoever says it. Does not understand sentences.

use std::collections::BTreeSet;

use super::gate::quotable;
use crate::evidence::quote::folded;
use crate::evidence::{LiteralQuote, one_line, sentence};
use crate::ggs::SubTaskStatus;
use crate::message::{CriterionEvidence, OutcomeReport};

/// Characters of a criterion with what shows it.
const SAID_CHARS: usize = 300;

/// Stands behind a sentence without evidence.
const UNVERIFIED: &str = "(unverified)";
/// Stands behind a sentence with evidence, before the ids of its entries.
const EVIDENCE: &str = "[evidence: ";

/// A text in which every claim cites its evidence or says that there is none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CitedSummary {
    /// With citations.
    pub text: String,
    /// All entries that it cites, in order of their ids.
    pub entries: Vec<String>,
    /// Whether every claim has evidence, and there is one at all.
    pub is_evidenced: bool,
}

/// One sentence, and what shows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FinalClaim {
    /// As it was said.
    pub text: String,
    /// Empty where nothing shows it.
    pub entries: BTreeSet<String>,
}

/// Cites, for each sentence of a text, what shows it.
pub fn cited(output: &str, reports: &[OutcomeReport]) -> CitedSummary {
    let claims = claims(output, reports);
    let said = |claim: &FinalClaim| match claim.entries.iter().map(String::as_str).collect::<Vec<_>>().join(", ") {
        ids if ids.is_empty() => format!("{} {UNVERIFIED}", claim.text),
        ids => format!("{} {EVIDENCE}{ids}]", claim.text),
    };
    CitedSummary {
        text: claims.iter().map(said).collect::<Vec<_>>().join("\n"),
        is_evidenced: !claims.is_empty() && claims.iter().all(|claim| !claim.entries.is_empty()),
        entries: claims.into_iter().flat_map(|claim| claim.entries).collect::<BTreeSet<_>>().into_iter().collect(),
    }
}

/// The sentences of a text, and what shows each.
pub fn claims(output: &str, reports: &[OutcomeReport]) -> Vec<FinalClaim> {
    let shown: Vec<_> = reports.iter().filter(|report| is_shown(report)).collect();
    let claim = |sentence: &str| {
        let own = folded(sentence);
        let entries = shown.iter().flat_map(|report| entries(&own, report)).collect();
        // What is said in the form of a citation is none.
        FinalClaim { text: own.replace(EVIDENCE.trim_end(), "(evidence:"), entries }
    };
    sentences(output).map(claim).collect()
}

/// What was found to be met, a line each, with what shows it.
pub fn met<'r>(reports: impl IntoIterator<Item = &'r OutcomeReport>) -> Vec<String> {
    let of = |evidence: &CriterionEvidence| {
        let CriterionEvidence { criterion, quote, entries } = evidence;
        let source =
            if entries.is_empty() { UNVERIFIED.to_owned() } else { format!("{EVIDENCE}{}]", entries.join(", ")) };
        format!("{} {source}", one_line(&format!("met: {criterion}: {quote}"), SAID_CHARS))
    };
    reports.into_iter().flat_map(|report| report.evidence.iter().map(of)).collect()
}

/// Whether each criterion is met, and rests on what was recorded.
fn is_shown(report: &OutcomeReport) -> bool {
    let outcome = &report.outcome;
    let is_met = outcome.status == SubTaskStatus::Matched && !outcome.is_failing();
    let has_all = report.evidence.len() == outcome.criteria_verdicts.len() && !report.evidence.is_empty();
    is_met && has_all && report.evidence.iter().all(|evidence| !evidence.entries.is_empty())
}

/// The entries that hold a sentence.
fn entries(sentence: &str, report: &OutcomeReport) -> BTreeSet<String> {
    let bare = |text: &str| folded(text).trim_end_matches('.').to_owned();
    let of_criteria = report.evidence.iter().filter(|evidence| bare(&evidence.criterion) == bare(sentence));
    let mut entries: BTreeSet<String> = of_criteria.flat_map(|evidence| evidence.entries.iter().cloned()).collect();
    if let Some(quote) = LiteralQuote::of(sentence) {
        let quoted = quotable(report, sentence).filter(|evidence| quote.is_in(&evidence.quote));
        entries.extend(quoted.flat_map(|evidence| evidence.entries.iter().cloned()));
        entries
            .extend(report.calls.iter().filter(|call| quote.is_in(&call.output)).filter_map(|call| call.entry.clone()));
    }
    entries
}

/// Lines, and within them sentences; what has no letter or digit claims nothing.
fn sentences(text: &str) -> impl Iterator<Item = &str> {
    sentence::sentences(text, &['.', '!', '?']).map(str::trim).filter(|part| part.contains(char::is_alphanumeric))
}
