//! What the moderator has set: small, and needed whenever somebody acts.

use std::collections::{BTreeMap, BTreeSet};

use annals_sparse::sparse;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::command::{Command, Observed};
use super::event::{Assisted, Event};
use annals_kernel::actor::Role;
use annals_kernel::decision::Cause;
use annals_kernel::fold::Folded;
use annals_kernel::grounding::words;
use annals_kernel::id::AgentId;
use annals_kernel::time::Timestamp;

words! {
    /// What an agent may do alone (control-room 8.2, 9.3), the least first.
    pub enum Freedom {
        /// It decides nothing.
        Restricted = "restricted",
        /// It decides what others support.
        Normal = "normal",
        /// It decides what changes little, alone.
        Trusted = "trusted",
    }
}

words! {
    /// What made an agent work in smaller portions.
    pub enum AssistTrigger {
        /// Somebody asked for it.
        Asked = "asked",
        /// Its comments were stopped again and again.
        StoppedComments = "stopped-comments",
    }
}

words! {
    /// How long something is remembered.
    pub enum Retention {
        /// Shorter than usual.
        Weak = "weak",
        /// As usual.
        Normal = "normal",
        /// Longer than usual.
        Strong = "strong",
    }
}

/// How agents of a role remember (control-room 2.2).
#[sparse]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Profile {
    /// How long.
    pub retention: Retention,
    /// What they look at first, with `#`.
    pub focus_tags: BTreeSet<Box<str>>,
    /// How much a thing can interest them: 1 to 5.
    pub max_interest: u8,
    /// Whether they may keep issues from being forgotten.
    pub can_pin_issues: bool,
}

impl Profile {
    /// That of a role for which nobody set another one.
    pub fn usual(role: &Role) -> Self {
        let is_moderator = *role == Role::Moderator;
        let focus: &[&str] =
            if is_moderator { &["#canon", "#circuit-breaker", "#leech", "#meta", "#stuck"] } else { &[] };
        Self {
            retention: if is_moderator { Retention::Strong } else { Retention::Normal },
            focus_tags: focus.iter().map(|tag| Box::from(*tag)).collect(),
            max_interest: if is_moderator { 5 } else { 3 },
            can_pin_issues: is_moderator,
        }
    }
}

/// A tag under which no new issues come.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema, Deserialize)]
pub struct FrozenTag {
    /// Why.
    pub reason: Box<str>,
    /// Who froze it.
    pub by: AgentId,
    /// Since when.
    pub at: Timestamp,
}

/// An agent that works in smaller portions.
#[sparse]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema, Deserialize)]
pub struct Assistance {
    /// What set it off.
    pub trigger: AssistTrigger,
    /// What it is to heed, where somebody said so.
    #[sparse]
    pub reason: Box<str>,
    /// How many of its comments in a row were stopped, where that set it off.
    pub stops: Option<u32>,
    /// Into how many portions a task is cut.
    pub slices: u32,
    /// Since when.
    pub at: Timestamp,
}

/// How the last comments of an agent fared.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, schemars::JsonSchema, Deserialize)]
pub struct Streak {
    /// How many in a row were stopped.
    pub stops: u32,
    /// How many in a row were taken.
    pub passes: u32,
}

/// What the moderator has set.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, schemars::JsonSchema, Deserialize)]
#[serde(default)]
pub struct State {
    /// Tags under which no new issues come.
    pub frozen_tags: BTreeMap<Box<str>, FrozenTag>,
    /// Agents with more or less freedom than others.
    pub freedom: BTreeMap<AgentId, Freedom>,
    /// Agents that work in smaller portions.
    pub assisted: BTreeMap<AgentId, Assistance>,
    /// How the last comments of agents fared.
    pub streaks: BTreeMap<AgentId, Streak>,
    /// How agents of a role remember, where somebody said so.
    pub profiles: BTreeMap<Box<str>, Profile>,
}

impl State {
    /// How much freedom an agent has.
    pub fn freedom_of(&self, agent: &AgentId) -> Freedom {
        self.freedom.get(agent).copied().unwrap_or(Freedom::Normal)
    }

    /// The form in which a tag is frozen, if it is.
    pub(crate) fn frozen_as(&self, tag: &str) -> Option<&str> {
        let tag = Folded::of(tag);
        self.frozen_tags.keys().map(AsRef::as_ref).find(|frozen| Folded::of(frozen).is_same(&tag))
    }

    /// How agents of a role remember.
    pub fn profile_of(&self, role: &Role) -> Profile {
        self.profiles.get(role.as_str()).cloned().unwrap_or_else(|| Profile::usual(role))
    }

    /// Learns that a comment of an agent was stopped.
    pub fn stopped(&mut self, agent: &AgentId) {
        let streak = self.streaks.entry(agent.clone()).or_default();
        *streak = Streak { stops: streak.stops + 1, passes: 0 };
    }

    /// Learns that a comment of an agent was taken.
    pub fn passed(&mut self, agent: &AgentId) {
        let streak = self.streaks.entry(agent.clone()).or_default();
        *streak = Streak { stops: 0, passes: streak.passes + 1 };
    }

    /// Takes in an event of a decision.
    pub fn evolve(&mut self, event: &Event, cause: &Cause<'_, Command, Observed>) {
        match event {
            Event::TagFrozen(frozen) => {
                let tag = FrozenTag { reason: frozen.reason.clone(), by: cause.actor.clone(), at: cause.at };
                self.frozen_tags.insert(frozen.tag.clone(), tag);
            }
            Event::TagUnfrozen(unfrozen) => drop(self.frozen_tags.remove(&unfrozen.tag)),
            Event::Adjusted(adjusted) => drop(self.freedom.insert(adjusted.agent.clone(), adjusted.to)),
            Event::Escalated(_) | Event::Consolidated(_) | Event::ReportCalled(_) | Event::Reported(_) => {}
            Event::Assisted(assisted) => {
                let Assisted { agent, trigger, reason, stops, slices } = assisted.clone();
                self.streaks.remove(&agent);
                self.assisted.insert(agent, Assistance { trigger, reason, stops, slices, at: cause.at });
            }
            Event::Unassisted(unassisted) => drop(self.assisted.remove(&unassisted.agent)),
            Event::ProfileChanged(changed) => {
                self.profiles.insert(changed.role.as_str().into(), changed.profile.clone());
            }
        }
    }
}
