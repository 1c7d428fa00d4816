//! What is given up leaves a proposal, where nothing else is left: what the words ask for, tried once more as they stand, from
//! what was there at first and without a plan.
//!
//! It is never a claim: the task is given up all the same. What would have been refused in any task is undone again. Nothing
//! is proposed where code found a criterion to hold and what was done for it was not undone since, where the person's own
//! checks tell (that is how the first round began), where the time is used up, and where an agent made the attempts: what is
//! left is what there is.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};

use super::gate::Closing;
use super::in_the_end::ANY_FILE;
use super::planning::constraints;
use super::working::SubTaskWork;
use super::{NewApproach, RunStage, TaskRun, Undone, Waiting};
use crate::bus::Party;
use crate::criterion::{CheckResult, CheckState};
use crate::evidence::figures;
use crate::ggs::{CriterionMode, SubTaskOutcome};
use crate::message::{BusMessage, ExecutionResult, ExecutionStatus};
use crate::plan::{CriterionCheck, SubTask};

/// What is left for the person, where a task is given up.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum GivenUp {
    /// What the last round left: tasks that began before the other was there.
    #[default]
    AsItIs,
    /// Where nothing stands that holds, one attempt at the words themselves.
    Proposes,
}

/// What the rounds of a task left in its workspace.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Standing {
    /// Nothing that code found to hold.
    Nothing,
    /// Something, which was not undone since.
    FoundToHold,
}

/// A proposal on its way.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Proposing {
    close: Closing,
    step: ProposalStep,
}

/// How far it is.
#[derive(Debug, Clone, PartialEq)]
enum ProposalStep {
    /// The workspace is made as it was at first.
    MakingRoom,
    /// R3 is at it.
    Trying,
    /// Code looks whether it may stand: so many looks are behind it.
    Looking { left: VecDeque<CriterionCheck>, looked_at: u32 },
    /// It may not, and is undone.
    TakingBack,
}

impl TaskRun {
    /// Whether there is anything to gain, and nothing to lose.
    pub(super) fn may_propose(&self) -> bool {
        let is_wanted = self.setting.given_up == GivenUp::Proposes
            && self.setting.new_approach == NewApproach::BeginsAnew
            && self.setting.executor.is_none();
        let has_time = self.alive_ms < self.setting.limits.ggs.time_budget_ms;
        is_wanted && has_time && self.standing == Standing::Nothing && !self.own_tell()
    }

    /// What the subtasks of a round came to.
    pub(super) fn note_what_stands(&mut self) {
        if self.before.iter().any(|report| holds_in_part(&report.outcome)) {
            self.standing = Standing::FoundToHold;
        }
    }

    pub(super) fn propose(&mut self, close: Closing) {
        self.stage = RunStage::Proposing(Box::new(Proposing { close, step: ProposalStep::MakingRoom }));
        self.undo("proposal");
    }

    /// Where not all is as it was, nothing is put on top of it; and what is undone in the end is no proposal.
    pub(super) fn undone_for_proposal(&mut self, proposing: Proposing, undone: &Undone) {
        let Proposing { close, step } = proposing;
        if step != ProposalStep::MakingRoom || !undone.is_all() {
            return self.draft(close);
        }
        self.stage = RunStage::Proposing(Box::new(Proposing { close, step: ProposalStep::Trying }));
        // What the solver blocked was for plans, and this follows none.
        self.directive = None;
        self.working.clear();
        let subtask = self.words_as_subtask();
        let id = subtask.subtask_id.clone();
        self.say(Party::Planner, Party::Executor, BusMessage::SubTask(subtask.clone()));
        let work = SubTaskWork::proposing(subtask, &self.setting, &self.request.raw_input);
        self.working.insert(id.clone(), work);
        self.ask_executor(&id);
    }

    fn words_as_subtask(&self) -> SubTask {
        SubTask {
            subtask_id: self.proposal_id(),
            parent_task_id: self.setting.task_id.clone(),
            intent: self.spec().intent.clone(),
            context: constraints(&self.spec().constraints),
            success_criteria: Vec::new(),
            sequence: 1,
        }
    }

    fn proposal_id(&self) -> String {
        format!("{}-proposal", self.setting.task_id)
    }

    pub(super) fn is_proposal(&self, subtask_id: &str) -> bool {
        matches!(self.stage, RunStage::Proposing(_)) && subtask_id == self.proposal_id()
    }

    /// An attempt that failed, changed nothing or made up what was to be found out proposes nothing.
    pub(super) fn proposed(&mut self, result: &ExecutionResult) {
        if result.status == ExecutionStatus::Failed || self.makes_up_a_figure(result) {
            return self.take_back();
        }
        let looks = [Some(nothing_changed()), self.parses(result), self.untouched(), self.kept(), self.stays()];
        let left = looks.into_iter().flatten().collect();
        self.look_at_proposal(ProposalStep::Looking { left, looked_at: 0 });
    }

    fn makes_up_a_figure(&self, result: &ExecutionResult) -> bool {
        let calls: Vec<_> = result.tool_calls.iter().collect();
        self.figure_asked().is_some_and(|words| figures::untold(&words, &calls, &[]).is_some())
    }

    pub(super) fn proposal_checked(&mut self, result: &CheckResult) {
        let RunStage::Proposing(proposing) = &self.stage else { return };
        let wanted = if result.check == nothing_changed() { CheckState::Unmet } else { CheckState::Met };
        if result.state == wanted { self.look_at_proposal(proposing.step.clone()) } else { self.take_back() }
    }

    fn look_at_proposal(&mut self, step: ProposalStep) {
        let id = self.proposal_id();
        let RunStage::Proposing(proposing) = &mut self.stage else { return };
        let ProposalStep::Looking { mut left, looked_at } = step else { return };
        let Some(check) = left.pop_front() else {
            let mut close = proposing.close.clone();
            close.result.proposal = Some(id);
            return self.draft(close);
        };
        let looked_at = looked_at + 1;
        proposing.step = ProposalStep::Looking { left, looked_at };
        self.check(format!("check.{id}.{looked_at}"), check, Waiting::ProposalCheck);
    }

    fn take_back(&mut self) {
        let RunStage::Proposing(proposing) = &mut self.stage else { return };
        proposing.step = ProposalStep::TakingBack;
        self.undo("proposal.back");
    }
}

/// What must not hold: else there is nothing to look at.
fn nothing_changed() -> CriterionCheck {
    CriterionCheck::Untouched { untouched: vec![ANY_FILE.to_owned()] }
}

/// Where a part was judged to have failed, only what code found counts.
fn holds_in_part(outcome: &SubTaskOutcome) -> bool {
    let mut found = outcome.criteria_verdicts.iter().filter(|verdict| verdict.mode == CriterionMode::Verifiable);
    !outcome.is_failing() || found.any(|verdict| !verdict.is_failed())
}
