//! How strong an entry is at a time, and when it is gone (AFS 6.2).
//!
//! Keeps nothing: the same confidence, rate and last access give the same strength, however often it is asked for.

use annals_kernel::fade::{after_days, days_between, days_of_power, power};
use annals_kernel::share::Share;
use annals_kernel::time::Timestamp;

/// What an entry's strength comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Curve {
    /// How sure it was.
    pub confidence: Share,
    /// What goes of it every day.
    pub rate: Share,
    /// It is gone below this.
    pub floor: Share,
    /// When it was last used.
    pub since: Timestamp,
}

impl Curve {
    /// Confidence × (1 − rate)^days since the last access, unrounded.
    pub(crate) fn strength_at(&self, now: Timestamp) -> f64 {
        self.confidence.number() * power(self.kept(), days_between(self.since, now))
    }

    /// What is left after a day.
    fn kept(&self) -> f64 {
        Share::thousandths(1000 - self.rate.in_thousandths()).number()
    }

    /// The first millisecond at which its unrounded strength is below the floor; never where nothing fades.
    pub(crate) fn expires_at(&self) -> Option<Timestamp> {
        /// The curve and its inverse agree to less than that.
        const MOST_MILLIS: usize = 1000;
        if self.rate == Share::NONE {
            return None;
        }
        let days = days_of_power(self.confidence.number(), self.kept(), self.floor.number())?;
        // On the unrounded strength (decision 21), so that it expires at the moment from which an access is refused.
        let is_gone = |at: Timestamp| self.strength_at(at) < self.floor.number();
        let mut at = after_days(self.since, days);
        for _ in 0..MOST_MILLIS {
            let before = at.plus_millis(-1);
            if at > self.since && is_gone(before) {
                at = before;
            } else if is_gone(at) {
                break;
            } else {
                at = at.plus_millis(1);
            }
        }
        Some(at)
    }
}
