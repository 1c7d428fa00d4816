//! The blind pass among the other rooms: who is asked, what waits for it, and how opinions come into the thread
//! (control-room 7.1, decision 40).

use std::collections::BTreeSet;

use super::Setting;
use super::refusal::Refusal;
use crate::domain::blind::event::Lost;
use crate::domain::blind::state::{OpinionFate, Pass};
use crate::domain::blind::{self, ENABLED, IMPACTS, ROLES};
use crate::domain::breaker::state::verdict_on_text;
use crate::domain::breaker::{self, Limits, judge_opinion};
use crate::domain::issue::event::{EpistemicChanged, OpinionRevealed};
use crate::domain::issue::{self, Issue};
use crate::domain::{Ask, Command, Event, Rooms, RoomsDecided};
use annals_kernel::actor::{Role, Standing};
use annals_kernel::decision::{self, Moment};
use annals_kernel::id::{AgentId, IssueId};
use annals_kernel::settings::Settings;

/// Who is asked where nobody is named: the active agents of the roles for it.
pub fn participants(rooms: &Rooms, settings: &Settings) -> BTreeSet<AgentId> {
    let roles = settings.get(&ROLES);
    let asked = rooms.roster.active().filter(|(_, agent)| roles.iter().any(|role| role == agent.role.as_str()));
    asked.map(|(id, _)| id.clone()).collect()
}

/// A pass is about an issue that goes on, and asks agents that are there. It is opened by the privileged, or by an agent
/// of the roles that are asked; only the privileged choose whom.
pub(super) fn opening(rooms: &Rooms, ask: &Ask, moment: &Moment<'_>) -> Option<RoomsDecided> {
    let Command::Blind(blind::Command::Open(open)) = &ask.command else { return None };
    let Some(issue) = rooms.issue.issue(&open.issue) else {
        return Some(Refusal::BlindUnknownIssue { issue: open.issue.clone() }.into());
    };
    if issue.is_meta() || issue.status.has_ended() {
        return Some(Refusal::BlindNothingToAsk { label: issue.label }.into());
    }
    let roles = moment.settings.get(&ROLES);
    let is_of_role = |role: &Role| roles.iter().any(|name| name == role.as_str());
    let may_open = match &moment.standing {
        Standing::Agent(role) => moment.standing.is_privileged() || is_of_role(role),
        Standing::User | Standing::System | Standing::Stranger => moment.standing.is_privileged(),
    };
    if !may_open {
        return Some(Refusal::BlindNotAnOpener { actor: moment.actor.clone(), roles }.into());
    }
    let is_there = |agent: &AgentId| rooms.roster.active().any(|(id, _)| id == agent);
    if let Some(agent) = open.participants.iter().find(|agent| !is_there(agent)) {
        return Some(Refusal::BlindNotAMember { agent: agent.clone() }.into());
    }
    let may_choose = moment.standing.is_privileged() || open.participants == participants(rooms, moment.settings);
    (!may_choose).then(|| Refusal::BlindNotPrivileged { actor: moment.actor.clone() }.into())
}

/// While a pass goes on, no agent speaks on its issue; and what would change much waits for one.
pub(super) fn waiting(rooms: &Rooms, ask: &Ask, moment: &Moment<'_>) -> Option<RoomsDecided> {
    let said = ask.command.said()?;
    if !moment.standing.is_agent() {
        return None;
    }
    let issue = rooms.issue.issue(said.issue())?;
    let pass = rooms.blind.pass(said.issue());
    if pass.is_some_and(Pass::is_open) {
        return Some(Refusal::BlindPassOpen { label: issue.label }.into());
    }
    let impact = said.impact();
    let waits = impact.is_some_and(|impact| moment.settings.get(&IMPACTS).contains(&impact));
    let is_due = moment.settings.get(&ENABLED) && waits && !issue.is_meta() && !pass.is_some_and(Pass::is_finished);
    is_due.then(|| Refusal::BlindPassNeeded { label: issue.label, impact }.into())
}

/// What the rules of words say to an opinion of an agent (control-room 3.2): what a comment may not say, no opinion may.
fn stopped(
    issue: &IssueId,
    agent: &AgentId,
    body: &str,
    limits: &Limits,
) -> Option<(breaker::Event, decision::Refusal)> {
    verdict_on_text(Some(issue), agent, judge_opinion(agent, body, limits))
}

/// Why the opinion of an agent that is asked would be worth nothing, before it is sealed: afterwards it has no second one.
/// The rules see its text only when it is revealed.
pub fn forewarned(
    rooms: &Rooms,
    issue: &IssueId,
    agent: &AgentId,
    body: &str,
    limits: &Limits,
) -> Option<decision::Refusal> {
    let is_asked = rooms.blind.pass(issue)?.awaited().any(|awaited| awaited == agent);
    let stopped = is_asked.then(|| stopped(issue, agent, body, limits)).flatten();
    stopped.map(|(_, refusal)| refusal)
}

/// An opinion that the rules of words stop comes into no thread and counts for nothing, and that is said.
pub(super) fn review(rooms: &Rooms, ask: &Ask, decided: RoomsDecided, moment: &Moment<'_>) -> RoomsDecided {
    let Command::Blind(blind::Command::Reveal(blind::command::Reveal { issue, agent })) = &ask.command else {
        return decided;
    };
    let is_in = decided.events.iter().any(|event| matches!(event, Event::Blind(blind::Event::Revealed(_))));
    let opinion = ask.observed::<blind::Observed>().opinion.filter(|_| is_in);
    // Its text is sealed until now, so that what no comment may say could otherwise come into the thread as support.
    let limits = rooms.breaker.limits(agent, moment.at, moment.settings);
    let stopped = opinion.and_then(|opinion| stopped(issue, agent, &opinion.body, &limits));
    let Some((rejected, _)) = stopped else { return decided };
    let lost = Lost { issue: issue.clone(), agent: agent.clone(), fate: OpinionFate::Rejected };
    RoomsDecided { events: vec![Event::Blind(lost.into()), rejected.into()], refusal: None }
}

/// An opinion that was revealed stands in the thread, and counts there as what others say does.
pub(super) fn thread(rooms: &Rooms, revealed: &blind::event::Revealed, _: &Setting<'_>) -> Vec<Event> {
    let (issue, agent, stance) = (revealed.issue.clone(), revealed.agent.clone(), revealed.stance);
    let moved = |row: &Issue| {
        let (from, to) = row.moved(&agent, stance)?;
        Some(EpistemicChanged { issue: issue.clone(), from, to }.into())
    };
    let moved: Option<issue::Event> = rooms.issue.issue(&issue).and_then(moved);
    let shown = OpinionRevealed { issue: issue.clone(), agent: agent.clone(), stance };
    std::iter::once(shown.into()).chain(moved).map(Event::Issue).collect()
}

/// An issue that ends needs no opinions any more.
pub(super) fn end(rooms: &Rooms, event: &issue::Event, _: &Setting<'_>) -> Vec<Event> {
    let issue: &IssueId = event.issue();
    let is_open = rooms.blind.pass(issue).is_some_and(Pass::is_open);
    is_open.then(|| Event::Blind(blind::event::Closed { issue: issue.clone() }.into())).into_iter().collect()
}
