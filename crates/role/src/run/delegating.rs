//! An agent in the place of R3: one process an attempt, and its outcome as the result (decision 66).
//!
//! R4a judges it like any other. Asks no model.

use super::effect::{EffectKey, RunEffect};
use super::working::WorkPhase;
use super::{TaskRun, Waiting};
use crate::delegate::{self, AgentJob, AgentOutcome, AgentProgram};
use crate::evidence::{is_effectful, target};
use crate::message::ExecutionStatus;
use crate::tool::{ToolCall, ToolName};

impl TaskRun {
    /// The next attempt is the agent's: it is told all that there is, and has the time that the task has left.
    pub(super) fn delegate(&mut self, id: &str, program: AgentProgram) {
        let must_not = self.must_not();
        let deadline_ms = self.setting.limits.ggs.time_budget_ms.saturating_sub(self.alive_ms);
        let work = self.at_work(id);
        work.phase = WorkPhase::Delegated;
        let key = EffectKey::from(format!("agent.{id}.a{}", work.attempt.number()));
        let (subtask_id, prompt) = (id.to_owned(), work.attempt.brief(&must_not));
        self.waiting.insert(key.clone(), Waiting::Agent(id.to_owned()));
        self.out.push_back(RunEffect::Delegate(AgentJob { key, subtask_id, program, prompt, deadline_ms }));
    }

    /// What it says is a claim, and what it used although R7 had blocked it makes its attempt a failed one.
    pub(super) fn delegated(&mut self, id: &str, outcome: &AgentOutcome) {
        let Some(program) = self.setting.executor else { return };
        let report = delegate::read(program, outcome);
        let blocked = report.calls.iter().find_map(|call| self.blocked(call));
        let work = self.at_work(id);
        report.calls.into_iter().for_each(|call| work.attempt.add(call));
        match blocked {
            Some(what) => self.finish(id, ExecutionStatus::Failed, &format!("the agent used what is blocked: {what}")),
            None => self.finish(id, report.status, &report.claim),
        }
    }

    /// What the person forbade, or R7 blocked; what is made anew is no use of what failed.
    fn blocked(&self, call: &ToolCall) -> Option<String> {
        if let Some(broken) = self.forbidden.broken_by(&call.request) {
            return Some(broken);
        }
        let directive = self.directive.as_ref()?;
        let target = target(&call.request);
        let makes = is_effectful(&call.request) && call.request.tool != ToolName::Shell;
        let is_blocked = !makes && self.setting.bans.blocks(&directive.blocked_targets, &target);
        is_blocked.then_some(target)
    }
}
