//! What is known about access, and the question itself.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::command::{Command, Observed};
use super::decide::Refusal;
use super::event::Event;
use super::policy::{FolderPolicy, Intent, folder_of, policy_of};
use annals_kernel::decision::Cause;
use annals_kernel::id::AgentId;
use annals_kernel::settings::Settings;

/// What is known about access.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct State {
    /// Folders that an agent may write beyond the policy.
    pub grants: BTreeMap<AgentId, BTreeSet<Box<str>>>,
    /// Refused attempts by agent.
    pub denials: BTreeMap<AgentId, u64>,
}

impl State {
    /// Whether somebody may do something with a path below `.context`.
    pub fn ask(&self, settings: &Settings, agent: &AgentId, path: &str, intent: Intent) -> Result<(), Refusal> {
        let folder = folder_of(path);
        let policy = policy_of(settings, folder);
        let granted = self.grants.get(agent).is_some_and(|folders| folders.contains(folder));
        let allowed = match (policy, intent) {
            (FolderPolicy::ReadOnly | FolderPolicy::Writable | FolderPolicy::Executable, Intent::Read)
            | (FolderPolicy::Writable, Intent::Write)
            | (FolderPolicy::Executable, Intent::Execute) => true,
            (FolderPolicy::Closed, Intent::Read) => folder == "history",
            (FolderPolicy::Closed, Intent::Write | Intent::Execute) => false,
            (FolderPolicy::ReadOnly | FolderPolicy::Executable, Intent::Write) => granted || is_user(agent),
            (FolderPolicy::ReadOnly | FolderPolicy::Writable, Intent::Execute) => is_user(agent),
        };
        if allowed {
            return Ok(());
        }
        let (agent, path, folder) = (agent.clone(), path.into(), folder.into());
        Err(Refusal::Forbidden { agent, intent, path, folder, policy })
    }

    /// Takes in an event of a decision.
    pub fn evolve(&mut self, event: &Event, _: &Cause<'_, Command, Observed>) {
        match event {
            Event::Denied(denied) => *self.denials.entry(denied.agent.clone()).or_default() += 1,
            Event::Given(given) => {
                self.grants.entry(given.agent.clone()).or_default().insert(given.folder.clone());
            }
            Event::Revoked(revoked) => {
                if let Some(folders) = self.grants.get_mut(&revoked.agent) {
                    folders.remove(&revoked.folder);
                }
                self.grants.retain(|_, folders| !folders.is_empty());
            }
        }
    }
}

/// The person in whose project the agents work.
pub(super) fn is_user(agent: &AgentId) -> bool {
    agent.as_str() == "user"
}
