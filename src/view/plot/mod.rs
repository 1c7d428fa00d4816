//! How a pair of tags fades, drawn: as SVG and with characters. The same plot gives the same bytes.
//!
//! Does not know memory and reads no clock.

mod svg;
mod terminal;

use serde::Serialize;
pub use svg::svg;
pub use terminal::lines;

use crate::kernel::time::Timestamp;

/// The two potentials at a time.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Sample {
    /// When.
    pub at: Timestamp,
    /// How much is remembered.
    pub attention: f64,
    /// What it says.
    pub decision: f64,
}

/// What is drawn.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Plot {
    /// What it is about.
    pub title: String,
    /// In the order of time.
    pub samples: Vec<Sample>,
    /// Up to when it has happened.
    pub now: Timestamp,
    /// Below this attention a pair is ignored.
    pub attention_bound: f64,
    /// Beyond this decision, for or against, something is advised.
    pub preference: f64,
}

impl Plot {
    /// What the potentials are now.
    fn current(&self) -> Option<&Sample> {
        self.samples.iter().rev().find(|sample| sample.at <= self.now)
    }

    /// The first and the last moment.
    fn span(&self) -> (Timestamp, Timestamp) {
        let first = self.samples.first().map_or(self.now, |sample| sample.at);
        (first, self.samples.last().map_or(self.now, |sample| sample.at))
    }

    /// How far along a moment is, 0 to 1.
    fn along(&self, at: Timestamp) -> f64 {
        #[expect(clippy::cast_precision_loss, reason = "milliseconds of 285,000 years fit")]
        let part = |from: Timestamp, to: Timestamp| to.since(from) as f64;
        let (first, last) = self.span();
        let whole = part(first, last);
        if whole > 0.0 { (part(first, at) / whole).min(1.0) } else { 0.0 }
    }

    /// The lowest and the highest value that must be seen.
    fn range(&self) -> (f64, f64) {
        let values = self.samples.iter().flat_map(|sample| [sample.attention, sample.decision]);
        let bounds = [self.attention_bound, self.preference, -self.preference];
        let (low, high) =
            values.chain(bounds).fold((0.0, 0.0), |(low, high): (f64, f64), value| (low.min(value), high.max(value)));
        let air = ((high - low) * 0.06).max(0.01);
        (low - air, high + air)
    }
}

/// A step between marks on an axis: 1, 2 or 5 times a power of ten, so that there are about so many of them.
fn step(span: f64, marks: f64) -> f64 {
    let mut step = 0.001;
    // From 1 to 2 to 5 to 10.
    for factor in [2.0, 2.5, 2.0].into_iter().cycle().take(40) {
        if span / step <= marks {
            break;
        }
        step *= factor;
    }
    step
}

/// The marks of an axis in a range.
fn marks(low: f64, high: f64, step: f64) -> Vec<f64> {
    const MOST: u16 = 100;
    let first = (low / step).ceil();
    (0..MOST).map(|number| (first + f64::from(number)) * step).take_while(|mark| *mark <= high).collect()
}

/// A number on an axis: no more places than its step needs, and no minus before nothing.
fn label(mark: f64, step: f64) -> String {
    let places = match step {
        step if step >= 1.0 => 0,
        step if step >= 0.1 => 1,
        step if step >= 0.01 => 2,
        _ => 3,
    };
    let text = format!("{mark:.places$}");
    if text.trim_matches(['-', '0', '.']).is_empty() { format!("{:.places$}", 0.0) } else { text }
}

#[cfg(test)]
mod tests;
