//! Who hears of what: a frozen issue, a devil's advocate that cannot be found, what the moderator hands on to the user
//! (control-room 3.3, 9.1, 9.3).

use super::Setting;
use crate::domain::notice::{Level, Posted};
use crate::domain::{Command, Event, Rooms, issue};
use crate::kernel::actor::{Role, USER};
use crate::kernel::id::{AgentId, IssueId};

/// A notice, as an event of the room of notices.
pub(super) fn post(to: &AgentId, level: Level, title: &str, body: &str, about: Option<&IssueId>) -> Event {
    let (title, body) = (title.into(), body.into());
    Event::Notice(Posted { to: to.clone(), level, title, body, about: about.cloned() }.into())
}

/// The one who watches over the swarm; where nobody does, whoever comes to do it.
pub(super) fn moderator(rooms: &Rooms) -> AgentId {
    let first = rooms.roster.first_of(&Role::Moderator).cloned();
    first.unwrap_or_else(|| AgentId::from(Role::Moderator.as_str()))
}

/// An issue was frozen: the user and the moderator hear of it, but for the one who froze it.
pub(super) fn of_freeze(rooms: &Rooms, event: &Event, setting: &Setting<'_>) -> Vec<Event> {
    let Event::Issue(issue::Event::Frozen(frozen)) = event else { return Vec::new() };
    let Some(issue) = rooms.issue.issue(&frozen.issue) else { return Vec::new() };
    let title = format!("issue #{} is frozen: {}", issue.label, frozen.reason);
    let body = format!("{}: nobody else goes on with it before {}", issue.title, frozen.until);
    let is_asked_for = matches!(setting.ask.command, Command::Issue(issue::Command::Freeze(_)));
    let asked = |to: &AgentId| is_asked_for && *to == setting.moment.actor;
    let all = [AgentId::from(USER), moderator(rooms)];
    let others = all.iter().filter(|to| !asked(to));
    others.map(|to| post(to, Level::Warning, &title, &body, Some(&frozen.issue))).collect()
}
