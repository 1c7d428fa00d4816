//! Whether a swarm may run: four blocking errors, in the order of control-room 2.1.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::state::State;
use annals_kernel::actor::Role;
use annals_kernel::grounding::words;
use annals_kernel::refusal::RuleDoc;
use annals_kernel::settings::{Settings, settings};

settings! {
    /// Control-room 2.1.
    MODE: SwarmMode = SwarmMode::Solo, "swarm.mode",
        "solo: editor from the second active agent on; editor; or team: then exactly one active assistant is needed",
        weakens Never;
    /// Control-room 2.1.
    BREAKERS_ENABLED: bool = true, "sanity.enabled",
        "whether circuit breakers are active; without them no agent may act", weakens WhenOff;
    /// Whether a name alone is believed.
    REQUIRE_TOKEN: bool = false, "roster.require_token",
        "whether agents, and a user with a token, must show it (ANNALS_TOKEN)", weakens WhenOff;
}

words! {
    /// How the swarm works.
    pub enum SwarmMode {
        /// One agent and its user, who need nobody else to watch or to dissent (decision 60).
        Solo = "solo",
        /// Agents help with what the user does.
        Editor = "editor",
        /// A team with a leading assistant.
        Team = "team",
    }
}

/// Why a swarm must not run (control-room 2.1).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "error", rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Unhealthy {
    /// Team mode without exactly one active assistant (decision 17: the real count is named).
    InvalidAssistantCount {
        /// How many there are.
        count: usize,
    },
    /// Nobody watches.
    NoModerator,
    /// Nobody can dissent.
    NoDevilsAdvocate,
    /// Nothing stops it.
    CircuitBreakersDisabled,
}

impl Unhealthy {
    /// Every rule, with its facts.
    pub const RULES: &[RuleDoc] = &[
        RuleDoc { rule: "roster.invalid_assistant_count", facts: &["count"] },
        RuleDoc { rule: "roster.no_moderator", facts: &[] },
        RuleDoc { rule: "roster.no_devils_advocate", facts: &[] },
        RuleDoc { rule: "roster.circuit_breakers_disabled", facts: &[] },
    ];

    /// The rule, as it is recorded.
    pub fn rule(&self) -> &'static str {
        match self {
            Self::InvalidAssistantCount { .. } => "roster.invalid_assistant_count",
            Self::NoModerator => "roster.no_moderator",
            Self::NoDevilsAdvocate => "roster.no_devils_advocate",
            Self::CircuitBreakersDisabled => "roster.circuit_breakers_disabled",
        }
    }
}

impl State {
    /// How the swarm works: alone only as long as fewer than two agents take part (decision 60).
    pub fn mode(&self, settings: &Settings) -> SwarmMode {
        match settings.get(&MODE) {
            SwarmMode::Solo if self.active().nth(1).is_some() => SwarmMode::Editor,
            mode @ (SwarmMode::Solo | SwarmMode::Editor | SwarmMode::Team) => mode,
        }
    }

    /// The first of the blocking errors. One agent and its user need neither moderator nor dissent.
    pub fn health(&self, settings: &Settings) -> Result<(), Unhealthy> {
        let mode = self.mode(settings);
        if mode != SwarmMode::Solo {
            self.check_oversight(mode)?;
        }
        if settings.get(&BREAKERS_ENABLED) { Ok(()) } else { Err(Unhealthy::CircuitBreakersDisabled) }
    }

    fn check_oversight(&self, mode: SwarmMode) -> Result<(), Unhealthy> {
        let count = |role: &Role| self.active().filter(|(_, agent)| agent.role == *role).count();
        let assistants = count(&Role::Assistant);
        if mode == SwarmMode::Team && assistants != 1 {
            return Err(Unhealthy::InvalidAssistantCount { count: assistants });
        }
        if count(&Role::Moderator) == 0 {
            return Err(Unhealthy::NoModerator);
        }
        if !self.active().any(|(_, agent)| agent.can_be_devils_advocate) {
            return Err(Unhealthy::NoDevilsAdvocate);
        }
        Ok(())
    }
}
