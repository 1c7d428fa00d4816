//! What entries that were written are about: whose views are to be written anew.
//!
//! Does not write them; `view::render` does.

use std::collections::BTreeSet;

use super::{Answer, By};
use annals_kernel::id::{IssueId, SessionId};
use annals_rules::domain::Event;

/// What entries that were written are about.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Touched {
    /// Sessions.
    pub sessions: BTreeSet<SessionId>,
    /// Issues.
    pub issues: BTreeSet<IssueId>,
    /// Entries of canon.
    pub canon: BTreeSet<Box<str>>,
    /// Rooms whose views are of all that they know.
    pub rooms: BTreeSet<Room>,
}

/// A room whose views are of all that it knows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Room {
    /// Councils.
    Council,
    /// Debates and failures.
    Dialectic,
    /// What is believed.
    Hivemind,
    /// What was learnt.
    Knowledge,
    /// Megrams.
    Memory,
}

impl Room {
    /// The one that an event is of.
    fn of(event: &Event) -> Option<Self> {
        match event {
            Event::Council(_) => Some(Self::Council),
            Event::Dialectic(_) => Some(Self::Dialectic),
            Event::Hivemind(_) => Some(Self::Hivemind),
            Event::Knowledge(_) => Some(Self::Knowledge),
            Event::Memory(_) => Some(Self::Memory),
            Event::Session(_)
            | Event::Access(_)
            | Event::Config(_)
            | Event::Erasure(_)
            | Event::History(_)
            | Event::Roster(_)
            | Event::Issue(_)
            | Event::Canon(_)
            | Event::Milestone(_)
            | Event::Credit(_)
            | Event::Notice(_)
            | Event::Advocate(_)
            | Event::Blind(_)
            | Event::Moderation(_)
            | Event::Cognition(_)
            | Event::Breaker(_)
            | Event::Reliability(_)
            | Event::Signature(_)
            | Event::Team(_)
            | Event::Topic(_) => None,
        }
    }
}

impl Touched {
    /// Takes in what something else wrote to.
    pub fn add(&mut self, other: Self) {
        let Self { sessions, issues, canon, rooms } = other;
        self.sessions.extend(sessions);
        self.issues.extend(issues);
        self.canon.extend(canon);
        self.rooms.extend(rooms);
    }

    /// Sessions and nothing else.
    pub fn sessions(sessions: BTreeSet<SessionId>) -> Self {
        Self { sessions, ..Self::default() }
    }

    pub(super) fn by(answer: &Answer, by: &By) -> Self {
        let issue = |event: &Event| if let Event::Issue(event) = event { Some(event.issue().clone()) } else { None };
        let session = session_of(&answer.events).unwrap_or(&by.session).clone();
        let canon = |event: &Event| if let Event::Canon(event) = event { event.key().map(Box::from) } else { None };
        Self {
            sessions: BTreeSet::from([session]),
            issues: answer.events.iter().filter_map(issue).collect(),
            canon: answer.events.iter().filter_map(canon).collect(),
            rooms: answer.events.iter().filter_map(Room::of).collect(),
        }
    }
}

/// A decision about a session stands in that session.
pub(super) fn session_of(events: &[Event]) -> Option<&SessionId> {
    let event = events.first()?;
    if let Event::Cognition(event) = event {
        return Some(event.session());
    }
    let Event::Session(event) = event else { return None };
    Some(event.session())
}
