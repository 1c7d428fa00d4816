//! The board of the team: who leads, what all of them achieved, and the goals (control-room 11.10, 15.3).

use serde::Serialize;

use super::GoalInfo;
use crate::domain::Rooms;
use crate::domain::credit::board::Place;
use crate::domain::team::Reason;
use crate::kernel::credits::Credits;
use crate::kernel::id::AgentId;
use crate::kernel::period::Period;
use crate::kernel::settings::Settings;
use crate::kernel::time::Timestamp;

/// So many achievements and ended goals are shown.
const MOST: usize = 20;

/// Something that the team achieved.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct AchievementInfo {
    /// When.
    pub at: Timestamp,
    /// How many credits.
    pub credits: Credits,
    /// Why.
    pub reason: Reason,
    /// What it was about.
    pub about: Box<str>,
    /// Whose deed set it off.
    pub agent: Option<AgentId>,
}

/// The board of the team.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Board {
    /// `session`, `chapter`, `act` or `lifetime`.
    pub period: &'static str,
    /// In what credits are counted here.
    pub amounts_in: &'static str,
    /// What the period is called, where one goes on or was.
    pub name: Option<Box<str>>,
    /// Who leads.
    pub entries: Vec<Place>,
    /// Credits of all agents together.
    pub team_total: Credits,
    /// Credits of the team as a whole.
    pub team_credits: Credits,
    /// What the team achieved last, over all periods.
    pub team_events: Vec<AchievementInfo>,
    /// Goals that are open.
    pub active_goals: Vec<GoalInfo>,
    /// Goals that were reached.
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
    pub fn of(rooms: &Rooms, period: Option<Period>, settings: &Settings) -> Self {
        let totals = &rooms.credit.totals;
        let entries = totals.board(period, settings);
        let events = rooms.team.achievements.first_by_rank(MOST);
        let top = rooms.team.totals.by_reason.keys().max_by_key(|reason| reason.default_amount());
        let mut achieved = GoalInfo::ended(rooms, MOST);
        achieved.retain(|goal| goal.status == "achieved");
        Self {
            period: period.map_or("lifetime", Period::as_str),
            amounts_in: "thousandths",
            name: period.and_then(|period| Some(rooms.milestone.last(period)?.name.clone())),
            team_total: entries.iter().map(|place| place.credits).sum(),
            entries,
            team_credits: rooms.team.credits(period),
            team_events: events.into_iter().map(|(_, achievement)| achieved_info(achievement)).collect(),
            active_goals: GoalInfo::open(rooms),
            achieved_goals: achieved,
            top_team_achievement: top.map(|reason| reason.meaning()),
            mvp: totals.mvp(period, settings),
            most_improved: period.and_then(|period| Some(totals.most_improved(period)?.0)),
        }
    }
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
