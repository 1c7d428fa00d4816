//! The 24 cells, and the state of each (artoo R7, "Macro-State Decision Table").
//!
//! A cell is where four coordinates meet; where it leads is a word of `state`. Law 2 and the budget of replans are no coordinates, and stand in `explain`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::limits::GgsLimits;
use super::loss::Measures;
use super::reading::Gradient;
use super::state::{CellOutcome, Directive, Terminal};
use annals_kernel::grounding::words;
use annals_kernel::share::Share;

words! {
    /// Where the loss is going: ∇L beside ε.
    pub enum Trend {
        /// ∇L ≤ −ε.
        Improving = "improving",
        /// |∇L| < ε.
        Flat = "flat",
        /// ∇L ≥ ε.
        Worsening = "worsening",
    }
}

words! {
    /// How near the result is: D beside δ.
    pub enum Nearness {
        /// D ≤ δ.
        Within = "within",
        /// D > δ.
        Beyond = "beyond",
    }
}

words! {
    /// What is to blame: P beside ρ.
    pub enum Culprit {
        /// P ≤ ρ.
        Environment = "environment",
        /// P > ρ.
        Approach = "approach",
    }
}

words! {
    /// Whether it may go on: Ω beside θ.
    pub enum Budget {
        /// Ω < θ.
        Left = "left",
        /// Ω ≥ θ.
        Spent = "spent",
    }
}

words! {
    /// Whether the gradient says anything.
    pub enum GradientLabel {
        /// Stuck: |∇L| < ε, D > δ.
        Plateau = "plateau",
        /// Near enough, and staying there: |∇L| < ε, D ≤ δ.
        Stable = "stable",
        /// A signal downwards.
        Improving = "improving",
        /// A signal upwards.
        Worsening = "worsening",
    }
}

/// One of the 24.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
pub struct Cell {
    /// Of the loss.
    pub trend: Trend,
    /// Of the result.
    pub nearness: Nearness,
    /// Of the failures.
    pub blame: Culprit,
    /// Of replans and time.
    pub budget: Budget,
}

impl Cell {
    /// Where a round stands. A bound belongs to the side that the document writes (decision 28).
    pub fn of(measures: Measures, gradient: Gradient, limits: &GgsLimits) -> Self {
        let Measures { d, p, omega } = measures;
        Self {
            trend: Trend::of(gradient, limits.epsilon),
            nearness: if d.number() <= limits.delta.number() { Nearness::Within } else { Nearness::Beyond },
            blame: if p.number() > limits.rho.number() { Culprit::Approach } else { Culprit::Environment },
            budget: if omega.number() >= limits.theta.number() { Budget::Spent } else { Budget::Left },
        }
    }

    /// Its number, 1 to 24, as the document counts them ("Full 24-Cell Enumeration").
    pub fn number(self) -> u8 {
        let trend = match self.trend {
            Trend::Improving => 0,
            Trend::Flat => 8,
            Trend::Worsening => 16,
        };
        let nearness = if self.nearness == Nearness::Beyond { 4 } else { 0 };
        let budget = if self.budget == Budget::Spent { 2 } else { 0 };
        let blame = u8::from(self.blame == Culprit::Approach);
        1 + trend + nearness + budget + blame
    }

    /// All 24, in the order of their numbers.
    pub fn all() -> impl Iterator<Item = Self> {
        Trend::ALL.iter().flat_map(|trend| {
            Nearness::ALL.iter().flat_map(move |nearness| {
                Budget::ALL.iter().flat_map(move |budget| {
                    Culprit::ALL.iter().map(move |blame| Self {
                        trend: *trend,
                        nearness: *nearness,
                        blame: *blame,
                        budget: *budget,
                    })
                })
            })
        })
    }

    /// First whether it may go on, then whether it is near enough, then what kind of change is needed.
    pub fn outcome(self) -> CellOutcome {
        match self.budget {
            Budget::Spent => CellOutcome::Close(Terminal::Abandon),
            Budget::Left => match self.nearness {
                Nearness::Within => CellOutcome::Close(Terminal::Success),
                Nearness::Beyond => CellOutcome::Replan(self.directive()),
            },
        }
    }

    /// Whether the loss got better does not matter here: a wrong approach that seems to improve is wrong (cell 6).
    fn directive(self) -> Directive {
        match (self.trend, self.blame) {
            (Trend::Flat, Culprit::Environment) => Directive::ChangePath,
            (Trend::Flat, Culprit::Approach) => Directive::BreakSymmetry,
            (Trend::Improving | Trend::Worsening, Culprit::Environment) => Directive::Refine,
            (Trend::Improving | Trend::Worsening, Culprit::Approach) => Directive::ChangeApproach,
        }
    }

    /// What the gradient says.
    pub fn label(self) -> GradientLabel {
        match (self.trend, self.nearness) {
            (Trend::Improving, _) => GradientLabel::Improving,
            (Trend::Worsening, _) => GradientLabel::Worsening,
            (Trend::Flat, Nearness::Beyond) => GradientLabel::Plateau,
            (Trend::Flat, Nearness::Within) => GradientLabel::Stable,
        }
    }
}

impl Trend {
    /// From ε on there is a signal, and at ε exactly, too.
    pub fn of(gradient: Gradient, epsilon: Share) -> Self {
        if gradient.size() < epsilon.number() {
            Self::Flat
        } else if gradient < Gradient::NONE {
            Self::Improving
        } else {
            Self::Worsening
        }
    }
}
