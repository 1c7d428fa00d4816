//! Goals: what the moderator or the user would like to see, counted from when it was set (control-room 11.9).

use annals_sparse::sparse;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::event::Awarded;
use super::formula::Finding;
use super::reason::Reason;
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
    pub enum Metric {
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
pub struct Goal {
    /// Who set it.
    pub set_by: AgentId,
    /// When.
    pub set_at: Timestamp,
    /// Whose it is; none: the team's.
    pub agent: Option<AgentId>,
    /// What is counted.
    pub metric: Metric,
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
    pub ended: Option<Ended>,
}

/// How a goal ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ended {
    /// In which entry.
    pub entry: EntryId,
    /// How.
    pub how: Ending,
}

words! {
    /// How a goal ended.
    pub enum Ending {
        /// It was reached.
        Achieved = "achieved",
        /// Its time was over.
        Missed = "missed",
        /// It was taken back.
        Dropped = "dropped",
    }
}

impl Ranked for Goal {
    /// The latest first.
    fn rank(&self) -> i64 {
        self.set_at.millis()
    }
}

impl Goal {
    fn is_of(&self, agent: Option<&AgentId>) -> bool {
        self.agent.is_none() || self.agent.as_ref() == agent
    }

    fn is_in_time(&self, at: Timestamp) -> bool {
        !matches!(self.deadline, Some(Deadline::Time(end)) if at > end)
    }

    /// What counts towards it, of an agent (none: of somebody else), at a time.
    pub(super) fn count(&mut self, metric: Metric, agent: Option<&AgentId>, many: i64, at: Timestamp) {
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
        let is_first = awarded.reason.is_of_citations() && awarded.reason != Reason::EvidenceOutcomeUpgrade;
        let verified = awarded.citations.iter().filter(|cited| is_first && cited.finding != Finding::Failed).count();
        let times = |is_so: bool| i64::from(is_so);
        self.count(Metric::TotalCredits, agent, awarded.amount.in_thousandths(), at);
        self.count(Metric::VerifiedCitations, agent, i64::try_from(verified).unwrap_or(i64::MAX), at);
        self.count(Metric::ZeroPenalties, agent, times(awarded.amount < Credits::ZERO), at);
        let is_consulted = awarded.reason == Reason::ConsultedDevilsAdvocate;
        self.count(Metric::DevilsAdvocateConsultations, agent, times(is_consulted), at);
    }

    /// How far it has come; for a goal of no penalties 1 as long as there is none.
    pub fn current(&self) -> i64 {
        if self.metric == Metric::ZeroPenalties { i64::from(self.count == 0) } else { self.count }
    }

    /// How it ends now, if it does: reached, or its time over. `over` is the period that ends.
    pub fn ending(&self, over: Option<Period>, now: Timestamp, least_actions: u64) -> Option<Ending> {
        let is_over = match self.deadline {
            Some(Deadline::End(end)) => over == Some(end.period()),
            Some(Deadline::Time(end)) => now > end,
            None => false,
        };
        let is_reached = match self.metric {
            Metric::ZeroPenalties => is_over && self.count == 0 && self.actions >= least_actions,
            Metric::TotalCredits
            | Metric::VerifiedCitations
            | Metric::IssuesResolved
            | Metric::IssuesAppliedInWork
            | Metric::DevilsAdvocateConsultations => self.count >= self.target,
        };
        match (is_reached, is_over) {
            (true, _) => Some(Ending::Achieved),
            (false, true) => Some(Ending::Missed),
            (false, false) => None,
        }
    }
}
