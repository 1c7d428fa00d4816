//! R3 and R4a in a task: the executor acts, code and the validator judge, and what falls short is tried again (artoo, the
//! fast loop).

use std::collections::VecDeque;

use super::effect::{EffectKey, Permission, RunEffect, ToolJob};
use super::working::{SubTaskWork, WorkPhase};
use super::{BanReach, TaskRun, Waiting};
use crate::agent_validator::{self, Judging, SubTaskJudgement, ValidatorLimits};
use crate::bus::Party;
use crate::criterion::CheckResult;
use crate::evidence::own_words::OwnWords;
use crate::evidence::target;
use crate::executor::{ExecutorStep, Then};
use crate::ggs::CriterionVerdict;
use crate::message::{Approval, ApprovalRequest, BusMessage, ExecutionResult, ExecutionStatus, OutcomeReport};
use crate::meta_validator::Gathering;
use crate::plan::CriterionCheck;
use crate::planner::{Forbidden, is_same_input};
use crate::prompt::BadAnswer;
use crate::tool::{ToolCall, ToolName, ToolRequest};

const BEGUN: &str = "BUG: who waits for a subtask has begun it";
/// Said of a subtask for which no time is left.
const NO_TIME: &str = "timeout: the time of the task is used up";
/// Said of a subtask for which every tool is blocked.
const NO_TOOL: &str = "no tool is left that is not blocked";
/// Said of a call that a person was asked about.
const NOT_ALLOWED: &str = "permission denied: the person did not allow this";

impl TaskRun {
    /// The subtasks whose turn it is, at the same time.
    pub(super) fn start_group(&mut self) {
        let group = self.gathering.as_ref().map(Gathering::group).unwrap_or_default();
        for subtask in group {
            let id = subtask.subtask_id.clone();
            if let Some(gathering) = &mut self.gathering {
                gathering.started(&id);
            }
            let given = self.gathering.as_ref().map(|gathering| gathering.given_before(&subtask)).unwrap_or_default();
            self.say(Party::Planner, Party::Executor, BusMessage::SubTask(subtask.clone()));
            let work = SubTaskWork::of(subtask, &self.setting, &self.request.raw_input);
            let figure_asked = self.figure_asked();
            self.working.insert(id.clone(), SubTaskWork { given, figure_asked, ..work });
            self.ask_executor(&id);
        }
    }

    pub(super) fn at_work(&mut self, id: &str) -> &mut SubTaskWork {
        self.working.get_mut(id).expect(BEGUN)
    }

    pub(super) fn ask_executor(&mut self, id: &str) {
        if self.alive_ms >= self.setting.limits.ggs.time_budget_ms {
            return self.finish(id, ExecutionStatus::Failed, NO_TIME);
        }
        if let Some(program) = self.setting.executor {
            return self.delegate(id, program);
        }
        let (tools, closed) = (self.open_tools(), self.closed_doors());
        let work = self.working.get_mut(id).expect(BEGUN);
        if let Some(step) = work.attempt.spent() {
            return self.step(id, step);
        }
        if tools.is_empty() {
            return self.finish(id, ExecutionStatus::Failed, NO_TOOL);
        }
        let looks = ExecutorStep::Use { requests: work.attempt.looks(&tools), then: Then::AskAgain };
        if asks_for_tools(&looks) && closed.require_open(&looks).is_ok() {
            return self.step(id, looks);
        }
        work.asked += 1;
        work.phase = WorkPhase::Asking;
        let prompt = work.attempt.question(work.rejected.as_ref(), &tools);
        let key = format!("executor.{id}.a{}.{}", work.attempt.number(), work.asked);
        self.ask(key, Party::Executor, prompt, Waiting::Executor(id.to_owned()));
    }

    pub(super) fn executed(&mut self, id: &str, text: &str) {
        let (most, tools) = (self.setting.limits.max_unreadable, self.open_tools());
        let closed = self.closed_doors();
        let work = self.working.get_mut(id).expect(BEGUN);
        let step = work.attempt.read(text, &tools);
        match step.and_then(|step| closed.require_open(&step).map(|()| step)) {
            Ok(step) => {
                (work.rejected, work.unreadable) = (None, 0);
                self.step(id, step);
            }
            Err(rejected) => {
                work.unreadable += 1;
                let is_over = work.unreadable > most;
                let words = format!("the executor's answers cannot be used: {rejected}");
                work.rejected = Some(rejected);
                if is_over { self.finish(id, ExecutionStatus::Failed, &words) } else { self.ask_executor(id) }
            }
        }
    }

    fn closed_doors(&self) -> ClosedDoors {
        let blocked = self.directive.as_ref().map(|directive| directive.blocked_targets.clone()).unwrap_or_default();
        ClosedDoors { blocked, forbidden: self.forbidden.clone(), reach: self.setting.bans }
    }

    /// The tools that neither the solver has blocked nor the person forbidden.
    fn open_tools(&self) -> Vec<ToolName> {
        let blocked = |tool: &ToolName| {
            let directive = self.directive.as_ref();
            directive.is_some_and(|directive| directive.blocked_tools.iter().any(|name| name == tool.as_str()))
        };
        self.setting
            .tools
            .iter()
            .copied()
            .filter(|tool| !blocked(tool) && !self.forbidden.tools.contains(tool))
            .collect()
    }

    fn step(&mut self, id: &str, step: ExecutorStep) {
        match step {
            ExecutorStep::Finish { status, output } => self.finish(id, status, &output),
            ExecutorStep::Use { requests, then } => {
                self.at_work(id).phase = WorkPhase::Using { queue: VecDeque::from(requests), then };
                self.next_tool(id);
            }
        }
    }

    fn next_tool(&mut self, id: &str) {
        let work = self.at_work(id);
        let WorkPhase::Using { queue, then } = &work.phase else { return };
        if let Some(request) = queue.front().cloned() {
            let number = work.attempt.calls().len() + 1;
            let key = format!("tool.{id}.a{}.{number}", work.attempt.number());
            return self.use_tool(id, key.into(), request);
        }
        match work.attempt.after(then) {
            Some(result) => self.finished(id, result),
            None => self.ask_executor(id),
        }
    }

    fn use_tool(&mut self, id: &str, key: EffectKey, request: ToolRequest) {
        self.waiting.insert(key.clone(), Waiting::Tool(id.to_owned()));
        let permission = if self.is_proposal(id) { Permission::NotToBeAsked } else { Permission::NotAsked };
        let subtask_id = id.to_owned();
        self.out.push_back(RunEffect::Use(ToolJob { key, subtask_id, request, permission }));
    }

    /// What fails ends the row of calls: the executor is told, and says what comes next.
    pub(super) fn used(&mut self, id: &str, call: ToolCall) {
        let work = self.at_work(id);
        work.attempt.add(call);
        if let WorkPhase::Using { queue, .. } = &mut work.phase {
            queue.pop_front();
            if work.attempt.is_stopped() {
                queue.clear();
            }
        }
        self.next_tool(id);
    }

    /// Law 1: what cannot be taken back waits for the person.
    pub(super) fn needs_approval(&mut self, key: &EffectKey, why: String) {
        let Some(Waiting::Tool(id)) = self.waiting.get(key).cloned() else { return };
        let Some(request) = self.current(&id) else { return };
        let asked = ApprovalRequest { call: key.to_string(), subtask_id: id, request, why };
        self.say(Party::Executor, Party::User, BusMessage::ApprovalRequest(asked));
    }

    pub(super) fn approved(&mut self, approval: &Approval) {
        let key = EffectKey::from(approval.call.clone());
        let Some(Waiting::Tool(id)) = self.waiting.get(&key).cloned() else { return };
        let Some(request) = self.current(&id) else { return };
        self.say(Party::User, Party::Executor, BusMessage::Approval(approval.clone()));
        if approval.is_granted {
            let (subtask_id, permission) = (id, Permission::Granted);
            self.out.push_back(RunEffect::Use(ToolJob { key, subtask_id, request, permission }));
        } else {
            self.waiting.remove(&key);
            let why = if approval.reason.is_empty() { String::new() } else { format!(": {}", approval.reason) };
            self.used(&id, ToolCall::failed(request, &format!("{NOT_ALLOWED}{why}")));
        }
    }

    fn current(&self, id: &str) -> Option<ToolRequest> {
        match &self.working.get(id)?.phase {
            WorkPhase::Using { queue, .. } => queue.front().cloned(),
            WorkPhase::Asking
            | WorkPhase::Delegated
            | WorkPhase::Checking { .. }
            | WorkPhase::Judging { .. }
            | WorkPhase::Judged => None,
        }
    }

    pub(super) fn finish(&mut self, id: &str, status: ExecutionStatus, output: &str) {
        let result = self.at_work(id).attempt.result(status, output);
        self.finished(id, result);
    }

    fn finished(&mut self, id: &str, result: ExecutionResult) {
        self.written.add(&result.tool_calls);
        self.say(Party::Executor, Party::AgentValidator, BusMessage::ExecutionResult(result.clone()));
        if self.is_proposal(id) {
            return self.proposed(&result);
        }
        if result.status == ExecutionStatus::Failed {
            return self.judge(id, result, &[], &[]);
        }
        let parses = self.parses(&result);
        let work = self.at_work(id);
        let left: VecDeque<CriterionCheck> = agent_validator::checks(&work.subtask).into_iter().chain(parses).collect();
        work.phase = WorkPhase::Checking { result, left, found: Vec::new() };
        self.next_check(id);
    }

    fn next_check(&mut self, id: &str) {
        let work = self.at_work(id);
        let WorkPhase::Checking { result, left, found } = &mut work.phase else { return };
        let Some(check) = left.pop_front() else {
            let (result, found) = (result.clone(), std::mem::take(found));
            return self.ask_validator(id, result, found);
        };
        let key = format!("check.{id}.a{}.{}", work.attempt.number(), found.len() + 1);
        self.check(key, check, Waiting::Check(id.to_owned()));
    }

    pub(super) fn checked(&mut self, id: &str, result: CheckResult) {
        if let WorkPhase::Checking { found, .. } = &mut self.at_work(id).phase {
            found.push(result);
        }
        self.next_check(id);
    }

    /// A model judges only what code cannot.
    fn ask_validator(&mut self, id: &str, result: ExecutionResult, found: Vec<CheckResult>) {
        let work = self.working.get_mut(id).expect(BEGUN);
        let prompt = agent_validator::question(&judging(work, &result, &self.written), work.rejected.as_ref());
        let Some(prompt) = prompt else { return self.judge(id, result, &found, &[]) };
        let key = format!("agent_validator.{id}.a{}.{}", work.attempt.number(), work.unreadable + 1);
        work.phase = WorkPhase::Judging { result, found };
        self.ask(key, Party::AgentValidator, prompt, Waiting::AgentValidator(id.to_owned()));
    }

    /// An answer that cannot be read in the end is no verdict.
    pub(super) fn validated(&mut self, id: &str, text: &str) {
        let most = self.setting.limits.max_unreadable;
        let work = self.at_work(id);
        let WorkPhase::Judging { result, found } = work.phase.clone() else { return };
        match agent_validator::read(text, &work.subtask) {
            Ok(verdicts) => self.judge(id, result, &found, &verdicts),
            Err(_) if work.unreadable >= most => self.judge(id, result, &found, &[]),
            Err(rejected) => {
                work.unreadable += 1;
                work.rejected = Some(rejected);
                self.ask_validator(id, result, found);
            }
        }
    }

    fn judge(&mut self, id: &str, result: ExecutionResult, checks: &[CheckResult], verdicts: &[CriterionVerdict]) {
        let limits = ValidatorLimits { max_retries: self.setting.limits.max_retries };
        let work = self.working.get_mut(id).expect(BEGUN);
        (work.rejected, work.unreadable) = (None, 0);
        match agent_validator::judge(&judging(work, &result, &self.written), checks, verdicts, limits) {
            SubTaskJudgement::Matched(report) | SubTaskJudgement::Failed(report) => self.report(id, report),
            SubTaskJudgement::Retry { signal, attempt } => {
                work.again(attempt, result, signal.clone());
                self.say(Party::AgentValidator, Party::Executor, BusMessage::CorrectionSignal(signal));
                self.ask_executor(id);
            }
        }
    }

    fn report(&mut self, id: &str, report: OutcomeReport) {
        self.at_work(id).phase = WorkPhase::Judged;
        self.say(Party::AgentValidator, Party::MetaValidator, BusMessage::SubTaskOutcome(report.clone()));
        let Some(gathering) = &mut self.gathering else { return };
        gathering.heard(report);
        if gathering.is_complete() { self.start_gate() } else { self.start_group() }
    }
}

fn judging<'w>(work: &'w SubTaskWork, result: &'w ExecutionResult, written: &'w OwnWords) -> Judging<'w> {
    let SubTaskWork { subtask, earlier, gaps, given, figure_asked, .. } = work;
    Judging { subtask, earlier, gaps, result, given, written, figure_asked: figure_asked.as_deref() }
}

fn asks_for_tools(step: &ExecutorStep) -> bool {
    matches!(step, ExecutorStep::Use { requests, .. } if !requests.is_empty())
}

/// What is not to be used once more, whatever the plan says.
struct ClosedDoors {
    /// What failed in this task.
    blocked: Vec<String>,
    forbidden: Forbidden,
    reach: BanReach,
}

impl ClosedDoors {
    /// What is made anew is no use of what failed.
    fn require_open(&self, step: &ExecutorStep) -> Result<(), BadAnswer> {
        let ExecutorStep::Use { requests, .. } = step else { return Ok(()) };
        if let Some(what) = requests.iter().find_map(|request| self.forbidden.broken_by(request)) {
            return Err(BadAnswer::Forbidden { what });
        }
        let makes = |request: &ToolRequest| matches!(request.tool, ToolName::Write | ToolName::Edit);
        let mut targets = requests.iter().filter(|request| !makes(request)).map(target);
        match targets.find(|target| self.reach.blocks(&self.blocked, target)) {
            Some(what) => Err(BadAnswer::Forbidden { what }),
            None => Ok(()),
        }
    }
}

impl BanReach {
    /// Whether a target is one of those that failed.
    pub(super) fn blocks(self, blocked: &[String], target: &str) -> bool {
        blocked.iter().any(|known| match self {
            Self::AsSpelled => known == target,
            Self::AsMeant => is_same_input(known, target),
        })
    }
}
