//! How agents do that work alone: the sessions below one, each of which is one agent at a task of its own.
//!
//! What somebody gives counts before it. Says nothing where too little was done below.

use crate::check::{CheckOutcome, outcome};
use crate::step::{Record, Step};
use annals_kernel::share::Share;

/// Fewer calls, or fewer sessions with a check, say nothing.
const LEAST_CALLS: u64 = 10;
const LEAST_CHECKED: u64 = 3;

/// What the sessions below one came to.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Alone {
    calls: u64,
    failed: u64,
    /// Sessions with a check, and those whose last one passed.
    checked: u64,
    right: u64,
}

impl Alone {
    /// Of the sessions below one that begin none themselves.
    pub(super) fn below(record: &Record) -> Self {
        let mut alone = Self::default();
        for below in record.all().into_iter().skip(1).filter(|below| below.children.is_empty()) {
            let calls = || below.steps.iter().filter_map(Step::call);
            alone.calls += calls().count() as u64;
            alone.failed += calls().filter(|call| !call.is_ok()).count() as u64;
            if let Some(last) = calls().filter_map(outcome).next_back() {
                alone.checked += 1;
                alone.right += u64::from(last == CheckOutcome::Passed);
            }
        }
        alone
    }

    /// How many of their calls failed; nothing where none did, for nothing can be held against it.
    pub(super) fn error_rate(self) -> Option<Share> {
        Share::of_count(self.failed, self.calls).filter(|_| self.calls >= LEAST_CALLS && self.failed > 0)
    }

    /// How many ended with a check that passed, of those that had one.
    pub(super) fn accuracy(self) -> Option<Share> {
        Share::of_count(self.right, self.checked).filter(|_| self.checked >= LEAST_CHECKED)
    }
}
