//! Entries that another program made: read, checked, and recorded as they are given (`annals record`).
//!
//! Ids and times in canonical form are kept, others are made; whatever chain a line had is replaced by its place in
//! ours. A decision cannot come in this way: rules make those.

use std::collections::BTreeSet;

use super::{Engine, EngineError};
use annals_kernel::actor::USER;
use annals_kernel::entry::{BadEntry, HistoryEntry};
use annals_kernel::id::{AgentId, EntryId, SessionId};
use annals_kernel::joined::report;
use annals_kernel::json::{Json, Members};
use annals_kernel::report::{Side, Subject};
use annals_kernel::time::Timestamp;
use annals_log::LogError;
use annals_log::position::IdSource;
use annals_log::read::{Flow, Stretch, read};
use annals_log::segment::Segment;
use annals_log::writer::{Appended, Pen};

/// An id may lie this far ahead of the clock, as the clocks of machines differ.
const CLOCK_AHEAD_MS: i64 = 5 * 60 * 1000;

/// What is put into an entry that does not say it.
#[derive(Debug, Clone)]
pub struct Defaults {
    /// The time.
    pub at: Timestamp,
    /// The session.
    pub session: Option<SessionId>,
    /// Who acts.
    pub agent: Option<AgentId>,
    /// Who gives it; this is put into none.
    pub giver: AgentId,
}

/// An entry that somebody gave.
#[derive(Debug, Clone, PartialEq)]
pub struct Given {
    /// Which of them, for messages.
    pub line: u64,
    /// The entry.
    pub entry: HistoryEntry,
    /// Where its id comes from.
    pub stamp: IdSource,
}

/// Why an entry is not taken.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BadGiven {
    /// It is no entry.
    #[error(transparent)]
    NotAnEntry(#[from] BadEntry),
    /// It is not JSON, or no object.
    #[error("{0}")]
    NotAnObject(String),
    /// A member holds what it must not.
    #[error("{place}: {problem}")]
    Member {
        /// Which.
        place: &'static str,
        /// What is wrong.
        problem: &'static str,
    },
    /// It is there already.
    #[error("id: {0} is in the log already")]
    KnownId(EntryId),
    /// It is given twice.
    #[error("id: {0} is given twice")]
    TwiceGiven(EntryId),
}

fn member(place: &'static str, problem: &'static str) -> BadGiven {
    BadGiven::Member { place, problem }
}

impl Given {
    /// Reads one object.
    pub fn read(line: u64, text: &str, defaults: &Defaults) -> Result<Self, BadGiven> {
        let members = serde_json::from_str::<Members>(text);
        let mut members = members.map_err(|error| BadGiven::NotAnObject(error.to_string()))?;
        let given = members.take(&["id"]);
        let id = given.as_ref().and_then(|id| id.read::<EntryId>().ok());
        if id.is_some_and(|id| id.time() > defaults.at.plus_millis(CLOCK_AHEAD_MS)) {
            return Err(member("id", "is of a time that has not come yet"));
        }
        if members.get("timestamp").is_none() {
            members.set("timestamp", Json::of(&id.map_or(defaults.at, EntryId::time)));
        }
        let has_session = members.get("session_id").is_some() || members.get("sessionId").is_some();
        if let Some(session) = defaults.session.as_ref().filter(|_| !has_session) {
            members.set("session_id", Json::of(session));
        }
        members.set("id", Json::of(&id.unwrap_or(EntryId::MIN)));
        let mut entry = HistoryEntry::read(Json::of(&members).text())?;
        if let Some(foreign) = given.filter(|given| id.is_none() && given.text() != "null") {
            entry.extensions.set("given_id", foreign);
        }
        entry.provenance.agent_id = entry.provenance.agent_id.or_else(|| defaults.agent.clone());
        let stamp = if id.is_some() { IdSource::AsGiven } else { IdSource::Minted };
        let mut given = Self { line, entry, stamp };
        given.check()?;
        given.check_report(&defaults.giver)?;
        Ok(given)
    }

    /// An agent does not say what a transcript knows: that would be how a call ended that others made. The user gives the
    /// lines of another log, too.
    fn check_report(&self, giver: &AgentId) -> Result<(), BadGiven> {
        let Some(told) = report(&self.entry).filter(|_| giver.as_str() != USER) else { return Ok(()) };
        // Such a line, with no source at all, would make a failed call a success in `log`, `show` and the page of the
        // session.
        if told.side == Side::Transcript || matches!(told.subject, Subject::Completion { .. }) {
            return Err(member(
                "extensions.annals.source",
                "what a transcript says is read by `annals import`, not given",
            ));
        }
        Ok(())
    }

    fn check(&mut self) -> Result<(), BadGiven> {
        let entry = &mut self.entry;
        if entry.annals.is_decision() {
            return Err(member("extensions.annals.r", "a decision is made by a command, not given"));
        }
        if entry.operation.kind.as_str().is_empty() {
            return Err(member("operation.type", "is empty"));
        }
        if entry.operation.name.is_empty() {
            return Err(member("operation.name", "is empty"));
        }
        if !entry.operation.input.is_object() {
            return Err(member("operation.input", "is not an object"));
        }
        // A chain is a claim about a writer's lines, and only the writer's own place in this log makes it true.
        entry.annals.link = None;
        entry.annals.scrubbed.clear();
        Ok(())
    }
}

/// What is done where some entries are good and others are not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Partly {
    /// Nothing is recorded.
    AllOrNothing,
    /// The good ones are recorded.
    KeepGoing,
}

/// What came of a number of given entries.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Taken {
    /// Those that were recorded.
    pub appended: Vec<Appended>,
    /// Those that were not, by line.
    pub refused: Vec<(u64, BadGiven)>,
}

impl Engine {
    /// Records given entries under one lock, with one sync at the end. An id that is in the log already is refused.
    pub fn record_given(&self, given: Vec<Given>, how: Partly) -> Result<Taken, EngineError> {
        let cleaned = given.into_iter().map(|given| {
            let entry = self.clean(given.entry)?;
            Ok(Given { entry, ..given })
        });
        let cleaned = cleaned.collect::<Result<Vec<_>, EngineError>>()?;
        let (taken, ticket) = self.log().write_on(&mut || self.clock().chance(), |pen| {
            let (good, refused) = self.sort(cleaned)?;
            if !refused.is_empty() && how == Partly::AllOrNothing {
                return Ok::<_, EngineError>(Taken { refused, ..Taken::default() });
            }
            let appended = good.into_iter().map(|given| self.take(pen, given)).collect::<Result<_, EngineError>>()?;
            Ok(Taken { appended, refused })
        })?;
        if let Some(ticket) = ticket {
            self.log().wait(&ticket)?;
        }
        Ok(taken)
    }

    fn take(&self, pen: &mut Pen<'_>, mut given: Given) -> Result<Appended, EngineError> {
        if given.stamp == IdSource::Minted {
            given.entry.id = pen.mint(self.clock().now(), self.clock().machine())?;
        }
        Ok(pen.append(&mut given.entry, given.stamp)?)
    }

    /// Those whose id is new, and the others.
    #[expect(clippy::type_complexity, reason = "two lists, read once")]
    fn sort(&self, all: Vec<Given>) -> Result<(Vec<Given>, Vec<(u64, BadGiven)>), EngineError> {
        let wanted: BTreeSet<EntryId> =
            all.iter().filter(|given| given.stamp == IdSource::AsGiven).map(|given| given.entry.id).collect();
        let known = self.known_ids(&wanted)?;
        let (mut good, mut refused, mut seen) = (Vec::new(), Vec::new(), BTreeSet::new());
        for given in all {
            let id = given.entry.id;
            if given.stamp == IdSource::Minted {
                good.push(given);
            } else if known.contains(&id) {
                refused.push((given.line, BadGiven::KnownId(id)));
            } else if !seen.insert(id) {
                refused.push((given.line, BadGiven::TwiceGiven(id)));
            } else {
                good.push(given);
            }
        }
        Ok((good, refused))
    }

    /// Those of some ids that are in the log. Only segments that may hold one are read.
    fn known_ids(&self, wanted: &BTreeSet<EntryId>) -> Result<BTreeSet<EntryId>, EngineError> {
        let mut known = BTreeSet::new();
        if wanted.is_empty() {
            return Ok(known);
        }
        let (history, marks) = (self.place().history(), self.marks()?);
        let may_hold = |segment: &Segment| {
            marks
                .get(&segment.name)
                .is_none_or(|mark| mark.first <= mark.last && wanted.range(mark.first..=mark.last).next().is_some())
        };
        let segments = Segment::list(&**self.disk(), history).map_err(LogError::at("list", history))?;
        let stretches: Vec<_> =
            segments.into_iter().filter(may_hold).map(|segment| Stretch { segment, from: 0 }).collect();
        read(&**self.disk(), history, &stretches, &mut |_, batch| {
            known.extend(batch.entries().map(|entry| entry.envelope.id()).filter(|id| wanted.contains(id)));
            Flow::More
        })?;
        Ok(known)
    }
}

#[cfg(test)]
mod tests;
