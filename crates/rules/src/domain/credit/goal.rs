//! Goals: what the moderator or the user would like to see, counted from when it was set (control-room 11.9).

use annals_sparse::sparse;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::event::Awarded;
use super::formula::QuoteFinding;
use super::reason::CreditReason;
use annals_kernel::credits::Credits;
use annals_kernel::grounding::words;
use annals_kernel::id::{AgentId, EntryId};
use annals_kernel::period::Period;
use annals_kernel::rows::Ranked;
use annals_kernel::settings::settings;
use annals_kernel::time::Timestamp;

settings! {
    /// Open goals are looked at whenever something happens.
    MOST_OPEN: usize = 20, "goals.max_open", "how many goals may be open at once", weakens WhenHigher;
    /// Who does nothing does nothing wrong.
    LEAST_ACTIONS: u64 = 5, "goals.zero_penalties_min_actions",
        "how many actions a goal of no penalties takes at least", weakens WhenLower;
}

words! {
    /// What a goal counts (control-room 11.9).
    pub enum GoalMetric {
        /// Credits given, less those taken.
        TotalCredits = "total-credits",
        /// Citations that are as the files have them.
        VerifiedCitations = "verified-citations",
        /// Issues that ended with a decision.
        IssuesResolved = "issues-resolved",
        /// Issues that somebody else, or the user, found applied.
        IssuesAppliedInWork = "issues-applied-in-work",
        /// That nobody is penalised until the deadline.
        ZeroPenalties = "zero-penalties",
        /// How often a devil's advocate was asked.
        DevilsAdvocateConsultations = "devils-advocate-consultations",
    }
}

words! {
    /// The end of a period, as a deadline.
    pub enum End {
        /// When the session ends.
        Session = "session-end",
        /// When the chapter ends.
        Chapter = "chapter-end",
        /// When the act ends.
        Act = "act-end",
    }
}

impl End {
    /// Of which period.
    pub fn period(self) -> Period {
        match self {
            Self::Session => Period::Session,
            Self::Chapter => Period::Chapter,
            Self::Act => Period::Act,
        }
    }
}

/// Until when a goal is to be reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Deadline {
    /// The end of a period.
    End(End),
    /// A time.
    Time(Timestamp),
}

/// A goal, and how far it has come.
#[sparse]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CreditGoal {
    /// Who set it.
    pub set_by: AgentId,
    /// When.
    pub set_at: Timestamp,
    /// Whose it is; none: the team's.
    pub agent: Option<AgentId>,
    /// What is counted.
    pub metric: GoalMetric,
    /// How many; in thousandths where credits are counted.
    pub target: i64,
    /// Until when.
    pub deadline: Option<Deadline>,
    /// In words.
    #[serde(default)]
    pub description: Box<str>,
    /// How many there are; for a goal of no penalties how many came.
    #[serde(default)]
    pub count: i64,
    /// What those whose goal it is did since.
    #[serde(default)]
    pub actions: u64,
    /// How it ended.
    pub ended: Option<GoalEnded>,
}

/// How a goal ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct GoalEnded {
    /// In which entry.
    pub entry: EntryId,
    /// How.
    pub how: GoalEnding,
}

words! {
    /// How a goal ended.
    pub enum GoalEnding {
        /// It was reached.
        Achieved = "achieved",
        /// Its time was over.
        Missed = "missed",
        /// It was taken back.
        Dropped = "dropped",
    }
}

impl Ranked for CreditGoal {
    /// The latest first.
    fn rank(&self) -> i64 {
        self.set_at.millis()
    }
}

impl CreditGoal {
    fn is_of(&self, agent: Option<&AgentId>) -> bool {
        self.agent.is_none() || self.agent.as_ref() == agent
    }

    fn is_in_time(&self, at: Timestamp) -> bool {
        !matches!(self.deadline, Some(Deadline::Time(end)) if at > end)
    }

    /// What counts towards it, of an agent (none: of somebody else), at a time.
    pub(super) fn count(&mut self, metric: GoalMetric, agent: Option<&AgentId>, many: i64, at: Timestamp) {
        if self.metric == metric && self.is_of(agent) && self.is_in_time(at) {
            self.count = self.count.saturating_add(many);
        }
    }

    pub(super) fn acted(&mut self, agent: &AgentId, at: Timestamp) {
        if self.is_of(Some(agent)) && self.is_in_time(at) {
            self.actions += 1;
        }
    }

    pub(super) fn take(&mut self, awarded: &Awarded, at: Timestamp) {
        let agent = Some(&awarded.agent);
        let is_first = awarded.reason.is_of_citations() && awarded.reason != CreditReason::EvidenceOutcomeUpgrade;
        let verified =
            awarded.citations.iter().filter(|cited| is_first && cited.finding != QuoteFinding::Failed).count();
        let times = |is_so: bool| i64::from(is_so);
        self.count(GoalMetric::TotalCredits, agent, awarded.amount.in_thousandths(), at);
        self.count(GoalMetric::VerifiedCitations, agent, i64::try_from(verified).unwrap_or(i64::MAX), at);
        self.count(GoalMetric::ZeroPenalties, agent, times(awarded.amount < Credits::ZERO), at);
        let is_consulted = awarded.reason == CreditReason::ConsultedDevilsAdvocate;
        self.count(GoalMetric::DevilsAdvocateConsultations, agent, times(is_consulted), at);
    }

    /// How far it has come; for a goal of no penalties 1 as long as there is none.
    pub fn current(&self) -> i64 {
        if self.metric == GoalMetric::ZeroPenalties { i64::from(self.count == 0) } else { self.count }
    }

    /// How it ends now, if it does: reached, or its time over. `over` is the period that ends.
    pub fn ending(&self, over: Option<Period>, now: Timestamp, least_actions: u64) -> Option<GoalEnding> {
        let is_over = match self.deadline {
            Some(Deadline::End(end)) => over == Some(end.period()),
            Some(Deadline::Time(end)) => now > end,
            None => false,
        };
        let is_reached = match self.metric {
            GoalMetric::ZeroPenalties => is_over && self.count == 0 && self.actions >= least_actions,
            GoalMetric::TotalCredits
            | GoalMetric::VerifiedCitations
            | GoalMetric::IssuesResolved
            | GoalMetric::IssuesAppliedInWork
            | GoalMetric::DevilsAdvocateConsultations => self.count >= self.target,
        };
        match (is_reached, is_over) {
            (true, _) => Some(GoalEnding::Achieved),
            (false, true) => Some(GoalEnding::Missed),
            (false, false) => None,
        }
    }
}
