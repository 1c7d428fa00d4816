//! Up and down the ladder as penalties come and stay away, and who hears of it (control-room 12.2; decision 18).

use std::collections::BTreeSet;

use super::Setting;
use super::breakers::raise;
use super::notices::post;
use crate::domain::issue::meta::{META_TAG, Meta};
use crate::domain::notice::Level as Notice;
use crate::domain::reliability::event::LevelChanged;
use crate::domain::reliability::{self, Level};
use crate::domain::{Event, Rooms, credit};
use crate::kernel::actor::USER;
use crate::kernel::id::AgentId;

/// Whose record an event may have changed.
fn concerned<'e>(event: &'e Event, setting: &'e Setting<'_>) -> Option<&'e AgentId> {
    match event {
        Event::Credit(credit::Event::Awarded(awarded)) => Some(&awarded.agent),
        Event::Issue(_) | Event::Breaker(_) => Some(&setting.moment.actor),
        Event::Session(_)
        | Event::Access(_)
        | Event::Config(_)
        | Event::Erasure(_)
        | Event::Roster(_)
        | Event::Canon(_)
        | Event::Milestone(_)
        | Event::Credit(_)
        | Event::Reliability(_)
        | Event::Team(_)
        | Event::Notice(_)
        | Event::Advocate(_)
        | Event::Blind(_)
        | Event::Moderation(_)
        | Event::Topic(_)
        | Event::Knowledge(_) => None,
    }
}

/// One step an entry, with the model that the agent has now. Stands behind the policies that take credits.
pub(super) fn step(rooms: &Rooms, event: &Event, setting: &Setting<'_>) -> Vec<Event> {
    let change = || {
        let id = concerned(event, setting)?;
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
pub(super) fn tell(rooms: &Rooms, event: &Event, setting: &Setting<'_>) -> Vec<Event> {
    let Event::Reliability(reliability::Event::LevelChanged(changed)) = event else { return Vec::new() };
    if changed.to < changed.from {
        return Vec::new();
    }
    let LevelChanged { agent, model, penalty, .. } = changed;
    let fact = format!(
        "{agent}, with the model {model}, was penalised for {} of its last {} actions.",
        penalty.count, penalty.of
    );
    let (title, body, assignee) = match changed.to {
        Level::Watch => (format!("[Reliability] {agent} is on watch"), format!("{fact} Look at what it does."), None),
        Level::Flagged => (
            format!("[Reliability] {agent} is flagged"),
            format!(
                "{fact} Another model may serve better: `annals agent edit {agent} --model MODEL`. Its record with this one is kept."
            ),
            Some(AgentId::from(USER)),
        ),
        Level::Normal | Level::Remediation => return Vec::new(),
    };
    let tags: BTreeSet<Box<str>> = [META_TAG.into(), "#reliability".into(), format!("#{}", changed.to).into()].into();
    let mut raised = raise(rooms, setting.moment, &title, tags, Meta::Note { about: None, body: body.into() });
    raised.assignee = assignee.unwrap_or(raised.assignee);
    let notice = post(&raised.assignee, Notice::Warning, &title, &fact, Some(&raised.issue));
    vec![Event::Issue(raised.into()), notice]
}
