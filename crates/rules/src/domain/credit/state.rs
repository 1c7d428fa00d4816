//! Who earned what, which goals are open, and what each issue still owes.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::command::{Command, Observed, SetGoal};
use super::event::{Awarded, Event};
use super::goal::{CreditGoal, GoalEnded, GoalEnding, GoalMetric};
use super::ledger::Ledger;
use super::profile::{Blame, ProfileRecord, StretchTally, Tier};
use super::reason::CreditReason;
use annals_kernel::credits::Credits;
use annals_kernel::decision::Cause;
use annals_kernel::id::{AgentId, EntryId, IssueId, ModelId};
use annals_kernel::period::{Period, Periods};
use annals_kernel::rows::Rows;
use annals_kernel::settings::Settings;
use annals_kernel::time::Timestamp;

/// What is always in memory: a few numbers for each agent, and the open goals.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Totals {
    /// The model behind each agent of the roster.
    pub members: BTreeMap<AgentId, ModelId>,
    /// What each agent earned with each model (control-room 12).
    pub records: BTreeMap<AgentId, BTreeMap<ModelId, ProfileRecord>>,
    /// The periods that go on.
    pub open: Periods,
    /// Goals that are open.
    pub goals: BTreeMap<Box<str>, CreditGoal>,
    /// Awards that were refused.
    pub refused: u64,
}

/// All that is known of credits.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct State {
    /// What is always in memory.
    pub totals: Totals,
    /// What each issue still owes.
    pub ledgers: Rows<IssueId, Ledger>,
    /// Goals that ended.
    pub ended: Rows<Box<str>, CreditGoal>,
}

type Why<'c> = Cause<'c, Command, Observed>;

impl State {
    /// What an issue still owes.
    pub fn ledger(&self, issue: &IssueId) -> Option<&Ledger> {
        self.ledgers.get(issue.as_str())
    }

    /// Takes in an event of a decision.
    pub fn evolve(&mut self, event: &Event, cause: &Why<'_>) {
        match event {
            Event::Awarded(awarded) => {
                if let Some(due) = self.due(awarded, cause.id) {
                    self.awarded(&due, cause);
                }
            }
            Event::Settled(settled) => {
                if let Some(ledger) = self.ledgers.get_mut(settled.issue.as_str()) {
                    ledger.settle(&settled.citations);
                }
            }
            Event::Refused(_) => self.totals.refused += 1,
            Event::Sliced(sliced) => {
                if let Some(Command::Slice(slice)) = cause.command() {
                    self.ledgers.entry(sliced.issue.as_str(), Ledger::default).cut(slice);
                }
            }
            Event::Completed(completed) => {
                let ledger = self.ledgers.entry(completed.issue.as_str(), Ledger::default);
                ledger.done(&completed.doer, completed.number, cause.id);
            }
            Event::GoalSet(set) => {
                if let Some(Command::SetGoal(command)) = cause.command() {
                    self.totals.goals.insert(set.goal.clone(), new_goal(command, cause));
                }
            }
            Event::GoalAchieved(goal) => self.end(&goal.goal, GoalEnding::Achieved, cause),
            Event::GoalMissed(goal) => self.end(&goal.goal, GoalEnding::Missed, cause),
            Event::GoalDropped(goal) => self.end(&goal.goal, GoalEnding::Dropped, cause),
        }
    }

    /// What two branches both gave, and is given once, counts once.
    fn due(&self, awarded: &Awarded, entry: EntryId) -> Option<Awarded> {
        let ledger = awarded.about.issue.as_ref().and_then(|issue| self.ledger(issue));
        ledger.map_or_else(|| Some(awarded.clone()), |ledger| ledger.due(awarded, entry))
    }

    fn awarded(&mut self, awarded: &Awarded, cause: &Why<'_>) {
        let open = self.totals.open.counting(cause.id);
        self.totals.record(&awarded.agent, &awarded.model).take(awarded, &open);
        for goal in self.totals.goals.values_mut() {
            goal.take(awarded, cause.at);
        }
        if let Some(issue) = awarded.about.issue.as_ref().filter(|_| is_kept(awarded.reason)) {
            self.ledgers.entry(issue.as_str(), Ledger::default).take(awarded);
        }
    }

    /// The row is asked for whether the goal is open or not: which rows are needed follows from the event alone.
    fn end(&mut self, id: &str, how: GoalEnding, cause: &Why<'_>) {
        let has_ended = self.ended.get(id).is_some();
        if let Some(goal) = self.totals.goals.remove(id).filter(|_| !has_ended) {
            let ended = Some(GoalEnded { entry: cause.id, how });
            self.ended.entry(id, || CreditGoal { ended, ..goal });
        }
    }

    /// An agent joined, or has another model.
    pub fn joined(&mut self, agent: &AgentId, model: &ModelId) {
        self.totals.members.insert(agent.clone(), model.clone());
    }

    /// A period begins: what is counted in it begins anew.
    pub fn begun(&mut self, period: Period) {
        self.totals.records.values_mut().flat_map(BTreeMap::values_mut).for_each(|record| {
            record.periods.remove(&period);
        });
        self.totals.open.begin(period);
    }

    /// A period ends: what was counted in it stays.
    pub fn over(&mut self, period: Period, entry: EntryId) {
        self.totals.open.end(period, entry);
    }

    /// An agent did something.
    pub fn acted(&mut self, agent: &AgentId, model: &ModelId, entry: EntryId, at: Timestamp) {
        let open = self.totals.open.counting(entry);
        self.totals.record(agent, model).acted(entry, &open);
        self.totals.goals.values_mut().for_each(|goal| goal.acted(agent, at));
    }

    /// Credits were taken from an agent; says what for.
    pub fn penalised(&mut self, agent: &AgentId, model: &ModelId, entry: EntryId) -> Blame {
        let open = self.totals.open.counting(entry);
        let record = self.totals.record(agent, model);
        let blame = record.blame(entry);
        record.penalised(entry, &open);
        blame
    }

    /// An agent opened an issue.
    pub fn started(&mut self, agent: &AgentId, model: &ModelId, entry: EntryId) {
        let open = self.totals.open.counting(entry);
        self.totals.record(agent, model).started(&open);
    }

    /// An issue was found applied in the work for the first time; none: it was not an agent's.
    pub fn applied(&mut self, author: Option<(&AgentId, &ModelId)>, entry: EntryId, at: Timestamp) {
        if let Some((agent, model)) = author {
            let open = self.totals.open.counting(entry);
            self.totals.record(agent, model).applied(&open);
        }
        self.count(GoalMetric::IssuesAppliedInWork, author.map(|(agent, _)| agent), at);
    }

    /// An issue ended with a decision.
    pub fn resolved(&mut self, issue: &IssueId, by: &AgentId, entry: EntryId, at: Timestamp) {
        let ledger = self.ledgers.entry(issue.as_str(), Ledger::default);
        let is_first = ledger.resolved_in.is_none();
        ledger.resolved_in.get_or_insert(entry);
        if is_first {
            self.count(GoalMetric::IssuesResolved, Some(by), at);
        }
    }

    fn count(&mut self, metric: GoalMetric, agent: Option<&AgentId>, at: Timestamp) {
        self.totals.goals.values_mut().for_each(|goal| goal.count(metric, agent, 1, at));
    }

    /// Somebody cites files on an issue.
    pub fn cited(&mut self, issue: &IssueId, by: &AgentId, files: &[(&str, Option<&str>)]) {
        if let Some(ledger) = self.ledgers.get_mut(issue.as_str()) {
            ledger.share(by, files);
        }
    }

    /// Somebody unfroze an issue.
    pub fn unfrozen(&mut self, issue: &IssueId, by: &AgentId) {
        self.ledgers.entry(issue.as_str(), Ledger::default).unfrozen_by = Some(by.clone());
    }

    /// An issue was frozen (again).
    pub fn frozen(&mut self, issue: &IssueId) {
        if let Some(ledger) = self.ledgers.get_mut(issue.as_str()) {
            ledger.unfrozen_by = None;
        }
    }
}

/// Whether an award leaves something to be known of its issue.
fn is_kept(reason: CreditReason) -> bool {
    reason.is_of_citations() && reason != CreditReason::EvidenceFailedVerification
        || reason == CreditReason::PeerMarkedHelpful
        || reason.pays_once()
}

fn new_goal(command: &SetGoal, cause: &Why<'_>) -> CreditGoal {
    let target = i64::from(command.target);
    CreditGoal {
        set_by: cause.actor.clone(),
        set_at: cause.at,
        agent: command.agent.clone(),
        metric: command.metric,
        target: if command.metric == GoalMetric::TotalCredits {
            Credits::whole(target).in_thousandths()
        } else {
            target
        },
        deadline: command.deadline,
        description: command.description.clone(),
        count: 0,
        actions: 0,
        ended: None,
    }
}

impl Totals {
    fn record(&mut self, agent: &AgentId, model: &ModelId) -> &mut ProfileRecord {
        self.records.entry(agent.clone()).or_default().entry(model.clone()).or_default()
    }

    /// The record of an agent with the model that it has now.
    pub fn current(&self, agent: &AgentId) -> Option<&ProfileRecord> {
        self.records.get(agent)?.get(self.members.get(agent)?)
    }

    /// How reliable an agent is with the model that it has now (control-room 11.8, 12).
    pub fn tier(&self, agent: &AgentId, settings: &Settings) -> Tier {
        self.current(agent).map_or(Tier::None, |record| record.lifetime.tier(settings))
    }

    /// What an agent did in a period, or ever, with whatever models.
    pub fn tally(&self, agent: &AgentId, period: Option<Period>) -> StretchTally {
        let records = self.records.get(agent).into_iter().flat_map(BTreeMap::values);
        records.filter_map(|record| record.tally(period)).fold(StretchTally::default(), StretchTally::with)
    }
}
