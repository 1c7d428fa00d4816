//! The checks that the person gave: what they prove outranks what a model thinks it should be checked by.
//!
//! Where one of them fails before anything was done, it tells when the task is done, and the first round needs no plan of a
//! model: the person's words are the one subtask. Those that hold already are to hold in the end, too, and a plan brings its
//! own criteria.

use super::effect::BASELINE;
use super::{RunStage, TaskRun, Waiting, WordsReach};
use crate::criterion::{CheckResult, CheckState, has_held};
use crate::ggs::{RoundOutcome, distance};
use crate::perceiver;
use crate::plan::{Criterion, CriterionCheck, PlannedSubTask, TaskPlan};
use crate::planner::BanSource;

impl TaskRun {
    /// Each check once, up to the first that fails now.
    pub(super) fn try_own(&mut self, at: usize) {
        let Some(run) = self.request.checks.get(at).cloned() else { return self.own_tried() };
        self.stage = RunStage::Trying { at };
        self.check(format!("{BASELINE}own.{}", at + 1), check_of(run), Waiting::OwnCheck);
    }

    pub(super) fn own_checked(&mut self, result: CheckResult) {
        let RunStage::Trying { at } = self.stage else { return };
        if result.state != CheckState::Unmet {
            return self.try_own(at + 1);
        }
        self.telling.push(result.check);
        self.own_tried();
    }

    /// What was asked for before may be what the words point at: then R1 is asked, and else they stand for themselves.
    fn own_tried(&mut self) {
        if self.own_tell() && self.request.history.is_empty() {
            return self.understood(perceiver::plain(&self.request));
        }
        self.stage = RunStage::Perceiving(super::Tries::default());
        self.ask_perceiver();
    }

    /// Whether one of them tells when the task is done.
    pub(super) fn own_tell(&self) -> bool {
        self.request.checks.iter().any(|run| self.telling.contains(&check_of(run.clone())))
    }

    /// Those of them that were not found to hold. What the person's words want kept counts where it was looked at, and where
    /// the round would be taken for done without a look.
    pub(super) fn unmet_demands(&self, found: &[CheckResult], round: &RoundOutcome) -> u32 {
        let own = self.request.checks.iter().map(|run| check_of(run.clone()));
        let is_near = distance(round).number() <= self.setting.limits.ggs.delta.number();
        let is_counted = |check: &CriterionCheck| {
            is_near || self.setting.words < WordsReach::Meant || found.iter().any(|result| result.check == *check)
        };
        let own = own.chain(self.untouched()).chain(self.kept().into_iter().chain(self.stays()).filter(is_counted));
        let unmet = own.filter(|check| !has_held(check, found));
        u32::try_from(unmet.count()).unwrap_or(u32::MAX)
    }

    fn own_criteria(&self) -> Vec<Criterion> {
        let of = |run: &String| Criterion { text: format!("`{run}` ends with 0"), check: Some(check_of(run.clone())) };
        self.request.checks.iter().map(of).collect()
    }

    /// The plan of the first round, where the person's checks tell and memory has nothing to say.
    pub(super) fn own_plan(&self) -> Option<TaskPlan> {
        let knows = !self.memory.remembered.is_empty();
        // What the person forbids stands in the words themselves.
        let is_banned = self.must_not().bans.iter().any(|ban| ban.source != BanSource::Person);
        if self.round > 1 || knows || is_banned || !self.own_tell() {
            return None;
        }
        let (intent, context, tools) = (self.spec().intent.clone(), String::new(), Vec::new());
        let success_criteria = self.own_criteria();
        let subtask = PlannedSubTask { sequence: 1, intent, context, success_criteria, tools };
        Some(TaskPlan { task_criteria: self.own_criteria(), subtasks: vec![subtask], alternatives: Vec::new() })
    }

    /// A plan with the person's checks: in the place of its own where they tell, else beside them.
    pub(super) fn with_own(&self, mut plan: TaskPlan) -> TaskPlan {
        let own = self.own_criteria();
        if !self.own_tell() {
            plan.task_criteria.extend(own);
            return plan;
        }
        if let [only] = plan.subtasks.as_mut_slice() {
            only.success_criteria.clone_from(&own);
        }
        plan.task_criteria = own;
        plan
    }
}

fn check_of(run: String) -> CriterionCheck {
    CriterionCheck::Run { run, expect_exit: 0 }
}
