//! What is known of sessions, folded from every entry.

use serde::Serialize;

use super::command::{Command, Observed};
use super::event::Event;
use super::joined::{Branch, Reports, Told};
pub use super::row::{Origin, Session, SessionStatus, Title};
pub use super::stats::{Stats, ToolTotal, Totals};
use annals_kernel::decision::Cause;
use annals_kernel::envelope::Envelope;
use annals_kernel::id::{NO_SESSION, SessionId};
use annals_kernel::report::Report;
use annals_kernel::rows::Rows;

/// All sessions.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct State {
    /// Totals.
    pub totals: Totals,
    /// Sessions by id.
    pub sessions: Rows<SessionId, Session>,
    /// What was reported of those that ran in other tools: only for telling two reports of one thing from two things, so
    /// that it is no part of what is known.
    #[serde(skip)]
    pub reports: Rows<SessionId, Reports>,
}

impl State {
    /// A session by its id.
    pub fn session(&self, id: &SessionId) -> Option<&Session> {
        self.sessions.get(id.as_str())
    }

    /// Takes in one entry, whoever wrote it; says whether it tells something new.
    pub fn observe(&mut self, entry: &Envelope<'_>, written: &[Box<str>], report: Option<Report>) -> Told {
        let id = entry.session();
        let above = report.filter(Report::is_nameless_call).and_then(|_| self.above(&id));
        let told = match report {
            Some(report) if id != NO_SESSION => {
                let branch = if above.is_some() { Branch::Below } else { Branch::Main };
                let told_in = above.as_ref().map_or(&*id, SessionId::as_str);
                self.reports.entry(told_in, Reports::default).take(report, entry.id(), branch)
            }
            Some(_) | None => Told::New(None),
        };
        if let (Told::Moved { was, .. }, Some(above)) = (told, above) {
            self.sessions.get_mut(above.as_str()).into_iter().for_each(|above| above.stats.lose(entry, was));
        }
        self.totals.count(entry, told);
        if id == NO_SESSION {
            return told;
        }
        let totals = &mut self.totals;
        let session = self.sessions.entry(id.as_ref(), || {
            totals.sessions += 1;
            Session::begun_by(entry)
        });
        session.observe(entry, written, told);
        told
    }

    /// The session above one.
    fn above(&self, id: &str) -> Option<SessionId> {
        self.sessions.get(id)?.parent_session_id.clone()
    }

    /// Takes in an event of a decision.
    pub fn evolve(&mut self, event: &Event, cause: &Cause<'_, Command, Observed>) {
        let Some(session) = self.sessions.get_mut(event.session().as_str()) else { return };
        match event {
            Event::Started(_) => session.started(cause.command()),
            Event::Suspended(_) => (session.status, session.suspended_at) = (SessionStatus::Suspended, Some(cause.at)),
            Event::Resumed(_) => (session.status, session.suspended_at) = (SessionStatus::Active, None),
            Event::Completed(_) => session.completed(cause.observed()),
            Event::Aborted(_) => session.aborted(cause.command()),
            Event::Summarized(summarized) => session.summarized(&summarized.model, cause),
        }
    }
}
