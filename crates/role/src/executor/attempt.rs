//! One attempt at a subtask, as a fold over answers and calls (artoo R3).
//!
//! Every attempt ends: answers and calls are counted, and what repeats itself is stopped. What the result is worth is for
//! R4a to say.

use super::answer::{CLAIM_CHARS, ExecutorAnswer, ExecutorStep, Then, bad};
use super::held::HeldWords;
use super::limits::ExecutorLimits;
use super::whole::WholeForm;
use crate::evidence::{head_tail, is_effectful, is_good, target};
use crate::message::{CorrectionSignal, ExecutionResult, ExecutionStatus};
use crate::plan::SubTask;
use crate::prompt::BadAnswer;
use crate::tool::{ToolCall, ToolName, ToolRequest};

/// One attempt.
#[derive(Debug, Clone, PartialEq)]
pub struct ExecutorAttempt {
    pub(super) subtask: SubTask,
    number: u32,
    /// The calls of the attempts before.
    earlier: Vec<ToolCall>,
    pub(super) correction: Option<CorrectionSignal>,
    pub(super) calls: Vec<ToolCall>,
    pub(super) answers: u32,
    /// Answers in a row that asked for nothing and were not done.
    idle: u32,
    /// Answers that asked for what had failed before.
    repeats: u32,
    limits: ExecutorLimits,
    /// The file that is asked for whole.
    pub(super) whole: WholeForm,
    /// What of the person's words it is held to.
    pub(super) held: Option<HeldWords>,
}

impl ExecutorAttempt {
    /// The first one.
    pub fn first(subtask: SubTask, limits: ExecutorLimits) -> Self {
        let (earlier, calls, whole) = (Vec::new(), Vec::new(), WholeForm::default());
        let (number, answers, idle, repeats, correction) = (1, 0, 0, 0, None);
        Self { subtask, number, earlier, correction, calls, answers, idle, repeats, limits, whole, held: None }
    }

    /// The one after this, with what has to be done otherwise.
    #[must_use]
    pub fn again(&self, correction: CorrectionSignal) -> Self {
        let earlier = [self.earlier.as_slice(), &self.calls].concat();
        let (number, whole) = (self.number.saturating_add(1), self.whole.anew());
        let (correction, held) = (Some(correction), self.held);
        Self { number, earlier, correction, whole, held, ..Self::first(self.subtask.clone(), self.limits) }
    }

    /// The subtask.
    pub fn subtask(&self) -> &SubTask {
        &self.subtask
    }

    /// Which attempt, 1 the first.
    pub fn number(&self) -> u32 {
        self.number
    }

    /// The calls of this attempt.
    pub fn calls(&self) -> &[ToolCall] {
        &self.calls
    }

    /// The end, where answers or calls are used up; asked before each question.
    pub fn spent(&self) -> Option<ExecutorStep> {
        let ExecutorLimits { max_answers, max_calls } = self.limits;
        let why = if self.answers >= max_answers {
            format!("no end after {max_answers} answers")
        } else if self.calls_left() == 0 {
            format!("no end after {max_calls} tool calls")
        } else {
            return None;
        };
        Some(ExecutorStep::Finish { status: ExecutionStatus::Uncertain, output: why })
    }

    /// Folds an answer, also one that cannot be used.
    pub fn read(&mut self, raw: &str, tools: &[ToolName]) -> Result<ExecutorStep, BadAnswer> {
        if let Some(step) = self.spent() {
            return Ok(step);
        }
        let answer = self.answered(raw, tools)?;
        if answer.requests.is_empty() {
            return self.without_calls(answer);
        }
        self.idle = 0;
        if answer.is_done && self.is_only_repeated(&answer.requests) {
            return Ok(ExecutorStep::Finish { status: ExecutionStatus::Completed, output: answer.output });
        }
        self.require_wanted(&answer.requests)?;
        if let Some(twice) = self.twice_in_a_row(&answer.requests) {
            return Ok(stopped("the same call twice in a row, which is a wrong approach", twice));
        }
        if let Some((at, failed)) = self.failed_before(&answer.requests) {
            self.repeats += 1;
            return if self.repeats == 1 { Err(repeated(at)) } else { Ok(stopped("again what failed before", failed)) };
        }
        Ok(self.with_calls(answer))
    }

    /// The answer, in the form that was asked for, or for tools in any case.
    fn answered(&mut self, raw: &str, tools: &[ToolName]) -> Result<ExecutorAnswer, BadAnswer> {
        if self.answers == 0 {
            self.whole.has_looked(self.calls.len());
        }
        self.answers += 1;
        let by_tools = ExecutorAnswer::read(raw, tools);
        if by_tools.as_ref().is_ok_and(|answer| !answer.requests.is_empty()) {
            self.whole.leave();
            return by_tools;
        }
        self.read_whole(raw, tools).unwrap_or(by_tools)
    }

    /// Folds what a tool gave.
    pub fn add(&mut self, call: ToolCall) {
        self.calls.push(call);
    }

    /// Whether the last call did not work: the requests behind it are not made.
    pub fn is_stopped(&self) -> bool {
        self.calls.last().is_some_and(|call| !is_good(call))
    }

    /// The result when the requests of a step were made; nothing where the model is asked again.
    pub fn after(&self, then: &Then) -> Option<ExecutionResult> {
        match then {
            Then::Finish { output } if !self.is_stopped() => {
                Some(self.result(ExecutionStatus::Completed, &self.with_last_result(output)))
            }
            Then::Finish { .. } | Then::AskAgain => None,
        }
    }

    /// What R4a is told. What was in flight when the run stopped leaves no attempt completed.
    pub fn result(&self, status: ExecutionStatus, output: &str) -> ExecutionResult {
        let is_open = self.calls.iter().any(|call| call.is_uncertain);
        let status = match status {
            ExecutionStatus::Completed if is_open => ExecutionStatus::Uncertain,
            ExecutionStatus::Completed | ExecutionStatus::Uncertain | ExecutionStatus::Failed => status,
        };
        ExecutionResult {
            subtask_id: self.subtask.subtask_id.clone(),
            attempt: self.number,
            status,
            output: output.to_owned(),
            tool_calls: self.calls.clone(),
        }
    }

    /// All calls so far that worked, the last one last.
    pub(super) fn good_calls(&self) -> impl DoubleEndedIterator<Item = &ToolCall> {
        self.earlier.iter().chain(&self.calls).filter(|call| is_good(call))
    }

    /// The calls of earlier attempts that failed, each once; repeating them is what the correction is against.
    pub(super) fn to_avoid(&self) -> Vec<&ToolCall> {
        let mut found: Vec<&ToolCall> = Vec::new();
        for call in self.earlier.iter().filter(|call| !call.is_uncertain && !is_good(call)) {
            if !found.iter().any(|known| known.request == call.request) {
                found.push(call);
            }
        }
        found
    }

    /// What earlier attempts have changed: made once more, it may fail.
    pub(super) fn changes_made(&self) -> Vec<&ToolCall> {
        self.earlier.iter().filter(|call| is_good(call) && is_effectful(&call.request)).collect()
    }

    fn calls_left(&self) -> usize {
        let most = usize::try_from(self.limits.max_calls).unwrap_or(usize::MAX);
        most.saturating_sub(self.calls.len())
    }

    /// Done, or nothing left to try; who says neither is asked once more.
    fn without_calls(&mut self, answer: ExecutorAnswer) -> Result<ExecutorStep, BadAnswer> {
        let ExecutorAnswer { is_done, output, .. } = answer;
        if is_done && output.is_empty() && self.calls.is_empty() {
            return Err(bad("output", "is empty: say what was found"));
        }
        let does_nothing =
            is_done && self.calls.is_empty() && self.subtask.success_criteria.iter().any(|one| one.check.is_some());
        if is_done && !(does_nothing && self.idle == 0) {
            return Ok(ExecutorStep::Finish { status: ExecutionStatus::Completed, output });
        }
        self.idle += 1;
        if does_nothing {
            return Err(bad(
                "calls",
                "is empty, and nothing was done yet: call the tools that do it, or answer so again if it is done",
            ));
        }
        if self.idle == 1 {
            return Err(bad(
                "calls",
                "is empty though done is false: call a tool, or answer so again if it cannot be done",
            ));
        }
        let output = if output.is_empty() { "asked for nothing, twice".to_owned() } else { output };
        Ok(ExecutorStep::Finish { status: ExecutionStatus::Failed, output })
    }

    fn with_calls(&self, answer: ExecutorAnswer) -> ExecutorStep {
        let ExecutorAnswer { mut requests, is_done, output } = answer;
        let is_whole = requests.len() <= self.calls_left();
        requests.truncate(self.calls_left());
        let then = if is_done && is_whole { Then::Finish { output } } else { Then::AskAgain };
        ExecutorStep::Use { requests, then }
    }

    /// The last call, where the model asked for it.
    fn last_asked_for(&self) -> Option<&ToolCall> {
        self.calls[self.whole.looked().min(self.calls.len())..].last()
    }

    /// Whether nothing is asked for but what was done just now, and worked: who is done says so with it.
    fn is_only_repeated(&self, requests: &[ToolRequest]) -> bool {
        let last = self.last_asked_for().filter(|call| !call.is_uncertain && is_good(call));
        matches!((last, requests), (Some(last), [only]) if last.request == *only)
    }

    /// The first request that equals the one right before it. What was in flight when the run stopped may be asked for
    /// once more.
    fn twice_in_a_row<'r>(&'r self, requests: &'r [ToolRequest]) -> Option<&'r ToolRequest> {
        let last = self.last_asked_for().filter(|call| !call.is_uncertain).map(|call| &call.request);
        let before = std::iter::once(last).chain(requests.iter().map(Some));
        requests.iter().zip(before).find(|(request, before)| *before == Some(*request)).map(|(request, _)| request)
    }

    /// The first request that failed in an earlier attempt while nothing has been changed since: after a change that
    /// worked, the same call may come out otherwise (a test after an edit).
    fn failed_before<'r>(&self, requests: &'r [ToolRequest]) -> Option<(usize, &'r ToolRequest)> {
        let avoid = self.to_avoid();
        let is_avoided = |request: &ToolRequest| avoid.iter().any(|call| call.request == *request);
        if self.calls.iter().any(|call| is_good(call) && is_effectful(&call.request)) {
            return None;
        }
        let until_change = requests.iter().position(|request| is_effectful(request) && !is_avoided(request));
        let first = &requests[..until_change.unwrap_or(requests.len())];
        first.iter().enumerate().find(|(_, request)| is_avoided(request))
    }

    fn with_last_result(&self, output: &str) -> String {
        let last = self.calls.last().map(|call| call.output.trim()).unwrap_or_default();
        let parts: Vec<_> = [output, last].into_iter().filter(|part| !part.is_empty()).collect();
        head_tail(&parts.join("\n\n"), 2 * CLAIM_CHARS)
    }
}

fn stopped(why: &str, request: &ToolRequest) -> ExecutorStep {
    let output = format!("stopped: {why}: {} {}", request.tool, target(request));
    ExecutorStep::Finish { status: ExecutionStatus::Failed, output }
}

fn repeated(at: usize) -> BadAnswer {
    bad(&format!("calls.{at}"), "repeats a call that failed in an earlier attempt: do it in another way")
}
