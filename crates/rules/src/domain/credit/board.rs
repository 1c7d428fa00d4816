//! Who leads (control-room 11.10, 15.3).

use std::cmp::Reverse;

use super::profile::Tier;
use super::reason::CreditReason;
use super::state::Totals;
use annals_kernel::credits::Credits;
use annals_kernel::id::AgentId;
use annals_kernel::period::Period;
use annals_kernel::settings::Settings;

/// A place on a leaderboard.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BoardPlace {
    /// Which place; those with equal credits share it.
    pub rank: usize,
    /// Who.
    pub agent: AgentId,
    /// How many credits.
    pub credits: Credits,
    /// For what most, and how often.
    pub top_contribution: Option<(CreditReason, u64)>,
    /// Verified citations, one after the other, until now.
    pub streak: u64,
    /// The badge: how reliable it is with the model that it has now.
    pub tier: Tier,
}

impl Totals {
    /// The leaderboard of a period, or of all time: those who did anything in it, the most credits first.
    pub fn board(&self, period: Option<Period>, settings: &Settings) -> Vec<BoardPlace> {
        let rows = self.records.keys().map(|agent| (agent, self.tally(agent, period)));
        let mut rows: Vec<_> = rows.filter(|(_, tally)| tally.actions > 0 || !tally.by_reason.is_empty()).collect();
        rows.sort_by_key(|(agent, tally)| (Reverse(tally.credits), *agent));
        let place = |credits| 1 + rows.iter().filter(|(_, other)| other.credits > credits).count();
        let entry = |(agent, tally): &(&AgentId, super::profile::StretchTally)| BoardPlace {
            rank: place(tally.credits),
            agent: (*agent).clone(),
            credits: tally.credits,
            top_contribution: tally.top().map(|(reason, given)| (reason, given.times)),
            streak: self.current(agent).map_or(0, |record| record.streak),
            tier: self.tier(agent, settings),
        };
        rows.iter().map(entry).collect()
    }

    /// Who contributed most: the first of the leaderboard, if anybody earned anything.
    pub fn mvp(&self, period: Option<Period>, settings: &Settings) -> Option<AgentId> {
        let first = self.board(period, settings).into_iter().next()?;
        (first.credits > Credits::ZERO).then_some(first.agent)
    }

    /// Whose share of penalised actions fell most since before the period, and by how many thousandths.
    pub fn most_improved(&self, period: Period) -> Option<(AgentId, u64)> {
        let better = self.records.keys().filter_map(|agent| Some((agent.clone(), self.improved(agent, period)?)));
        better.filter(|(_, by)| *by > 0).max_by_key(|(agent, by)| (*by, Reverse(agent.clone())))
    }

    fn improved(&self, agent: &AgentId, period: Period) -> Option<u64> {
        let (all, now) = (self.tally(agent, None), self.tally(agent, Some(period)));
        let before = super::profile::StretchTally {
            actions: all.actions - now.actions,
            penalised: all.penalised - now.penalised,
            ..super::profile::StretchTally::default()
        };
        Some(before.penalty().thousandths()?.saturating_sub(now.penalty().thousandths()?))
    }
}
