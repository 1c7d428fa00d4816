//! The board of the team: who leads, what all of them achieved, and the goals (control-room 11.10, 15.3).

use annals_sparse::sparse;
use serde::Serialize;

use super::GoalInfo;
use super::words::{self, counted};
use crate::domain::Rooms;
use crate::domain::credit::board::BoardPlace;
use crate::domain::credit::goal::{CreditGoal, GoalEnding};
use crate::domain::credit::profile::Tier;
use crate::domain::team::TeamReason;
use crate::kernel::credits::Credits;
use crate::kernel::id::AgentId;
use crate::kernel::period::Period;
use crate::kernel::settings::Settings;
use crate::kernel::time::Timestamp;

/// So many achievements and ended goals are shown.
const MOST: usize = 20;
/// And so many of the latest are looked through for them.
const LOOKED_AT: usize = 500;

/// Something that the team achieved.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct AchievementInfo {
    /// When.
    pub at: Timestamp,
    /// How many credits.
    pub credits: Credits,
    /// Why.
    pub reason: TeamReason,
    /// What it was about.
    pub about: Box<str>,
    /// Whose deed set it off.
    pub agent: Option<AgentId>,
}

/// A place on the board.
#[sparse]
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct PlaceInfo {
    /// Which place; those with equal credits share it.
    pub rank: usize,
    /// Who.
    pub agent: AgentId,
    /// How many credits.
    pub credits: Credits,
    /// For what most, in words.
    pub top_contribution: Option<String>,
    /// Verified citations, one after the other, until now.
    pub streak: u64,
    /// The badge: how reliable it is with the model that it has now.
    pub tier: Tier,
}

impl From<BoardPlace> for PlaceInfo {
    fn from(place: BoardPlace) -> Self {
        let BoardPlace { rank, agent, credits, top_contribution, streak, tier } = place;
        let top_contribution = top_contribution.map(|(reason, times)| counted(reason, times));
        Self { rank, agent, credits, top_contribution, streak, tier }
    }
}

/// The board of the team.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct Board {
    /// `session`, `chapter`, `act` or `lifetime`.
    pub period: &'static str,
    /// In what credits are counted here.
    pub amounts_in: &'static str,
    /// What the period is called, where one goes on or was.
    pub name: Option<Box<str>>,
    /// Who leads.
    pub entries: Vec<PlaceInfo>,
    /// Credits of all agents together.
    pub team_total: Credits,
    /// Credits of the team as a whole.
    pub team_credits: Credits,
    /// What the team achieved in it, the latest first.
    pub team_events: Vec<AchievementInfo>,
    /// Goals that are open.
    pub active_goals: Vec<GoalInfo>,
    /// Goals that were reached in it.
    pub achieved_goals: Vec<GoalInfo>,
    /// What earned the team most.
    pub top_team_achievement: Option<&'static str>,
    /// Who contributed most.
    pub mvp: Option<AgentId>,
    /// Whose share of penalised actions fell most since before the period.
    pub most_improved: Option<AgentId>,
}

impl Board {
    /// Of a period, or of all time.
    pub(crate) fn of(rooms: &Rooms, period: Option<Period>, settings: &Settings) -> Self {
        let totals = &rooms.credit.totals;
        let entries: Vec<PlaceInfo> = totals.board(period, settings).into_iter().map(PlaceInfo::from).collect();
        let span = PeriodSpan::of(rooms, period);
        let events = rooms.team.achievements.first_by_rank(LOOKED_AT).into_iter();
        let events = events.map(|(_, achievement)| achievement).filter(|achievement| span.holds(achievement.at));
        let team_events: Vec<_> = events.map(achieved_info).take(MOST).collect();
        // Over all time the reasons are counted; of a period the events are all there is.
        let top = match period {
            None => rooms.team.totals.by_reason.keys().copied().max_by_key(|reason| reason.default_amount()),
            Some(_) => team_events.iter().max_by_key(|event| event.credits).map(|event| event.reason),
        };
        Self {
            period: period.map_or("lifetime", Period::as_str),
            amounts_in: "thousandths",
            name: period.and_then(|period| Some(rooms.milestone.last(period)?.name.clone())),
            team_total: entries.iter().map(|place| place.credits).sum(),
            entries,
            team_credits: rooms.team.credits(period),
            team_events,
            active_goals: GoalInfo::open(rooms),
            achieved_goals: achieved(rooms, span),
            top_team_achievement: top.map(words::achieved),
            mvp: totals.mvp(period, settings),
            most_improved: period.and_then(|period| Some(totals.most_improved(period)?.0)),
        }
    }
}

/// From when until when a period goes, or went.
#[derive(Debug, Clone, Copy)]
struct PeriodSpan {
    from: Timestamp,
    until: Timestamp,
}

impl PeriodSpan {
    const NEVER: Self = Self { from: Timestamp::from_millis(i64::MAX), until: Timestamp::from_millis(i64::MIN) };
    const EVER: Self = Self { from: Timestamp::from_millis(i64::MIN), until: Timestamp::from_millis(i64::MAX) };

    fn of(rooms: &Rooms, period: Option<Period>) -> Self {
        let Some(period) = period else { return Self::EVER };
        let until = |ended: Option<Timestamp>| ended.unwrap_or(Self::EVER.until);
        let last = rooms.milestone.last(period);
        last.map_or(Self::NEVER, |last| Self { from: last.begun_at, until: until(last.ended_at) })
    }

    fn holds(self, at: Timestamp) -> bool {
        (self.from..=self.until).contains(&at)
    }
}

fn achieved(rooms: &Rooms, span: PeriodSpan) -> Vec<GoalInfo> {
    let is_of_it = |goal: &CreditGoal| {
        goal.ended.is_some_and(|ended| ended.how == GoalEnding::Achieved && span.holds(ended.entry.time()))
    };
    let ended = rooms.credit.ended.first_by_rank(LOOKED_AT).into_iter();
    ended.filter(|(_, goal)| is_of_it(goal)).map(|(id, goal)| GoalInfo::of(id, goal)).take(MOST).collect()
}

fn achieved_info(achievement: &crate::domain::team::state::Achievement) -> AchievementInfo {
    let awarded = &achievement.awarded;
    AchievementInfo {
        at: achievement.at,
        credits: awarded.amount,
        reason: awarded.reason,
        about: awarded.about.clone(),
        agent: awarded.agent.clone(),
    }
}
