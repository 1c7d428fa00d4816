//! Group commit: threads of one process that wait for the same disk share its answers.
//!
//! Does not hold the file lock while the disk works. Does not write.

use std::collections::VecDeque;
use std::fmt;
use std::io;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, Thread};

use super::LogError;
use super::disk::{Append, Disk};

/// How many threads ask the disk at a time. One alone would leave it idle while the next one wakes up, which on busy
/// cores takes longer than the disk; all of them would ask it for what others ask for just now.
const MOST_ASKING: usize = 8;

/// A file that is written at its end, and the handles by which it is synced.
///
/// Linux tells each handle once of what it could not write, and one that was opened later not at all. So every handle is
/// opened before the first write, and no two threads ask by the same one.
pub(crate) struct Syncable {
    /// The handle to write by.
    pub file: Arc<dyn Append>,
    /// The number of the file, which an open one never changes.
    pub number: u64,
    path: PathBuf,
    spare: Mutex<Vec<Arc<dyn Append>>>,
}

impl Syncable {
    /// Opens a file, and makes it where it is not there.
    pub(crate) fn open(disk: &dyn Disk, path: &Path) -> io::Result<Self> {
        let file = disk.append_to(path)?;
        let number = file.look()?.number;
        let more = (1..MOST_ASKING).map_while(|_| disk.append_to(path).ok());
        let is_same = |handle: &Arc<dyn Append>| handle.look().is_ok_and(|look| look.number == number);
        let spare = std::iter::once(Arc::clone(&file)).chain(more.filter(is_same)).collect();
        Ok(Self { file, number, path: path.to_owned(), spare: Mutex::new(spare) })
    }

    /// Whoever has no name any more is where nobody finds it. Some file systems count no names: there the path says it.
    pub(crate) fn require_name(&self, disk: &dyn Disk) -> Result<(), LogError> {
        const GONE: &str = "it was removed meanwhile, so what was written does not count; try again";
        let at = |doing| LogError::at(doing, &self.path);
        if self.file.seen().map_err(at("look at"))?.is_named {
            return Ok(());
        }
        let there = disk.look(&self.path).map_err(at("look at"))?;
        if there.is_some_and(|look| look.number == self.number) {
            return Ok(());
        }
        Err(at("write to")(io::Error::new(io::ErrorKind::NotFound, GONE)))
    }

    fn spare(&self) -> MutexGuard<'_, Vec<Arc<dyn Append>>> {
        self.spare.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns when the content is on the disk. After an error the other handles, which would tell of it, too, are
    /// given up.
    fn sync_by(&self, handle: Arc<dyn Append>) -> io::Result<()> {
        let done = handle.sync();
        let mut spare = self.spare();
        if done.is_err() {
            // Linux tells each handle once of a failed write: another one would tell the next waiter of an error that
            // is answered for already.
            spare.clear();
        }
        spare.push(handle);
        done
    }
}

/// Waits for lines to be on the disk.
#[derive(Default)]
pub(crate) struct Syncer {
    state: Mutex<SyncState>,
}

#[derive(Default)]
struct SyncState {
    /// Writes so far, counted from 1 when they begin.
    begun: u64,
    /// Writes that the disk has answered for, one way or the other.
    answered: u64,
    /// Where each write begins that is not answered for.
    starts: VecDeque<u64>,
    /// Writes that the disk refused: from which count to which, what it said, and what became of them.
    refused: Vec<(RangeInclusive<u64>, io::Error, Fate)>,
    /// Those who wait for others to ask, and for which write.
    sleepers: Vec<(u64, Thread)>,
}

/// Stands for a write that is not on the disk yet.
#[must_use = "a line counts only when `Syncer::wait` has returned"]
pub struct Ticket {
    file: Arc<Syncable>,
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
pub(crate) struct NotKept {
    /// Where it was written.
    pub path: PathBuf,
    /// What the system said.
    pub source: io::Error,
    /// What became of it.
    pub fate: Fate,
}

/// Cuts a file where the first refused byte stands, if that can be done.
type TakeBack<'t> = dyn Fn(&Syncable, u64) -> Fate + 't;

impl Syncer {
    fn lock(&self) -> MutexGuard<'_, SyncState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Says that bytes are going to be written to a file from `start` on. It is said before, because a sync that fails
    /// meanwhile may have been about them.
    pub(crate) fn begin(&self, file: &Arc<Syncable>, start: u64) -> Ticket {
        let mut state = self.lock();
        state.begun += 1;
        state.starts.push_back(start);
        Ticket { file: Arc::clone(file), count: state.begun }
    }

    /// Returns when the write of a ticket, and all before it, are on the disk.
    ///
    /// A sync answers for everyone who has written before it began. What the disk refuses is handed to `take_back`
    /// before anyone hears of it.
    pub(crate) fn wait(&self, ticket: &Ticket, take_back: &TakeBack<'_>) -> Result<(), NotKept> {
        let mut state = self.lock();
        loop {
            if state.answered >= ticket.count {
                return state.answer(ticket);
            }
            let handle = ticket.file.spare().pop();
            if let Some(handle) = handle {
                state = self.ask(state, &ticket.file, handle, take_back);
                continue;
            }
            state.sleepers.push((ticket.count, thread::current()));
            drop(state);
            thread::park();
            state = self.lock();
            state.sleepers.retain(|(_, sleeper)| sleeper.id() != thread::current().id());
        }
    }

    /// Returns when everything that was written is on the disk, for whoever goes on with another file.
    pub(crate) fn settle(&self, file: &Arc<Syncable>) -> Result<(), NotKept> {
        let count = self.lock().begun;
        self.wait(&Ticket { file: Arc::clone(file), count }, &|_, _| Fate::Left)
    }

    fn ask<'s>(
        &'s self,
        state: MutexGuard<'s, SyncState>,
        file: &Syncable,
        handle: Arc<dyn Append>,
        take_back: &TakeBack<'_>,
    ) -> MutexGuard<'s, SyncState> {
        let upto = state.begun;
        drop(state);
        let done = file.sync_by(handle);
        let mut state = self.lock();
        match done {
            Ok(()) => state.answer_up_to(upto),
            // It may have been about any byte that is not on the disk, and the next sync would not say so again.
            Err(error) => {
                let (upto, start) = (state.begun, state.starts.front().copied());
                let counts = state.answered + 1..=upto;
                let number = state.refused.len();
                state.refused.push((counts, error, Fate::Left));
                drop(state);
                let fate = start.map_or(Fate::Left, |start| take_back(file, start));
                state = self.lock();
                state.refused[number].2 = fate;
                state.answer_up_to(upto);
            }
        }
        state.wake();
        state
    }
}

impl SyncState {
    fn answer(&self, ticket: &Ticket) -> Result<(), NotKept> {
        match self.refused.iter().find(|(counts, ..)| counts.contains(&ticket.count)) {
            Some((_, error, fate)) => {
                Err(NotKept { path: ticket.file.path.clone(), source: said_again(error), fate: *fate })
            }
            None => Ok(()),
        }
    }

    fn answer_up_to(&mut self, count: u64) {
        let news = count.saturating_sub(self.answered);
        self.starts.drain(..usize::try_from(news).expect("BUG: more writes than memory"));
        self.answered += news;
    }

    /// Wakes who has an answer, and one more to ask.
    fn wake(&mut self) {
        let answered = self.answered;
        let mut asks = None;
        self.sleepers.retain(|(count, sleeper)| {
            if *count <= answered {
                sleeper.unpark();
            } else if asks.is_none() {
                asks = Some(sleeper.clone());
            }
            *count > answered
        });
        if let Some(sleeper) = asks {
            sleeper.unpark();
        }
    }
}

/// The same error for one more who waits.
fn said_again(error: &io::Error) -> io::Error {
    error.raw_os_error().map_or_else(|| error.kind().into(), io::Error::from_raw_os_error)
}
