//! Records and decisions of several threads, written under one lock: whoever comes first writes for all who wait.
//!
//! While some batches are on their way to the disk, those who come wait for the next one; so batches grow with the number
//! of threads, and one thread alone never waits. Does not know what a record is.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, Thread};

use super::{Engine, EngineError};
use annals_log::sync::Ticket;

/// How many batches are on their way to the disk before the next one waits. With one, the disk would be idle while the
/// next writer wakes up, which on busy cores takes long.
const MOST_UNDERWAY: usize = 4;

/// What was written, and what there is to wait for.
pub(super) struct Written<T> {
    value: T,
    ticket: Option<Arc<Ticket>>,
}

/// Why something was not written.
pub(super) enum NotWritten<J> {
    Failed(EngineError),
    /// One of the jobs that were to be written with it failed. Here it is again.
    WithOthers(J),
}

/// Jobs that wait for whoever writes next.
pub(super) type Writing<J, T> = GroupCommit<J, Result<Written<T>, NotWritten<J>>>;

/// What came of several jobs, in their order, and what there is to wait for.
pub(super) type AllWritten<T> = (Vec<T>, Option<Ticket>);

impl Engine {
    /// Has a job written by whoever writes next, and waits until that is on the disk. Of several jobs all are written or
    /// none; where one fails, each tries alone.
    pub(super) fn write_with_others<J, T>(
        &self,
        group: &Writing<J, T>,
        job: J,
        write: impl Fn(&mut [J]) -> Result<AllWritten<T>, EngineError>,
    ) -> Result<T, EngineError> {
        // Whoever has written for the others waits for the disk for them, too; what it says, each asks for itself.
        let settle = |written: &Result<Written<T>, NotWritten<J>>| {
            let _ = written.as_ref().map(|written| self.settle(written.ticket.as_deref()));
        };
        let written = match group.submit(job, |jobs| together(jobs, &write), settle) {
            Ok(written) => written,
            Err(NotWritten::Failed(error)) => return Err(error),
            Err(NotWritten::WithOthers(job)) => written(write(&mut [job])?).remove(0),
        };
        self.settle(written.ticket.as_deref())?;
        Ok(written.value)
    }
}

fn together<J, T>(
    mut jobs: Vec<J>,
    write: impl Fn(&mut [J]) -> Result<AllWritten<T>, EngineError>,
) -> Vec<Result<Written<T>, NotWritten<J>>> {
    match write(&mut jobs) {
        Ok(all) => written(all).into_iter().map(Ok).collect(),
        Err(error) if jobs.len() == 1 => vec![Err(NotWritten::Failed(error))],
        // One job's error must not fail the others: each tries again alone, and only the one at fault hears of it.
        Err(_) => jobs.into_iter().map(|job| Err(NotWritten::WithOthers(job))).collect(),
    }
}

fn written<T>((values, ticket): AllWritten<T>) -> Vec<Written<T>> {
    let ticket = ticket.map(Arc::new);
    values.into_iter().map(|value| Written { value, ticket: ticket.clone() }).collect()
}

/// Work of several threads, done by one of them.
pub(super) struct GroupCommit<J, A> {
    state: Mutex<State<J, A>>,
}

struct State<J, A> {
    waiting: VecDeque<(J, Arc<Seat<A>>)>,
    /// Somebody takes what waits, or was told to.
    is_led: bool,
    underway: usize,
}

/// Where a thread waits.
struct Seat<A> {
    thread: Thread,
    news: Mutex<ThreadNews<A>>,
}

/// What a waiting thread is told.
enum ThreadNews<A> {
    None,
    /// The work of all who wait is its own now.
    Lead,
    Answer(A),
}

impl<J, A> Default for GroupCommit<J, A> {
    fn default() -> Self {
        Self { state: Mutex::new(State { waiting: VecDeque::new(), is_led: false, underway: 0 }) }
    }
}

impl<J, A> GroupCommit<J, A> {
    /// Has a job done. `work` does many, in order; `finish` is what its caller does before others learn of it.
    pub(super) fn submit(&self, job: J, work: impl FnOnce(Vec<J>) -> Vec<A>, finish: impl FnOnce(&A)) -> A {
        let seat = Arc::new(Seat { thread: thread::current(), news: Mutex::new(ThreadNews::None) });
        let mut state = self.lock();
        state.waiting.push_back((job, Arc::clone(&seat)));
        state.nominate();
        drop(state);
        loop {
            match seat.take() {
                ThreadNews::None => thread::park(),
                ThreadNews::Lead => break,
                ThreadNews::Answer(answer) => return answer,
            }
        }
        self.lead(&seat, work, finish)
    }

    fn lock(&self) -> MutexGuard<'_, State<J, A>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn lead(&self, own: &Arc<Seat<A>>, work: impl FnOnce(Vec<J>) -> Vec<A>, finish: impl FnOnce(&A)) -> A {
        let (jobs, seats): (Vec<J>, Vec<_>) = std::mem::take(&mut self.lock().waiting).into_iter().unzip();
        let mut answers: Vec<_> = seats.into_iter().zip(work(jobs)).collect();
        let mut state = self.lock();
        // The next leader may write before this batch is on the disk, which would else wait for whoever wakes up.
        (state.is_led, state.underway) = (false, state.underway + 1);
        state.nominate();
        drop(state);
        let at =
            answers.iter().position(|(seat, _)| Arc::ptr_eq(seat, own)).expect("BUG: the leader waits with the others");
        let (_, answer) = answers.swap_remove(at);
        finish(&answer);
        let mut state = self.lock();
        state.underway -= 1;
        state.nominate();
        drop(state);
        for (seat, answer) in answers {
            seat.tell(ThreadNews::Answer(answer));
        }
        answer
    }
}

impl<J, A> State<J, A> {
    /// The first who waits leads, unless somebody does or enough is underway.
    fn nominate(&mut self) {
        let Some((_, first)) = self.waiting.front() else { return };
        if !self.is_led && self.underway < MOST_UNDERWAY {
            first.tell(ThreadNews::Lead);
            self.is_led = true;
        }
    }
}

impl<A> Seat<A> {
    fn take(&self) -> ThreadNews<A> {
        let mut news = self.news.lock().unwrap_or_else(PoisonError::into_inner);
        std::mem::replace(&mut news, ThreadNews::None)
    }

    fn tell(&self, news: ThreadNews<A>) {
        *self.news.lock().unwrap_or_else(PoisonError::into_inner) = news;
        self.thread.unpark();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everyone_gets_the_answer_to_its_own_job_and_each_is_done_once() {
        let (commit, done) = (GroupCommit::<u32, u32>::default(), Mutex::new(Vec::new()));
        let work = |jobs: Vec<u32>| {
            done.lock().expect("no thread panics").extend(jobs.iter().copied());
            jobs.into_iter().map(|job| job * 2).collect()
        };
        thread::scope(|scope| {
            for number in 0..16 {
                let (commit, work) = (&commit, &work);
                scope.spawn(move || {
                    for job in (0..200).map(|round| round * 16 + number) {
                        assert_eq!(commit.submit(job, work, |_| thread::yield_now()), job * 2);
                    }
                });
            }
        });
        let mut done = done.into_inner().expect("no thread panics");
        done.sort_unstable();
        assert_eq!(done, (0..3200).collect::<Vec<_>>());
        let state = commit.lock();
        assert_eq!((state.waiting.len(), state.is_led, state.underway), (0, false, 0));
    }
}
