//! The solver of one task: rounds in, rulings out (artoo R7).
//!
//! `rule` decides and changes nothing; `heard` folds what was said, and nothing else, so that a run that was killed goes
//! on from the bus.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::blocked::Tried;
use super::distance::{distance, worst_criterion};
use super::explain::{Assessment, Forced, Pressure, assess, why_forced};
use super::failure::{FailureMix, process};
use super::limits::GgsLimits;
use super::loss::{Loss, Measures, gradient, is_worsening, loss, omega};
use super::message::{Answer, FinalResult, MegramDraft, MegramSubject, PlanDirective, PreviousDirective, Ruling};
use super::reading::{Gradient, Reading};
use super::round::{Gate, RoundOutcome, ToolUse};
use super::state::{CellOutcome, Directive, Terminal};
use annals_kernel::grounding::words;

words! {
    /// Whether the final result is out.
    #[derive(Default)]
    pub enum SolverPhase {
        /// Not yet.
        #[default]
        Open = "open",
        /// It is, and there is only one.
        Ended = "ended",
    }
}

/// What the solver knows of a task.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Ggs {
    task_id: String,
    phase: SolverPhase,
    previous_loss: Option<Loss>,
    previous: PreviousDirective,
    worsening: u32,
    replans: u32,
    tried: Tried,
}

/// A round came after the final result.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("task {task_id} has its final result")]
pub struct TaskEnded {
    /// Of which task.
    pub task_id: String,
}

/// A round with all that was measured of it.
struct MeasuredRound<'r> {
    round: &'r RoundOutcome,
    loss: Loss,
    gradient: Gradient,
    pressure: Pressure,
}

impl Ggs {
    /// Before the first round.
    pub fn new(task_id: impl Into<String>) -> Self {
        Self { task_id: task_id.into(), ..Self::default() }
    }

    /// Rules on a round and folds the answer.
    pub fn take(&mut self, round: &RoundOutcome, limits: &GgsLimits) -> Result<Ruling, TaskEnded> {
        let ruling = self.rule(round, limits)?;
        self.heard(&ruling.answer);
        Ok(ruling)
    }

    /// What a round leads to.
    pub fn rule(&self, round: &RoundOutcome, limits: &GgsLimits) -> Result<Ruling, TaskEnded> {
        self.require_open()?;
        if round.gate == Gate::Accepted && distance(round) == Reading::NONE {
            let why = "accept: D 0, gate accepted".to_owned();
            return Ok(self.close(Terminal::Accept, None, &self.measured(round, self.replans, limits), why));
        }
        let measured = self.measured(round, self.replans.saturating_add(1), limits);
        let assessment = assess(measured.loss.measures, measured.gradient, measured.pressure, limits);
        let why = assessment.why(measured.loss.measures, measured.gradient, measured.pressure, limits);
        Ok(match assessment.outcome {
            CellOutcome::Replan(directive) => self.replan(directive, &assessment, &measured, why, limits),
            CellOutcome::Close(terminal) => self.close(terminal, assessment.forced, &measured, why),
        })
    }

    /// A person wants no more of it: the end, with what there is, and nothing to remember.
    pub fn give_up(&self, round: &RoundOutcome, limits: &GgsLimits) -> FinalResult {
        let measured = self.measured(round, self.replans, limits);
        let why = format!("{}: {}", Terminal::Abandon.state(), why_forced(Forced::Person, measured.pressure, limits));
        self.result(Terminal::Abandon, Some(Forced::Person), &measured, why)
    }

    /// Folds what was said; a trusted message.
    pub fn heard(&mut self, answer: &Answer) {
        match answer {
            Answer::FinalResult(_) => self.phase = SolverPhase::Ended,
            Answer::PlanDirective(said) => {
                self.previous_loss = Some(said.loss);
                self.previous = said.directive.into();
                self.worsening = said.worsening;
                self.replans = said.replans;
                self.tried.add(&said.blocked_tools, &said.blocked_targets);
            }
        }
    }

    /// Whether the final result is out.
    pub fn phase(&self) -> SolverPhase {
        self.phase
    }

    fn require_open(&self) -> Result<(), TaskEnded> {
        match self.phase {
            SolverPhase::Open => Ok(()),
            SolverPhase::Ended => Err(TaskEnded { task_id: self.task_id.clone() }),
        }
    }

    fn measured<'r>(&self, round: &'r RoundOutcome, replans: u32, limits: &GgsLimits) -> MeasuredRound<'r> {
        let omega = omega(replans, round.elapsed_ms, limits);
        let loss = loss(Measures { d: distance(round), p: process(round), omega }, limits);
        let gradient = gradient(self.previous_loss.map(|previous| previous.l), &loss);
        let is_worse = self.previous_loss.is_some_and(|previous| is_worsening(&previous, &loss, limits));
        let worsening = if is_worse { self.worsening.saturating_add(1) } else { 0 };
        let pressure = Pressure { worsening, replans, unmet_demands: round.unmet_demands };
        MeasuredRound { round, loss, gradient, pressure }
    }

    fn replan(
        &self,
        directive: Directive,
        assessment: &Assessment,
        measured: &MeasuredRound<'_>,
        rationale: String,
        limits: &GgsLimits,
    ) -> Ruling {
        let fresh = self.tried.fresh_failures(measured.round);
        let said = PlanDirective {
            task_id: self.task_id.clone(),
            loss: measured.loss,
            prev_directive: self.previous,
            directive,
            blocked_tools: self.tried.blocked_tools(directive, measured.round),
            blocked_targets: self.tried.blocked_targets(&fresh),
            failed_criterion: worst_criterion(measured.round).unwrap_or_default().to_owned(),
            failure_class: FailureMix::of(measured.loss.measures.p, limits.rho),
            budget_pressure: measured.loss.measures.omega,
            grad_l: measured.gradient,
            rationale,
            urgency: assessment.urgency,
            cell: assessment.cell.number(),
            worsening: measured.pressure.worsening,
            replans: measured.pressure.replans,
        };
        let megrams = fresh.into_iter().map(|used| draft(directive, used)).collect();
        Ruling { answer: Answer::PlanDirective(said), megrams }
    }

    fn close(
        &self,
        directive: Terminal,
        forced: Option<Forced>,
        measured: &MeasuredRound<'_>,
        rationale: String,
    ) -> Ruling {
        let result = self.result(directive, forced, measured, rationale);
        let megrams = vec![MegramDraft { state: directive.state(), subject: MegramSubject::Task }];
        Ruling { answer: Answer::FinalResult(result), megrams }
    }

    fn result(
        &self,
        directive: Terminal,
        forced: Option<Forced>,
        measured: &MeasuredRound<'_>,
        rationale: String,
    ) -> FinalResult {
        FinalResult {
            task_id: self.task_id.clone(),
            summary: measured.round.summary.clone(),
            output: measured.round.merged_output.clone(),
            loss: measured.loss,
            grad_l: measured.gradient,
            replans: self.replans,
            prev_directive: self.previous,
            directive,
            forced,
            rationale,
            proposal: None,
        }
    }
}

fn draft(directive: Directive, used: &ToolUse) -> MegramDraft {
    let subject = MegramSubject::Target { tool: used.tool.clone(), target: used.target.clone() };
    MegramDraft { state: directive.state(), subject }
}
