//! Dissent among the other rooms: when comments call for it, whose turn it is, the issue that tells the agent, and when
//! the task is over (control-room 2.3, 7.2, 13).

use super::breakers::raise;
use super::notices::{moderator, post};
use super::refusal::Refusal;
use super::{EventSource, Setting};
use crate::domain::advocate::decide::COMMENTS;
use crate::domain::advocate::event::{Called, DissentEnding, Expired, Failed, Fulfilled, Made};
use crate::domain::advocate::trigger::{CommentVoice, ENABLED, judge};
use crate::domain::advocate::{self, command};
use crate::domain::issue::event::{CommentAdded, Raised};
use crate::domain::issue::meta::{META_TAG, Meta};
use crate::domain::issue::row::{RemarkKind, ThreadRemark};
use crate::domain::issue::{self, Issue};
use crate::domain::notice::{Matter, NoticeLevel};
use crate::domain::roster::health::SwarmMode;
use crate::domain::{Ask, Command, Event, Rooms, RoomsDecided};
use annals_kernel::actor::{SYSTEM, USER};
use annals_kernel::decision::Moment;
use annals_kernel::grounding::DissentReason;
use annals_kernel::id::{AgentId, IssueId};

/// A call for dissent must be about an issue that goes on, and a named agent must be able to dissent.
pub(super) fn call(rooms: &Rooms, ask: &Ask, moment: &Moment<'_>) -> Option<RoomsDecided> {
    let Command::Advocate(advocate::Command::Assign(command::Assign { issue: id, agent })) = &ask.command else {
        return None;
    };
    if !moment.standing.is_privileged() {
        return None;
    }
    let Some(issue) = rooms.issue.issue(id) else {
        return Some(Refusal::ChallengeUnknownIssue { issue: id.clone() }.into());
    };
    if issue.is_meta() {
        return Some(Refusal::ChallengeMeta { label: issue.label }.into());
    }
    if issue.status.has_ended() {
        return Some(Refusal::ChallengeEnded { label: issue.label, status: issue.status }.into());
    }
    let agent = agent.as_ref()?;
    let is_able = rooms.roster.active().any(|(id, found)| id == agent && found.can_be_devils_advocate);
    (!is_able).then(|| Refusal::ChallengeNotAble { agent: agent.clone() }.into())
}

/// What was asked for follows: somebody is chosen, or nobody can be.
pub(super) fn answer(rooms: &Rooms, called: &Called, setting: &Setting<'_>) -> Vec<Event> {
    let Some(issue) = rooms.issue.issue(&called.issue) else { return Vec::new() };
    let chosen = called.agent.clone().or_else(|| choose(rooms, issue, setting.moment));
    let by = setting.moment.actor.clone();
    vec![assignment(&called.issue, chosen, DissentReason::ModeratorOverride, by, setting.moment)]
}

/// Comments may call for dissent by themselves; those about the swarm itself never do, nor those of one agent alone
/// (decision 60).
pub(super) fn trigger(rooms: &Rooms, added: &CommentAdded, setting: &Setting<'_>) -> Vec<Event> {
    let moment = setting.moment;
    let Some(issue) = rooms.issue.issue(&added.issue).filter(|issue| !issue.is_meta()) else { return Vec::new() };
    let is_alone = rooms.roster.mode(moment.settings) == SwarmMode::Solo;
    if is_alone || !moment.settings.get(&ENABLED) || rooms.advocate.live(&added.issue).is_some() {
        return Vec::new();
    }
    let last = rooms.advocate.last_call(&added.issue);
    let Some(reason) = judge(&voices(issue, |remark| remark.id > last), moment.settings) else { return Vec::new() };
    vec![assignment(&added.issue, choose(rooms, issue, moment), reason, AgentId::from(SYSTEM), moment)]
}

/// Comments of agents, the oldest first. The user's word is no approval of the swarm.
fn voices(issue: &Issue, counts: impl Fn(&ThreadRemark) -> bool) -> Vec<CommentVoice<'_>> {
    let comments = issue.thread.iter().filter(|remark| remark.kind == RemarkKind::Comment && counts(remark));
    let voices = comments.map(|remark| CommentVoice {
        author: issue.author_of(remark),
        stance: remark.stance,
        impact: remark.impact,
        cited: remark.cited,
    });
    voices.filter(|voice| ![USER, SYSTEM].contains(&voice.author.as_str())).collect()
}

/// Whose turn it is: of those who can and have no part in the discussion, who had least to dissent of late, then by id
/// (control-room 13.3).
fn choose(rooms: &Rooms, issue: &Issue, moment: &Moment<'_>) -> Option<AgentId> {
    // Whoever has said something there already would oppose its own words, or oppose for show.
    let takes_part = |agent: &AgentId| *agent == issue.author || issue.voices.contains(agent);
    let able = rooms.roster.active().filter(|(id, agent)| agent.can_be_devils_advocate && !takes_part(id));
    // The id breaks a tie, because every clone must choose the same agent when the decision is replayed.
    able.min_by_key(|(id, _)| (rooms.advocate.recent(id, moment.at, moment.settings), *id)).map(|(id, _)| id.clone())
}

fn assignment(
    issue: &IssueId,
    chosen: Option<AgentId>,
    reason: DissentReason,
    by: AgentId,
    moment: &Moment<'_>,
) -> Event {
    let (issue, comments) = (issue.clone(), moment.settings.get(&COMMENTS));
    Event::Advocate(match chosen {
        Some(agent) => Made { issue, agent, reason, by, comments }.into(),
        None => Failed { issue, reason, by }.into(),
    })
}

/// Where nobody can dissent, the moderator hears of it by a notice.
pub(super) fn tell(rooms: &Rooms, failed: &Failed, _: &Setting<'_>) -> Vec<Event> {
    let (issue, matter) = (&failed.issue, Matter::Unchallenged { reason: failed.reason });
    let known = rooms.issue.issue(issue).into_iter();
    known.map(|_| post(&moderator(rooms), NoticeLevel::Warning, matter.clone(), Some(issue))).collect()
}

/// The agent learns of its task by an issue (control-room 13.2).
pub(super) fn task(rooms: &Rooms, made: &Made, setting: &Setting<'_>) -> Vec<Event> {
    let Some(issue) = rooms.issue.issue(&made.issue) else { return Vec::new() };
    let meta = Meta::Dissent { about: made.issue.clone(), reason: made.reason, comments: made.comments };
    let tags = [META_TAG.into(), "#devils-advocate".into(), format!("#issue-{}", issue.label)];
    let tags = tags.into_iter().map(Into::into).collect();
    let mut raised = raise(rooms, setting.moment, tags, meta);
    raised.assignee = made.agent.clone();
    vec![Event::Issue(raised.into())]
}

/// The task is over after so many comments of the agent, or when the issue ends.
pub(super) fn expire(rooms: &Rooms, event: &issue::Event, _: &Setting<'_>) -> Vec<Event> {
    let is_end = !matches!(event, issue::Event::CommentAdded(_));
    let live = rooms.advocate.live(event.issue()).filter(|live| is_end || live.used >= live.comments);
    let Some(live) = live else { return Vec::new() };
    let ending = if is_end { DissentEnding::IssueEnded } else { DissentEnding::CommentsMade };
    let (issue, agent, used) = (event.issue().clone(), live.agent.clone(), live.used);
    vec![Event::Advocate(Expired { issue, agent, used, ending }.into())]
}

/// A task that is over: it counts where something was said, and the issue that told of it is closed.
pub(super) fn finish(rooms: &Rooms, expired: &Expired, _: &Setting<'_>) -> Vec<Event> {
    let (issue, agent) = (expired.issue.clone(), expired.agent.clone());
    let fulfilled = (expired.used > 0).then(|| Event::Advocate(Fulfilled { issue, agent }.into()));
    let past = rooms.advocate.challenges.get(expired.issue.as_str());
    let task = past.and_then(|past| past.assignments.last()?.task.clone());
    let goes_on = |id: &IssueId| rooms.issue.issue(id).is_some_and(|issue| !issue.status.has_ended());
    let closed = task.filter(goes_on).map(|issue| Event::Issue(issue::event::Closed { issue }.into()));
    fulfilled.into_iter().chain(closed).collect()
}

/// An agent with a task has spoken.
pub(super) fn heard(rooms: &mut Rooms, added: &CommentAdded, from: &EventSource<'_>) {
    rooms.advocate.heard(&added.issue, from.actor);
}

/// The issue that tells an agent of its task is known with the task.
pub(super) fn told(rooms: &mut Rooms, raised: &Raised, _: &EventSource<'_>) {
    if let Meta::Dissent { about, .. } = &raised.meta {
        rooms.advocate.told(about, &raised.issue);
    }
}
