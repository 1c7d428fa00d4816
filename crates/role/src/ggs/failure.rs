//! P: how wrong the approach is, whatever the result (artoo R7), and the one classifier of failures (decision 30).
//!
//! A class that R4a gave counts before words; words count where it gave none. Asks no model.

use super::reading::{Reading, count};
use super::round::{CriterionVerdict, RoundOutcome, SubTaskOutcome};
use annals_kernel::grounding::words;
use annals_kernel::share::Share;

words! {
    /// Why something failed.
    pub enum FailureClass {
        /// The approach was wrong.
        Logical = "logical",
        /// The approach may be right, and the environment was in its way.
        Environmental = "environmental",
    }
}

words! {
    /// Why a round failed, taken together.
    pub enum FailureMix {
        /// Mostly the approach.
        Logical = "logical",
        /// Mostly the environment.
        Environmental = "environmental",
        /// Both alike, or nothing says why.
        Mixed = "mixed",
    }
}

/// Network, permission, file not found (artoo R4a), and what else lies outside. The words are ours, and no data was
/// looked at for them.
const ENVIRONMENTAL: &[&str] = &[
    "permission denied", "access denied", "operation not permitted", "forbidden", "unauthorized",
    "read only file system", "eacces", "eperm", "enoent", "no such file", "not found", "does not exist",
    "doesnt exist", "is a directory", "network", "dns", "connection refused", "connection reset", "connection closed",
    "econnrefused", "econnreset", "etimedout", "unreachable", "could not resolve", "timeout", "timed out",
    "deadline exceeded", "rate limit", "rate limited", "too many requests", "unavailable", "no space left",
    "disk full", "out of memory", "quota", "context canceled", "context cancelled", "interrupted", "killed", "busy",
];

/// What of it ends a subtask at once: trying the same again does not bring a network back (artoo R4a, "infrastructure
/// errors"). Phrases, for a word alone may be the name of a file.
const INFRASTRUCTURE: &[&str] = &[
    "timed out", "etimedout", "deadline exceeded", "context canceled", "context cancelled", "was canceled",
    "was cancelled", "network error", "network is unreachable", "network is down", "network unreachable",
    "no route to host", "host unreachable", "connection refused", "connection reset", "connection closed",
    "econnrefused", "econnreset", "could not resolve", "temporary failure in name resolution",
];

/// What speaks of a wrong approach.
const LOGICAL: &[&str] = &[
    "logic", "logical", "logically", "wrong", "incorrect", "invalid", "mismatch", "does not match", "doesnt match",
    "did not match", "does not contain", "unexpected", "syntax error", "type error", "assertion", "contradiction",
    "contradicts", "misunderstood", "irrelevant", "unsupported", "not implemented", "not applicable", "incomplete",
];

impl FailureClass {
    /// By its words; whole words only. Environmental wins: what never ran says nothing about the approach.
    pub fn of_text(text: &str) -> Option<Self> {
        let folded = folded(text);
        if holds(&folded, ENVIRONMENTAL) || holds(&folded, INFRASTRUCTURE) {
            Some(Self::Environmental)
        } else {
            holds(&folded, LOGICAL).then_some(Self::Logical)
        }
    }
}

/// Whether what is said is that the way to the result was not there: time, network, or somebody who called it off.
pub fn is_infrastructure(text: &str) -> bool {
    holds(&folded(text), INFRASTRUCTURE)
}

fn holds(folded: &str, phrases: &[&str]) -> bool {
    phrases.iter().any(|phrase| folded.contains(&format!(" {phrase} ")))
}

impl FailureMix {
    /// Above ρ logical, below environmental, at ρ mixed: so it never says otherwise than the state.
    pub fn of(process: Reading, rho: Share) -> Self {
        let (process, rho) = (process.number(), rho.number());
        if process > rho {
            Self::Logical
        } else if process < rho {
            Self::Environmental
        } else {
            Self::Mixed
        }
    }
}

/// P(R): the logical part of the failures that have a class; half where none has one (decision 28).
pub fn process(round: &RoundOutcome) -> Reading {
    let mut classes: Vec<_> = round.failing().flat_map(classes_of).collect();
    classes.extend(classes_of_verdicts(round.failed_task_verdicts()));
    if classes.is_empty() {
        return Reading::HALF;
    }
    let logical = classes.iter().filter(|class| **class == FailureClass::Logical).count();
    Reading::cut(count(logical) / count(classes.len()))
}

/// As R4a classified it: the verdicts, else the last attempt; else by words: the evidence, else the reason.
fn classes_of(outcome: &SubTaskOutcome) -> Vec<FailureClass> {
    let structured = outcome.failed_verdicts().filter_map(|verdict| verdict.failure_class);
    let attempted = outcome.gap_trajectory.last().and_then(|attempt| attempt.failure_class);
    let evident = outcome.failed_verdicts().filter_map(|verdict| FailureClass::of_text(&verdict.evidence));
    let reasoned = outcome.failure_reason.as_deref().and_then(FailureClass::of_text);
    let sources: [Vec<_>; 4] =
        [structured.collect(), attempted.into_iter().collect(), evident.collect(), reasoned.into_iter().collect()];
    sources.into_iter().find(|classes| !classes.is_empty()).unwrap_or_default()
}

/// A task criterion has neither attempts nor a reason of its own.
fn classes_of_verdicts<'v>(verdicts: impl Iterator<Item = &'v CriterionVerdict>) -> Vec<FailureClass> {
    verdicts.filter_map(|verdict| verdict.failure_class.or_else(|| FailureClass::of_text(&verdict.evidence))).collect()
}

/// Lower case, apostrophes dropped, and a space for everything between words, and at both ends.
fn folded(text: &str) -> String {
    let letters = text.chars().filter(|letter| !matches!(letter, '\'' | '’')).flat_map(char::to_lowercase);
    let spaced: String = letters.map(|letter| if letter.is_alphanumeric() { letter } else { ' ' }).collect();
    let words: Vec<_> = spaced.split_whitespace().collect();
    format!(" {} ", words.join(" "))
}
