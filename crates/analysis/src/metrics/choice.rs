//! Which architecture the document would recommend, from what is given (AFS 5.2.3, "Architecture Selection Formula").
//!
//! An input that nobody gave is missed only where the answer depends on it. The figures in the warnings are the
//! document's. Recommends; changes nothing.

use annals_sparse::sparse;
use serde::{Deserialize, Serialize};

use super::agents::Architecture;
use crate::computed::{Computed, Decimal};
use annals_kernel::share::Share;

/// What no recording can say, and somebody must.
#[sparse]
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, schemars::JsonSchema, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Given {
    /// How often one agent alone does the task right.
    pub baseline_accuracy: Option<Share>,
    /// How far the task falls into independent parts.
    pub task_decomposability: Option<Share>,
    /// Whether what comes out has a fixed form.
    pub output_structured: Option<bool>,
    /// Whether the way must be searched for.
    pub requires_exploration: Option<bool>,
    /// Whether the task changes while it is done.
    pub high_entropy: Option<bool>,
    /// Whether different answers are wanted.
    pub need_diversity: Option<bool>,
    /// Whether the agents must agree with each other.
    pub needs_coordination: Option<bool>,
    /// How many tools an agent has.
    pub task_tool_count: Option<u32>,
    /// How many acts one agent alone needs.
    pub baseline_turns: Option<u32>,
    /// How many of its calls fail where one agent works alone.
    pub baseline_error_rate: Option<Share>,
    /// How well the session did its task.
    pub success: Option<Share>,
}

/// Limits of the formula, as the document has them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, schemars::JsonSchema, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ChoiceLimits {
    /// A single agent that is right more often needs no others.
    pub baseline_accuracy: Share,
    /// A task that falls into more parts can be given away.
    pub task_decomposability: Share,
    /// More tools than that, and several agents lose more than they gain.
    pub task_tool_count: u32,
    /// How many agents are of use.
    pub max_effective_agents: u32,
    /// Messages that are more alike than this repeat each other.
    pub redundancy: Share,
}

impl Default for ChoiceLimits {
    fn default() -> Self {
        Self {
            baseline_accuracy: Share::thousandths(450),
            task_decomposability: Share::thousandths(300),
            task_tool_count: 4,
            max_effective_agents: 4,
            redundancy: Share::thousandths(800),
        }
    }
}

/// What is recommended, why, and what to beware of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Choice {
    /// The architecture.
    pub architecture: Architecture,
    /// Which line of the formula.
    pub because: &'static str,
    /// What the document says of it.
    pub by_the_document: &'static str,
}

/// What is known of a condition.
fn both(left: Option<bool>, right: Option<bool>) -> Option<bool> {
    match (left, right) {
        (Some(false), _) | (_, Some(false)) => Some(false),
        (Some(true), Some(true)) => Some(true),
        (None, _) | (_, None) => None,
    }
}

fn either(left: Option<bool>, right: Option<bool>) -> Option<bool> {
    both(left.map(|it| !it), right.map(|it| !it)).map(|it| !it)
}

/// The formula, line by line; the first line that cannot be told says what it lacks.
pub(crate) fn recommended(given: &Given, limits: &ChoiceLimits) -> Computed<Choice> {
    let choice =
        |architecture, because, by_the_document| Computed::Is(Choice { architecture, because, by_the_document });
    match given.baseline_accuracy.map(|accuracy| accuracy > limits.baseline_accuracy) {
        None => return missing("baseline_accuracy"),
        Some(true) => return choice(Architecture::Single, "one agent alone is right often enough", ""),
        Some(false) => {}
    }
    let parts = given.task_decomposability.map(|parts| parts > limits.task_decomposability);
    match both(parts, given.output_structured) {
        None => {
            let (parts, form) = (given.task_decomposability.is_some(), given.output_structured.is_some());
            return missing_of([("task_decomposability", parts), ("output_structured", form)]);
        }
        Some(true) => {
            let figures = "errors grow 4.4 times, against 17.2 times without a centre";
            return choice(Architecture::Centralized, "the task falls into parts and its output has a form", figures);
        }
        Some(false) => {}
    }
    match either(given.requires_exploration, given.high_entropy) {
        None => {
            let (explores, entropy) = (given.requires_exploration.is_some(), given.high_entropy.is_some());
            return missing_of([("requires_exploration", explores), ("high_entropy", entropy)]);
        }
        Some(true) => {
            return choice(Architecture::Decentralized, "the way must be searched for", "9.2 % more on such tasks");
        }
        Some(false) => {}
    }
    match both(given.need_diversity, given.needs_coordination.map(|needs| !needs)) {
        None => {
            let (diversity, coordination) = (given.need_diversity.is_some(), given.needs_coordination.is_some());
            missing_of([("need_diversity", diversity), ("needs_coordination", coordination)])
        }
        Some(true) => choice(Architecture::Independent, "different answers are wanted", "errors grow 17.2 times"),
        Some(false) => choice(Architecture::Hybrid, "nothing else fits", "515 % overhead"),
    }
}

/// Whether several agents are worth it, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Several {
    /// Whether.
    pub is: bool,
    /// From what was given.
    pub because: String,
}

/// `P_SA < 0.45 AND T <= 4`, of what was given: tools that were used say nothing of those that were there.
pub(crate) fn should_use_multi_agent(given: &Given, limits: &ChoiceLimits) -> Computed<Several> {
    let weak = given.baseline_accuracy.map(|accuracy| {
        let is = accuracy < limits.baseline_accuracy;
        let side = if is { "below" } else { "not below" };
        (is, format!("baseline_accuracy {accuracy} is {side} {}", limits.baseline_accuracy))
    });
    let few = given.task_tool_count.map(|tools| {
        let is = tools <= limits.task_tool_count;
        let side = if is { "not above" } else { "above" };
        (is, format!("task_tool_count {tools} is {side} {}", limits.task_tool_count))
    });
    let several = |is, because| Computed::Is(Several { is, because });
    match (weak, few) {
        (Some((false, because)), _) | (_, Some((false, because))) => several(false, because),
        (Some((true, weak)), Some((true, few))) => several(true, format!("{weak}, {few}")),
        (None, None) => missing("baseline_accuracy and task_tool_count"),
        (None, Some((true, _))) => missing("baseline_accuracy"),
        (Some((true, _)), None) => missing("task_tool_count"),
    }
}

/// Of figures and whether they are given, those that are not.
fn missing_of<T>(figures: [(&str, bool); 2]) -> Computed<T> {
    let names: Vec<_> = figures.into_iter().filter(|(_, is_given)| !is_given).map(|(name, _)| name).collect();
    missing(&names.join(", "))
}

fn missing<T>(what: &str) -> Computed<T> {
    Computed::missing(format!("{what} (give it with --given, or in analysis.metrics.given)"))
}

/// `O% = (T_MAS - T_SAS) / T_SAS x 100%`, of acts.
pub fn overhead(acts: usize, alone: u32) -> Option<Decimal> {
    let acts = i64::try_from(acts).ok()?;
    Decimal::ratio((acts - i64::from(alone)).checked_mul(100)?, i64::from(alone))
}

/// `E_c = S / (T / T_SAS)`.
pub(crate) fn efficiency(success: Share, acts: usize, alone: u32) -> Option<Decimal> {
    let product = i64::from(success.in_thousandths()) * i64::from(alone);
    Decimal::ratio(product, i64::try_from(acts).ok()?.checked_mul(1000)?)
}

/// `A_e = E_MAS / E_SAS`.
pub fn amplification(failed: usize, calls: usize, alone: Share) -> Option<Decimal> {
    let failed = i64::try_from(failed).ok()?.checked_mul(1000)?;
    Decimal::ratio(failed, i64::try_from(calls).ok()?.checked_mul(i64::from(alone.in_thousandths()))?)
}
