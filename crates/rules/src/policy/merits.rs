//! What is earned beyond citations: a contradiction kept out of canon, a proposal that went through dissent, dissent
//! that was heeded (control-room 11.5, 14.4, 15.1).

use super::Setting;
use super::credits::{give, has_paid};
use super::team::{self, For};
use crate::domain::advocate::state::Assignment;
use crate::domain::credit::CreditReason;
use crate::domain::credit::command::AwardSubject;
use crate::domain::credit::formula::QuoteFinding;
use crate::domain::issue::Issue;
use crate::domain::issue::event::Marked;
use crate::domain::issue::status::Usefulness;
use crate::domain::team::TeamReason;
use crate::domain::{Event, Rooms, advocate, canon};
use annals_kernel::grounding::Stance;
use annals_kernel::id::{AgentId, IssueId};

/// An agent kept a contradiction out of canon: it gets credit, and so does the team, once for each.
pub(super) fn caught(rooms: &Rooms, prevented: &canon::event::Prevented, setting: &Setting<'_>) -> Vec<Event> {
    let (agent, moment) = (&prevented.agent, setting.moment);
    let own = give(rooms, moment, agent, CreditReason::PreventedUserConflict, AwardSubject::default());
    let what = For { cause: &prevented.conflict, about: "", agent: Some(agent) };
    own.into_iter().chain(team::give(rooms, moment, TeamReason::CanonIntegrity, what)).collect()
}

/// A proposal was put to a devil's advocate, who said something: its author gets credit for that, once an issue.
pub(super) fn consulted(rooms: &Rooms, fulfilled: &advocate::event::Fulfilled, setting: &Setting<'_>) -> Vec<Event> {
    const REASON: CreditReason = CreditReason::ConsultedDevilsAdvocate;
    let Some(issue) = rooms.issue.issue(&fulfilled.issue) else { return Vec::new() };
    if issue.author == fulfilled.agent || has_paid(rooms, &fulfilled.issue, REASON) {
        return Vec::new();
    }
    give(rooms, setting.moment, &issue.author, REASON, AwardSubject::issue(&fulfilled.issue)).into_iter().collect()
}

/// A devil's advocate opposed with evidence that holds, and somebody else then changed the work: the team gets credit.
pub(super) fn heeded(rooms: &Rooms, marked: &Marked, setting: &Setting<'_>) -> Vec<Event> {
    let id = &marked.issue;
    if marked.usefulness != Usefulness::Applied {
        return Vec::new();
    }
    let heard = || {
        let agent = heeded_by(rooms, id, &setting.moment.actor)?;
        let about = &rooms.issue.issue(id)?.title;
        let what = For { cause: id.as_str(), about, agent: Some(agent) };
        team::give(rooms, setting.moment, TeamReason::DissentHeeded, what)
    };
    heard().into_iter().collect()
}

/// The devil's advocate whom somebody heeds by changing the work.
pub(super) fn heeded_by<'r>(rooms: &'r Rooms, id: &IssueId, actor: &AgentId) -> Option<&'r AgentId> {
    let issue = rooms.issue.issue(id)?;
    let tasks = &rooms.advocate.challenges.get(id.as_str())?.assignments;
    let task = tasks.iter().find(|task| has_shown(rooms, id, issue, task) && task.agent != *actor)?;
    Some(&task.agent)
}

/// Whether the one whose task it was opposed after it was given, and cited something that was found there.
fn has_shown(rooms: &Rooms, id: &IssueId, issue: &Issue, task: &Assignment) -> bool {
    let is_its = |agent: &AgentId| *agent == task.agent;
    let opposed = issue
        .thread
        .iter()
        .any(|remark| remark.id > task.entry && remark.stance == Stance::Oppose && is_its(issue.author_of(remark)));
    let ledger = rooms.credit.ledger(id);
    let verified = ledger.iter().flat_map(|ledger| &ledger.citations);
    opposed && verified.into_iter().any(|kept| is_its(&kept.agent) && kept.cited.finding != QuoteFinding::Failed)
}
