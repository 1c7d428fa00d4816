//! Whether the checks of a plan can prove anything: one that holds before anything was done shows nothing when it is done.
//!
//! Nor does a check for a guess. A plan of which no other check fails now is asked for again, as one that cannot be read. Where nothing is checked by code, models
//! judge, and quote what tools gave.

use std::collections::VecDeque;

use super::effect::BASELINE;
use super::{RunStage, TaskRun, Tries, Waiting, WordsReach};
use crate::criterion::{CheckResult, CheckState};
use crate::plan::{CriterionCheck, TaskPlan};
use crate::planner;
use crate::prompt::BadAnswer;

/// A plan whose checks are looked at.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Proving {
    plan: TaskPlan,
    left: VecDeque<CriterionCheck>,
    looked_at: u32,
    tries: Tries,
    /// What was wrong with the last of them that fails now and proves nothing.
    guess: Option<Guess>,
}

/// A check that fails now, and whose text anything may hold in the end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Guess {
    /// Nobody said a word of it.
    Unsaid,
    /// It is none of what the person quotes.
    Unquoted,
}

impl Guess {
    fn problem(self) -> &'static str {
        match self {
            Self::Unsaid => "look for texts that the task does not name: ask for one that it names, or by a command",
            Self::Unquoted => {
                "look for none of what the task puts between quotes: ask for a text with that in it, or by a command"
            }
        }
    }
}

impl TaskRun {
    /// Looks for one check that fails now; one that failed before anything was done is as good.
    pub(super) fn prove(&mut self, plan: TaskPlan, tries: Tries) {
        let left = checks_of(&plan);
        if left.is_empty() || left.iter().any(|check| self.telling.contains(check)) {
            return self.dispatch(&plan);
        }
        self.stage = RunStage::Proving(Box::new(Proving { plan, left, looked_at: 0, tries, guess: None }));
        self.next_proof();
    }

    fn next_proof(&mut self) {
        let RunStage::Proving(proving) = &mut self.stage else { return };
        let Some(check) = proving.left.pop_front() else { return self.proves_nothing() };
        proving.looked_at += 1;
        let (round, tried, number) = (self.round, proving.tries.asked + 1, proving.looked_at);
        self.check(format!("{BASELINE}r{round}.{tried}.{number}"), check, Waiting::Baseline);
    }

    pub(super) fn proved(&mut self, result: CheckResult) {
        if result.state == CheckState::Met {
            return self.next_proof();
        }
        if let Some(guess) = self.guess(&result.check) {
            if let RunStage::Proving(proving) = &mut self.stage {
                proving.guess = Some(guess);
            }
            return self.next_proof();
        }
        self.telling.push(result.check);
        if let RunStage::Proving(proving) = &self.stage {
            let plan = proving.plan.clone();
            self.dispatch(&plan);
        }
    }

    fn guess(&self, check: &CriterionCheck) -> Option<Guess> {
        let (words, place) = (&self.request.raw_input, &self.setting.place);
        if self.setting.words >= WordsReach::Said && planner::is_guess(check, words, place) {
            return Some(Guess::Unsaid);
        }
        let is_beside = self.setting.words >= WordsReach::Quoted && planner::misses_quotes(check, words, place);
        is_beside.then_some(Guess::Unquoted)
    }

    fn proves_nothing(&mut self) {
        let RunStage::Proving(proving) = &self.stage else { return };
        let tries = proving.tries.clone();
        let problem = proving.guess.map_or(
            "hold already, before anything was done, and would prove nothing: \
             give a check that fails now and holds when it is done",
            Guess::problem,
        );
        let rejected = BadAnswer::Field { field: "checks".to_owned(), problem: problem.to_owned() };
        self.plan_rejected(&tries, rejected);
    }
}

/// Those of its subtasks and its own, each once; what only looks at a file comes before what runs a command.
fn checks_of(plan: &TaskPlan) -> VecDeque<CriterionCheck> {
    let mut checks: Vec<CriterionCheck> = Vec::new();
    for check in plan.criteria().filter_map(|criterion| criterion.check.clone()) {
        if !checks.contains(&check) {
            checks.push(check);
        }
    }
    checks.sort_by_key(|check| check.command().is_some());
    checks.into()
}
