//! Records: entries about what happened outside. Cleaned, written, and on the disk when the call returns.
//!
//! Does not fold and does not decide.

use std::collections::BTreeSet;

use super::group_commit::{AllWritten, Writing};
use super::live::Cache;
use super::settings::{DURABILITY, Durability};
use super::{Engine, EngineError, Touched};
use annals_kernel::entry::HistoryEntry;
use annals_log::position::IdSource;
use annals_log::sync::Ticket;
use annals_log::writer::{Appended, Pen};

/// A record that was written.
pub(super) struct Recorded {
    appended: Appended,
    checkpoint: CheckpointDue,
}

/// Whether it is time for a new checkpoint.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum CheckpointDue {
    Due,
    NotDue,
}

type RecordJob = (Box<HistoryEntry>, IdSource);

/// Records that wait for whoever writes next.
pub(super) type Records = Writing<RecordJob, Recorded>;

impl Engine {
    /// Writes one entry about something that happened outside. It counts when this returns.
    pub fn record(&self, entry: HistoryEntry, stamp: IdSource) -> Result<Appended, EngineError> {
        let entry = self.clean(entry)?;
        let session = entry.session_id.clone();
        let job = (Box::new(entry), stamp);
        let recorded = self.write_with_others(&self.records, job, |jobs| self.write_all(jobs))?;
        if recorded.checkpoint == CheckpointDue::Due {
            self.store_in_passing();
        }
        self.wrote(&Touched::sessions(BTreeSet::from([session])));
        Ok(recorded.appended)
    }

    /// Writes many entries under one lock, with one sync at the end.
    pub fn record_all(&self, entries: Vec<(HistoryEntry, IdSource)>) -> Result<Vec<Appended>, EngineError> {
        let cleaned = entries.into_iter().map(|(entry, stamp)| Ok((Box::new(self.clean(entry)?), stamp)));
        let mut cleaned = cleaned.collect::<Result<Vec<_>, EngineError>>()?;
        let sessions = cleaned.iter().map(|(entry, _)| entry.session_id.clone()).collect();
        let (recorded, ticket) = self.write_all(&mut cleaned)?;
        ticket.map_or(Ok(()), |ticket| self.log.wait(&ticket))?;
        self.wrote(&Touched::sessions(sessions));
        Ok(recorded.into_iter().map(|recorded| recorded.appended).collect())
    }

    /// Writes all of them or none. Of one that was not written, time and id may have changed.
    fn write_all(&self, jobs: &mut [RecordJob]) -> Result<AllWritten<Recorded>, EngineError> {
        const LINES: u64 = 2000;
        self.log.write_on(&mut || self.clock.chance(), |pen| {
            let before = pen.position().next_count() / LINES;
            let put = jobs.iter_mut().map(|(entry, stamp)| self.put(pen, entry, *stamp));
            let recorded = |appended| Recorded { appended, checkpoint: CheckpointDue::NotDue };
            let mut recorded = put.map(|put| put.map(recorded)).collect::<Result<Vec<_>, EngineError>>()?;
            // One of them is enough to store it.
            if pen.position().next_count() / LINES > before
                && let Some(last) = recorded.last_mut()
            {
                last.checkpoint = CheckpointDue::Due;
            }
            Ok(recorded)
        })
    }

    fn put(&self, pen: &mut Pen<'_>, entry: &mut HistoryEntry, stamp: IdSource) -> Result<Appended, EngineError> {
        if stamp == IdSource::Minted {
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
