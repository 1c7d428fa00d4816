//! One subtask at work: R3 and R4a in turns, up to a verdict (artoo, the fast loop).
//!
//! Holds what is known of it; `subtask` says what happens.

use std::collections::VecDeque;

use super::{RunSetting, WordsReach};
use crate::criterion::CheckResult;
use crate::executor::{ExecutorAttempt, Then};
use crate::ggs::GapAttempt;
use crate::message::{CallEvidence, CorrectionSignal, ExecutionResult};
use crate::plan::{CriterionCheck, SubTask};
use crate::prompt::BadAnswer;
use crate::tool::ToolRequest;

/// A subtask that goes on.
#[derive(Debug, Clone)]
pub(super) struct SubTaskWork {
    pub(super) subtask: SubTask,
    /// What tools gave to the groups before.
    pub(super) given: Vec<CallEvidence>,
    pub(super) attempt: ExecutorAttempt,
    /// The attempts before, and what they fell short of.
    pub(super) earlier: Vec<ExecutionResult>,
    pub(super) gaps: Vec<GapAttempt>,
    pub(super) phase: WorkPhase,
    /// Questions asked so far in this attempt, for their keys.
    pub(super) asked: u32,
    /// How many answers in a row could not be read.
    pub(super) unreadable: u32,
    pub(super) rejected: Option<BadAnswer>,
    /// The person's words, where they ask for a figure that no check of theirs tells.
    pub(super) figure_asked: Option<String>,
}

/// Where it stands.
#[derive(Debug, Clone)]
pub(super) enum WorkPhase {
    /// The executor is asked.
    Asking,
    /// An agent is at work.
    Delegated,
    /// Tools are used, one after the other.
    Using { queue: VecDeque<ToolRequest>, then: Then },
    /// Code checks what it can.
    Checking { result: ExecutionResult, left: VecDeque<CriterionCheck>, found: Vec<CheckResult> },
    /// A model judges the rest.
    Judging { result: ExecutionResult, found: Vec<CheckResult> },
    /// There is a verdict.
    Judged,
}

impl SubTaskWork {
    /// A part of a plan.
    pub(super) fn of(subtask: SubTask, setting: &RunSetting, words: &str) -> Self {
        let attempt = ExecutorAttempt::first(subtask, setting.limits.executor);
        Self::beginning(attempt.in_form(setting.form, &setting.place), setting, words)
    }

    /// The person's words themselves, for a proposal.
    pub(super) fn proposing(subtask: SubTask, setting: &RunSetting, words: &str) -> Self {
        let attempt = ExecutorAttempt::first(subtask, setting.limits.executor);
        Self::beginning(attempt.proposing(setting.form, &setting.place), setting, words)
    }

    fn beginning(attempt: ExecutorAttempt, setting: &RunSetting, words: &str) -> Self {
        let (subtask, attempt) = (attempt.subtask().clone(), attempt.wanted_by(words));
        let reach = setting.words;
        let attempt = if reach >= WordsReach::Wanted { attempt.held_to(words) } else { attempt };
        let attempt = if reach >= WordsReach::Careful { attempt.carefully(words) } else { attempt };
        let (earlier, gaps, phase) = (Vec::new(), Vec::new(), WorkPhase::Asking);
        let (given, asked, unreadable, rejected, figure_asked) = (Vec::new(), 0, 0, None, None);
        Self { subtask, given, attempt, earlier, gaps, phase, asked, unreadable, rejected, figure_asked }
    }

    /// The next attempt begins.
    pub(super) fn again(&mut self, gap: GapAttempt, result: ExecutionResult, signal: CorrectionSignal) {
        self.gaps.push(gap);
        self.earlier.push(result);
        self.attempt = self.attempt.again(signal);
        self.asked = 0;
    }
}
