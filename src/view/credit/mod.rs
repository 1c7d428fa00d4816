//! Credits as people and programs read them: an agent's profile, goals, and the board of the team.
//!
//! Puts together what several rooms know. Does not print.

pub mod board;
pub mod told;
pub mod words;

use std::collections::BTreeMap;

use serde::Serialize;

use crate::domain::Rooms;
use crate::domain::credit::CreditReason;
use crate::domain::credit::goal::{CreditGoal, Deadline, GoalMetric};
use crate::domain::credit::profile::{GivenCredits, ProfileRecord as Earned, StretchTally, Tier};
use crate::domain::reliability::{AgentTrust, ReliabilityRecord, WatchLevel};
use crate::kernel::credits::{Credits, Rate};
use crate::kernel::id::{AgentId, ModelId};
use crate::kernel::period::Period;
use crate::kernel::settings::Settings;
use crate::kernel::time::Timestamp;

/// A rate for programs: none where it is unknown (decision 18).
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct RateInfo {
    /// How many.
    pub count: u64,
    /// Of how many.
    pub of: u64,
    /// In thousandths.
    pub thousandths: Option<u64>,
}

impl From<Rate> for RateInfo {
    fn from(rate: Rate) -> Self {
        Self { count: rate.count, of: rate.of, thousandths: rate.thousandths() }
    }
}

/// What an agent did with one model (control-room 8.2, 12.1).
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct ModelInfo {
    /// Which.
    pub model: ModelId,
    /// Whether it is the model that the agent has now.
    pub is_active: bool,
    /// Since when it is, if it is.
    pub active_since: Option<Timestamp>,
    /// Until when it was.
    pub active_until: Option<Timestamp>,
    /// Credits earned with it.
    pub credits: Credits,
    /// How reliable the agent is with it.
    pub tier: Tier,
    /// Citations that were verified.
    pub verification: RateInfo,
    /// Actions that were penalised, of all.
    pub penalty: RateInfo,
    /// Actions that were penalised, of the last ones.
    pub recent_penalty: RateInfo,
    /// Issues that were applied.
    pub usefulness: RateInfo,
    /// Issues that were irrelevant.
    pub hallucination: RateInfo,
    /// Comments that cited something.
    pub evidence: RateInfo,
    /// Comments that were stopped.
    pub rejection: RateInfo,
    /// How closely it is looked at.
    pub level: WatchLevel,
    /// Whether it is told to take more care (control-room 12.3).
    pub is_remediated: bool,
    /// How far it is trusted.
    pub trust: AgentTrust,
    /// Verified citations, one after the other, until now.
    pub streak: u64,
    /// The longest such run.
    pub longest_streak: u64,
}

impl ModelInfo {
    fn of(model: &ModelId, earned: &Earned, did: &ReliabilityRecord, settings: &Settings) -> Self {
        Self {
            model: model.clone(),
            is_active: did.active_since.is_some(),
            active_since: did.active_since,
            active_until: did.active_until,
            credits: earned.lifetime.credits,
            tier: earned.lifetime.tier(settings),
            verification: earned.lifetime.verification().into(),
            penalty: earned.lifetime.penalty().into(),
            recent_penalty: did.penalty(settings).into(),
            usefulness: did.usefulness().into(),
            hallucination: did.hallucination().into(),
            evidence: did.evidence().into(),
            rejection: did.rejection().into(),
            level: did.level,
            is_remediated: did.level.is_remediated(),
            trust: did.trust(settings),
            streak: earned.streak,
            longest_streak: earned.longest_streak,
        }
    }
}

/// The profile of an agent (control-room 11.8), over all its models.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct ProfileInfo {
    /// Who.
    pub agent: AgentId,
    /// Credits from the beginning.
    pub lifetime: Credits,
    /// Credits in the session, chapter and act that goes on, or that was the last; none where there was none.
    pub periods: BTreeMap<Period, Credits>,
    /// Credits by reason.
    pub by_reason: BTreeMap<CreditReason, GivenCredits>,
    /// Citations that were verified.
    pub verification: RateInfo,
    /// Issues that were applied.
    pub application: RateInfo,
    /// Actions that were penalised.
    pub penalty: RateInfo,
    /// Verified citations, one after the other, until now.
    pub streak: u64,
    /// The longest such run.
    pub longest_streak: u64,
    /// How reliable it is with the model that it has now.
    pub tier: Tier,
    /// How closely it is looked at, with the model that it has now.
    pub level: WatchLevel,
    /// How far it is trusted, with the model that it has now.
    pub trust: AgentTrust,
    /// What it did with each model.
    pub models: Vec<ModelInfo>,
}

impl ProfileInfo {
    /// Of an agent of the roster, or of one that earned something once.
    pub(crate) fn of(rooms: &Rooms, agent: &AgentId, settings: &Settings) -> Option<Self> {
        let totals = &rooms.credit.totals;
        let earned = totals.records.get(agent);
        rooms.roster.agent(agent).map(drop).or_else(|| earned.map(drop))?;
        let StretchTally { credits, by_reason, .. } = totals.tally(agent, None);
        let all = totals.tally(agent, None);
        let current = totals.current(agent).cloned().unwrap_or_default();
        let did = rooms.reliability.current(agent).cloned().unwrap_or_default();
        let longest = earned.into_iter().flat_map(BTreeMap::values).map(|record| record.longest_streak).max();
        let begun = Period::ALL.iter().filter(|period| totals.open.has_begun(**period));
        let period = |period: &Period| (*period, totals.tally(agent, Some(*period)).credits);
        Some(Self {
            agent: agent.clone(),
            lifetime: credits,
            periods: begun.map(period).collect(),
            by_reason,
            verification: all.verification().into(),
            application: all.application().into(),
            penalty: all.penalty().into(),
            streak: current.streak,
            longest_streak: longest.unwrap_or(0),
            tier: totals.tier(agent, settings),
            level: did.level,
            trust: did.trust(settings),
            models: models(rooms, agent, settings),
        })
    }

    /// Of everybody in the roster, and of those who earned something once; the most credits first.
    pub(crate) fn all(rooms: &Rooms, settings: &Settings) -> Vec<Self> {
        let known = rooms.roster.agents.keys().chain(rooms.credit.totals.records.keys());
        let known: std::collections::BTreeSet<_> = known.collect();
        let mut all: Vec<_> = known.into_iter().filter_map(|agent| Self::of(rooms, agent, settings)).collect();
        all.sort_by_key(|profile| (std::cmp::Reverse(profile.lifetime), profile.agent.clone()));
        all
    }
}

fn models(rooms: &Rooms, agent: &AgentId, settings: &Settings) -> Vec<ModelInfo> {
    let earned = rooms.credit.totals.records.get(agent);
    let did = rooms.reliability.agents.get(agent).map(|agent| &agent.records);
    let names = did.into_iter().flat_map(BTreeMap::keys).chain(earned.into_iter().flat_map(BTreeMap::keys));
    let names: std::collections::BTreeSet<_> = names.collect();
    let info = |model: &ModelId| {
        let earned = earned.and_then(|records| records.get(model)).cloned().unwrap_or_default();
        let did = did.and_then(|records| records.get(model)).cloned().unwrap_or_default();
        ModelInfo::of(model, &earned, &did, settings)
    };
    names.into_iter().map(info).collect()
}

/// A goal (control-room 11.9).
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct GoalInfo {
    /// Its id.
    pub id: Box<str>,
    /// Whose it is; none: the team's.
    pub agent: Option<AgentId>,
    /// What is counted.
    pub metric: GoalMetric,
    /// How many there are.
    pub current: String,
    /// How many there should be.
    pub target: String,
    /// What those whose goal it is did since.
    pub actions: u64,
    /// Until when.
    pub deadline: Option<Deadline>,
    /// Who set it.
    pub set_by: AgentId,
    /// When.
    pub set_at: Timestamp,
    /// `open`, or how it ended.
    pub status: &'static str,
    /// In words.
    pub description: Box<str>,
}

impl GoalInfo {
    /// Of a goal.
    pub(crate) fn of(id: &str, goal: &CreditGoal) -> Self {
        let amount = |count: i64| match goal.metric {
            GoalMetric::TotalCredits => Credits::thousandths(count).to_string(),
            GoalMetric::VerifiedCitations
            | GoalMetric::IssuesResolved
            | GoalMetric::IssuesAppliedInWork
            | GoalMetric::ZeroPenalties
            | GoalMetric::DevilsAdvocateConsultations => count.to_string(),
        };
        Self {
            id: id.into(),
            agent: goal.agent.clone(),
            metric: goal.metric,
            current: amount(goal.current()),
            target: amount(goal.target),
            actions: goal.actions,
            deadline: goal.deadline,
            set_by: goal.set_by.clone(),
            set_at: goal.set_at,
            status: goal.ended.map_or("open", |ended| ended.how.as_str()),
            description: goal.description.clone(),
        }
    }

    /// On one line.
    pub(crate) fn line(&self) -> String {
        let whose = self.agent.as_ref().map_or("the team".to_owned(), ToString::to_string);
        let deadline = match self.deadline {
            Some(Deadline::End(end)) => format!(", until {end}"),
            Some(Deadline::Time(time)) => format!(", until {time}"),
            None => String::new(),
        };
        let text = if self.description.is_empty() { String::new() } else { format!(": {}", self.description) };
        let Self { status, metric, current, target, .. } = self;
        let progress = match metric {
            // It is as good as reached until something goes wrong; what counts is how much was done meanwhile.
            GoalMetric::ZeroPenalties => {
                format!("{} in {} actions", if current == "1" { "none" } else { "broken" }, self.actions)
            }
            GoalMetric::TotalCredits
            | GoalMetric::VerifiedCitations
            | GoalMetric::IssuesResolved
            | GoalMetric::IssuesAppliedInWork
            | GoalMetric::DevilsAdvocateConsultations => format!("{current} of {target}"),
        };
        format!("goal of {whose}, {status}: {metric}, {progress}{deadline}{text}")
    }

    /// Those that are open, the earliest first.
    pub(crate) fn open(rooms: &Rooms) -> Vec<Self> {
        rooms.credit.totals.goals.iter().map(|(id, goal)| Self::of(id, goal)).collect()
    }

    /// So many of those that ended, those that were set last first.
    pub(crate) fn ended(rooms: &Rooms, most: usize) -> Vec<Self> {
        rooms.credit.ended.first_by_rank(most).into_iter().map(|(id, goal)| Self::of(id, goal)).collect()
    }
}
