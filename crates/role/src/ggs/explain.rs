//! From measures to a state, and why, in one line (artoo R7; `annals ggs explain`).
//!
//! Here Law 2 and the budget of replans come in. Keeps nothing; `solver` does.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::cell::{Cell, GradientLabel, Nearness};
use super::limits::GgsLimits;
use super::loss::{Loss, Measures, gradient, loss};
use super::reading::{Gradient, Reading};
use super::state::{CellOutcome, Directive, Terminal};
use super::urgency::{Urgency, UrgencyLevel};
use annals_kernel::grounding::words;
use annals_kernel::share::Share;
use annals_rules::domain::memory::quantum::MacroState;

words! {
    /// What forced giving up, whatever the cell says.
    pub enum Forced {
        /// Worsening rounds in a row (artoo R7, "Law 2 Kill-Switch").
        Law2 = "law_2",
        /// More replans asked for than there are (artoo R4b, `maxReplans`).
        MaxReplans = "max_replans",
        /// The person wants no more of it.
        Person = "person",
    }
}

/// What the rounds so far weigh, beside the measures.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Pressure {
    /// Worsening rounds in a row, this one included.
    pub worsening: u32,
    /// Replans, the one asked for included.
    pub replans: u32,
    /// What the person demands, by checks or by what they forbade, and does not hold.
    pub unmet_demands: u32,
}

/// Where a round stands, and what follows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Assessment {
    /// Of the 24.
    pub cell: Cell,
    /// What overrode the cell.
    pub forced: Option<Forced>,
    /// What follows.
    pub outcome: CellOutcome,
    /// How hard it is meant.
    pub urgency: Urgency,
}

/// What a round is compared with.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub enum Since {
    /// Nothing: it is the first one.
    #[default]
    First,
    /// The gradient is known.
    Gradient(Gradient),
    /// The loss of the round before is known.
    PreviousLoss(Reading),
}

/// A round as a person may put it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ExplainQuery {
    /// D, P and Ω.
    pub measures: Measures,
    /// What it is compared with.
    pub since: Since,
    /// Worsening rounds in a row, this one included.
    pub worsening: u32,
}

/// The answer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Explained {
    /// L.
    pub loss: Reading,
    /// L with what it was made of.
    pub parts: Loss,
    /// ∇L.
    pub gradient: Gradient,
    /// What the gradient says.
    pub label: GradientLabel,
    /// The number of the cell, 1 to 24.
    pub cell: u8,
    /// Where that leads.
    pub state: MacroState,
    /// What overrode the cell.
    pub forced: Option<Forced>,
    /// How hard it is meant.
    pub urgency: UrgencyLevel,
    /// So many alternatives R2 must give.
    pub alternatives: u8,
    /// So much of the budget that is left R2 may use.
    pub budget_share: Share,
    /// In one line.
    pub why: String,
}

/// Loss, gradient, cell, state, urgency, and why.
pub fn explain(query: &ExplainQuery, limits: &GgsLimits) -> Explained {
    let parts = loss(query.measures, limits);
    let gradient = match query.since {
        Since::First => Gradient::NONE,
        Since::Gradient(gradient) => gradient,
        Since::PreviousLoss(previous) => gradient(Some(previous), &parts),
    };
    let pressure = Pressure { worsening: query.worsening, ..Pressure::default() };
    let found = assess(query.measures, gradient, pressure, limits);
    let why = found.why(query.measures, gradient, pressure, limits);
    Explained {
        loss: parts.l,
        parts,
        gradient,
        label: found.cell.label(),
        cell: found.cell.number(),
        state: found.outcome.state(),
        forced: found.forced,
        urgency: found.urgency.level,
        alternatives: found.urgency.alternatives,
        budget_share: found.urgency.budget_share,
        why,
    }
}

/// The cell, and what overrides it. A success is never overridden (decision 29); what the person checks it by, and what
/// does not hold, is no success, however small D is.
pub fn assess(measures: Measures, gradient: Gradient, pressure: Pressure, limits: &GgsLimits) -> Assessment {
    let mut cell = Cell::of(measures, gradient, limits);
    if pressure.unmet_demands > 0 {
        cell.nearness = Nearness::Beyond;
    }
    let forced = match cell.outcome() {
        CellOutcome::Close(_) => None,
        CellOutcome::Replan(_) => pressure.forces(limits),
    };
    let outcome = forced.map_or(cell.outcome(), |_| CellOutcome::Close(Terminal::Abandon));
    Assessment { cell, forced, outcome, urgency: Urgency::of(outcome, cell.trend) }
}

impl Pressure {
    fn forces(self, limits: &GgsLimits) -> Option<Forced> {
        if self.worsening >= limits.law2_rounds {
            Some(Forced::Law2)
        } else {
            (self.replans > limits.max_replans).then_some(Forced::MaxReplans)
        }
    }
}

impl Assessment {
    /// The numbers that decided, in one line.
    pub fn why(&self, measures: Measures, gradient: Gradient, pressure: Pressure, limits: &GgsLimits) -> String {
        let because = match (self.forced, self.outcome) {
            (Some(forced), _) => why_forced(forced, pressure, limits),
            (None, CellOutcome::Close(terminal)) => why_closed(terminal, measures, limits),
            (None, CellOutcome::Replan(directive)) => {
                let near = why_beyond(measures, pressure, limits);
                format!("{near}, {}", why_replan(directive, measures, gradient, limits))
            }
        };
        format!("{}: {because}", self.outcome.state())
    }
}

pub(super) fn why_forced(forced: Forced, pressure: Pressure, limits: &GgsLimits) -> String {
    match forced {
        Forced::Law2 => format!("worsening rounds {} >= {} (Law 2)", pressure.worsening, limits.law2_rounds),
        Forced::MaxReplans => format!("replans {} > {}", pressure.replans, limits.max_replans),
        Forced::Person => "the person wants no more of it".to_owned(),
    }
}

fn why_closed(terminal: Terminal, measures: Measures, limits: &GgsLimits) -> String {
    match terminal {
        Terminal::Abandon => format!("Omega {} >= theta {}", measures.omega, limits.theta),
        Terminal::Success => format!("D {} <= delta {}", measures.d, limits.delta),
        Terminal::Accept => format!("D {}, gate accepted", measures.d),
    }
}

fn why_beyond(measures: Measures, pressure: Pressure, limits: &GgsLimits) -> String {
    let (d, delta, count) = (measures.d, limits.delta, pressure.unmet_demands);
    if count > 0 {
        format!("what the person demands and does not hold: {count}, D {d}")
    } else {
        format!("D {d} > delta {delta}")
    }
}

fn why_replan(directive: Directive, measures: Measures, gradient: Gradient, limits: &GgsLimits) -> String {
    let (signal, blame) = match directive {
        Directive::Refine => (">=", "<="),
        Directive::ChangePath => ("<", "<="),
        Directive::ChangeApproach => (">=", ">"),
        Directive::BreakSymmetry => ("<", ">"),
    };
    let GgsLimits { epsilon, rho, .. } = limits;
    let p = measures.p;
    format!("|{gradient}| {signal} epsilon {epsilon}, P {p} {blame} rho {rho}")
}
