//! Ω, the loss and its gradient (artoo R7, "The Loss Function", "Gradient Computation").
//!
//! Arithmetic over what was measured; what follows from it stands in `cell`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::limits::GgsLimits;
use super::reading::{Gradient, Reading};

/// What was measured in a round.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Measures {
    /// D: how far the result is from what was wanted.
    #[serde(rename = "D")]
    pub d: Reading,
    /// P: how wrong the approach is.
    #[serde(rename = "P")]
    pub p: Reading,
    /// Ω: how much of the budget is used.
    #[serde(rename = "Omega")]
    pub omega: Reading,
}

/// The loss with its parts (artoo R7, contract).
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Loss {
    /// What it was made of.
    #[serde(flatten)]
    pub measures: Measures,
    /// L: all of it, weighed.
    #[serde(rename = "L")]
    pub l: Reading,
}

/// Ω(C): the share of the budgets that is used; both together, and no more than 1. `replans` includes the one that is
/// asked for: so three are handed out, and the fourth request finds θ reached without any time having passed.
pub fn omega(replans: u32, elapsed_ms: u64, limits: &GgsLimits) -> Reading {
    let replanned = f64::from(replans) / f64::from(limits.max_replans.max(1));
    #[expect(clippy::cast_precision_loss, reason = "a time of some hours, in milliseconds")]
    let elapsed = elapsed_ms as f64 / limits.time_budget_ms.max(1) as f64;
    Reading::cut(limits.w1.number() * replanned + limits.w2.number() * elapsed)
}

/// L = α·D + β·(1 − Ω)·P + λ·Ω.
pub fn loss(measures: Measures, limits: &GgsLimits) -> Loss {
    let Measures { d, p, omega } = measures;
    let beta_effective = limits.beta.number() * (1.0 - omega.number());
    let sum =
        limits.alpha.number() * d.number() + beta_effective * p.number() + limits.lambda.number() * omega.number();
    Loss { measures, l: Reading::cut(sum) }
}

/// ∇L: 0 in the first round.
pub fn gradient(previous: Option<Reading>, loss: &Loss) -> Gradient {
    previous.map_or(Gradient::NONE, |previous| Gradient::between(previous, loss.l))
}

/// Law 2 counts a round when ∇L > ε, D did not fall, and the loss would have risen at the same Ω, too: elapsed time and
/// the replan itself never make a round a worsening one (decision 29).
pub fn is_worsening(previous: &Loss, loss_now: &Loss, limits: &GgsLimits) -> bool {
    let now = loss_now.measures;
    let at_equal_cost = loss(Measures { omega: now.omega, ..previous.measures }, limits);
    gradient(Some(previous.l), loss_now).is_above(limits.epsilon)
        && now.d >= previous.measures.d
        && loss_now.l > at_equal_cost.l
}
