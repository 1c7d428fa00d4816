//! An assessment, and how rule, cache, model and override come together in it.
//!
//! Whatever order they are taken in, an override holds above a model's word, and a rule that found something above
//! both a cached and a fresh one.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::cache::StateCache;
use super::dimension::{AskedDimension, Dimension, DimensionState};
use super::forced::{StateOverride, in_force};
use super::limits::HomeostasisLimits;
use annals_kernel::grounding::words;
use annals_kernel::time::Timestamp;

words! {
    /// Where a state comes from.
    pub enum AssessmentMethod {
        /// A rule read it.
        Computed = "computed",
        /// A model said so.
        Llm = "llm",
        /// A model said so a while ago.
        Cached = "cached",
        /// A person set it.
        Override = "override",
        /// Nothing speaks for anything, so it is taken to be HEALTHY.
        Fallback = "fallback",
    }
}

/// A state, and where it comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Assessed {
    /// Where the agent stands.
    pub state: DimensionState,
    /// How that is known.
    pub assessment_method: AssessmentMethod,
}

/// Where the agent stands on all scales.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct HomeostasisAssessment {
    /// When.
    pub assessed_at: Timestamp,
    /// The six.
    pub dimensions: BTreeMap<Dimension, Assessed>,
    /// The seventh, by rule alone (decision 68).
    pub self_preservation: Assessed,
}

impl Assessed {
    /// By rule.
    pub fn computed(state: DimensionState) -> Self {
        Self { state, assessment_method: AssessmentMethod::Computed }
    }

    /// Where nothing is known.
    pub fn fallback() -> Self {
        Self { state: DimensionState::Healthy, assessment_method: AssessmentMethod::Fallback }
    }
}

impl HomeostasisAssessment {
    /// Where the agent stands on one of the six.
    pub fn of(&self, dimension: Dimension) -> Assessed {
        self.dimensions.get(&dimension).copied().unwrap_or_else(Assessed::fallback)
    }

    /// What a model is worth asking for.
    pub fn wanted(&self) -> Vec<AskedDimension> {
        let is_open = |asked: &AskedDimension| self.is_open((*asked).into());
        AskedDimension::ALL.iter().copied().filter(is_open).collect()
    }

    /// Takes a model's answers that still hold, where no rule found anything.
    #[must_use]
    pub fn with_cache(mut self, cache: &StateCache, now: Timestamp, limits: &HomeostasisLimits) -> Self {
        for asked in self.wanted() {
            if let Some(state) = cache.cached(asked, now, limits) {
                self.set(asked.into(), Assessed { state, assessment_method: AssessmentMethod::Cached });
            }
        }
        self
    }

    /// Takes what was read of a model's answer; nothing of an unreadable one.
    #[must_use]
    pub fn with_answer(mut self, asked: AskedDimension, answer: Option<DimensionState>) -> Self {
        if let Some(state) = answer.filter(|_| self.is_open(asked.into())) {
            self.set(asked.into(), Assessed { state, assessment_method: AssessmentMethod::Llm });
        }
        self
    }

    /// Takes what a person set, above all else.
    #[must_use]
    pub fn with_overrides(mut self, overrides: &[StateOverride], now: Timestamp) -> Self {
        for dimension in Dimension::ALL {
            if let Some(state) = in_force(overrides, *dimension, now) {
                self.set(*dimension, Assessed { state, assessment_method: AssessmentMethod::Override });
            }
        }
        self
    }

    /// The states alone, the seventh last: what makes two assessments say the same.
    pub fn states(&self) -> Vec<DimensionState> {
        let six = Dimension::ALL.iter().map(|dimension| self.of(*dimension).state);
        six.chain([self.self_preservation.state]).collect()
    }

    /// Whether all six are HEALTHY.
    pub fn is_balanced(&self) -> bool {
        Dimension::ALL.iter().all(|dimension| self.of(*dimension).state == DimensionState::Healthy)
    }

    fn is_open(&self, dimension: Dimension) -> bool {
        self.of(dimension).assessment_method == AssessmentMethod::Fallback
    }

    fn set(&mut self, dimension: Dimension, assessed: Assessed) {
        self.dimensions.insert(dimension, assessed);
    }
}
