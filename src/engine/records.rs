//! Records: entries about what happened outside. Cleaned, written, and on the disk when the call returns.
//!
//! Does not fold and does not decide.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::live::Cache;
use super::settings::{DURABILITY, Durability};
use super::together::Together;
use super::{Engine, EngineError};
use crate::kernel::entry::HistoryEntry;
use crate::log::position::Stamp;
use crate::log::sync::Ticket;
use crate::log::writer::{Appended, Pen};

/// A record that was written, and what there is to wait for.
pub(super) struct Written {
    appended: Appended,
    ticket: Option<Arc<Ticket>>,
    /// Whether it is time for a new checkpoint.
    is_due: bool,
}

fn is_due(pen: &Pen<'_>) -> bool {
    const LINES: u64 = 2000;
    pen.position().marks().lines().is_multiple_of(LINES)
}

/// Records that wait for whoever writes next; `None`: each for itself.
pub(super) type Records = Together<(HistoryEntry, Stamp), Option<Written>>;

impl Engine {
    /// Writes one entry about something that happened outside. It counts when this returns.
    pub fn record(&self, entry: HistoryEntry, stamp: Stamp) -> Result<Appended, EngineError> {
        let entry = self.clean(entry)?;
        let session = entry.session_id.clone();
        let written = self.records.submit(
            (entry.clone(), stamp),
            |jobs| self.write_together(jobs),
            // Whoever has written for the others waits for the disk for them, too.
            |written| drop(written.as_ref().map(|written| self.settle(written.ticket.as_deref()))),
        );
        let written = match written {
            Some(written) => written,
            None => self.write_one(entry, stamp)?,
        };
        self.settle(written.ticket.as_deref())?;
        if written.is_due {
            self.store_in_passing();
        }
        self.wrote(&BTreeSet::from([session]));
        Ok(written.appended)
    }

    /// Writes the records of several threads. Where one fails, nobody's are written, and each tries alone.
    fn write_together(&self, jobs: Vec<(HistoryEntry, Stamp)>) -> Vec<Option<Written>> {
        let count = jobs.len();
        let written = self.log.write(&mut || self.clock.chance(), |pen| {
            let put = jobs.into_iter().map(|(entry, stamp)| {
                let appended = self.put(pen, entry, stamp)?;
                Ok((appended, is_due(pen)))
            });
            put.collect::<Result<Vec<_>, EngineError>>()
        });
        let Ok((appended, ticket)) = written else { return (0..count).map(|_| None).collect() };
        let ticket = ticket.map(Arc::new);
        let written = |(appended, is_due)| Some(Written { appended, ticket: ticket.clone(), is_due });
        appended.into_iter().map(written).collect()
    }

    fn write_one(&self, entry: HistoryEntry, stamp: Stamp) -> Result<Written, EngineError> {
        let ((appended, is_due), ticket) = self.log.write(&mut || self.clock.chance(), |pen| {
            let appended = self.put(pen, entry, stamp)?;
            Ok::<_, EngineError>((appended, is_due(pen)))
        })?;
        Ok(Written { appended, ticket: ticket.map(Arc::new), is_due })
    }

    /// Writes many entries under one lock, with one sync at the end.
    pub fn record_all(&self, entries: Vec<(HistoryEntry, Stamp)>) -> Result<Vec<Appended>, EngineError> {
        let cleaned = entries.into_iter().map(|(entry, stamp)| Ok((self.clean(entry)?, stamp)));
        let cleaned = cleaned.collect::<Result<Vec<_>, EngineError>>()?;
        let sessions = cleaned.iter().map(|(entry, _)| entry.session_id.clone()).collect();
        let (appended, ticket) = self.log.write(&mut || self.clock.chance(), |pen| {
            cleaned.into_iter().map(|(entry, stamp)| self.put(pen, entry, stamp)).collect::<Result<Vec<_>, _>>()
        })?;
        if let Some(ticket) = ticket {
            self.log.wait(&ticket)?;
        }
        self.wrote(&sessions);
        Ok(appended)
    }

    fn put(&self, pen: &mut Pen<'_>, mut entry: HistoryEntry, stamp: Stamp) -> Result<Appended, EngineError> {
        if stamp == Stamp::Minted {
            entry.timestamp = self.clock.now();
            entry.id = pen.mint(entry.timestamp, self.clock.chance());
        }
        Ok(pen.append(entry, stamp)?)
    }

    pub(super) fn settle(&self, ticket: Option<&Ticket>) -> Result<(), EngineError> {
        match (ticket, self.settings.get(&DURABILITY)) {
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
