//! What came of the subtasks, as a prompt says it: what matched, what failed and why, and what they put out.
//!
//! What failed is always said; outputs are cut to the room that they have.

use crate::ggs::CriterionVerdict;
use crate::message::OutcomeReport;
use crate::quote::{inline, quoted_within, shortened};

/// A reason, a criterion, a piece of evidence is cut here, in characters.
const REASON_CHARS: usize = 300;
/// Of the failed criteria of a subtask so many are named.
const CRITERIA_SHOWN: usize = 4;

/// A part of a prompt, and how much it leaves out.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct RoundText {
    pub(super) text: String,
    /// So many characters of outputs.
    pub(super) left_out: usize,
}

impl RoundText {
    /// The subtasks, numbered from 1, with so many characters of outputs in all.
    pub(super) fn of(outcomes: &[OutcomeReport], room: usize) -> Self {
        let with_output = outcomes.iter().filter(|report| has_output(report)).count();
        let mut round = Self::default();
        for (number, report) in (1..).zip(outcomes) {
            round.text.push_str(&heading(number, report));
            if has_output(report) {
                round.add_output(report, room / with_output);
            }
        }
        round
    }

    fn add_output(&mut self, report: &OutcomeReport, room: usize) {
        let title = "output:\n";
        let short = quoted_within(&report.output, room.saturating_sub(title.len()));
        self.left_out += short.left_out;
        if short.left_out < report.output.chars().count() {
            self.text.push_str(title);
            self.text.push_str(&short.text);
        }
    }
}

/// Whether all that was wanted of a subtask is there.
pub(super) fn is_matched(report: &OutcomeReport) -> bool {
    !report.outcome.is_failing()
}

/// Room for all outputs.
pub(super) fn outputs_chars(outcomes: &[OutcomeReport]) -> usize {
    let quoted = |report: &OutcomeReport| quoted_within(&report.output, usize::MAX / 2).text.chars().count() + 8;
    let lengths: Vec<_> = outcomes.iter().filter(|report| has_output(report)).map(quoted).collect();
    // Each gets as much as every other.
    lengths.iter().max().copied().unwrap_or_default() * lengths.len()
}

fn has_output(report: &OutcomeReport) -> bool {
    !report.output.trim().is_empty()
}

fn heading(number: usize, report: &OutcomeReport) -> String {
    if is_matched(report) {
        return format!("Subtask {number} matched.\n");
    }
    let reason = report.outcome.failure_reason.as_deref().unwrap_or("no reason given");
    let failed: Vec<_> = report.outcome.failed_verdicts().collect();
    let shown: String = failed.iter().take(CRITERIA_SHOWN).map(|verdict| unmet(verdict)).collect();
    let more = match failed.len().saturating_sub(CRITERIA_SHOWN) {
        0 => String::new(),
        more => format!("- and {more} more criteria not met\n"),
    };
    format!("Subtask {number} failed: {}\n{shown}{more}", brief(reason))
}

fn unmet(verdict: &CriterionVerdict) -> String {
    let criterion = brief(&verdict.criterion);
    match verdict.evidence.trim() {
        "" => format!("- not met: {criterion}\n"),
        evidence => format!("- not met: {criterion}, seen: {}\n", brief(evidence)),
    }
}

fn brief(text: &str) -> String {
    inline(&shortened(text.trim(), REASON_CHARS).text)
}
