//! Up and down the ladder as penalties come and stay away, and who hears of it (control-room 12.2; decision 18).

use std::collections::BTreeSet;

use super::Setting;
use super::breakers::raise;
use super::notices::post;
use crate::domain::credit::event::Awarded;
use crate::domain::issue::meta::{META_TAG, Meta};
use crate::domain::notice::{Matter, NoticeLevel as Notice};
use crate::domain::reliability::WatchLevel;
use crate::domain::reliability::event::LevelChanged;
use crate::domain::{Event, Rooms};
use annals_kernel::actor::USER;
use annals_kernel::id::AgentId;

/// An agent did something, or was stopped.
pub(super) fn acted<E>(rooms: &Rooms, _: &E, setting: &Setting<'_>) -> Vec<Event> {
    step(rooms, &setting.moment.actor, setting)
}

/// Credits were given to an agent, or taken from it.
pub(super) fn awarded(rooms: &Rooms, awarded: &Awarded, setting: &Setting<'_>) -> Vec<Event> {
    step(rooms, &awarded.agent, setting)
}

/// One step an entry, with the model that the agent has now. Stands behind the policies that take credits.
fn step(rooms: &Rooms, id: &AgentId, setting: &Setting<'_>) -> Vec<Event> {
    let change = || {
        let agent = rooms.reliability.agents.get(id)?;
        let model = agent.model.as_ref().filter(|_| agent.changed_in != Some(setting.moment.id))?;
        let record = agent.records.get(model)?;
        let (from, to) = (record.level, record.due(setting.moment.settings));
        let penalty = record.penalty(setting.moment.settings);
        (from != to).then(|| LevelChanged { agent: id.clone(), model: model.clone(), from, to, penalty })
    };
    change().map(|changed| Event::Reliability(changed.into())).into_iter().collect()
}

/// The moderator hears of an agent on watch, the user of one that is flagged.
pub(super) fn tell(rooms: &Rooms, changed: &LevelChanged, setting: &Setting<'_>) -> Vec<Event> {
    if changed.to < changed.from {
        return Vec::new();
    }
    let assignee = match changed.to {
        WatchLevel::Watch => None,
        WatchLevel::Flagged => Some(AgentId::from(USER)),
        WatchLevel::Normal | WatchLevel::Remediation => return Vec::new(),
    };
    let LevelChanged { agent, model, to, penalty, .. } = changed.clone();
    let (level, penalties, actions) = (Box::<str>::from(to.as_str()), penalty.count, penalty.of);
    let tags: BTreeSet<Box<str>> = [META_TAG.into(), "#reliability".into(), format!("#{to}").into()].into();
    let (of, with, at) = (agent.clone(), model.clone(), level.clone());
    let meta = Meta::Reliability { agent: of, model: with, level: at, penalties, actions };
    let mut raised = raise(rooms, setting.moment, tags, meta);
    raised.assignee = assignee.unwrap_or(raised.assignee);
    let matter = Matter::Reliability { agent, model, level, penalties, actions };
    let notice = post(&raised.assignee, Notice::Warning, matter, Some(&raised.issue));
    vec![Event::Issue(raised.into()), notice]
}
