//! What a measure shows, and how much it moved, at nine places so that every machine decides alike.
//!
//! Numbers only: what they measure stands in `distance`, `failure` and `loss`.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use annals_kernel::share::Share;

/// What a measure shows: 0 to 1.
#[derive(Debug, Clone, Copy, Default, PartialEq, PartialOrd, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "f64", into = "f64")]
pub struct Reading(f64);

/// How much the loss moved between two rounds: -1 to 1, below 0 where it got better.
#[derive(Debug, Clone, Copy, Default, PartialEq, PartialOrd, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "f64", into = "f64")]
pub struct Gradient(f64);

/// Why a number is neither.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("{given} is not a number from {least} to 1")]
pub struct NotAReading {
    given: f64,
    least: i8,
}

impl Reading {
    /// Nothing of it.
    pub const NONE: Self = Self(0.0);
    /// Half of it: what P shows where nothing speaks for either side (decision 28).
    pub const HALF: Self = Self(0.5);
    /// All of it.
    pub const WHOLE: Self = Self(1.0);

    /// A number from 0 to 1.
    pub fn of(number: f64) -> Result<Self, NotAReading> {
        let is_one = (0.0..=1.0).contains(&number);
        if is_one { Ok(Self(even(number))) } else { Err(NotAReading { given: number, least: 0 }) }
    }

    /// What is beyond 0 and 1 is cut.
    pub(super) fn cut(number: f64) -> Self {
        Self(even(number.clamp(0.0, 1.0)))
    }

    /// As a number, 0 to 1.
    pub fn number(self) -> f64 {
        self.0
    }
}

impl Gradient {
    /// What the first round shows: there is nothing to compare it with.
    pub const NONE: Self = Self(0.0);

    /// A number from -1 to 1.
    pub fn of(number: f64) -> Result<Self, NotAReading> {
        let is_one = (-1.0..=1.0).contains(&number);
        if is_one { Ok(Self(even(number))) } else { Err(NotAReading { given: number, least: -1 }) }
    }

    /// From one loss to the next.
    pub fn between(earlier: Reading, later: Reading) -> Self {
        Self(even(later.0 - earlier.0))
    }

    /// As a number, -1 to 1.
    pub fn number(self) -> f64 {
        self.0
    }

    /// How far from 0, whatever the direction.
    pub fn size(self) -> f64 {
        if self.0 < 0.0 { -self.0 } else { self.0 }
    }

    /// Law 2 asks for more than ε; at ε there is a signal, but no divergence yet.
    pub fn is_above(self, epsilon: Share) -> bool {
        self.0 > epsilon.number()
    }
}

impl TryFrom<f64> for Reading {
    type Error = NotAReading;

    fn try_from(number: f64) -> Result<Self, NotAReading> {
        Self::of(number)
    }
}

impl From<Reading> for f64 {
    fn from(reading: Reading) -> Self {
        reading.0
    }
}

impl TryFrom<f64> for Gradient {
    type Error = NotAReading;

    fn try_from(number: f64) -> Result<Self, NotAReading> {
        Self::of(number)
    }
}

impl From<Gradient> for f64 {
    fn from(gradient: Gradient) -> Self {
        gradient.0
    }
}

impl fmt::Display for Reading {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0.to_string())
    }
}

impl fmt::Display for Gradient {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0.to_string())
    }
}

/// So many, as a number.
pub(super) fn count(of: usize) -> f64 {
    f64::from(u32::try_from(of).unwrap_or(u32::MAX))
}

/// Without what floats leave in the last places: 0.6 × 4 / 3 must reach 0.8, and 0.6 − 0.5 must reach 0.1.
fn even(number: f64) -> f64 {
    const PLACES: f64 = 1e9;
    let scaled = number * PLACES;
    let half = if scaled < 0.0 { -0.5 } else { 0.5 };
    #[expect(clippy::cast_possible_truncation, reason = "it is -1e9 to 1e9")]
    let whole = (scaled + half) as i32;
    f64::from(whole) / PLACES
}
