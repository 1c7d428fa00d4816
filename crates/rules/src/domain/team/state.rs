//! What the team got, and for what.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::event::{Awarded, Event, TeamReason};
use annals_kernel::credits::Credits;
use annals_kernel::decision::Cause;
use annals_kernel::id::EntryId;
use annals_kernel::period::{Period, Periods};
use annals_kernel::rows::{Ranked, Rows};
use annals_kernel::time::Timestamp;

/// Sums.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Totals {
    /// All in all.
    pub credits: Credits,
    /// How often for each reason.
    pub by_reason: BTreeMap<TeamReason, u64>,
    /// In the session, chapter and act that goes on, or that was the last.
    pub periods: BTreeMap<Period, Credits>,
    /// The periods that go on.
    pub open: Periods,
}

/// Something that the team achieved.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Achievement {
    /// When.
    pub at: Timestamp,
    /// What.
    #[serde(flatten)]
    pub awarded: Awarded,
}

impl Ranked for Achievement {
    /// The latest first.
    fn rank(&self) -> i64 {
        self.at.millis()
    }
}

/// What the team got.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct State {
    /// Sums.
    pub totals: Totals,
    /// Each achievement, by reason and cause.
    pub achievements: Rows<Box<str>, Achievement>,
}

impl State {
    /// Whether a cause has counted for a reason.
    pub fn has(&self, reason: TeamReason, cause: &str) -> bool {
        self.achievements.get(&key(reason, cause)).is_some()
    }

    /// Takes in an event of a decision. What two branches both saw counts once.
    pub fn evolve(&mut self, event: &Event, cause: &Cause<'_, (), ()>) {
        let Event::Awarded(awarded) = event;
        if self.has(awarded.reason, &awarded.cause) {
            return;
        }
        self.totals.credits += awarded.amount;
        *self.totals.by_reason.entry(awarded.reason).or_default() += 1;
        for period in self.totals.open.counting(cause.id) {
            *self.totals.periods.entry(period).or_default() += awarded.amount;
        }
        let achievement = || Achievement { at: cause.at, awarded: awarded.clone() };
        self.achievements.entry(&key(awarded.reason, &awarded.cause), achievement);
    }

    /// A period begins: what is counted in it begins anew.
    pub fn begun(&mut self, period: Period) {
        self.totals.periods.remove(&period);
        self.totals.open.begin(period);
    }

    /// A period ends: what was counted in it stays.
    pub fn over(&mut self, period: Period, entry: EntryId) {
        self.totals.open.end(period, entry);
    }

    /// What the team got in a period, or ever.
    pub fn credits(&self, period: Option<Period>) -> Credits {
        period.map_or(self.totals.credits, |period| self.totals.periods.get(&period).copied().unwrap_or_default())
    }
}

fn key(reason: TeamReason, cause: &str) -> Box<str> {
    format!("{reason} {cause}").into()
}
