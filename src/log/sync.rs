//! Group commit: threads of one process that wait for the same disk share its answer.
//!
//! Does not hold the file lock while the disk works. Does not write.

use std::io;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use super::disk::Append;

/// Waits for lines to be on the disk.
#[derive(Default)]
pub struct Syncer {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    /// Writes so far, counted from 1.
    written: u64,
    /// Writes that the disk has answered for, one way or the other.
    answered: u64,
    /// Where the first write begins that is not answered for, and where the last one ends.
    open: Option<(u64, u64)>,
    /// Writes that the disk refused: ranges of counts, and what it said.
    refused: Vec<(u64, u64, io::ErrorKind)>,
    leader: Leader,
}

#[derive(Default, PartialEq)]
enum Leader {
    #[default]
    Nobody,
    Working,
}

/// Stands for a write that is not on the disk yet.
#[must_use = "a line counts only when `Syncer::wait` has returned"]
pub struct Ticket {
    file: Arc<dyn Append>,
    count: u64,
}

/// Bytes of a file that the disk refused to keep.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Refused {
    /// Where they begin.
    pub start: u64,
    /// Where they end.
    pub end: u64,
}

impl Syncer {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Says that bytes were written to a file, from `start` to `end`.
    pub fn wrote(&self, file: &Arc<dyn Append>, start: u64, end: u64) -> Ticket {
        let mut state = self.lock();
        state.written += 1;
        let first = state.open.map_or(start, |(first, _)| first);
        state.open = Some((first, end));
        Ticket { file: Arc::clone(file), count: state.written }
    }

    /// Returns when the write of a ticket, and all before it, are on the disk.
    ///
    /// The first thread to wait does the work for everyone who has written by then; who comes later waits for it and
    /// takes the next turn. What the disk refuses is handed to `take_back` once, before anyone hears of it.
    pub fn wait(&self, ticket: &Ticket, take_back: &dyn Fn(&Arc<dyn Append>, Refused)) -> io::Result<()> {
        let mut state = self.lock();
        loop {
            let refused = state.refused.iter().find(|(from, to, _)| (*from..=*to).contains(&ticket.count));
            if let Some((_, _, kind)) = refused {
                return Err((*kind).into());
            }
            if state.answered >= ticket.count {
                return Ok(());
            }
            state = match state.leader {
                Leader::Nobody => self.lead(state, &ticket.file, take_back),
                Leader::Working => self.changed.wait(state).unwrap_or_else(PoisonError::into_inner),
            };
        }
    }

    /// Returns when everything that was written is on the disk, for whoever goes on with another file.
    pub fn settle(&self, file: &Arc<dyn Append>) -> io::Result<()> {
        let count = self.lock().written;
        let rest = Ticket { file: Arc::clone(file), count };
        self.wait(&rest, &|_, _| {})
    }

    fn lead<'s>(
        &'s self,
        mut state: MutexGuard<'s, State>,
        file: &Arc<dyn Append>,
        take_back: &dyn Fn(&Arc<dyn Append>, Refused),
    ) -> MutexGuard<'s, State> {
        state.leader = Leader::Working;
        let (upto, range) = (state.written, state.open.take());
        drop(state);
        let result = file.sync();
        if let (Err(_), Some((start, end))) = (&result, range) {
            take_back(file, Refused { start, end });
        }
        let mut state = self.lock();
        if let Err(error) = result {
            let from = state.answered + 1;
            state.refused.push((from, upto, error.kind()));
        }
        state.leader = Leader::Nobody;
        state.answered = upto;
        self.changed.notify_all();
        state
    }
}
