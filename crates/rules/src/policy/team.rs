//! Goals as they are reached or their time is over, and what the team gets credit for, each cause once (control-room
//! 11.9, 14.4, 15.2).

use super::Setting;
use crate::domain::credit::event::{GoalAchieved, GoalMissed};
use crate::domain::credit::goal::{self, GoalEnding};
use crate::domain::credit::profile::{StretchTally, Tier};
use crate::domain::issue::status::IssueStatus;
use crate::domain::milestone::event::Ended;
use crate::domain::team::event::Awarded;
use crate::domain::team::{AMOUNTS, LEAST_ACTIONS, TeamReason};
use crate::domain::{Event, Rooms, milestone};
use annals_kernel::credits::Credits;
use annals_kernel::decision::Moment;
use annals_kernel::id::AgentId;
use annals_kernel::period::Period;

/// What a credit of the team is for.
#[derive(Debug, Clone, Copy)]
pub(super) struct For<'f> {
    /// The id of what counts once.
    pub cause: &'f str,
    /// What that is called.
    pub about: &'f str,
    /// Whose deed set it off.
    pub agent: Option<&'f AgentId>,
}

/// Credits for the team, unless the cause has counted for this reason.
pub(super) fn give(rooms: &Rooms, moment: &Moment<'_>, reason: TeamReason, what: For<'_>) -> Option<Event> {
    if rooms.team.has(reason, what.cause) {
        return None;
    }
    let amount = moment.settings.get(&AMOUNTS).get(&reason).copied().unwrap_or_else(|| reason.default_amount());
    let awarded = Awarded {
        amount: Credits::whole(amount),
        reason,
        cause: what.cause.into(),
        about: what.about.into(),
        agent: what.agent.cloned(),
    };
    Some(Event::Team(awarded.into()))
}

/// A milestone that ends.
fn ended(event: &Event) -> Option<&Ended> {
    let Event::Milestone(milestone::Event::Ended(ended)) = event else { return None };
    Some(ended)
}

/// Goals that are reached, and those whose time is over; the time is looked at whenever anything happens.
pub(super) fn goals(rooms: &Rooms, event: &Event, setting: &Setting<'_>) -> Vec<Event> {
    let (over, now) = (ended(event).map(|ended| ended.kind), setting.moment.at);
    let least = setting.moment.settings.get(&goal::LEAST_ACTIONS);
    let goals = rooms.credit.totals.goals.iter();
    let ending = goals.filter_map(|(id, goal)| Some((id.clone(), goal, goal.ending(over, now, least)?)));
    let event = |(id, goal, how): (Box<str>, &goal::CreditGoal, GoalEnding)| match how {
        GoalEnding::Achieved => {
            Event::Credit(GoalAchieved { goal: id, agent: goal.agent.clone(), current: goal.current() }.into())
        }
        GoalEnding::Missed | GoalEnding::Dropped => {
            Event::Credit(GoalMissed { goal: id, current: goal.current() }.into())
        }
    };
    ending.map(event).collect()
}

/// A goal of the team was reached.
pub(super) fn goal_reached(rooms: &Rooms, goal: &GoalAchieved, setting: &Setting<'_>) -> Vec<Event> {
    if goal.agent.is_some() {
        return Vec::new();
    }
    let known = rooms.credit.ended.get(&goal.goal);
    let about = known.map_or("", |goal| goal.metric.as_str());
    let what = For { cause: &goal.goal, about, agent: None };
    give(rooms, setting.moment, TeamReason::GoalAchieved, what).into_iter().collect()
}

/// A session, chapter or act ended.
pub(super) fn milestone_reached(rooms: &Rooms, ended: &Ended, setting: &Setting<'_>) -> Vec<Event> {
    let (moment, what) = (setting.moment, For { cause: &ended.milestone, about: &ended.name, agent: None });
    if actions(rooms, ended.kind) < moment.settings.get(&LEAST_ACTIONS) {
        return Vec::new();
    }
    let reasons = [
        (ended.kind == Period::Session && is_without_penalty(rooms)).then_some(TeamReason::ZeroPenalties),
        (ended.kind == Period::Chapter && !has_frozen(rooms, ended)).then_some(TeamReason::CleanChapter),
        is_all_gold(rooms, moment).then_some(TeamReason::AllGold),
    ];
    reasons.into_iter().flatten().filter_map(|reason| give(rooms, moment, reason, what)).collect()
}

/// What all agents did in a period.
fn tallies(rooms: &Rooms, period: Period) -> impl Iterator<Item = StretchTally> {
    let totals = &rooms.credit.totals;
    totals.records.keys().map(move |agent| totals.tally(agent, Some(period)))
}

/// Where nothing happens nothing goes wrong: that earns nothing.
fn actions(rooms: &Rooms, period: Period) -> u64 {
    tallies(rooms, period).map(|tally| tally.actions).sum()
}

/// No action of the session was penalised (control-room 15.2).
fn is_without_penalty(rooms: &Rooms) -> bool {
    tallies(rooms, Period::Session).all(|tally| tally.penalised == 0)
}

/// Whether an issue of the chapter is frozen; where none says to which chapter it belongs, all of them do.
fn has_frozen(rooms: &Rooms, ended: &Ended) -> bool {
    let frozen = rooms.issue.totals.by_status.get(&IssueStatus::Frozen).copied().unwrap_or(0);
    if frozen == 0 {
        return false;
    }
    let tag = format!("#{}-{}", ended.kind, ended.name);
    let of_it = || rooms.issue.issues.iter().map(|(_, issue)| issue).filter(|issue| issue.tags.contains(tag.as_str()));
    of_it().next().is_none() || of_it().any(|issue| issue.status == IssueStatus::Frozen)
}

fn is_all_gold(rooms: &Rooms, moment: &Moment<'_>) -> bool {
    let tier = |agent| rooms.credit.totals.tier(agent, moment.settings);
    let mut agents = rooms.roster.active().map(|(agent, _)| agent).peekable();
    agents.peek().is_some() && agents.all(|agent| tier(agent) == Tier::Gold)
}
