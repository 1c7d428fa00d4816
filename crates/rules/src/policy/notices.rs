//! Who hears of what: a frozen issue, a devil's advocate that cannot be found, what the moderator hands on to the user
//! (control-room 3.3, 9.1, 9.3).

use super::Setting;
use crate::domain::cognition::event::ModeConcluded;
use crate::domain::cognition::trigger::TriggerPriority;
use crate::domain::issue::event::Frozen;
use crate::domain::notice::{Matter, NoticeLevel, Posted};
use crate::domain::roster::command::Duty;
use crate::domain::roster::health::{MODE, SwarmMode};
use crate::domain::{Command, Event, Rooms, issue, roster};
use annals_kernel::actor::{Role, USER};
use annals_kernel::id::{AgentId, IssueId};

/// A notice, as an event of the room of notices.
pub(super) fn post(to: &AgentId, level: NoticeLevel, matter: Matter, about: Option<&IssueId>) -> Event {
    let (title, body) = Default::default();
    Event::Notice(Posted { to: to.clone(), level, matter: Some(matter), title, body, about: about.cloned() }.into())
}

/// The one who watches over the swarm; where nobody does, whoever comes to do it, and over one agent alone the user
/// (decision 60).
pub(super) fn moderator(rooms: &Rooms) -> AgentId {
    let is_a_swarm = rooms.roster.active().nth(1).is_some();
    let nobody = || AgentId::from(if is_a_swarm { Role::Moderator.as_str() } else { USER });
    rooms.roster.first_of(&Role::Moderator).cloned().unwrap_or_else(nobody)
}

/// A second agent takes part: what held for one alone holds no more, and the user hears what is needed now (decision 60).
pub(super) fn of_second_agent(rooms: &Rooms, changed: &roster::event::Changed, setting: &Setting<'_>) -> Vec<Event> {
    let is_second = rooms.roster.active().count() == 2 && joins(&setting.ask.command);
    if !is_second || changed.to.duty != Duty::Active || setting.moment.settings.get(&MODE) != SwarmMode::Solo {
        return Vec::new();
    }
    let is_ready = rooms.roster.health(setting.moment.settings).is_ok();
    let level = if is_ready { NoticeLevel::Info } else { NoticeLevel::Warning };
    vec![post(&AgentId::from(USER), level, Matter::Swarm, None)]
}

/// Whether a command lets an agent take part.
fn joins(command: &Command) -> bool {
    let Command::Roster(command) = command else { return false };
    match command {
        roster::Command::Add(_) => true,
        roster::Command::Change(change) => change.duty == Some(Duty::Active),
        roster::Command::Seal(_) => false,
    }
}

/// An issue was frozen: the user and the moderator hear of it, but for the one who froze it.
pub(super) fn of_freeze(rooms: &Rooms, frozen: &Frozen, setting: &Setting<'_>) -> Vec<Event> {
    let Frozen { issue, reason, until } = frozen;
    if rooms.issue.issue(issue).is_none() {
        return Vec::new();
    }
    let matter = Matter::Freeze { reason: reason.clone(), until: *until };
    let is_asked_for = matches!(setting.ask.command, Command::Issue(issue::Command::Freeze(_)));
    let asked = |to: &AgentId| is_asked_for && *to == setting.moment.actor;
    let mut all = vec![AgentId::from(USER), moderator(rooms)];
    all.dedup();
    let others = all.iter().filter(|to| !asked(to));
    others.map(|to| post(to, NoticeLevel::Warning, matter.clone(), Some(issue))).collect()
}

/// More kinds are not named.
const MOST_KINDS: usize = 3;

/// An analysis has found something: the user hears of it, once for a look. What found nothing is an entry, and no notice.
pub(super) fn of_conclusion(rooms: &Rooms, concluded: &ModeConcluded, _: &Setting<'_>) -> Vec<Event> {
    if concluded.total == 0 {
        return Vec::new();
    }
    let firing = rooms.cognition.mind(concluded.session.as_str()).and_then(|mind| mind.firing(concluded.firing));
    let is_urgent = firing.is_some_and(|firing| firing.priority >= TriggerPriority::High);
    let level = if is_urgent { NoticeLevel::Warning } else { NoticeLevel::Info };
    let mut kinds: Vec<Box<str>> = Vec::new();
    for found in &concluded.found {
        if kinds.len() < MOST_KINDS && !kinds.contains(&found.kind) {
            kinds.push(found.kind.clone());
        }
    }
    let matter = Matter::Analysis {
        session: concluded.session.clone(),
        trigger: concluded.trigger.clone(),
        mode: concluded.mode.as_str().into(),
        total: concluded.total,
        kinds,
    };
    vec![post(&AgentId::from(USER), level, matter, None)]
}
