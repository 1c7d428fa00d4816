//! A budget that calls at the same time share: each holds the most that it may use up, until it is settled.
//!
//! A call for which there is room only when another has used less than it holds waits for that one. Whoever waits holds
//! nothing, so that two never wait for each other.

use std::pin::pin;
use std::sync::{Mutex, PoisonError};

use annals_kernel::time::Day;
use tokio::sync::Notify;

use super::{Budget, BudgetLimits, NoRoom, OverBudget, Spending};

/// A budget that calls at the same time share.
#[derive(Debug)]
pub struct Purse {
    budget: Mutex<Budget>,
    released: Notify,
}

/// What a call may use up, as long as it is on its way.
#[derive(Debug)]
pub struct Hold<'p> {
    purse: &'p Purse,
    task: String,
    day: Day,
    wanted: Spending,
}

impl Purse {
    /// Nothing used up, nothing held.
    pub fn new(limits: BudgetLimits) -> Self {
        Self { budget: Mutex::new(Budget::new(limits)), released: Notify::new() }
    }

    /// Looks at the budget, or notes in it what was used up.
    pub fn with<T>(&self, act: impl FnOnce(&mut Budget) -> T) -> T {
        act(&mut self.budget.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Holds the most that a call may use up, as soon as there is room for it; refuses where there will be none.
    pub async fn hold(&self, task: &str, day: Day, wanted: Spending) -> Result<Hold<'_>, OverBudget> {
        loop {
            // From here on a release is noticed, also one before the wait.
            let mut released = pin!(self.released.notified());
            released.as_mut().enable();
            match self.with(|budget| budget.hold(task, day, wanted)) {
                Ok(()) => return Ok(Hold { purse: self, task: task.to_owned(), day, wanted }),
                Err(NoRoom::Ever(over)) => return Err(over),
                Err(NoRoom::Yet) => released.await,
            }
        }
    }
}

impl Hold<'_> {
    /// The day that it counts for.
    pub fn day(&self) -> Day {
        self.day
    }

    /// Notes what the call has used up in place of what it held.
    pub fn settle(self, spending: Spending) {
        self.purse.with(|budget| budget.spend(&self.task, self.day, spending));
    }
}

impl Drop for Hold<'_> {
    fn drop(&mut self) {
        self.purse.with(|budget| budget.release(&self.task, self.day, self.wanted));
        self.purse.released.notify_waiters();
    }
}
