//! Records: entries about what happened outside. Cleaned, written, and on the disk when the call returns.
//!
//! Does not fold and does not decide.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::group_commit::GroupCommit;
use super::live::Cache;
use super::settings::{DURABILITY, Durability};
use super::{Engine, EngineError, Touched};
use annals_kernel::entry::HistoryEntry;
use annals_log::position::Stamp;
use annals_log::sync::Ticket;
use annals_log::writer::{Appended, Pen};

/// A record that was written, and what there is to wait for.
pub(super) struct Written {
    appended: Appended,
    ticket: Option<Arc<Ticket>>,
    checkpoint: Checkpoint,
}

/// Whether it is time for a new checkpoint.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Checkpoint {
    Due,
    NotDue,
}

/// Why a record was not written.
pub(super) enum NotWritten {
    Failed(EngineError),
    /// One of those that were to be written with it failed. Here it is again.
    WithOthers(Box<HistoryEntry>),
}

type Job = (Box<HistoryEntry>, Stamp);

/// Records that wait for whoever writes next.
pub(super) type Records = GroupCommit<Job, Result<Written, NotWritten>>;

impl Engine {
    /// Writes one entry about something that happened outside. It counts when this returns.
    pub fn record(&self, entry: HistoryEntry, stamp: Stamp) -> Result<Appended, EngineError> {
        let entry = self.clean(entry)?;
        let session = entry.session_id.clone();
        // Whoever has written for the others waits for the disk for them, too; what it says, each asks for itself.
        let settle = |written: &Result<Written, NotWritten>| {
            let _ = written.as_ref().map(|written| self.settle(written.ticket.as_deref()));
        };
        let written = match self.records.submit((Box::new(entry), stamp), |jobs| self.write_together(jobs), settle) {
            Ok(written) => written,
            Err(NotWritten::Failed(error)) => return Err(error),
            Err(NotWritten::WithOthers(entry)) => self.write_all(&mut [(entry, stamp)])?.remove(0),
        };
        self.settle(written.ticket.as_deref())?;
        if written.checkpoint == Checkpoint::Due {
            self.store_in_passing();
        }
        self.wrote(&Touched::sessions(BTreeSet::from([session])));
        Ok(written.appended)
    }

    /// Writes many entries under one lock, with one sync at the end.
    pub fn record_all(&self, entries: Vec<(HistoryEntry, Stamp)>) -> Result<Vec<Appended>, EngineError> {
        let cleaned = entries.into_iter().map(|(entry, stamp)| Ok((Box::new(self.clean(entry)?), stamp)));
        let mut cleaned = cleaned.collect::<Result<Vec<_>, EngineError>>()?;
        let sessions = cleaned.iter().map(|(entry, _)| entry.session_id.clone()).collect();
        let written = self.write_all(&mut cleaned)?;
        if let Some(ticket) = written.last().and_then(|written| written.ticket.as_ref()) {
            self.log.wait(ticket)?;
        }
        self.wrote(&Touched::sessions(sessions));
        Ok(written.into_iter().map(|written| written.appended).collect())
    }

    /// Writes the records of several threads. Where one fails, nobody's are written, and each is to try alone.
    fn write_together(&self, mut jobs: Vec<Job>) -> Vec<Result<Written, NotWritten>> {
        match self.write_all(&mut jobs) {
            Ok(written) => written.into_iter().map(Ok).collect(),
            Err(error) if jobs.len() == 1 => vec![Err(NotWritten::Failed(error))],
            Err(_) => jobs.into_iter().map(|(entry, _)| Err(NotWritten::WithOthers(entry))).collect(),
        }
    }

    /// Writes all of them or none. Of one that was not written, time and id may have changed.
    fn write_all(&self, jobs: &mut [Job]) -> Result<Vec<Written>, EngineError> {
        const LINES: u64 = 2000;
        let ((appended, checkpoint), ticket) = self.log.write_on(&mut || self.clock.chance(), |pen| {
            let before = pen.position().next_link().count / LINES;
            let put = jobs.iter_mut().map(|(entry, stamp)| self.put(pen, entry, *stamp));
            let appended = put.collect::<Result<Vec<_>, EngineError>>()?;
            let is_due = pen.position().next_link().count / LINES > before;
            Ok::<_, EngineError>((appended, if is_due { Checkpoint::Due } else { Checkpoint::NotDue }))
        })?;
        let ticket = ticket.map(Arc::new);
        let mut written: Vec<_> = appended
            .into_iter()
            .map(|appended| Written { appended, ticket: ticket.clone(), checkpoint: Checkpoint::NotDue })
            .collect();
        // One of them is enough to store it.
        if let Some(last) = written.last_mut() {
            last.checkpoint = checkpoint;
        }
        Ok(written)
    }

    fn put(&self, pen: &mut Pen<'_>, entry: &mut HistoryEntry, stamp: Stamp) -> Result<Appended, EngineError> {
        if stamp == Stamp::Minted {
            entry.timestamp = self.clock.now();
            entry.id = pen.mint(entry.timestamp, self.clock.machine())?;
        }
        Ok(pen.append(entry, stamp)?)
    }

    pub(super) fn settle(&self, ticket: Option<&Ticket>) -> Result<(), EngineError> {
        match (ticket, self.settings().get(&DURABILITY)) {
            (Some(ticket), Durability::Always) => Ok(self.log.wait(ticket)?),
            (Some(_), Durability::Os) | (None, Durability::Always | Durability::Os) => Ok(()),
        }
    }

    /// Recorders do not fold. Now and then one of them does, so that the next reader finds a fresh checkpoint.
    fn store_in_passing(&self) {
        if self.cache == Cache::Used {
            // It is a cache: that it cannot be written is no reason to say that the entry was not.
            let _ = self.store_checkpoint();
        }
    }
}
