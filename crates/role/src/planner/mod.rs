//! R2, the planner: subtasks and criteria for a task, and a draft of what is there when it is given up (artoo R2).
//!
//! Asks memory, puts the question, and holds the answer against what must not be used. Computes no loss (R7), runs no tool
//! (R3), judges no result (R4a, R4b), and writes no memory. Whether an answer that cannot be used is asked for again is
//! decided by the loop.

mod answer;
mod between;
mod check;
mod demand;
mod dispatch;
mod draft;
mod enforce;
mod example;
mod forbidden;
mod looks;
mod must_not;
mod named;
mod question;
mod room;
mod round;
mod said;
mod schema;
mod spelling;
#[cfg(test)]
mod tests;
mod tool_words;
mod tried;

pub use answer::{PlanLimits, read};
pub use between::misses_quotes;
pub use demand::demand_problem as check_problem;
pub use dispatch::dispatch;
pub use draft::{DraftQuery, draft_question, own_steps, plain_draft, read_draft};
pub use forbidden::{Forbidden, covers};
pub use must_not::{Ban, BanSource, Banned, MustNot, must_not};
pub use named::{require_meant_checks, require_meant_files, require_other_words, require_own_words, with_named_paths};
pub(crate) use question::ban_lines;
pub use question::{PLAN_PROMPT_CHARS, PlanQuery, question};
pub use said::is_guess;
pub(crate) use spelling::is_same_input;
pub(crate) use tried::tried_line;

use super::message::MemoryQuery;
use super::plan::{PlannedTool, TaskPlan, TaskSpec};
use annals_rules::domain::memory::tag;

/// What R2 asks memory before it plans (artoo R2, "Derive memory tags").
pub fn memory_queries(spec: &TaskSpec) -> Vec<MemoryQuery> {
    vec![MemoryQuery { space: tag::intent(&spec.intent), entity: tag::LOCAL.to_owned() }]
}

/// So many targets of a plan are asked for.
const MOST_TARGETS: usize = 8;
/// Characters of a target that stand in a tag.
const MOST_TARGET_CHARS: usize = 290;

/// What memory is asked before a plan is sent out: each tool on each target that it means to use.
pub fn target_queries(plan: &TaskPlan) -> Vec<MemoryQuery> {
    let query = |planned: &PlannedTool| {
        let target = planned.target.as_deref().map(str::trim).filter(|target| !target.is_empty())?;
        let (tool, target) = (planned.tool.trim().to_lowercase(), spelling::tidy_input(target));
        let target: String = target.chars().take(MOST_TARGET_CHARS).collect();
        Some(MemoryQuery { space: tag::tool(&tool), entity: tag::path(&target) })
    };
    let mut queries: Vec<MemoryQuery> = Vec::new();
    for query in plan.subtasks.iter().flat_map(|subtask| &subtask.tools).filter_map(query) {
        if queries.len() < MOST_TARGETS && !queries.contains(&query) {
            queries.push(query);
        }
    }
    queries
}
