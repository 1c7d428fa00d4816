//! Credits in thousandths, and parts of a whole, so that no rule needs a fraction of a machine's own.
//!
//! Does not know what credits are given for.

use std::fmt;
use std::iter::Sum;
use std::ops::{Add, AddAssign, Neg, Sub};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// An amount of credits, in thousandths (decision 15a).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct Credits(i64);

impl Credits {
    /// None.
    pub const ZERO: Self = Self(0);

    /// So many whole ones.
    pub const fn whole(count: i64) -> Self {
        Self(count.saturating_mul(1000))
    }

    /// So many thousandths.
    pub const fn thousandths(count: i64) -> Self {
        Self(count)
    }

    /// In thousandths.
    pub const fn in_thousandths(self) -> i64 {
        self.0
    }

    /// So many thousandths of it, rounded to the nearest, a half up.
    #[must_use]
    pub const fn weighted(self, thousandths: i64) -> Self {
        Self((self.0.saturating_mul(thousandths).saturating_add(500)).div_euclid(1000))
    }
}

impl Add for Credits {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }
}

impl Sub for Credits {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        Self(self.0.saturating_sub(other.0))
    }
}

impl Neg for Credits {
    type Output = Self;

    fn neg(self) -> Self {
        Self(self.0.saturating_neg())
    }
}

impl AddAssign for Credits {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl Sum for Credits {
    fn sum<I: Iterator<Item = Self>>(amounts: I) -> Self {
        amounts.fold(Self::ZERO, Add::add)
    }
}

impl fmt::Display for Credits {
    /// As people write it: `2`, `-1`, `0.75`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (sign, size) = (if self.0 < 0 { "-" } else { "" }, self.0.unsigned_abs());
        let fraction = format!("{:03}", size % 1000);
        let fraction = fraction.trim_end_matches('0');
        let point = if fraction.is_empty() { "" } else { "." };
        f.pad(&format!("{sign}{}{point}{fraction}", size / 1000))
    }
}

/// So many of so many. With too few to say anything it is unknown, neither none nor all (decision 18).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Rate {
    /// How many.
    pub count: u64,
    /// Of how many.
    pub of: u64,
}

impl Rate {
    /// Fewer actions say nothing (decision 18).
    pub const LEAST: u64 = 5;

    /// So many of so many.
    pub const fn new(count: u64, of: u64) -> Self {
        Self { count, of }
    }

    /// In thousandths, rounded down; none where there are too few to say.
    pub fn thousandths(self) -> Option<u64> {
        (self.of >= Self::LEAST).then(|| self.count.saturating_mul(1000) / self.of)
    }

    /// Whether it is known and more than so many thousandths.
    pub fn is_above(self, thousandths: u32) -> bool {
        self.is_known() && self.count.saturating_mul(1000) > u64::from(thousandths).saturating_mul(self.of)
    }

    /// Whether it is known and less than so many thousandths.
    pub fn is_below(self, thousandths: u32) -> bool {
        self.is_known() && self.count.saturating_mul(1000) < u64::from(thousandths).saturating_mul(self.of)
    }

    /// Whether there are enough to say anything.
    pub fn is_known(self) -> bool {
        self.of >= Self::LEAST
    }
}

impl fmt::Display for Rate {
    /// As people read it: `83%`, and a dash where it is unknown.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.thousandths() {
            Some(thousandths) => f.pad(&format!("{}%", (thousandths + 5) / 10)),
            None => f.pad("-"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_are_written_without_idle_zeros() {
        let written = |thousandths| Credits::thousandths(thousandths).to_string();
        assert_eq!([2000, -1000, 750, -50, 0, 1].map(written), ["2", "-1", "0.75", "-0.05", "0", "0.001"]);
    }

    #[test]
    fn a_weight_takes_so_many_thousandths() {
        assert_eq!(Credits::whole(1).weighted(750), Credits::thousandths(750));
        assert_eq!(Credits::thousandths(-2).weighted(250), Credits::thousandths(0), "a half goes up");
    }

    /// Decision 18.
    #[test]
    fn a_rate_of_fewer_than_five_is_unknown() {
        assert_eq!((Rate::new(4, 4).thousandths(), Rate::new(4, 4).to_string()), (None, "-".to_owned()));
        assert!(!Rate::new(4, 4).is_above(0) && !Rate::new(0, 4).is_below(1000));
        assert_eq!((Rate::new(4, 5).thousandths(), Rate::new(4, 5).to_string()), (Some(800), "80%".to_owned()));
        assert!(!Rate::new(4, 5).is_above(800) && !Rate::new(4, 5).is_below(800), "a bound itself is on neither side");
    }
}
