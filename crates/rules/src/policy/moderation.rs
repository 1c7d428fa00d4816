//! The moderator's actions among the other rooms (control-room 2.4, 9.3): what a frozen tag and an agent's freedom
//! refuse, what becomes of issues that are joined, who hears of an escalation, and who is helped without being asked.

use std::collections::BTreeSet;

use super::breakers::raise;
use super::notices::post;
use super::refusal::Refusal;
use super::{EventSource, Setting};
use crate::domain::issue::event::{Closed, CommentAdded, EpistemicChanged, Linked, Raised};
use crate::domain::issue::meta::Meta;
use crate::domain::issue::status::{EpistemicStatus, LinkKind};
use crate::domain::issue::{self, Issue};
use crate::domain::moderation::command::Consolidate;
use crate::domain::moderation::event::{Assisted, Escalated, Unassisted};
use crate::domain::moderation::state::{AssistTrigger, Assistance, Freedom};
use crate::domain::moderation::{self, ASSIST_AFTER, ASSIST_SLICES, ASSIST_UNTIL};
use crate::domain::notice::{Matter, NoticeLevel};
use crate::domain::reliability::AgentTrust;
use crate::domain::{Ask, Command, Event, Rooms, RoomsDecided, breaker};
use annals_kernel::actor::USER;
use annals_kernel::decision::Moment;
use annals_kernel::fold;
use annals_kernel::grounding::Impact;
use annals_kernel::id::{AgentId, IssueId};
use annals_kernel::settings::Settings;

/// What the moderator names must be there.
pub(super) fn known(rooms: &Rooms, ask: &Ask, _: &Moment<'_>) -> Option<RoomsDecided> {
    let Command::Moderation(command) = &ask.command else { return None };
    match command {
        moderation::Command::Adjust(adjust) => is_an_agent(rooms, &adjust.agent),
        moderation::Command::Assist(assist) => is_an_agent(rooms, &assist.agent),
        moderation::Command::Escalate(escalate) => is_an_issue(rooms, &escalate.issue).err(),
        moderation::Command::Consolidate(consolidate) => {
            consolidate.issues.iter().find_map(|id| goes_on(rooms, id).err())
        }
        moderation::Command::FreezeTag(_)
        | moderation::Command::UnfreezeTag(_)
        | moderation::Command::Unassist(_)
        | moderation::Command::Remember(_)
        | moderation::Command::Record(_) => None,
    }
}

fn is_an_agent(rooms: &Rooms, agent: &AgentId) -> Option<RoomsDecided> {
    let unknown = || Refusal::ModerationUnknownAgent { agent: agent.clone() }.into();
    rooms.roster.agent(agent).is_none().then(unknown)
}

fn is_an_issue<'r>(rooms: &'r Rooms, id: &IssueId) -> Result<&'r Issue, RoomsDecided> {
    let unknown = || Refusal::ModerationUnknownIssue { issue: id.clone() }.into();
    rooms.issue.issue(id).ok_or_else(unknown)
}

fn goes_on(rooms: &Rooms, id: &IssueId) -> Result<(), RoomsDecided> {
    let issue = is_an_issue(rooms, id)?;
    if !issue.status.has_ended() {
        return Ok(());
    }
    Err(Refusal::ModerationIssueEnded { label: issue.label, status: issue.status }.into())
}

/// A frozen tag takes no new issues; those who can unfreeze it may go on.
pub(super) fn frozen_tag(rooms: &Rooms, ask: &Ask, moment: &Moment<'_>) -> Option<RoomsDecided> {
    let Command::Issue(command) = &ask.command else { return None };
    let tags = match command {
        issue::Command::Open(open) => &open.tags,
        issue::Command::Edit(edit) => &edit.tags,
        issue::Command::Comment(_)
        | issue::Command::Resolve(_)
        | issue::Command::Close(_)
        | issue::Command::Reopen(_)
        | issue::Command::Freeze(_)
        | issue::Command::Unfreeze(_)
        | issue::Command::Link(_)
        | issue::Command::Unlink(_)
        | issue::Command::Mark(_)
        | issue::Command::Start(_)
        | issue::Command::Read(_) => return None,
    };
    if moment.standing.is_privileged() {
        return None;
    }
    let moderation = &rooms.moderation;
    let tag = tags.iter().find_map(|tag| moderation.frozen_as(&fold::tag(tag)))?;
    let why = moderation.frozen_tags.get(tag)?;
    Some(Refusal::TagFrozen { tag: tag.into(), reason: why.reason.clone() }.into())
}

/// Whether an agent may approve alone what changes little: the moderator says so, or its record does (control-room 8.2,
/// 9.3).
fn may_approve_alone(rooms: &Rooms, agent: &AgentId, settings: &Settings) -> bool {
    match rooms.moderation.freedom_of(agent) {
        Freedom::Trusted => true,
        Freedom::Normal => trust(rooms, agent, settings) == AgentTrust::High,
        Freedom::Restricted => false,
    }
}

fn trust(rooms: &Rooms, agent: &AgentId, settings: &Settings) -> AgentTrust {
    rooms.reliability.current(agent).map_or(AgentTrust::Normal, |record| record.trust(settings))
}

/// What says how much it would change is not decided by one agent alone, unless it is little and the agent trusted; and
/// nothing is that comes from an agent of low trust, or is decided by one (control-room 8.2). What is contested is for the
/// user or a lead, whatever anybody says that it would change.
pub(super) fn approval(rooms: &Rooms, ask: &Ask, moment: &Moment<'_>) -> Option<RoomsDecided> {
    let Command::Issue(issue::Command::Resolve(resolve)) = &ask.command else { return None };
    let actor = &moment.actor;
    let contested = rooms.issue.issue(&resolve.issue).filter(|issue| issue.is_contested());
    if let Some(issue) = contested.filter(|_| !moment.standing.is_lead()) {
        let (support, oppose) = issue.voters();
        let (actor, label) = (actor.clone(), issue.label);
        return Some(Refusal::Contested { actor, label, support: support.len(), oppose: oppose.len() }.into());
    }
    if moment.standing.is_privileged() {
        return None;
    }
    if rooms.moderation.freedom_of(actor) == Freedom::Restricted {
        return Some(Refusal::Restricted { actor: actor.clone() }.into());
    }
    let issue = rooms.issue.issue(&resolve.issue)?;
    if issue.voters().0.into_iter().any(|voter| voter != actor) {
        return None;
    }
    let mut deciders = [actor, &issue.author].into_iter();
    if let Some(doubted) = deciders.find(|agent| trust(rooms, agent, moment.settings) == AgentTrust::Low) {
        return Some(Refusal::LowTrust { agent: doubted.clone(), label: issue.label }.into());
    }
    let impact = issue.impact?;
    if impact <= Impact::Minor && may_approve_alone(rooms, actor, moment.settings) {
        return None;
    }
    Some(Refusal::NotAlone { actor: actor.clone(), label: issue.label, impact }.into())
}

/// The user hears what is to be decided.
pub(super) fn escalate(rooms: &Rooms, escalated: &Escalated, _: &Setting<'_>) -> Vec<Event> {
    let Escalated { issue, summary } = escalated;
    let matter = || Matter::Escalation { summary: summary.clone() };
    let known = rooms.issue.issue(issue).into_iter();
    known.map(|_| post(&AgentId::from(USER), NoticeLevel::Critical, matter(), Some(issue))).collect()
}

/// Issues become one: a draft with all their tags, of which they are closed parts.
pub(super) fn consolidate(rooms: &Rooms, joined: &Consolidate, setting: &Setting<'_>) -> Vec<Event> {
    let raised = opened(rooms, joined, setting);
    let new = raised.issue.clone();
    let mut events: Vec<issue::Event> = vec![raised.into()];
    events.push(
        EpistemicChanged { issue: new.clone(), from: EpistemicStatus::Agreed, to: EpistemicStatus::Draft }.into(),
    );
    for issue in &joined.issues {
        events.push(Linked { issue: issue.clone(), kind: LinkKind::Parent, to: new.clone() }.into());
        events.push(Closed { issue: issue.clone() }.into());
    }
    events.into_iter().map(Event::Issue).collect()
}

fn opened(rooms: &Rooms, joined: &Consolidate, setting: &Setting<'_>) -> Raised {
    let issues: Vec<&Issue> = joined.issues.iter().filter_map(|id| rooms.issue.issue(id)).collect();
    let tags: BTreeSet<_> = issues.iter().flat_map(|issue| issue.tags.iter().cloned()).collect();
    let meta = Meta::Joined { from: joined.issues.clone(), body: joined.body.trim().into() };
    let mut raised = raise(rooms, setting.moment, tags, meta);
    raised.title.clone_from(&joined.title);
    raised.priority = issues.iter().map(|issue| issue.priority).max().unwrap_or_default();
    raised
}

/// An agent that is stopped again and again works in smaller portions.
pub(super) fn assist(rooms: &Rooms, stopped: &breaker::Event, setting: &Setting<'_>) -> Vec<Event> {
    let (moderation, settings) = (&rooms.moderation, setting.moment.settings);
    let (agent, after) = (stopped.agent().clone(), settings.get(&ASSIST_AFTER));
    let stops = moderation.streaks.get(&agent).copied().unwrap_or_default().stops;
    let is_due = after > 0 && stops >= after && !moderation.assisted.contains_key(&agent);
    let (trigger, slices) = (AssistTrigger::StoppedComments, settings.get(&ASSIST_SLICES));
    let begun = Assisted { agent, trigger, reason: Box::default(), stops: Some(stops), slices };
    is_due.then(|| Event::Moderation(begun.into())).into_iter().collect()
}

/// It does so until it is not stopped any more.
pub(super) fn unassist(rooms: &Rooms, _: &CommentAdded, setting: &Setting<'_>) -> Vec<Event> {
    let (moderation, agent) = (&rooms.moderation, setting.moment.actor.clone());
    let by_itself = |assistance: &Assistance| assistance.trigger == AssistTrigger::StoppedComments;
    let passes = moderation.streaks.get(&agent).copied().unwrap_or_default().passes;
    let is_over =
        moderation.assisted.get(&agent).is_some_and(by_itself) && passes >= setting.moment.settings.get(&ASSIST_UNTIL);
    is_over.then(|| Event::Moderation(Unassisted { agent }.into())).into_iter().collect()
}

/// An agent was stopped.
pub(super) fn stopped(rooms: &mut Rooms, stopped: &breaker::Event, _: &EventSource<'_>) {
    rooms.moderation.stopped(stopped.agent());
}

/// A comment of an agent was taken.
pub(super) fn passed(rooms: &mut Rooms, _: &CommentAdded, from: &EventSource<'_>) {
    if from.actor.as_str() != USER {
        rooms.moderation.passed(from.actor);
    }
}
