//! Whether an entry of the user says what `local/settings` says that it does.
//!
//! It takes nothing out of force: on another branch the entry may be away, and with it what protects would go. It is said.

use serde_json::Value;

use super::Held;
use crate::{Engine, EngineError};
use annals_kernel::actor::USER;
use annals_kernel::entry::HistoryEntry;
use annals_kernel::json::Json;

/// What holds though it weakens, or may weaken, what protects the project.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Holding {
    /// The user entered it, as an entry says.
    pub entered: Vec<Held>,
    /// No entry here says so.
    pub unfounded: Vec<Held>,
}

impl Engine {
    /// What holds though it weakens, or may weaken, what protects the project, by whether an entry of the user says so.
    pub fn held_settings(&self) -> Result<Holding, EngineError> {
        let consent = self.configuration.consent();
        let mut holding = Holding::default();
        for held in super::held(self.settings()) {
            let entry = consent.of(held.key).map(|entered| entered.entry);
            let found = entry.map(|id| self.entries(&[id])).transpose()?.unwrap_or_default();
            let is_founded = found.values().any(|entry| says(entry, &held));
            if is_founded { &mut holding.entered } else { &mut holding.unfounded }.push(held);
        }
        Ok(holding)
    }
}

/// Whether the user says so in an entry.
fn says(entry: &HistoryEntry, held: &Held) -> bool {
    let is_the_user = entry.provenance.agent_id.as_ref().is_some_and(|agent| agent.as_str() == USER);
    let output: Value = entry.operation.output.as_ref().map(Json::value).unwrap_or_default();
    let events = output["events"].as_array().into_iter().flatten();
    let mut data = events.map(|event| &event["data"]).filter(|data| data["key"] == held.key);
    let is_config = entry.operation.name.starts_with("config.") && entry.annals.r.is_some();
    is_the_user && is_config && data.any(|data| data["to"] == held.value || data["value"] == held.value)
}
