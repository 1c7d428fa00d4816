//! What models and agents have used up by the record: by a task before it was stopped, and by all tasks of the project.

use annals_llm::{Budget, Spending};

use crate::act::journal::{AGENT, ANSWER};
use crate::engine::Engine;
use crate::engine::query::filter::Filter;
use crate::kernel::entry::HistoryEntry;
use crate::kernel::id::SessionId;

/// Whose spending it is, for the budget of one process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Spender {
    /// The task that runs here.
    Own,
    /// Any other.
    Other,
}

impl Spender {
    /// As the budget calls it.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Own => "own",
            Self::Other => "other",
        }
    }
}

/// Adds what is on record to a budget; `own` is the session of the task that goes on.
pub(super) fn add_recorded(budget: &mut Budget, engine: &Engine, own: Option<&SessionId>) -> anyhow::Result<()> {
    let answers = Filter { names: vec![ANSWER.to_owned(), AGENT.to_owned()], ..Filter::default() };
    for found in engine.reader()?.all(&answers)? {
        let entry = found.entry;
        let spender = if own == Some(&entry.session_id) { Spender::Own } else { Spender::Other };
        budget.spend(spender.name(), entry.timestamp.day(), used(&entry));
    }
    Ok(())
}

fn used(entry: &HistoryEntry) -> Spending {
    let usage = entry.annals.usage.unwrap_or_default();
    let count = |count: i64| u64::try_from(count).unwrap_or(0);
    Spending {
        tokens: count(usage.input).saturating_add(count(usage.output)),
        nano_usd: count(usage.cost_micro_usd).saturating_mul(1_000),
        ms: entry.operation.duration_ms.unwrap_or(0),
    }
}
