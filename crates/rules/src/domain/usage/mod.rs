//! Tokens and money: per session, agent and model.
//!
//! Owns no events: everything follows from what entries say they used. Does not know prices; a view asks with them.

use std::collections::BTreeMap;

use annals_sparse::sparse;
use serde::{Deserialize, Serialize};

use annals_kernel::annals::Usage;
use annals_kernel::envelope::Envelope;
use annals_kernel::id::{AgentId, ModelId, SessionId};
use annals_kernel::rows::{Ranked, Rows, change};

#[cfg(test)]
mod tests;

/// What was used.
#[sparse]
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, schemars::JsonSchema, Deserialize)]
pub struct Tally {
    /// Tokens and cost, as importers and hooks counted them.
    pub usage: Usage,
    /// Tokens of entries that say only how many in all (`metadata.token_count`).
    #[sparse]
    pub other_tokens: u64,
}

impl Tally {
    fn add(&mut self, usage: Option<Usage>, tokens: u64) {
        match usage {
            Some(usage) => self.usage += usage,
            None => self.other_tokens += tokens,
        }
    }
}

/// What one session used, by model; the empty name stands for "no model named".
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SessionUsage {
    /// By model.
    pub by_model: BTreeMap<ModelId, Tally>,
}

impl Ranked for SessionUsage {
    /// The one that wrote most comes first.
    fn rank(&self) -> i64 {
        self.by_model.values().map(|tally| tally.usage.output).sum()
    }
}

/// Totals over all sessions.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Totals {
    /// By agent.
    pub by_agent: BTreeMap<AgentId, Tally>,
    /// By model.
    pub by_model: BTreeMap<ModelId, Tally>,
}

/// What was used.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct State {
    /// Totals.
    pub totals: Totals,
    /// By session; those that used nothing have no row.
    pub sessions: Rows<SessionId, SessionUsage>,
}

impl State {
    /// Takes in one entry, whoever wrote it.
    pub fn observe(&mut self, entry: &Envelope<'_>) {
        let (usage, tokens) = (entry.usage(), entry.token_count().unwrap_or(0));
        if usage.is_none() && tokens == 0 {
            return;
        }
        let model = entry.model().unwrap_or_default();
        let agent = entry.agent().unwrap_or_default();
        change(&mut self.totals.by_agent, &agent, |tally: &mut Tally| tally.add(usage, tokens));
        change(&mut self.totals.by_model, &model, |tally: &mut Tally| tally.add(usage, tokens));
        let session = self.sessions.entry(entry.session().as_ref(), SessionUsage::default);
        change(&mut session.by_model, &model, |tally: &mut Tally| tally.add(usage, tokens));
    }
}
