//! Urgency: how hard a directive is meant (artoo R7, "∇L Sign as Urgency Modulator"; decision 67).
//!
//! Changes no state. What R2 makes of it is its own matter.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::cell::Trend;
use super::state::{CellOutcome, Directive};
use annals_kernel::grounding::words;
use annals_kernel::share::Share;

words! {
    /// How hard.
    pub enum UrgencyLevel {
        /// The task is over.
        None = "none",
        /// It gets better: with latitude.
        Low = "low",
        /// It stands still.
        Normal = "normal",
        /// It gets worse: aggressively.
        High = "high",
    }
}

/// How hard a directive is meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Urgency {
    /// In a word.
    pub level: UrgencyLevel,
    /// So many alternatives R2 must give.
    pub alternatives: u8,
    /// So much of the budget that is left R2 may use.
    pub budget_share: Share,
}

impl Urgency {
    const NONE: Self = Self { level: UrgencyLevel::None, alternatives: 0, budget_share: Share::NONE };

    /// By state and trend.
    pub fn of(outcome: CellOutcome, trend: Trend) -> Self {
        match outcome {
            CellOutcome::Close(_) => Self::NONE,
            CellOutcome::Replan(directive) => Self::of_directive(directive, trend),
        }
    }

    fn of_directive(directive: Directive, trend: Trend) -> Self {
        let (level, alternatives, share) = match trend {
            Trend::Improving => (UrgencyLevel::Low, 1, 300),
            Trend::Flat => (UrgencyLevel::Normal, 2, 400),
            Trend::Worsening => (UrgencyLevel::High, 3, 500),
        };
        Self { level, alternatives, budget_share: Share::thousandths(share + exploration(directive)) }
    }
}

/// A new approach costs more than a new target, in thousandths. So cell 6, whose improvement is not to be trusted, gets
/// what a plateau gets.
fn exploration(directive: Directive) -> u16 {
    match directive {
        Directive::Refine | Directive::ChangePath => 0,
        Directive::ChangeApproach | Directive::BreakSymmetry => 100,
    }
}
