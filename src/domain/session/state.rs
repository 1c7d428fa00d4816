//! What is known of sessions, folded from every entry.

use serde::Serialize;

use super::command::{Command, Observed};
use super::event::Event;
pub use super::row::{Origin, Session, Status, Title};
pub use super::stats::{Stats, ToolTotal, Totals};
use crate::kernel::decision::Cause;
use crate::kernel::envelope::Envelope;
use crate::kernel::id::{NO_SESSION, SessionId};
use crate::kernel::rows::Rows;

/// All sessions.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct State {
    /// Totals.
    pub totals: Totals,
    /// Sessions by id.
    pub sessions: Rows<SessionId, Session>,
}

impl State {
    /// A session by its id.
    pub fn session(&self, id: &SessionId) -> Option<&Session> {
        self.sessions.get(id.as_str())
    }

    /// Takes in one entry, whoever wrote it.
    pub fn observe(&mut self, entry: &Envelope<'_>, written: &[Box<str>]) {
        let totals = &mut self.totals;
        totals.count(entry);
        let session = entry.session();
        if session == NO_SESSION {
            return;
        }
        let session = self.sessions.entry(session.as_ref(), || {
            totals.sessions += 1;
            Session::begun_by(entry)
        });
        session.observe(entry, written);
    }

    /// Takes in an event of a decision.
    pub fn evolve(&mut self, event: &Event, cause: &Cause<'_, Command, Observed>) {
        let Some(session) = self.sessions.get_mut(event.session().as_str()) else { return };
        match event {
            Event::Started(_) => session.started(cause.command()),
            Event::Suspended(_) => (session.status, session.suspended_at) = (Status::Suspended, Some(cause.at)),
            Event::Resumed(_) => (session.status, session.suspended_at) = (Status::Active, None),
            Event::Completed(_) => session.completed(cause.observed()),
            Event::Aborted(_) => session.aborted(cause.command()),
        }
    }
}
