//! R2, the planner: subtasks and criteria for a task, and a draft of what is there when it is given up (artoo R2).
//!
//! Asks memory, puts the question, and holds the answer against what must not be used. Computes no loss (R7), runs no tool
//! (R3), judges no result (R4a, R4b), and writes no memory. Whether an answer that cannot be used is asked for again is
//! decided by the loop.

mod answer;
mod check;
mod demand;
mod dispatch;
mod draft;
mod enforce;
mod example;
mod forbidden;
mod looks;
mod must_not;
mod question;
mod room;
mod round;
mod schema;
mod spelling;
#[cfg(test)]
mod tests;
mod tool_words;

pub use answer::{PlanLimits, read};
pub use demand::demand_problem as check_problem;
pub use dispatch::dispatch;
pub use draft::{DraftQuery, draft_question, plain_draft, read_draft};
pub use forbidden::{Forbidden, covers};
pub use must_not::{Ban, BanSource, Banned, MustNot, must_not};
pub(crate) use question::ban_lines;
pub use question::{PLAN_PROMPT_CHARS, PlanQuery, question};

use super::message::MemoryQuery;
use super::plan::TaskSpec;
use annals_rules::domain::memory::tag;

/// What R2 asks memory before it plans (artoo R2, "Derive memory tags").
pub fn memory_queries(spec: &TaskSpec) -> Vec<MemoryQuery> {
    vec![MemoryQuery { space: tag::intent(&spec.intent), entity: tag::LOCAL.to_owned() }]
}
