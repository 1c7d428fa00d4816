//! The records of all agents.

use std::collections::BTreeMap;

use annals_sparse::sparse;
use serde::{Deserialize, Serialize};

use super::event::Event;
use super::ladder::WatchLevel;
use super::record::ReliabilityRecord;
use annals_kernel::decision::Cause;
use annals_kernel::id::{AgentId, EntryId, ModelId};
use annals_kernel::time::Timestamp;

/// The records of one agent.
#[sparse]
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct AgentRecords {
    /// The model that it has now.
    pub model: Option<ModelId>,
    /// What it did with each model.
    #[always]
    pub records: BTreeMap<ModelId, ReliabilityRecord>,
    /// The entry in which its level changed last: one step an entry is enough.
    pub changed_in: Option<EntryId>,
}

/// The records of all agents.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct State {
    /// By id.
    pub agents: BTreeMap<AgentId, AgentRecords>,
}

impl State {
    /// Takes in an event of a decision.
    pub fn evolve(&mut self, event: &Event, cause: &Cause<'_, (), ()>) {
        let Event::LevelChanged(changed) = event;
        let record = self.record(&changed.agent, &changed.model);
        (record.level, record.since_change) = (changed.to, 0);
        self.agents.entry(changed.agent.clone()).or_default().changed_in = Some(cause.id);
    }

    fn record(&mut self, agent: &AgentId, model: &ModelId) -> &mut ReliabilityRecord {
        self.agents.entry(agent.clone()).or_default().records.entry(model.clone()).or_default()
    }

    /// The record of an agent with the model that it has now.
    pub fn current(&self, agent: &AgentId) -> Option<&ReliabilityRecord> {
        let agent = self.agents.get(agent)?;
        agent.records.get(agent.model.as_ref()?)
    }

    /// How closely an agent is looked at, with the model that it has now.
    pub fn level(&self, agent: &AgentId) -> WatchLevel {
        self.current(agent).map_or(WatchLevel::Normal, |record| record.level)
    }

    /// An agent has a model, or takes part no more: records of other models rest, and are taken up again when it comes
    /// back to them (control-room 12.4).
    pub fn switched(&mut self, agent: &AgentId, model: Option<&ModelId>, at: Timestamp) {
        let agent = self.agents.entry(agent.clone()).or_default();
        for (name, record) in &mut agent.records {
            if Some(name) != model && record.active_since.take().is_some() {
                record.active_until = Some(at);
            }
        }
        if let Some(model) = model {
            let record = agent.records.entry(model.clone()).or_default();
            record.active_until = None;
            record.active_since.get_or_insert(at);
            agent.model = Some(model.clone());
        }
    }

    /// An agent did something.
    pub fn acted(&mut self, agent: &AgentId, model: &ModelId, change: impl FnOnce(&mut ReliabilityRecord)) {
        let record = self.record(agent, model);
        record.acted();
        change(record);
    }

    /// The last thing that an agent did was penalised.
    pub fn penalised(&mut self, agent: &AgentId, model: &ModelId) {
        self.record(agent, model).penalised();
    }

    /// Something of an agent was found to be of use, or of none.
    pub fn found(&mut self, agent: &AgentId, model: &ModelId, change: impl FnOnce(&mut ReliabilityRecord)) {
        change(self.record(agent, model));
    }
}
