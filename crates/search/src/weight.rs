//! What each provider's hits count (AFS 9, 9.1): as configured, and by how often a person opened what it found.
//!
//! Pure. Keeps no counts; `metrics` does.

use crate::hit::Source;
use crate::metrics::SearchMetrics;

/// So many selections count as much as the configured weight.
const PRIOR: f64 = 10.0;

/// A weight moves no further than to this share of the configured one, or as far above it.
const LEAST: f64 = 0.5;
const MOST: f64 = 1.5;

/// What the hits of each provider count.
#[derive(Debug, Clone, PartialEq)]
pub struct Weights([f64; 4]);

impl Default for Weights {
    /// AFS 9.1.
    fn default() -> Self {
        Self([1.0, 0.5, 0.8, 1.0])
    }
}

impl Weights {
    /// What those of one count.
    pub fn of(&self, source: Source) -> f64 {
        self.0[source.index()]
    }

    /// The same with another weight for one.
    #[must_use]
    pub fn with(mut self, source: Source, weight: f64) -> Self {
        self.0[source.index()] = weight.clamp(0.0, 10.0);
        self
    }

    /// By what people opened: who is opened more often than the mean of all weighs more.
    #[must_use]
    pub fn learnt(mut self, metrics: &SearchMetrics) -> Self {
        let rates = Source::ALL.map(|source| metrics.selections(source));
        let (selected, shown) =
            rates.iter().fold((0.0, 0.0), |(selected, shown), rate| (selected + rate.selected, shown + rate.queries));
        if selected == 0.0 {
            return self;
        }
        let mean = selected / shown;
        for (source, rate) in Source::ALL.iter().zip(rates) {
            let share = (rate.selected + PRIOR * mean) / (rate.queries + PRIOR) / mean;
            self.0[source.index()] *= share.clamp(LEAST, MOST);
        }
        self
    }
}
