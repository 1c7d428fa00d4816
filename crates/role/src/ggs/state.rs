//! Where a cell leads: to another round or to the end (artoo R7, "The 6 Macro-States", and `accept` of R5's matrix).
//!
//! Words only; which cell leads where stands in `cell`, how much a state weighs in memory.

use annals_kernel::grounding::words;
use annals_rules::domain::memory::quantum::MacroState;

words! {
    /// What the planner must do otherwise.
    pub enum Directive {
        /// Tighten the parameters.
        Refine = "refine",
        /// Another target.
        ChangePath = "change_path",
        /// Another method.
        ChangeApproach = "change_approach",
        /// A class of tools that was not tried.
        BreakSymmetry = "break_symmetry",
    }
}

words! {
    /// How a task ends.
    pub enum Terminal {
        /// Nothing is missing.
        Accept = "accept",
        /// It is near enough.
        Success = "success",
        /// It is given up.
        Abandon = "abandon",
    }
}

/// What a cell leads to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CellOutcome {
    /// Another round.
    Replan(Directive),
    /// No more rounds.
    Close(Terminal),
}

impl CellOutcome {
    /// As memory knows it.
    pub fn state(self) -> MacroState {
        match self {
            Self::Replan(directive) => directive.state(),
            Self::Close(terminal) => terminal.state(),
        }
    }
}

impl Directive {
    /// As memory knows it.
    pub fn state(self) -> MacroState {
        match self {
            Self::Refine => MacroState::Refine,
            Self::ChangePath => MacroState::ChangePath,
            Self::ChangeApproach => MacroState::ChangeApproach,
            Self::BreakSymmetry => MacroState::BreakSymmetry,
        }
    }
}

impl Terminal {
    /// As memory knows it.
    pub fn state(self) -> MacroState {
        match self {
            Self::Accept => MacroState::Accept,
            Self::Success => MacroState::Success,
            Self::Abandon => MacroState::Abandon,
        }
    }
}
