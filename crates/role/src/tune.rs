//! What other weights would have ruled on the rounds that were recorded (artoo, "v0.9 Planned": hyperparameter tuning).
//!
//! Pure, and changes nothing: a person reads it and sets the limits. A round is what the ruling before it led to, so that
//! only the first ruling that differs is known; what would have followed is counted as unknown, and not guessed. Urgency
//! may differ though the ruling is the same; the round after it counts as known all the same, for the plan had to obey the
//! same directive.

#[cfg(test)]
mod tests;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::ggs::{Answer, BadLimits, Forced, Ggs, GgsLimits, RoundOutcome};
use crate::message::BusMessage;
use annals_kernel::grounding::words;
use annals_kernel::share::Share;
use annals_rules::domain::memory::quantum::MacroState;

/// A round that the solver heard of, and what it said.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RecordedRound {
    /// What the round came to, with the time that had passed.
    pub outcome: RoundOutcome,
    /// What was ruled on it; nothing where the run broke off, or a person ended it before.
    #[serde(default)]
    pub ruled: Option<MacroState>,
}

/// The rounds of a task, the first one first. How it ended is what was ruled on the last one.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RecordedTask {
    /// Which.
    pub task_id: String,
    /// What the solver heard.
    pub rounds: Vec<RecordedRound>,
}

words! {
    /// Where other limits leave the path that a task took.
    pub enum Departure {
        /// Nowhere: they rule alike as far as the record goes.
        None = "none",
        /// They end the task where it went on.
        Stops = "stops",
        /// They go on where the task ended.
        GoesOn = "goes_on",
        /// They demand another change of plan.
        Turns = "turns",
        /// They end it in the same round with another word.
        EndsOtherwise = "ends_otherwise",
    }
}

/// What limits would have ruled on a task.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ReplayedTask {
    /// Which.
    pub task_id: String,
    /// A ruling for each round up to the first that differs, that one included.
    pub rulings: Vec<MacroState>,
    /// How that one differs, if there is one.
    pub departure: Departure,
    /// In which round the task would have ended, 1 the first; nothing where that is not known.
    pub ended_in: Option<usize>,
    /// Recorded rounds whose like cannot be known, for another ruling went before; and those that nothing was ruled on.
    pub unknown_rounds: usize,
}

/// So many of all, and where the share lies with 95 % (Wilson's score interval).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Proportion {
    /// So many.
    pub count: usize,
    /// Of so many.
    pub of: usize,
    /// The share is at least this; 0 where there are none.
    pub low: Share,
    /// The share is at most this; 1 where there are none.
    pub high: Share,
}

/// What limits would have done to all tasks.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CandidateReport {
    /// The limits.
    pub limits: GgsLimits,
    /// Task by task, in the order of the record.
    pub tasks: Vec<ReplayedTask>,
    /// Tasks that are known to end with nothing missing.
    pub accepted: Proportion,
    /// Tasks that are known to end near enough; a wider δ makes more of them, and none of them better.
    pub near_enough: Proportion,
    /// Tasks that are known to be given up.
    pub abandoned: Proportion,
    /// Tasks whose end is not known.
    pub unknown: Proportion,
    /// Tasks in which a ruling differs. Later ones that may differ, too, are not known.
    pub differing: Proportion,
    /// Rulings that differ, of those that are known.
    pub differing_rulings: Proportion,
    /// Recorded rounds whose like cannot be known.
    pub unknown_rounds: usize,
    /// Rounds that tasks which were given up would not have had.
    pub rounds_saved: usize,
    /// Tasks that were given up and would have gone on: each costs a round at least, and more cannot be known.
    pub given_up_later: usize,
    /// Tasks that ended with a result, and would have been given up.
    pub results_lost: usize,
}

/// What each of the candidates would have done, in their order; why not, where its limits cannot be used.
pub fn compare(record: &[RecordedTask], candidates: &[GgsLimits]) -> Vec<Result<CandidateReport, BadLimits>> {
    candidates.iter().map(|limits| weigh(record, limits)).collect()
}

/// What these limits would have done.
pub fn weigh(record: &[RecordedTask], limits: &GgsLimits) -> Result<CandidateReport, BadLimits> {
    limits.check()?;
    let tasks: Vec<ReplayedTask> = record.iter().map(|task| replay(task, limits)).collect();
    let pairs = || record.iter().zip(&tasks);
    let all = tasks.len();
    let ending = |state| Proportion::of(tasks.iter().filter(|task| task.end() == Some(state)).count(), all);
    let known = tasks.iter().map(|task| task.rulings.len()).sum();
    let differing = tasks.iter().filter(|task| task.departure != Departure::None).count();
    let given_up = || pairs().filter(|(task, _)| task.end() == Some(MacroState::Abandon));
    Ok(CandidateReport {
        limits: *limits,
        accepted: ending(MacroState::Accept),
        near_enough: ending(MacroState::Success),
        abandoned: ending(MacroState::Abandon),
        unknown: Proportion::of(tasks.iter().filter(|task| task.end().is_none()).count(), all),
        differing: Proportion::of(differing, all),
        differing_rulings: Proportion::of(differing, known),
        unknown_rounds: tasks.iter().map(|task| task.unknown_rounds).sum(),
        rounds_saved: given_up().map(|(task, replayed)| replayed.rounds_before_end(task)).sum(),
        given_up_later: given_up().filter(|(_, replayed)| replayed.departure == Departure::GoesOn).count(),
        results_lost: pairs().filter(|(task, replayed)| replayed.loses_result_of(task)).count(),
        tasks,
    })
}

/// Rules on the rounds of a task as far as they are what these limits would have led to.
pub fn replay(task: &RecordedTask, limits: &GgsLimits) -> ReplayedTask {
    let mut solver = Ggs::new(task.task_id.clone());
    let (mut rulings, mut departure) = (Vec::new(), Departure::None);
    for round in &task.rounds {
        // Behind a final result, and behind a round without a ruling, there is nothing to compare with.
        let (Some(recorded), Ok(ruling)) = (round.ruled, solver.take(&round.outcome, limits)) else { break };
        let ruled = state_of(&ruling.answer);
        rulings.push(ruled);
        departure = Departure::of(recorded, ruled);
        if departure != Departure::None {
            break;
        }
    }
    let ended_in = rulings.last().filter(|state| is_terminal(**state)).map(|_| rulings.len());
    let unknown_rounds = match departure {
        // What would not have been is known.
        Departure::Stops | Departure::EndsOtherwise => 0,
        Departure::None | Departure::GoesOn | Departure::Turns => task.rounds.len() - rulings.len(),
    };
    ReplayedTask { task_id: task.task_id.clone(), rulings, departure, ended_in, unknown_rounds }
}

impl RecordedTask {
    /// The rounds among what was said on the bus of a task. What a person ended was not ruled on.
    pub fn of_messages<'m>(task_id: impl Into<String>, messages: impl IntoIterator<Item = &'m BusMessage>) -> Self {
        let mut rounds: Vec<RecordedRound> = Vec::new();
        let mut waiting = None;
        for message in messages {
            if let Some(outcome) = heard_in(message) {
                rounds.extend(waiting.replace(RecordedRound { outcome: outcome.clone(), ruled: None }));
            } else if let Some(state) = ruled_in(message) {
                rounds.extend(waiting.take().map(|round| RecordedRound { ruled: Some(state), ..round }));
            }
        }
        rounds.extend(waiting);
        Self { task_id: task_id.into(), rounds }
    }

    /// How the solver ended it; nothing where it did not.
    pub fn end(&self) -> Option<MacroState> {
        self.rounds.last()?.ruled.filter(|state| is_terminal(*state))
    }
}

fn heard_in(message: &BusMessage) -> Option<&RoundOutcome> {
    if let BusMessage::ReplanRequest(outcome) | BusMessage::OutcomeSummary(outcome) = message {
        Some(outcome)
    } else {
        None
    }
}

fn ruled_in(message: &BusMessage) -> Option<MacroState> {
    if let BusMessage::PlanDirective(said) = message {
        Some(said.directive.state())
    } else if let BusMessage::FinalResult(result) = message {
        (result.forced != Some(Forced::Person)).then(|| result.directive.state())
    } else {
        None
    }
}

impl ReplayedTask {
    /// How it would have ended; nothing where that is not known.
    pub fn end(&self) -> Option<MacroState> {
        self.rulings.last().copied().filter(|state| is_terminal(*state))
    }

    fn rounds_before_end(&self, recorded: &RecordedTask) -> usize {
        self.ended_in.map_or(0, |round| recorded.rounds.len().saturating_sub(round))
    }

    fn loses_result_of(&self, recorded: &RecordedTask) -> bool {
        let had_result = matches!(recorded.end(), Some(MacroState::Accept | MacroState::Success));
        had_result && self.end() == Some(MacroState::Abandon)
    }
}

impl Departure {
    fn of(recorded: MacroState, ruled: MacroState) -> Self {
        match (is_terminal(recorded), is_terminal(ruled)) {
            _ if recorded == ruled => Self::None,
            (false, true) => Self::Stops,
            (true, false) => Self::GoesOn,
            (false, false) => Self::Turns,
            (true, true) => Self::EndsOtherwise,
        }
    }
}

impl Proportion {
    /// Its interval; where there are none, anything may be.
    pub fn of(count: usize, of: usize) -> Self {
        /// Of a normal, both sides.
        const Z: f64 = 1.96;
        if of == 0 {
            return Self { count, of, low: Share::NONE, high: Share::WHOLE };
        }
        let number = |of: usize| f64::from(u32::try_from(of).unwrap_or(u32::MAX));
        let (share, all) = (number(count) / number(of), number(of));
        let shrunk = 1.0 + Z * Z / all;
        let centre = (share + Z * Z / (2.0 * all)) / shrunk;
        let reach = Z / shrunk * (share * (1.0 - share) / all + Z * Z / (4.0 * all * all)).sqrt();
        let bound = |number: f64| Share::of(number.clamp(0.0, 1.0)).unwrap_or_default();
        Self { count, of, low: bound(centre - reach), high: bound(centre + reach) }
    }
}

fn state_of(answer: &Answer) -> MacroState {
    match answer {
        Answer::PlanDirective(said) => said.directive.state(),
        Answer::FinalResult(result) => result.directive.state(),
    }
}

fn is_terminal(state: MacroState) -> bool {
    match state {
        MacroState::Abandon | MacroState::Accept | MacroState::Success => true,
        MacroState::ChangeApproach | MacroState::BreakSymmetry | MacroState::ChangePath | MacroState::Refine => false,
    }
}
