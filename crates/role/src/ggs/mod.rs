//! The goal-gradient solver: what a round of a task came to, and what the planner must do otherwise (artoo R7).
//!
//! Pure: rounds in, a directive or a final result out, as data. Measures the distance (D), the process (P) and the cost
//! (Ω), weighs them into a loss, and goes from the loss and its gradient through 24 cells to a state. Makes no plan,
//! judges no criterion, merges nothing, writes no megram (it drafts them), asks no model, and reads no clock: elapsed
//! time comes with the round.

pub mod blocked;
pub mod cell;
pub mod distance;
pub mod explain;
pub mod failure;
pub mod limits;
pub mod loss;
pub mod message;
pub mod reading;
pub mod round;
pub mod solver;
pub mod state;
#[cfg(test)]
mod tests;
pub mod urgency;

pub use blocked::Tried;
pub use cell::{Budget, Cell, Culprit, GradientLabel, Nearness, Trend};
pub use distance::{distance, worst_criterion};
pub use explain::{Assessment, ExplainQuery, Explained, Forced, Pressure, Since, assess, explain};
pub use failure::{FailureClass, FailureMix, is_infrastructure, process};
pub use limits::{BadLimits, GgsLimits};
pub use loss::{Loss, Measures, gradient, is_worsening, loss, omega};
pub use message::{Answer, FinalResult, MegramDraft, MegramSubject, PlanDirective, PreviousDirective, Ruling};
pub use reading::{Gradient, NotAReading, Reading};
pub use round::{
    CallResult, CriterionMode, CriterionVerdict, GapAttempt, Gate, RoundOutcome, SubTaskOutcome, SubTaskStatus,
    ToolUse, Verdict,
};
pub use solver::{Ggs, SolverPhase, TaskEnded};
pub use state::{CellOutcome, Directive, Terminal};
pub use urgency::{Urgency, UrgencyLevel};
