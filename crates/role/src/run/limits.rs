//! How much a task may use, as settings say it (decision 37).
//!
//! Values only; a task keeps those that it began with.

use serde::{Deserialize, Serialize};

use super::effect::Pace;
use crate::executor::ExecutorLimits;
use crate::ggs::{BadLimits, GgsLimits};
use annals_kernel::settings::Settings;
use annals_rules::domain::task::settings as set;

/// What bounds a task.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct RunLimits {
    /// The solver's weights and thresholds.
    pub ggs: GgsLimits,
    /// What one attempt at a subtask may use.
    pub executor: ExecutorLimits,
    /// How often a subtask is tried again (artoo R4a, maxRetries).
    pub max_retries: u32,
    /// How often a model is asked again whose answer could not be read.
    pub max_unreadable: u32,
}

impl Default for RunLimits {
    fn default() -> Self {
        let (ggs, executor) = (GgsLimits::default(), ExecutorLimits::default());
        Self { ggs, executor, max_retries: 2, max_unreadable: 2 }
    }
}

impl RunLimits {
    /// What a configuration says; an error where its weights do not go together.
    pub fn of(settings: &Settings) -> Result<Self, BadLimits> {
        let (max_answers, max_calls) = (settings.get(&set::MAX_ANSWERS), settings.get(&set::MAX_CALLS));
        let limits = Self {
            ggs: ggs_limits(settings),
            executor: ExecutorLimits { max_answers, max_calls },
            max_retries: settings.get(&set::MAX_RETRIES),
            max_unreadable: settings.get(&set::MAX_UNREADABLE),
        };
        limits.ggs.check()?;
        Ok(limits)
    }
}

/// The budget of time is meant for a model that writes so many tokens a second.
const MEANT_TOKENS_PER_SECOND: u64 = 50;
/// A model of which fewer tokens are known is not measured.
const LEAST_TOKENS: u64 = 16;
/// However slow a model is, the budget grows by this at most.
const MOST_TIMES: u64 = 12;

impl RunLimits {
    /// With the time that a model of this pace needs: five minutes are too short for one on a person's own machine.
    /// None where too little is known of it.
    #[must_use]
    pub fn at_pace(self, pace: Pace) -> Option<Self> {
        let Pace { tokens, ms } = pace;
        if tokens < LEAST_TOKENS {
            return None;
        }
        let meant_ms = (tokens * 1000 / MEANT_TOKENS_PER_SECOND).max(1);
        let budget = self.ggs.time_budget_ms;
        let scaled = u128::from(budget) * u128::from(ms) / u128::from(meant_ms);
        let time_budget_ms = u64::try_from(scaled).unwrap_or(u64::MAX).clamp(budget, budget.saturating_mul(MOST_TIMES));
        Some(Self { ggs: GgsLimits { time_budget_ms, ..self.ggs }, ..self })
    }
}

fn ggs_limits(settings: &Settings) -> GgsLimits {
    GgsLimits {
        alpha: settings.get(&set::ALPHA),
        beta: settings.get(&set::BETA),
        lambda: settings.get(&set::LAMBDA),
        w1: settings.get(&set::W1),
        w2: settings.get(&set::W2),
        epsilon: settings.get(&set::EPSILON),
        delta: settings.get(&set::DELTA),
        rho: settings.get(&set::RHO),
        theta: settings.get(&set::THETA),
        max_replans: settings.get(&set::MAX_REPLANS),
        time_budget_ms: settings.get(&set::TIME_BUDGET_MS),
        law2_rounds: settings.get(&set::LAW2_ROUNDS),
    }
}
