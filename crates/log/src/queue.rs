//! Tasks done by several threads, their results put back in order.
//!
//! The threads wait when they are too far ahead, so that few results are in memory. Does not know what a task is.

use std::collections::BTreeMap;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use super::read::Flow;

/// How many results may wait for the one before them.
// Of chunks of 2 MiB these are 48 MiB, whatever the size of the history.
const AHEAD: usize = 24;

/// Hands out tasks to threads and puts their results back in order.
pub(super) struct Queue<T> {
    state: Mutex<QueueState<T>>,
    changed: Condvar,
    tasks: usize,
}

struct QueueState<T> {
    next: usize,
    consumed: usize,
    ready: BTreeMap<usize, T>,
    open: bool,
}

impl<T> Queue<T> {
    pub(super) fn new(tasks: usize) -> Self {
        let state = QueueState { next: 0, consumed: 0, ready: BTreeMap::new(), open: true };
        Self { state: Mutex::new(state), changed: Condvar::new(), tasks }
    }

    fn lock(&self) -> MutexGuard<'_, QueueState<T>> {
        // A thread that panics ends the scope, and with it everything that looks at the state.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn work(&self, run: &dyn Fn(usize) -> T) {
        let mut state = self.lock();
        while state.open && state.next < self.tasks {
            if state.next >= state.consumed + AHEAD {
                state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
                continue;
            }
            state = self.run_next(state, run);
        }
    }

    fn run_next<'q>(
        &'q self,
        mut state: MutexGuard<'q, QueueState<T>>,
        run: &dyn Fn(usize) -> T,
    ) -> MutexGuard<'q, QueueState<T>> {
        let index = state.next;
        state.next += 1;
        drop(state);
        let done = run(index);
        let mut state = self.lock();
        state.ready.insert(index, done);
        self.changed.notify_all();
        state
    }

    /// Takes the results in order; works itself while the next one is not ready.
    pub(super) fn consume(&self, run: &dyn Fn(usize) -> T, take: &mut dyn FnMut(usize, T) -> Option<Flow>) {
        let mut state = self.lock();
        while state.consumed < self.tasks {
            let index = state.consumed;
            if let Some(done) = state.ready.remove(&index) {
                drop(state);
                if take(index, done) == Some(Flow::Enough) {
                    return;
                }
                state = self.lock();
                state.consumed += 1;
                self.changed.notify_all();
            } else if state.next < self.tasks && state.next < index + AHEAD {
                state = self.run_next(state, run);
            } else {
                state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
            }
        }
    }

    pub(super) fn close(&self) {
        self.lock().open = false;
        self.changed.notify_all();
    }
}
