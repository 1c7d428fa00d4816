//! Who sits in a council, and that none waits for ever (decision 56): seats are taken by agents of the roster, then by the
//! user; whom the roster loses is replaced; where no quorum can come about any more the user decides, and hears of it.

use super::notices::post;
use super::{DueTurn, Setting};
use crate::domain::council::command::{CouncilPurpose, Resolve};
use crate::domain::council::decide::closed;
use crate::domain::council::event::{Manned, Tied};
use crate::domain::council::{CouncilSession, CouncilStatus};
use crate::domain::notice::{CouncilRequest, Matter, NoticeLevel};
use crate::domain::{Command, Event, Rooms, council, roster};
use annals_kernel::actor::{Standing, USER};
use annals_kernel::id::AgentId;

/// More councils are not looked at after a record; what is left is due the next time.
const MOST_DUE: usize = 64;

/// A new council is manned in the decision that calls it.
pub(super) fn man(rooms: &Rooms, created: &council::event::Created, _: &Setting<'_>) -> Vec<Event> {
    let session = rooms.council.session(&created.council);
    session.map(|session| manned(rooms, &created.council, session)).unwrap_or_default()
}

/// A council of which somebody left the roster is manned anew; what is debated by nobody is a tie; a debate whose
/// arbitrator left is the user's to end.
pub(super) fn remain(rooms: &Rooms, changed: &roster::event::Changed, _: &Setting<'_>) -> Vec<Event> {
    if rooms.council.totals.open == 0 || is_active(rooms, changed.agent.as_str()) {
        return Vec::new();
    }
    let open = open_councils(rooms, usize::MAX).into_iter();
    open.flat_map(|(id, session)| remains(rooms, &changed.agent, id, session)).collect()
}

fn remains(rooms: &Rooms, gone: &AgentId, id: &str, session: &CouncilSession) -> Vec<Event> {
    let (purpose, status) = (session.purpose, session.status);
    let is_left = || session.awaited().any(|member| !is_active(rooms, member));
    match status {
        CouncilStatus::Voting if is_left() => manned(rooms, id, session),
        CouncilStatus::Debating
            if rooms.roster.active().next().is_none() && purpose != CouncilPurpose::Architecture =>
        {
            vec![Event::Council(Tied { council: id.into(), count: session.count() }.into())]
        }
        CouncilStatus::Debating if session.config.arbitrator == *gone => {
            // Whoever should have ended the debate had been told, and left: nobody else would hear of it.
            vec![notice(&AgentId::from(USER), CouncilRequest::Synthesis, id, session)]
        }
        CouncilStatus::Voting
        | CouncilStatus::Debating
        | CouncilStatus::Tie
        | CouncilStatus::Approved
        | CouncilStatus::Rejected
        | CouncilStatus::Lapsed => Vec::new(),
    }
}

/// The seats are taken, and a user who gets one hears of it.
fn manned(rooms: &Rooms, id: &str, session: &CouncilSession) -> Vec<Event> {
    let members = members(rooms, session);
    let after = CouncilSession { members: members.clone(), ..session.clone() };
    let is_new = session.members.is_empty() || !session.has_member(USER);
    let told = (is_new && is_vote_of_user_awaited(&after))
        .then(|| notice(&AgentId::from(USER), CouncilRequest::Vote, id, &after));
    let manned = Event::Council(Manned { council: id.into(), members }.into());
    std::iter::once(manned).chain(told).collect()
}

fn is_active(rooms: &Rooms, name: &str) -> bool {
    name == USER || matches!(rooms.roster.standing(&AgentId::from(name)), Standing::Agent(_))
}

/// Those who have voted stay. Free seats go to active agents that are named, then to active agents of a role that is,
/// and one that is left to the user.
fn members(rooms: &Rooms, session: &CouncilSession) -> Vec<Box<str>> {
    let seats = &session.config.council_agents;
    // A vote that was cast counts, whoever leaves the roster afterwards.
    let mut members: Vec<Box<str>> = session.votes.iter().map(|vote| vote.agent_role.clone()).collect();
    let mut left = Vec::new();
    for seat in seats {
        let is_free = members.len() < seats.len() && !members.contains(seat);
        match () {
            () if !is_free => {}
            () if is_active(rooms, seat) => members.push(seat.clone()),
            () => left.push(seat),
        }
    }
    for seat in left {
        let of_role = |(id, agent): &(&AgentId, &roster::state::Agent)| {
            agent.role.as_str() == &**seat && !members.iter().any(|member| **member == *id.as_str())
        };
        let found = rooms.roster.active().find(of_role).map(|(id, _)| Box::from(id.as_str()));
        members.extend(found.filter(|_| members.len() < seats.len()));
    }
    // A council of nobody would wait for ever: at least the user has a seat (decision 56).
    let is_user_needed = members.len() < seats.len().max(1) && !members.iter().any(|member| **member == *USER);
    members.extend(is_user_needed.then(|| USER.into()));
    members
}

/// Votes that can reach no quorum are a tie at once; where all who are left have voted, their votes are counted.
pub(super) fn end(rooms: &Rooms, manned: &Manned, _: &Setting<'_>) -> Vec<Event> {
    let is_voting = |session: &&CouncilSession| {
        session.status == CouncilStatus::Voting && session.purpose != CouncilPurpose::Architecture
    };
    let Some(session) = rooms.council.session(&manned.council).filter(is_voting) else { return Vec::new() };
    let (council, count) = (manned.council.clone(), session.count());
    let events = match () {
        () if session.is_hopeless() => vec![Tied { council, count }.into()],
        () if session.awaited().next().is_none() => closed(&manned.council, session),
        () => Vec::new(),
    };
    events.into_iter().map(Event::Council).collect()
}

/// Whoever has to speak for a council to come to its end hears of it.
pub(super) fn tell(rooms: &Rooms, event: &council::Event, _: &Setting<'_>) -> Vec<Event> {
    let Some(session) = rooms.council.session(event.council()) else { return Vec::new() };
    let status = session.status;
    let user = || AgentId::from(USER);
    let (to, what) = match event {
        council::Event::Created(created) if created.purpose == CouncilPurpose::Architecture => {
            (user(), CouncilRequest::Answer)
        }
        council::Event::Tied(_) if status == CouncilStatus::Tie => (user(), CouncilRequest::LastWord),
        council::Event::DebateOpened(opened) if is_active(rooms, opened.arbitrator.as_str()) => {
            (opened.arbitrator.clone(), CouncilRequest::Synthesis)
        }
        council::Event::DebateOpened(_) => (user(), CouncilRequest::Synthesis),
        council::Event::Created(_)
        | council::Event::Manned(_)
        | council::Event::Cast(_)
        | council::Event::Tied(_)
        | council::Event::Pleaded(_)
        | council::Event::Argued(_)
        | council::Event::Requested(_)
        | council::Event::Informed(_)
        | council::Event::Resolved(_)
        | council::Event::Lapsed(_) => return Vec::new(),
    };
    vec![notice(&to, what, event.council(), session)]
}

fn is_vote_of_user_awaited(session: &CouncilSession) -> bool {
    let is_voting = session.status == CouncilStatus::Voting && session.purpose != CouncilPurpose::Architecture;
    is_voting && !session.is_hopeless() && session.awaited().any(|member| member == USER)
}

fn notice(to: &AgentId, asked: CouncilRequest, id: &str, session: &CouncilSession) -> Event {
    let level = match asked {
        CouncilRequest::LastWord => NoticeLevel::Warning,
        CouncilRequest::Vote | CouncilRequest::Synthesis | CouncilRequest::Answer => NoticeLevel::Info,
    };
    let (key, reason) = (session.entry_key.clone(), session.contest_reason.clone());
    post(to, level, Matter::Council { council: id.into(), key, reason, asked }, None)
}

/// Councils of which the time is over: their votes are counted, whoever has not voted, and a debate that nobody ended is a
/// tie.
pub(super) fn due(rooms: &Rooms, turn: &DueTurn<'_>) -> Vec<Command> {
    if rooms.council.totals.open == 0 {
        return Vec::new();
    }
    let is_late = |session: &CouncilSession| match session.status {
        CouncilStatus::Voting => turn.at >= session.votes_until(),
        CouncilStatus::Debating => turn.at >= session.debate_until(),
        CouncilStatus::Tie | CouncilStatus::Approved | CouncilStatus::Rejected | CouncilStatus::Lapsed => false,
    };
    let late = open_councils(rooms, MOST_DUE).into_iter();
    let late = late.filter(|(_, session)| is_late(session) && session.purpose != CouncilPurpose::Architecture);
    let resolve = |id: &str| Resolve { council: id.into(), decision: None, confidence: None, synthesis: None };
    late.map(|(id, _)| council::Command::from(resolve(id)).into()).collect()
}

/// The councils that are open, the latest first.
fn open_councils(rooms: &Rooms, most: usize) -> Vec<(&str, &CouncilSession)> {
    let open = usize::try_from(rooms.council.totals.open).unwrap_or(usize::MAX).min(most);
    let first = rooms.council.sessions.first_by_rank(open).into_iter();
    first.filter(|(_, session)| session.status.is_open()).map(|(id, session)| (&**id, session)).collect()
}
