//! What entries that were written are about: whose views are to be written anew.
//!
//! Does not write them; `view::render` does.

use std::collections::BTreeSet;

use super::{Answer, By};
use annals_kernel::id::{IssueId, SessionId};
use annals_rules::domain::{Event, Room};

/// What entries that were written are about.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Touched {
    /// Sessions.
    pub sessions: BTreeSet<SessionId>,
    /// Issues.
    pub issues: BTreeSet<IssueId>,
    /// Entries of canon.
    pub canon: BTreeSet<Box<str>>,
    /// Rooms that have decided something.
    pub rooms: BTreeSet<Room>,
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
            rooms: answer.events.iter().map(Event::room).collect(),
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
