//! The weights and thresholds of the solver (artoo, "Loss Hyperparameters"; decision 37: they are configuration).
//!
//! Their values and what makes them usable; not where they are kept.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use annals_kernel::share::Share;

/// Artoo, "Loss Hyperparameters (v0.8 Defaults)".
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct GgsLimits {
    /// α: how much the distance D weighs.
    pub alpha: Share,
    /// β: how much the process P weighs while nothing of the budget is used.
    pub beta: Share,
    /// λ: how much the cost Ω weighs.
    pub lambda: Share,
    /// w₁: the part of Ω that comes from replans.
    pub w1: Share,
    /// w₂: the part of Ω that comes from elapsed time.
    pub w2: Share,
    /// ε: a gradient nearer to 0 than this is a plateau.
    pub epsilon: Share,
    /// δ: a distance up to this is a success.
    pub delta: Share,
    /// ρ: a P above this means a wrong approach.
    pub rho: Share,
    /// θ: a cost from this on means giving up.
    pub theta: Share,
    /// So many replans are the whole budget of replans.
    pub max_replans: u32,
    /// So much time is the whole budget of time, in milliseconds.
    pub time_budget_ms: u64,
    /// So many worsening rounds in a row force giving up (Law 2).
    pub law2_rounds: u32,
}

impl Default for GgsLimits {
    fn default() -> Self {
        Self {
            alpha: Share::thousandths(600),
            beta: Share::thousandths(300),
            lambda: Share::thousandths(400),
            w1: Share::thousandths(600),
            w2: Share::thousandths(400),
            epsilon: Share::thousandths(100),
            delta: Share::thousandths(300),
            rho: Share::thousandths(500),
            theta: Share::thousandths(800),
            max_replans: 3,
            time_budget_ms: 300_000,
            law2_rounds: 2,
        }
    }
}

/// Why limits cannot be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BadLimits {
    /// The loss could leave 0 to 1.
    #[error("alpha {alpha} and the greater of beta and lambda {other} are more than 1 together")]
    LossAboveOne {
        /// As it was set.
        alpha: Share,
        /// The greater of β and λ.
        other: Share,
    },
    /// What must be more than nothing is nothing.
    #[error("{name} is 0")]
    Zero {
        /// Of which limit.
        name: &'static str,
    },
}

impl GgsLimits {
    /// L is linear in Ω, between αD + βP and αD + λ: so it stays in 0 to 1 exactly when α + max(β, λ) ≤ 1.
    pub fn check(&self) -> Result<(), BadLimits> {
        let other = self.beta.max(self.lambda);
        if self.alpha.in_thousandths() + other.in_thousandths() > Share::WHOLE.in_thousandths() {
            return Err(BadLimits::LossAboveOne { alpha: self.alpha, other });
        }
        let is_zero = [
            ("epsilon", self.epsilon == Share::NONE),
            ("theta", self.theta == Share::NONE),
            ("max_replans", self.max_replans == 0),
            ("time_budget_ms", self.time_budget_ms == 0),
            ("law2_rounds", self.law2_rounds == 0),
        ];
        match is_zero.into_iter().find(|(_, zero)| *zero) {
            Some((name, _)) => Err(BadLimits::Zero { name }),
            None => Ok(()),
        }
    }
}
