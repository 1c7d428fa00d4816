//! What an attempt came to: matched, another try, or failed (artoo R4a).
//!
//! One verdict a criterion, in the order of the criteria; all met is matched. Wording stands in `correction` and `report`.

use super::limits::ValidatorLimits;
use super::{correction, report};
use crate::criterion::{CheckResult, CheckState, GroundedVerdict, by_code, failed};
use crate::evidence::figures::{self, UntoldFigure};
use crate::evidence::own_words::OwnWords;
use crate::evidence::{is_good, one_line};
use crate::ggs::{CriterionVerdict, FailureClass, GapAttempt, SubTaskStatus, Verdict};
use crate::message::{CallEvidence, CorrectionSignal, ExecutionResult, ExecutionStatus, OutcomeReport};
use crate::plan::{Criterion, CriterionCheck, SubTask};

/// Characters of what spoils a result.
const WHY_CHARS: usize = 400;

/// An attempt that is to be judged, and those before it.
#[derive(Debug, Clone, Copy)]
pub struct Judging<'j> {
    /// What was wanted.
    pub subtask: &'j SubTask,
    /// The attempts before.
    pub earlier: &'j [ExecutionResult],
    /// What they fell short of.
    pub gaps: &'j [GapAttempt],
    /// The attempt.
    pub result: &'j ExecutionResult,
    /// What tools gave to the groups before.
    pub given: &'j [CallEvidence],
    /// What the task wrote itself so far.
    pub written: &'j OwnWords,
    /// The person's words, where they ask for a figure that no check of theirs tells.
    pub figure_asked: Option<&'j str>,
}

/// What an attempt came to.
#[derive(Debug, Clone, PartialEq)]
pub enum SubTaskJudgement {
    /// Every criterion is met.
    Matched(OutcomeReport),
    /// The executor tries again.
    Retry {
        /// What it has to do otherwise.
        signal: CorrectionSignal,
        /// What this attempt fell short of.
        attempt: GapAttempt,
    },
    /// It is over without that.
    Failed(OutcomeReport),
}

/// What everything that was found of an attempt comes to. `checks` are what code found, `verdicts` what a model said of
/// the plausible criteria, in order; a missing one is a fail.
pub fn judge(
    judging: &Judging<'_>,
    checks: &[CheckResult],
    verdicts: &[CriterionVerdict],
    limits: ValidatorLimits,
) -> SubTaskJudgement {
    let found = judging.verdicts(checks, verdicts);
    let is_met = found.iter().all(|one| !one.verdict.is_failed()) && judging.may_match();
    if is_met {
        return SubTaskJudgement::Matched(report::report(judging, SubTaskStatus::Matched, found));
    }
    let is_last = u32::try_from(judging.earlier.len()).unwrap_or(u32::MAX) >= limits.max_retries;
    if is_last || judging.hopeless().is_some() {
        return SubTaskJudgement::Failed(report::report(judging, SubTaskStatus::Failed, found));
    }
    SubTaskJudgement::Retry { signal: correction::signal(judging, &found), attempt: gap(&found) }
}

impl Judging<'_> {
    /// One verdict a criterion. A subtask that nothing checks is judged by whether anything was done.
    fn verdicts(&self, checks: &[CheckResult], said: &[CriterionVerdict]) -> Vec<GroundedVerdict> {
        let mut said = said.iter();
        let one = |criterion: &Criterion| match &criterion.check {
            Some(check) => by_code(criterion, check, checks),
            // By place, and by its words: a verdict of another criterion is none of this.
            None => self.by_model(criterion, said.next().filter(|said| said.criterion == criterion.text)),
        };
        let spoiled = broken_files(checks).or_else(|| self.untold_figure().map(|untold| untold.to_string()));
        let unless_spoiled = |found: GroundedVerdict| match &spoiled {
            Some(why) if !found.verdict.is_failed() => spoiled_by(why, found.verdict),
            Some(_) | None => found,
        };
        let found: Vec<_> = self.subtask.success_criteria.iter().map(one).map(unless_spoiled).collect();
        if found.is_empty() && !self.has_acted() { vec![self.undone()] } else { found }
    }

    fn untold_figure(&self) -> Option<UntoldFigure> {
        let all = self.earlier.iter().chain(std::iter::once(self.result)).flat_map(|result| &result.tool_calls);
        figures::untold(self.figure_asked?, &all.collect::<Vec<_>>(), self.given)
    }

    /// Whether it can be matched at all: who says that it failed is believed.
    fn may_match(&self) -> bool {
        self.result.status != ExecutionStatus::Failed
    }

    fn has_acted(&self) -> bool {
        self.settled().is_none()
            && self.result.status == ExecutionStatus::Completed
            && self.result.tool_calls.iter().any(is_good)
    }

    fn undone(&self) -> GroundedVerdict {
        let wanted = Criterion { text: self.subtask.intent.clone(), check: None };
        let why = self.settled().map(|settled| settled.why(self));
        failed(&wanted, why.as_deref().unwrap_or("no tool call shows that anything was done"), self.class_of(""))
    }
}

/// What was met, of work that is spoiled: files that cannot be read any more, a figure that no tool gave.
fn spoiled_by(why: &str, met: CriterionVerdict) -> GroundedVerdict {
    let (verdict, failure_class, evidence) = (Verdict::Fail, Some(FailureClass::Logical), one_line(why, WHY_CHARS));
    GroundedVerdict { verdict: CriterionVerdict { verdict, failure_class, evidence, ..met }, entries: Vec::new() }
}

/// What code says of files that cannot be read any more.
fn broken_files(checks: &[CheckResult]) -> Option<String> {
    let is_broken = |result: &&CheckResult| {
        matches!(result.check, CriterionCheck::Parses { .. }) && result.state == CheckState::Unmet
    };
    checks.iter().find(is_broken).map(|result| result.evidence.clone())
}

/// What an attempt fell short of.
pub fn gap(found: &[GroundedVerdict]) -> GapAttempt {
    let unmet = found.iter().filter(|one| one.verdict.is_failed()).map(|one| one.verdict.criterion.clone());
    GapAttempt { unmet_criteria: unmet.collect(), failure_class: class(found) }
}

/// Logical where any failure is; environmental where all are that have a class.
pub fn class(found: &[GroundedVerdict]) -> Option<FailureClass> {
    let classes = || found.iter().filter_map(|one| one.verdict.failure_class);
    classes().find(|class| *class == FailureClass::Logical).or_else(|| classes().next())
}
