//! The place where a task is worked on: a plan goes in, and what R4b would tell of the round comes out.

use annals_role::ggs::{
    CallResult, CriterionMode, CriterionVerdict, FailureClass, Gate, RoundOutcome, SubTaskOutcome, SubTaskStatus,
    ToolUse, Verdict,
};

use super::dice::Dice;
use super::world::{CRITERIA, EASY_CRITERIA, Task};

/// Calls that a round costs, and what a new approach costs beyond it.
const CALLS_OF_A_ROUND: u32 = 6;
const CALLS_OF_AN_APPROACH: u32 = 2;
/// A round takes ten to twenty seconds, and a broken environment lets wait for as much again and a half.
const LEAST_MS_OF_A_ROUND: u64 = 10_000;
const MS_OF_WAITING: u64 = 25_000;
/// A failure whose class can be seen.
const CLARITY: f64 = 0.9;
/// Something always remains for chance.
const MOST_PROGRESS: f64 = 0.95;
/// One tightening by 0.15 nearly halves the drift.
const DRIFT_HELD_BACK: f64 = 6.0;

/// What a round does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Plan {
    pub approach: usize,
    pub path: usize,
    /// So often the arguments were tightened since the approach began.
    pub refined: u32,
}

/// What became of a criterion.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Seen {
    Met,
    Unmet(Option<FailureClass>),
}

/// What a round showed.
#[derive(Debug, Clone)]
pub struct Shown {
    pub plan: Plan,
    pub criteria: [Seen; CRITERIA],
    pub call: CallResult,
    pub elapsed_ms: u64,
}

#[derive(Debug)]
pub struct Site<'t> {
    task: &'t Task,
    pub dice: Dice,
    met: [bool; CRITERIA],
    before: Option<Plan>,
    refuted: Vec<bool>,
    elapsed_ms: u64,
    pub calls: u32,
    pub rounds: u32,
    /// Rounds on an approach that does not work, and had shown so before.
    pub thrashed: u32,
}

impl<'t> Site<'t> {
    pub fn of(task: &'t Task) -> Self {
        let (met, refuted, dice) = ([false; CRITERIA], vec![false; task.fits.len()], task.dice.clone());
        Self { task, dice, met, before: None, refuted, elapsed_ms: 0, calls: 0, rounds: 0, thrashed: 0 }
    }

    pub fn work(&mut self, plan: Plan) -> Shown {
        self.arrive(plan);
        let is_in_the_way = self.task.broken[plan.approach][plan.path] || self.dice.chance(self.task.regime.flaky);
        let criteria = if is_in_the_way { self.blocked() } else { self.tried(plan) };
        let is_refuted = criteria.contains(&Seen::Unmet(Some(FailureClass::Logical)));
        self.refuted[plan.approach] |= is_refuted && !self.task.fits[plan.approach];
        let call = if is_in_the_way { CallResult::Failed } else { CallResult::Worked };
        Shown { plan, criteria, call, elapsed_ms: self.elapsed_ms }
    }

    /// What an approach achieved is lost when another one begins.
    fn arrive(&mut self, plan: Plan) {
        let is_new = self.before.is_none_or(|before| before.approach != plan.approach);
        if is_new {
            self.met = [false; CRITERIA];
        }
        self.before = Some(plan);
        self.rounds += 1;
        self.calls += CALLS_OF_A_ROUND + if is_new { CALLS_OF_AN_APPROACH } else { 0 };
        self.thrashed += u32::from(self.refuted[plan.approach]);
        self.elapsed_ms += LEAST_MS_OF_A_ROUND + self.dice.below(10_000) as u64;
    }

    /// The environment says nothing of the approach, and what is met remains so.
    fn blocked(&mut self) -> [Seen; CRITERIA] {
        self.elapsed_ms += MS_OF_WAITING;
        let met = self.met;
        met.map(|is_met| if is_met { Seen::Met } else { self.unmet(FailureClass::Environmental, CLARITY) })
    }

    fn tried(&mut self, plan: Plan) -> [Seen; CRITERIA] {
        let regime = self.task.regime;
        let better = regime.refining * f64::from(plan.refined);
        let odds = (regime.progress + better).min(MOST_PROGRESS);
        let drift = regime.drift / (1.0 + DRIFT_HELD_BACK * better);
        let is_fitting = self.task.fits[plan.approach];
        let within_reach = if is_fitting { CRITERIA } else { EASY_CRITERIA };
        for at in 0..within_reach {
            let odds = if self.met[at] { 1.0 - drift } else { odds };
            self.met[at] = self.dice.chance(odds);
        }
        let shown_odds = if is_fitting { regime.misblame } else { CLARITY };
        let met = self.met;
        met.map(|is_met| if is_met { Seen::Met } else { self.unmet(FailureClass::Logical, shown_odds) })
    }

    fn unmet(&mut self, class: FailureClass, odds: f64) -> Seen {
        Seen::Unmet(self.dice.chance(odds).then_some(class))
    }
}

impl Shown {
    pub fn unmet(&self) -> usize {
        self.criteria.iter().filter(|seen| **seen != Seen::Met).count()
    }

    /// As R4b tells R7.
    pub fn to_round(&self) -> RoundOutcome {
        let is_met = self.unmet() == 0;
        let used = ToolUse { tool: tool(self.plan.approach), target: target(self.plan), result: self.call };
        let outcome = SubTaskOutcome {
            subtask_id: "s".to_owned(),
            status: if is_met { SubTaskStatus::Matched } else { SubTaskStatus::Failed },
            failure_reason: None,
            gap_trajectory: Vec::new(),
            criteria_verdicts: self.criteria.iter().enumerate().map(|(at, seen)| verdict(at, *seen)).collect(),
            tool_uses: vec![used],
        };
        RoundOutcome {
            gate: if is_met { Gate::Accepted } else { Gate::Rejected },
            outcomes: vec![outcome],
            task_verdicts: Vec::new(),
            summary: String::new(),
            merged_output: serde_json::Value::Null,
            unmet_demands: 0,
            elapsed_ms: self.elapsed_ms,
        }
    }
}

/// Each approach has a tool of its own.
pub fn tool(approach: usize) -> String {
    format!("tool-{approach}")
}

pub fn target(plan: Plan) -> String {
    format!("tool-{}/path-{}", plan.approach, plan.path)
}

fn verdict(at: usize, seen: Seen) -> CriterionVerdict {
    let (verdict, failure_class) = match seen {
        Seen::Met => (Verdict::Pass, None),
        Seen::Unmet(class) => (Verdict::Fail, class),
    };
    let (criterion, mode) = (format!("criterion {at}"), CriterionMode::Verifiable);
    CriterionVerdict { criterion, mode, verdict, failure_class, evidence: String::new() }
}
