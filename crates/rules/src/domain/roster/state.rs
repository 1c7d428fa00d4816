//! The agents there are.

use std::collections::{BTreeMap, BTreeSet};

use annals_sparse::sparse;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::command::{Command, Duty, Observed};
use super::event::{Barred, Event};
use annals_kernel::actor::{Role, SYSTEM, Standing, USER};
use annals_kernel::decision::Cause;
use annals_kernel::id::{AgentId, ModelId};
use annals_kernel::time::Timestamp;

/// An agent of the swarm.
#[sparse]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Agent {
    /// How people call it.
    pub name: Option<Box<str>>,
    /// What it is there for.
    pub role: Role,
    /// The model behind it.
    pub model: Option<ModelId>,
    /// The program that it acts from.
    pub program: Option<Box<str>>,
    /// Whether it can be asked to dissent.
    pub can_be_devils_advocate: bool,
    /// Whether it takes part.
    pub duty: Duty,
}

/// The agents there are.
#[sparse(marked)]
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct State {
    /// By id.
    pub agents: BTreeMap<AgentId, Agent>,
    /// SHA-256 of their tokens.
    pub seals: BTreeMap<AgentId, Box<str>>,
    /// How often somebody acted under a name without its token.
    pub forgeries: BTreeMap<AgentId, u64>,
    /// Who tried, on the last day on which anybody did, what a rule says that it may not.
    #[sparse]
    pub barred: BTreeMap<Box<str>, RuleAttempts>,
}

/// Attempts against one rule on one day.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RuleAttempts {
    /// When the last of them was.
    pub at: Timestamp,
    /// Who tried.
    pub actors: BTreeSet<AgentId>,
}

/// So many names are remembered of one rule and day: whoever tries takes any name it likes.
const MOST_NAMES: usize = 32;

impl State {
    /// An agent, active or not.
    pub fn agent(&self, id: &AgentId) -> Option<&Agent> {
        self.agents.get(id)
    }

    /// The agents that take part, in the order of their ids.
    pub fn active(&self) -> impl Iterator<Item = (&AgentId, &Agent)> {
        self.agents.iter().filter(|(_, agent)| agent.duty == Duty::Active)
    }

    /// The first active agent of a role.
    pub fn first_of(&self, role: &Role) -> Option<&AgentId> {
        self.active().find(|(_, agent)| agent.role == *role).map(|(id, _)| id)
    }

    /// The agent that a program acts as: the only one that takes part and was bound to it; else the one of its name.
    pub fn bound_to(&self, program: &str) -> Option<&AgentId> {
        let mut bound = self.active().filter(|(_, agent)| agent.program.as_deref() == Some(program));
        match (bound.next(), bound.next()) {
            (Some((id, _)), None) => Some(id),
            (Some(_), Some(_)) | (None, _) => self.active().map(|(id, _)| id).find(|id| id.as_str() == program),
        }
    }

    /// Whether it is the first time on a day that an actor tries what a rule forbids it.
    pub(crate) fn is_barred_anew(&self, rule: &str, actor: &AgentId, at: Timestamp) -> bool {
        let tried = self.barred.get(rule).filter(|tried| tried.at.day() == at.day());
        tried.is_none_or(|tried| !tried.actors.contains(actor) && tried.actors.len() < MOST_NAMES)
    }

    fn bar(&mut self, barred: &Barred, at: Timestamp) {
        let none = || RuleAttempts { at, actors: BTreeSet::new() };
        let tried = self.barred.entry(barred.rule.clone()).or_insert_with(none);
        if tried.at.day() != at.day() {
            *tried = none();
        }
        tried.at = at;
        tried.actors.insert(barred.actor.clone());
    }

    /// What an actor may be taken for.
    pub fn standing(&self, actor: &AgentId) -> Standing {
        match actor.as_str() {
            USER => Standing::User,
            SYSTEM => Standing::System,
            _ => match self.agents.get(actor).filter(|agent| agent.duty == Duty::Active) {
                Some(agent) => Standing::Agent(agent.role.clone()),
                None => Standing::Stranger,
            },
        }
    }

    /// The model behind an agent; `unknown` where nobody said.
    pub(crate) fn model_of(&self, agent: &AgentId) -> ModelId {
        let known = self.agents.get(agent).and_then(|agent| agent.model.clone());
        known.unwrap_or_else(|| ModelId::from("unknown"))
    }

    /// Takes in an event of a decision.
    pub fn evolve(&mut self, event: &Event, cause: &Cause<'_, Command, Observed>) {
        match event {
            Event::Changed(changed) => drop(self.agents.insert(changed.agent.clone(), changed.to.clone())),
            Event::Sealed(sealed) => drop(self.seals.insert(sealed.agent.clone(), sealed.seal.clone())),
            Event::Forged(forged) => *self.forgeries.entry(forged.actor.clone()).or_default() += 1,
            Event::Barred(barred) => self.bar(barred, cause.at),
        }
    }
}
