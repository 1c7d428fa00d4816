//! What models may use up: tokens, money and time, by task and by day.
//!
//! Pure: adds up what it is told. The day comes with the question, and prices are handed in.

mod price;
mod purse;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use annals_kernel::grounding::words;
use annals_kernel::share::Share;
use annals_kernel::time::Day;
use serde::{Deserialize, Serialize};

pub use price::{NoPrice, Price, PriceTable};
pub use purse::{Hold, Purse};

words! {
    /// What can run out.
    pub enum Resource {
        /// Of questions and answers.
        Tokens = "tokens",
        /// By the price table.
        Money = "money",
        /// While models were asked.
        Time = "time",
    }
}

words! {
    /// Whose budget it is.
    pub enum Span {
        /// One task's.
        Task = "task",
        /// One UTC day's, all tasks together.
        Day = "day",
    }
}

/// What was used up.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Spending {
    /// Of questions and answers.
    pub tokens: u64,
    /// Billionths of a dollar.
    pub nano_usd: u64,
    /// Milliseconds.
    pub ms: u64,
}

/// What may be used up; nothing written is no limit.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Ceiling {
    /// Of questions and answers.
    pub tokens: Option<u64>,
    /// Hundredths of a dollar.
    pub cents: Option<u64>,
    /// While models are asked.
    pub minutes: Option<u64>,
}

/// `[models.budget]`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct BudgetLimits {
    /// Of each task.
    pub task: Ceiling,
    /// Of each UTC day.
    pub day: Ceiling,
}

/// What was used up so far, and what calls on their way hold, beside what may be used up.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Budget {
    limits: BudgetLimits,
    tasks: BTreeMap<String, Account>,
    days: BTreeMap<Day, Account>,
}

/// One task's or one day's.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Account {
    spent: Spending,
    /// The most that calls on their way may use up.
    held: Spending,
}

/// Why a call is not made now.
#[derive(Debug, Clone, PartialEq, Eq)]
enum NoRoom {
    /// Too much is used up.
    Ever(OverBudget),
    /// Calls on their way hold too much; they may use up less.
    Yet,
}

/// There is not enough left.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[error(
    "the {span} has used {} of {}, and up to {} more would be used",
    .resource.amount(*spent), .resource.measured(*limit), .resource.amount(*wanted)
)]
pub struct OverBudget {
    /// Whose budget.
    pub span: Span,
    /// What of it.
    pub resource: Resource,
    /// The limit: tokens, billionths of a dollar, or milliseconds.
    pub limit: u64,
    /// What is gone of it.
    pub spent: u64,
    /// The most that would be gone on top.
    pub wanted: u64,
}

impl OverBudget {
    /// Whether there is no room tomorrow, either: a task's own budget stays used up, and no day holds more than its limit.
    pub fn is_lasting(&self) -> bool {
        match self.span {
            Span::Task => true,
            Span::Day => self.wanted > self.limit,
        }
    }
}

impl Budget {
    /// Nothing used up yet.
    pub fn new(limits: BudgetLimits) -> Self {
        Self { limits, ..Self::default() }
    }

    /// Whether a call that uses at most so much stays within all limits.
    pub fn require_room(&self, task: &str, day: Day, wanted: Spending) -> Result<(), OverBudget> {
        self.limits.task.require_room(Span::Task, self.of_task(task), wanted)?;
        self.limits.day.require_room(Span::Day, self.of_day(day), wanted)
    }

    /// Notes what a call used; also a failed one.
    pub fn spend(&mut self, task: &str, day: Day, spending: Spending) {
        for account in self.accounts(task, day) {
            account.spent = account.spent.plus(spending);
        }
    }

    /// Notes that a day has used up this much at least, by what others say.
    pub fn at_least(&mut self, day: Day, spending: Spending) {
        let spent = &mut self.days.entry(day).or_default().spent;
        *spent = spent.max(spending);
    }

    /// Sets aside what a call may use up.
    fn hold(&mut self, task: &str, day: Day, wanted: Spending) -> Result<(), NoRoom> {
        self.require_room(task, day, wanted).map_err(NoRoom::Ever)?;
        let of = |account: Option<&Account>| account.map_or(wanted, |account| account.held.plus(wanted));
        let (of_task, of_day) = (of(self.tasks.get(task)), of(self.days.get(&day)));
        let has_room = self.limits.task.require_room(Span::Task, self.of_task(task), of_task).is_ok()
            && self.limits.day.require_room(Span::Day, self.of_day(day), of_day).is_ok();
        if !has_room {
            return Err(NoRoom::Yet);
        }
        for account in self.accounts(task, day) {
            account.held = account.held.plus(wanted);
        }
        Ok(())
    }

    /// What was set aside is free again.
    fn release(&mut self, task: &str, day: Day, wanted: Spending) {
        for account in self.accounts(task, day) {
            account.held = account.held.minus(wanted);
        }
    }

    fn accounts(&mut self, task: &str, day: Day) -> [&mut Account; 2] {
        [self.tasks.entry(task.to_owned()).or_default(), self.days.entry(day).or_default()]
    }

    /// What a task used so far.
    pub fn of_task(&self, task: &str) -> Spending {
        self.tasks.get(task).map(|account| account.spent).unwrap_or_default()
    }

    /// The part of a day's scarcest limit that is left; none where nothing limits a day.
    pub fn left_of_day(&self, day: Day) -> Option<Share> {
        let left = |row: LimitRow| row.limit.and_then(|all| Share::of_count(all.saturating_sub(row.spent), all));
        self.limits.day.rows(self.of_day(day)).into_iter().filter_map(left).min()
    }

    /// What a day used so far.
    pub fn of_day(&self, day: Day) -> Spending {
        self.days.get(&day).map(|account| account.spent).unwrap_or_default()
    }
}

impl Spending {
    /// Both together.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        Self {
            tokens: self.tokens.saturating_add(other.tokens),
            nano_usd: self.nano_usd.saturating_add(other.nano_usd),
            ms: self.ms.saturating_add(other.ms),
        }
    }

    fn minus(self, other: Self) -> Self {
        Self {
            tokens: self.tokens.saturating_sub(other.tokens),
            nano_usd: self.nano_usd.saturating_sub(other.nano_usd),
            ms: self.ms.saturating_sub(other.ms),
        }
    }

    /// The more of each.
    fn max(self, other: Self) -> Self {
        Self {
            tokens: self.tokens.max(other.tokens),
            nano_usd: self.nano_usd.max(other.nano_usd),
            ms: self.ms.max(other.ms),
        }
    }
}

impl Resource {
    /// An amount, as people write it.
    fn amount(self, amount: u64) -> String {
        match self {
            Self::Tokens => amount.to_string(),
            // To a hundredth of a cent, rounded up: what costs something is not nothing.
            Self::Money => {
                let hundredths = amount.div_ceil(100_000);
                format!("${}.{:04}", hundredths / 10_000, hundredths % 10_000)
            }
            Self::Time => format!("{} min {} s", amount / 60_000, amount % 60_000 / 1_000),
        }
    }

    /// The same with what it is of, where the amount does not say it.
    fn measured(self, amount: u64) -> String {
        match self {
            Self::Tokens => format!("{amount} tokens"),
            Self::Money | Self::Time => self.amount(amount),
        }
    }
}

impl Ceiling {
    fn require_room(self, span: Span, spent: Spending, wanted: Spending) -> Result<(), OverBudget> {
        for (row, wanted) in self.rows(spent).into_iter().zip([wanted.tokens, wanted.nano_usd, wanted.ms]) {
            let LimitRow { resource, limit, spent } = row;
            if let Some(limit) = limit.filter(|limit| spent >= *limit || spent.saturating_add(wanted) > *limit) {
                return Err(OverBudget { span, resource, limit, spent, wanted });
            }
        }
        Ok(())
    }

    /// Tokens, money, time.
    fn rows(self, spent: Spending) -> [LimitRow; 3] {
        let money = self.cents.map(|cents| cents.saturating_mul(10_000_000));
        let time = self.minutes.map(|minutes| minutes.saturating_mul(60_000));
        [
            LimitRow { resource: Resource::Tokens, limit: self.tokens, spent: spent.tokens },
            LimitRow { resource: Resource::Money, limit: money, spent: spent.nano_usd },
            LimitRow { resource: Resource::Time, limit: time, spent: spent.ms },
        ]
    }
}

/// One resource of a budget.
struct LimitRow {
    resource: Resource,
    limit: Option<u64>,
    spent: u64,
}
