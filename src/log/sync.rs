//! Group commit: threads of one process that wait for the same disk share its answer.
//!
//! Does not hold the file lock while the disk works. Does not write.

use std::fmt;
use std::io;
use std::ops::RangeInclusive;
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
    /// Writes that the disk refused: from which count to which, what it said, and what became of them.
    refused: Vec<(RangeInclusive<u64>, io::Error, Fate)>,
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

/// What became of bytes that the disk refused to keep.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fate {
    /// They are gone again.
    TakenBack,
    /// Somebody has written behind them, so they stay where they are.
    Left,
}

impl fmt::Display for Fate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::TakenBack => "they are gone again",
            Self::Left => "they do not count, but may be found there",
        })
    }
}

/// The disk did not keep what was written.
#[derive(Debug)]
pub struct NotKept {
    /// What the system said.
    pub source: io::Error,
    /// What became of it.
    pub fate: Fate,
}

/// Bytes of a file that the disk refused to keep.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Refused {
    /// Where they begin.
    pub start: u64,
    /// Where they end.
    pub end: u64,
}

/// Takes refused bytes out of their file again, if that can be done.
type TakeBack<'t> = dyn Fn(&Arc<dyn Append>, Refused) -> Fate + 't;

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
    pub fn wait(&self, ticket: &Ticket, take_back: &TakeBack<'_>) -> Result<(), NotKept> {
        let mut state = self.lock();
        loop {
            if let Some((_, error, fate)) = state.refused.iter().find(|(counts, ..)| counts.contains(&ticket.count)) {
                return Err(NotKept { source: said_again(error), fate: *fate });
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
    pub fn settle(&self, file: &Arc<dyn Append>) -> Result<(), NotKept> {
        let count = self.lock().written;
        let rest = Ticket { file: Arc::clone(file), count };
        self.wait(&rest, &|_, _| Fate::Left)
    }

    fn lead<'s>(
        &'s self,
        mut state: MutexGuard<'s, State>,
        file: &Arc<dyn Append>,
        take_back: &TakeBack<'_>,
    ) -> MutexGuard<'s, State> {
        state.leader = Leader::Working;
        let (upto, range) = (state.written, state.open.take());
        drop(state);
        let refused = file.sync().err().map(|error| {
            let fate = range.map_or(Fate::Left, |(start, end)| take_back(file, Refused { start, end }));
            (error, fate)
        });
        let mut state = self.lock();
        if let Some((error, fate)) = refused {
            let counts = state.answered + 1..=upto;
            state.refused.push((counts, error, fate));
        }
        state.leader = Leader::Nobody;
        state.answered = upto;
        self.changed.notify_all();
        state
    }
}

/// The same error for one more who waits.
fn said_again(error: &io::Error) -> io::Error {
    error.raw_os_error().map_or_else(|| error.kind().into(), io::Error::from_raw_os_error)
}
