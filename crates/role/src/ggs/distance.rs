//! D: how far the result is from what was wanted, and which criterion is farthest (artoo R7, "The Loss Function").
//!
//! Counts verdicts, and gives none.

use std::iter::Sum;

use super::reading::{Reading, count};
use super::round::{CriterionMode, CriterionVerdict, GapAttempt, Gate, RoundOutcome, SubTaskOutcome};

/// So many criteria, and so much of them failed.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
struct VerdictTally {
    failed: f64,
    criteria: f64,
}

impl VerdictTally {
    const MET: Self = Self { failed: 0.0, criteria: 1.0 };
    const FAILED: Self = Self { failed: 1.0, criteria: 1.0 };

    fn and(self, other: Self) -> Self {
        Self { failed: self.failed + other.failed, criteria: self.criteria + other.criteria }
    }
}

impl Sum for VerdictTally {
    fn sum<I: Iterator<Item = Self>>(tallies: I) -> Self {
        tallies.fold(Self::default(), Self::and)
    }
}

/// D(I, R): 0 where nothing is missing, 1 where everything is, or where nothing was tried (decision 28).
pub fn distance(round: &RoundOutcome) -> Reading {
    if round.outcomes.is_empty() {
        return Reading::WHOLE;
    }
    let subtasks: VerdictTally = round.outcomes.iter().map(of_subtask).sum();
    let task: VerdictTally = round.task_verdicts.iter().map(|verdict| of_verdict(verdict, &[])).sum();
    let tally = with_gate(subtasks.and(task), round.gate);
    Reading::cut(tally.failed / tally.criteria)
}

/// The failed criterion that weighs most, the first of equals; else the first reason that a failing subtask gives.
pub fn worst_criterion(round: &RoundOutcome) -> Option<&str> {
    let of_subtasks = round.outcomes.iter().flat_map(|outcome| {
        outcome.failed_verdicts().map(|verdict| (verdict, weight(verdict, &outcome.gap_trajectory)))
    });
    let of_task = round.failed_task_verdicts().map(|verdict| (verdict, weight(verdict, &[])));
    let worst = of_subtasks.chain(of_task).reduce(|worst, next| if next.1 > worst.1 { next } else { worst });
    let reason = || round.failing().find_map(|outcome| outcome.failure_reason.as_deref());
    worst.map(|(verdict, _)| verdict.criterion.as_str()).or_else(reason)
}

/// What R4b turned down has a gap, even where no verdict shows it.
fn with_gate(tally: VerdictTally, gate: Gate) -> VerdictTally {
    match gate {
        Gate::Rejected if tally.failed <= 0.0 => tally.and(VerdictTally::FAILED),
        Gate::Rejected | Gate::Accepted => tally,
    }
}

/// A subtask without verdicts counts as one criterion (decision 28). One that failed though each of its criteria passed
/// counts as one more, failed: else a failed subtask would be a success.
fn of_subtask(outcome: &SubTaskOutcome) -> VerdictTally {
    let verdicts = outcome.criteria_verdicts.iter();
    let tally: VerdictTally = verdicts.map(|verdict| of_verdict(verdict, &outcome.gap_trajectory)).sum();
    if outcome.is_failing() && outcome.failed_verdicts().next().is_none() {
        tally.and(VerdictTally::FAILED)
    } else if outcome.criteria_verdicts.is_empty() {
        VerdictTally::MET
    } else {
        tally
    }
}

fn of_verdict(verdict: &CriterionVerdict, trajectory: &[GapAttempt]) -> VerdictTally {
    if verdict.is_failed() {
        VerdictTally { failed: weight(verdict, trajectory), criteria: 1.0 }
    } else {
        VerdictTally::MET
    }
}

/// How much a failed criterion counts: whole where code judged it, else k of N attempts, at least the last one.
fn weight(verdict: &CriterionVerdict, trajectory: &[GapAttempt]) -> f64 {
    match verdict.mode {
        CriterionMode::Verifiable => 1.0,
        CriterionMode::Plausible => {
            let unmet = trajectory.iter().filter(|attempt| attempt.unmet_criteria.contains(&verdict.criterion));
            count(unmet.count().max(1)) / count(trajectory.len().max(1))
        }
    }
}
