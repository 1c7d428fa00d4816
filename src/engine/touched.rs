//! What entries that were written are about: whose views are to be written anew.
//!
//! Does not write them; `view::render` does.

use std::collections::BTreeSet;

use super::{Answer, By};
use crate::domain::Event;
use crate::kernel::id::{IssueId, SessionId};

/// What entries that were written are about.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Touched {
    /// Sessions.
    pub sessions: BTreeSet<SessionId>,
    /// Issues.
    pub issues: BTreeSet<IssueId>,
    /// Entries of canon.
    pub canon: BTreeSet<Box<str>>,
}

impl Touched {
    /// Takes in what something else wrote to.
    pub fn add(&mut self, other: Self) {
        let Self { sessions, issues, canon } = other;
        self.sessions.extend(sessions);
        self.issues.extend(issues);
        self.canon.extend(canon);
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
        }
    }
}

/// A decision about a session stands in that session.
pub(super) fn session_of(events: &[Event]) -> Option<&SessionId> {
    match events.first()? {
        Event::Session(event) => Some(event.session()),
        Event::Access(_)
        | Event::Config(_)
        | Event::Erasure(_)
        | Event::Roster(_)
        | Event::Issue(_)
        | Event::Canon(_)
        | Event::Milestone(_)
        | Event::Credit(_)
        | Event::Breaker(_)
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
