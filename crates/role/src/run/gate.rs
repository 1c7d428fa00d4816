//! R4b and R7 in a task: what the subtasks came to is judged, and the solver says what follows (artoo, the medium loop).

use std::collections::VecDeque;

use super::effect::DRAFT;
use super::summary::{megram_of, summary_of, tried};
use super::{RunStage, TaskRun, Tries, Waiting, WordsReach};
use crate::bus::Party;
use crate::criterion::CheckResult;
use crate::ggs::{Answer, CriterionVerdict, FinalResult, Gate, MegramDraft, RoundOutcome, Ruling, Terminal};
use crate::message::{Abort, BusMessage, DraftRequest, TaskDraft};
use crate::meta_validator::{self, GateFindings, Gathering};
use crate::plan::CriterionCheck;
use crate::planner::{self, DraftQuery};
use crate::prompt::BadAnswer;

/// The task criteria, as they are judged.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Gating {
    left: VecDeque<CriterionCheck>,
    found: Vec<CheckResult>,
    tries: Tries,
}

/// A task that is about to end.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Closing {
    pub(super) result: FinalResult,
    megrams: Vec<MegramDraft>,
    round: RoundOutcome,
}

impl TaskRun {
    /// Where a subtask failed, nothing is checked and no model is asked.
    pub(super) fn start_gate(&mut self) {
        let Some(gathering) = &self.gathering else { return };
        let has_failed = gathering.has_failed();
        let mut left = VecDeque::new();
        if !has_failed {
            left.extend(meta_validator::checks(gathering.manifest()));
            left.extend(self.looks_in_the_end());
        }
        self.stage = RunStage::Gating(Gating { left, ..Gating::default() });
        if has_failed { self.close_gate(&[]) } else { self.next_task_check() }
    }

    fn next_task_check(&mut self) {
        let round = self.round;
        let RunStage::Gating(gating) = &mut self.stage else { return };
        let Some(check) = gating.left.pop_front() else { return self.ask_meta_validator() };
        let key = format!("check.r{round}.{}", gating.found.len() + 1);
        self.check(key, check, Waiting::TaskCheck);
    }

    pub(super) fn task_checked(&mut self, result: CheckResult) {
        self.held(&result);
        if let RunStage::Gating(gating) = &mut self.stage {
            gating.found.push(result);
        }
        self.next_task_check();
    }

    fn ask_meta_validator(&mut self) {
        let (RunStage::Gating(gating), Some(gathering)) = (&self.stage, &self.gathering) else { return };
        let prompt = meta_validator::question(gathering, &gating.found, gating.tries.rejected.as_ref());
        let Some(prompt) = prompt else { return self.close_gate(&[]) };
        let key = format!("meta_validator.r{}.{}", self.round, gating.tries.asked + 1);
        self.ask(key, Party::MetaValidator, prompt, Waiting::MetaValidator);
    }

    /// An answer that cannot be read in the end is a rejection.
    pub(super) fn judged(&mut self, text: &str) {
        let most = self.setting.limits.max_unreadable;
        let (RunStage::Gating(gating), Some(gathering)) = (&mut self.stage, &self.gathering) else { return };
        match meta_validator::read(text, gathering.manifest()) {
            Ok(verdicts) => self.close_gate(&verdicts),
            Err(_) if gating.tries.asked >= most => self.close_gate(&[]),
            Err(rejected) => {
                gating.tries = gating.tries.again(rejected);
                self.ask_meta_validator();
            }
        }
    }

    fn close_gate(&mut self, verdicts: &[CriterionVerdict]) {
        let (RunStage::Gating(gating), Some(gathering)) = (&self.stage, &self.gathering) else { return };
        let (checks, written) = (&gating.found, &self.written);
        let findings = GateFindings { checks, verdicts, written, elapsed_ms: self.alive_ms };
        let mut message = meta_validator::gate(gathering, findings);
        if let BusMessage::OutcomeSummary(round) | BusMessage::ReplanRequest(round) = &mut message {
            round.unmet_demands = self.unmet_demands(&gating.found, round);
        }
        self.before = gathering.reports().map(|numbered| numbered.report.clone()).collect();
        self.note_what_stands();
        self.solve(message);
    }

    /// A round that came to nothing, in words.
    pub(super) fn fall_short(&mut self, summary: String) {
        self.before.clear();
        let round = RoundOutcome { summary, ..nothing(self.alive_ms) };
        self.solve(BusMessage::ReplanRequest(round));
    }

    fn solve(&mut self, message: BusMessage) {
        let (BusMessage::OutcomeSummary(round) | BusMessage::ReplanRequest(round)) = message.clone() else { return };
        self.say(Party::MetaValidator, Party::Solver, message);
        let Ok(Ruling { answer, megrams }) = self.solver.rule(&round, &self.setting.limits.ggs) else { return };
        self.solver.heard(&answer);
        match answer {
            Answer::PlanDirective(directive) => {
                self.remember(&megrams, &round);
                self.say(Party::Solver, Party::Planner, BusMessage::PlanDirective(directive.clone()));
                let next = directive.directive;
                self.directive = Some(directive);
                self.next_round(next);
            }
            Answer::FinalResult(result) => self.close(Closing { result, megrams, round }),
        }
    }

    fn remember(&mut self, megrams: &[MegramDraft], round: &RoundOutcome) {
        if let Some(gathering) = &self.gathering {
            self.tried = tried(gathering, round);
        }
        for draft in megrams {
            let megram = megram_of(draft, &self.spec().intent, round, &self.tried);
            self.say(Party::Solver, Party::Memory, BusMessage::Megram(megram));
        }
    }

    fn close(&mut self, closing: Closing) {
        match closing.result.directive {
            Terminal::Accept | Terminal::Success => self.end(closing, None),
            Terminal::Abandon if self.may_propose() => self.propose(closing),
            Terminal::Abandon => self.draft(closing),
        }
    }

    /// What is given up is drafted by R2, at R7's request.
    pub(super) fn draft(&mut self, closing: Closing) {
        let request = DraftRequest { rationale: closing.result.rationale.clone() };
        self.say(Party::Solver, Party::Planner, BusMessage::DraftRequest(request));
        self.stage = RunStage::Drafting { tries: Tries::default(), close: Box::new(closing) };
        self.ask_draft();
    }

    fn ask_draft(&mut self) {
        let RunStage::Drafting { tries, close } = &self.stage else { return };
        let key = format!("{DRAFT}{}", tries.asked + 1);
        let query = DraftQuery { spec: self.spec(), rationale: &close.result.rationale, outcomes: &self.before };
        let prompt = planner::draft_question(&query);
        self.ask(key, Party::Planner, prompt, Waiting::Draft);
    }

    pub(super) fn drafted(&mut self, text: &str) {
        let most = self.setting.limits.max_unreadable;
        let RunStage::Drafting { tries, close } = &self.stage else { return };
        match planner::read_draft(text, &self.before) {
            Ok(draft) => {
                let closing = (**close).clone();
                let is_held = self.setting.words >= WordsReach::Wanted;
                let draft = if is_held { planner::own_steps(draft, &self.before) } else { draft };
                self.end(closing, Some(&draft));
            }
            Err(bad) if tries.asked >= most || self.needs_no_more(&bad) => {
                let closing = (**close).clone();
                let draft = planner::plain_draft(&self.before);
                self.end(closing, Some(&draft));
            }
            Err(rejected) => {
                let (tries, close) = (tries.again(rejected), close.clone());
                self.stage = RunStage::Drafting { tries, close };
                self.ask_draft();
            }
        }
    }

    /// Who loops over what came of a task loops over it again: code says it then.
    fn needs_no_more(&self, bad: &BadAnswer) -> bool {
        self.setting.words >= WordsReach::Wanted && matches!(bad, BadAnswer::Loops | BadAnswer::CutOff)
    }

    /// The one place where a task ends: whatever led here, the final result is out, and nothing waits any more.
    fn end(&mut self, closing: Closing, draft: Option<&TaskDraft>) {
        let Closing { mut result, megrams, round } = closing;
        if let Some(draft) = draft {
            self.say(Party::Planner, Party::Solver, BusMessage::Draft(draft.clone()));
        }
        result.summary = summary_of(&result, &self.before, draft);
        self.remember(&megrams, &round);
        self.say(Party::Solver, Party::User, BusMessage::FinalResult(result));
        self.stage = RunStage::Ended;
        self.waiting.clear();
    }

    /// A person wants no more of it: what is there is said, and nobody is asked any more. Memory hears nothing of it: it
    /// is no experience with the task (Law 3).
    pub(super) fn abort(&mut self, abort: Abort) {
        if self.has_ended() {
            return;
        }
        self.say(Party::User, Party::Solver, BusMessage::Abort(abort.clone()));
        if self.spec.is_none() {
            self.spec = Some(crate::perceiver::plain(&self.request));
        }
        let reports = self.gathering.iter().flat_map(Gathering::reports);
        self.before = reports.map(|numbered| numbered.report.clone()).collect();
        let outcomes = self.before.iter().map(|report| report.outcome.clone()).collect();
        let round = RoundOutcome { outcomes, ..nothing(self.alive_ms) };
        let mut result = self.solver.give_up(&round, &self.setting.limits.ggs);
        if let Some(by) = abort.by {
            result.rationale = format!("{}: {by}, who began it, wants no more of it", Terminal::Abandon.state());
        }
        let draft = planner::plain_draft(&self.before);
        self.end(Closing { result, megrams: Vec::new(), round }, Some(&draft));
    }
}

/// A round in which nothing was done.
fn nothing(elapsed_ms: u64) -> RoundOutcome {
    let (gate, summary, merged_output) = (Gate::Rejected, String::new(), serde_json::Value::Null);
    let (outcomes, task_verdicts, unmet_demands) = (Vec::new(), Vec::new(), 0);
    RoundOutcome { gate, outcomes, task_verdicts, summary, merged_output, unmet_demands, elapsed_ms }
}
